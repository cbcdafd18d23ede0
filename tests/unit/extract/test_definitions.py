"""Definitions in all their forms."""

from __future__ import annotations

import pytest

from coditect.text.definitions import find_definitions, find_glossary_line


def _read(text: str) -> list[tuple[object, object, object]]:
    """(term, definition, aliases) of each definition."""
    return [
        (m.data["term"], m.data.get("definition"), m.data.get("aliases")) for m in find_definitions(text, 0, len(text))
    ]


@pytest.mark.parametrize(
    "verb", ["means", "shall mean", "is defined as", "refers to", "shall have the meaning of", "means,", "will mean"]
)
def test_definition_with_quotes_and_a_verb(verb: str) -> None:
    """A quoted term with a verb of meaning is defined by what follows."""
    text = f"“Personal Data” {verb} any information about a person."
    term, definition, _ = _read(text)[0]
    assert term == "Personal Data"
    assert str(definition).endswith("any information about a person.")


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Account means an extension of credit.", "Account"),
        ("(q) Extension of credit means the granting of credit.", "Extension of credit"),
        ("For purposes of this section, applicant means a person who applies.", "applicant"),
        ("Age refers only to the age of persons.", "Age"),
        ("Negative factor, in relation to age, means a weight that is lower.", "Negative factor"),
    ],
)
def test_definition_without_quotes_needs_the_start_of_its_sentence(text: str, term: str) -> None:
    """Regulations define without quotes, at the start of a sentence."""
    assert [t for t, _, _ in _read(text)] == [term]


@pytest.mark.parametrize(
    "text",
    [
        "This means that data is lost.",
        "It is what the term means here.",
        "We know what he means by that.",
        "by all means",
    ],
)
def test_definition_is_not_seen_in_ordinary_means(text: str) -> None:
    """Pronouns define nothing."""
    assert _read(text) == []


def test_definition_of_parties_in_parentheses() -> None:
    """A parenthetical term names the phrase before it; other terms in it are aliases."""
    text = (
        'This deed is made by and between Northwind Ltd., an English company ("Northwind" or "Supplier"), and others.'
    )
    assert _read(text) == [("Northwind", "Northwind Ltd., an English company", ["Supplier"])]
    mark = find_definitions(text, 0, len(text))[0]
    assert text[mark.start : mark.end] == 'Northwind Ltd., an English company ("Northwind" or "Supplier")'


def test_definition_hereinafter_needs_no_quotes() -> None:
    """ "hereinafter referred to as" marks the term by itself."""
    assert _read("Acme GmbH, Bonn (hereinafter referred to as ACME) sells.")[0][:2] == ("ACME", "Acme GmbH, Bonn")


def test_definition_of_an_acronym_needs_matching_initials() -> None:
    """An acronym is defined only by words that begin with its letters."""
    assert _read("the Security Operations Center (SOC) watches")[0][:2] == ("SOC", "Security Operations Center")
    assert _read("the annual report (SOC) is out") == []


def test_definition_several_in_one_sentence_are_cut_apart() -> None:
    """Each term gets its own clause."""
    text = '"Fee" means the price; and "Term" means one year.'
    assert [text[m.start : m.end] for m in find_definitions(text, 0, len(text))] == [
        '"Fee" means the price',
        '"Term" means one year.',
    ]


def test_definition_that_introduces_a_list_has_no_text_of_its_own() -> None:
    """The items that follow are the definition; the key is absent, not invented."""
    assert _read("The term “error” means:") == [("error", None, None)]


def test_glossary_line_counts_only_in_a_glossary_or_in_bold() -> None:
    """ "Term: text" is a definition under a heading that says so, or with the term in bold."""
    text = "Incident: an event that harms systems."
    assert find_glossary_line(text, 0, len(text), in_glossary=False) is None
    mark = find_glossary_line(text, 0, len(text), in_glossary=True)
    assert mark is not None
    assert mark.data == {"definition": "an event that harms systems.", "term": "Incident"}
    bold = f"**Incident**: {text[10:]}"
    assert find_glossary_line(bold, 0, len(bold), in_glossary=False) is not None
