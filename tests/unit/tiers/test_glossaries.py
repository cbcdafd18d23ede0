"""Definitions that stand below each other: in tables, below a title on a line of its own, beside another one."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.documents.readers import read_source
from coditect.schemas import DocumentVersion
from coditect.tiers.extractions.document import extraction_records, read_document

# What extractions name their document by.
_VERSION: dict[str, Any] = {"corpus_id": "c", "document_id": "d", "version_id": "v"}


def _defined(text: str, name: str = "glossary.txt") -> dict[str, str]:
    """What each term of a document means, with its form."""
    version = DocumentVersion.model_construct(**_VERSION, name=name)
    reading = read_document(read_source(text.encode(), name))
    found = [
        each for each in extraction_records(version, reading, "derivation") if each.extraction_kind == "definition"
    ]
    return {
        str((data := each.tier1_data.fields())["term"]): f"{data['form']}: {data.get('definition', '')}"
        for each in found
    }


MARKDOWN = """## Crew

| Term | Meaning |
|---|---|
| Mate | means the officer below the captain |
| Bosun (BSN) | the officer of the deck |

The stores hold these:

| Item | Price |
|---|---|
| Rope | 4 euro a piece |
"""

TABS = "Glossary\n\nMate\tThe officer below the captain.\nBosun\tHas the meaning given in section 4 of the Ships Act.\n"

LINES = "Definitions\n\nMate: the officer below the captain.\n\nDuties\n\nWatch: the mate keeps it at night.\n"

ACT = """In this Act,

payee means

(a) a mate who has been paid; or

(b) a bosun.

hull, in respect of a barge, means its outer shell.

crew includes a person who is taken aboard as a guest.

The report includes a list of ropes.
"""


@pytest.mark.parametrize(
    ("text", "name", "defined"),
    [
        (
            MARKDOWN,
            "a.md",
            {"Mate": "meaning: the officer below the captain", "Bosun": "meaning: the officer of the deck"},
        ),
        (
            TABS,
            "a.txt",
            {
                "Mate": "meaning: The officer below the captain.",
                "Bosun": "reference: given in section 4 of the Ships Act.",
            },
        ),
        (LINES, "a.txt", {"Mate": "meaning: the officer below the captain."}),
        (
            ACT,
            "a.txt",
            {
                "payee": "meaning: ",
                "hull": "meaning: its outer shell.",
                "crew": "inclusion: a person who is taken aboard as a guest.",
            },
        ),
    ],
)
def test_definitions_of_a_glossary_are_read_in_each_of_its_layouts(
    text: str, name: str, defined: dict[str, str]
) -> None:
    """Rows below a head that names them, tabs and colons below a title, and what stands among definitions; nothing else."""
    assert _defined(text, name) == defined


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The term of the lease includes the winter.", set()),
        ("Definitions\n\nPart 2.8.(2)\tA mate must not sell rope.\n", set()),
        ('"Hold" shall be construed as the space below the deck.', {"Hold"}),
        ('The expression "quay" is to be read as including a jetty.', {"quay"}),
    ],
)
def test_definition_needs_words_that_define_a_term(text: str, terms: set[str]) -> None:
    """How long a lease lasts and the number of a provision define nothing; how a word is read does."""
    assert set(_defined(text)) == terms


UNPOINTED = """Ferry Act

5 Interpretation
(1) In this Act, unless the context otherwise requires,—
chief keeper means the keeper who holds office under section 6
harbour court—
(a) means a court that sits in a harbour; and
(b) includes a judge of that court
berth, in relation to a ferry, means the place where it lies
mate has the meaning given in section 8
quiet day means a day that is not—
(a) a day of the market; or
(b) a day of the fair
tow includes pull and push
dock: see section 12
"""


def test_terms_that_stand_line_by_line_without_stops_are_told_apart() -> None:
    """Acts print term below term; a term above items has what each of its items says."""
    assert _defined(UNPOINTED) == {
        "chief keeper": "meaning: the keeper who holds office under section 6",
        "harbour court": "inclusion: a judge of that court",
        "berth": "meaning: the place where it lies",
        "mate": "reference: given in section 8",
        "quiet day": "meaning: a day that is not—",
        "tow": "inclusion: pull and push",
        "dock": "reference: section 12",
    }


@pytest.mark.parametrize(
    ("behind", "form"),
    [
        ("The term does not include a guest.", "exclusion: a guest."),
        ("A crew rows by day. This term includes a cook.", "inclusion: a cook."),
        ("It also includes a cook.", "inclusion: a cook."),
        ("A crew rows by day. It also includes a cook.", "meaning: the persons who row a boat."),
        ("The crew includes a cook.", "meaning: the persons who row a boat."),
    ],
)
def test_what_is_added_to_a_definition_is_said_of_its_term(behind: str, form: str) -> None:
    """ "The term" is that of the paragraph, "it" that of the sentence before; what a thing has aboard is no meaning."""
    assert _defined(f'Rules\n\n"crew" means the persons who row a boat. {behind}\n') == {"crew": form}


def test_a_glossary_that_is_printed_as_one_long_sentence_is_read_term_by_term() -> None:
    """Longer than what is read of one sentence; without a semicolon nothing of it is read, and nothing fails."""
    meaning = "a rope of the guild that is kept in the loft with all others of its kind and is counted in spring and in autumn"
    terms = [f"rope {letter}{number}" for letter in "abcdef" for number in range(10)]
    text = "In these rules: " + "; ".join(f"“{term}” means {meaning}" for term in terms) + "."
    assert len(text) > 5_000
    assert list(_defined(text)) == terms
    assert _defined(f"“Rope” means {'a very long rope and ' * 300}no more.") == {}
