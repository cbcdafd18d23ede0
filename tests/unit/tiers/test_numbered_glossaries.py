"""Glossaries whose entries have numbers, letters or other signs of their own."""

from __future__ import annotations

import pytest

from coditect.language.definitions.prose import find_definitions
from tests.unit.tiers.test_glossaries import _defined

NUMBERED = (
    "3 Definitions\n\n3.1 Mate: the officer below the captain.\n\n3.2 Deck – the floor on which the crew works.\n\n"
    "3.3 Crew: has the meaning given in section 4.\n\n4 Roles\n\n4.1 Mate: keeps the watch at night and in fog.\n"
)
LETTERED = (
    "2. DEFINITIONS\n\n2.1. Mate. The officer below the captain.\n\n2.2. Signs are these:\n\n"
    '(a) "Horn" - the sign that is heard in fog.\n(b) "Lamp" - the sign that is seen at night.\n\n'
    "3. DUTIES\n\n3.1. Mate. The mate shall load the ship.\n"
)


def test_numbered_entries_define() -> None:
    """Below the title of a glossary a number stands before each term; elsewhere the same words say what somebody does."""
    assert _defined(NUMBERED) == {
        "Mate": "meaning: the officer below the captain.",
        "Deck": "meaning: the floor on which the crew works.",
        "Crew": "reference: has the meaning given in section 4.",
    }


def test_entries_may_be_items_inside_of_an_entry() -> None:
    """Letters inside of a number of a glossary have terms of their own."""
    found = _defined(LETTERED)
    assert found["Horn"] == "meaning: the sign that is heard in fog."
    assert found["Lamp"] == "meaning: the sign that is seen at night."
    assert "Signs are these" not in found


def test_short_form_may_come_first() -> None:
    """ "API (application programming interface)" is one term with two names; other words in parentheses name nothing."""
    found = _defined(
        "# Glossary\n\n* **API (application programming interface)**: a way in which programs talk.\n", "g.md"
    )
    assert found == {"API": "meaning: a way in which programs talk."}
    other = _defined("# Glossary\n\n* **Mate (second of the crew)**: the officer below the captain.\n", "g.md")
    assert "Mate" not in other


def test_sign_of_equality_defines_in_a_glossary_alone() -> None:
    """Elsewhere it states a figure."""
    assert _defined("Glossary\n\nEscrow Agent = the bank named in Schedule 1.\n") == {
        "Escrow Agent": "meaning: the bank named in Schedule 1."
    }
    assert _defined("Rates\n\n**Rate** = the sum of all fees by the days.\n", "r.md") == {}


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ('A person is "connected" with a firm if the person owns a tenth of it.', "connected"),
        ("A company is “small” where it has fewer than ten workers.", "small"),
        ('18 In this Part, "boat" includes a raft, and "skipper" has the meaning given in section 4.', "boat"),
    ],
)
def test_what_makes_a_thing_one_defines_it(text: str, term: str) -> None:
    """A quoted word is defined by the case in which something is called so, and behind a section's number."""
    assert term in {str(each.data["term"]) for each in find_definitions(text, 0, len(text))}


def test_what_is_printed_defines_nothing() -> None:
    """A thing that is marked with a word is not called so."""
    text = 'The door is marked "closed" if the alarm rings.'
    assert find_definitions(text, 0, len(text)) == []


def test_quoted_term_above_what_it_means_is_a_definition_though_it_has_two_words() -> None:
    """Acts print the term and its verb on a line of their own, behind the items of the definition before."""
    text = (
        'In this Act—\n\n"shop" means a room that includes—\n\n(a) a stall, and\n\n(b) a cart;\n\n"trader" means—\n\n'
        "(a) the owner of a shop, or\n\n(b) a person who runs it.\n"
    )
    assert set(_defined(text)) == {"shop", "trader"}
