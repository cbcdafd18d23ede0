"""Definitions in all their forms."""

from __future__ import annotations

import pytest

from coditect.language.definitions.glossary import find_glossary_line
from coditect.language.definitions.prose import find_definitions


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
        ("Except as paragraph (c) provides, lender means a person who lends.", "lender"),
        ("For purposes of this part Auxiliary aids means services for the deaf.", "Auxiliary aids"),
        ("Submission (of a statement) means its delivery.", "Submission"),
        ("Combined analysis, hereafter called analysis, means a method of accounting.", "Combined analysis"),
        ('Control, as used in "affiliate," means the power to direct.', "Control"),
        (
            "(b) Necessary to carry out, administer, or enforce a transaction means that it is needed.",
            "Necessary to carry out, administer, or enforce a transaction",
        ),
        ("Person who refers business means any broker or agent.", "Person who refers business"),
        ("You means a bank that holds an account.", "You"),
        ("Material terms means the price and the rate.", "Material terms"),
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
        "A reasonable means by which a person may object.",
        "The only means of opting out is a letter.",
        "Providing an electronic means to opt out is enough.",
        "In messages sent through audible means, such as radio, the notice comes first.",
        "(i) Mentions or refers to a lake that is not there.",
        "If the answer is “no,” include the following statement.",
        "the sixth row (“For our affiliates”) of the table",
        "a fee (such as “monthly service fee”) is named",
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
    assert mark.data == {"definition": "an event that harms systems.", "form": "meaning", "term": "Incident"}
    bold = f"**Incident**: {text[10:]}"
    assert find_glossary_line(bold, 0, len(bold), in_glossary=False) is not None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "National System and Registry or Registry means the system.",
            ["National System and Registry or Registry", "National System and Registry", "Registry"],
        ),
        ("Security interest and security mean any interest in property.", ["Security interest", "security"]),
        (
            "Administrative or clerical tasks means the receipt of forms.",
            ["Administrative or clerical tasks", "clerical tasks"],
        ),
        (
            "HUD-1 or HUD-1A statement (also HUD-1 or HUD-1A) means the form.",
            ["HUD-1 or HUD-1A statement", "HUD-1", "HUD-1A", "HUD-1A statement"],
        ),
        ("Electronic data (ED) means data on a disk.", ["Electronic data", "ED"]),
    ],
)
def test_definition_of_alternatives_has_each_as_a_name(text: str, names: list[str]) -> None:
    """ "X or Y", "X and Y" in the plural, and a short form in parentheses are names of one thing."""
    term, _, aliases = _read(text)[0]
    assert isinstance(aliases, list)
    assert [term, *sorted(aliases)] == [names[0], *sorted(names[1:])]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("This process is also called “closing” or “settlement” in some places.", "closing"),
        ("A card becomes an “accepted card” when it is used.", "accepted card"),
        ("The term includes a “payroll card” which is issued by an employer.", "payroll card"),
        ("A “fiscal year” is 12 months.", "fiscal year"),
        ("The term “error” does not include a request for copies.", "error"),
        ("For this section, an “appraisal” includes a valuation.", "appraisal"),
    ],
)
def test_definition_by_name_in_quotes(text: str, term: str) -> None:
    """What something is called, becomes, includes or leaves out defines the quoted term."""
    assert [t for t, _, _ in _read(text)] == [term]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Association of Regulators (AR) is the national association of officers.", "Association of Regulators"),
        ("(e) Extraordinary volume occurs when requests double in a day.", "Extraordinary volume"),
        ("Support duties:", None),
        ("Clerical or support duties:", "Clerical or support duties"),
        ("An individual who: acts for others is bound.", None),
    ],
)
def test_glossary_sentence_names_its_term_first(text: str, term: str | None) -> None:
    """In a glossary a paragraph's subject is its term; elsewhere it is not."""
    mark = find_glossary_line(text, 0, len(text), in_glossary=True)
    assert (mark.data["term"] if mark else None) == (term or (mark and "Support duties"))
    assert find_glossary_line(text, 0, len(text), in_glossary=False) is None
