"""Locators are whole paths of printed numbers."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.documents.structure.lists import read_lists
from coditect.documents.structure.locators import find_locators
from coditect.tiers.extractions.document import document_lists, read_document


def _locators(text: str) -> dict[str, str]:
    """The locator of each sentence, by each of its words."""
    reading = read_document(read_source(text.encode(), "rules.md"))
    shown = reading.source.text
    lists = read_lists(shown, reading.sections, reading.sentences, {}, frozenset())
    found = find_locators(shown, reading.sections, reading.sentences, lists)
    return {
        word.strip(".;:,"): locator
        for each, locator in zip(reading.sentences, found, strict=True)
        for word in shown[each.start : each.end].split()
    }


def _located(text: str) -> dict[str, str]:
    """The locator of each sentence behind its label, with the lists of the format."""
    reading = read_document(read_source(text.encode(), "rules.md"))
    shown, lists = reading.source.text, document_lists(reading)
    found = find_locators(shown, reading.sections, reading.sentences, lists)
    return {
        shown[place.own : each.end].strip(".: \n"): locator
        for each, place, locator in zip(reading.sentences, lists.places, found, strict=True)
    }


RULES = """# Rules

## 4 Custody

4.5.1 (1) The keeper must:

(a) act so as to:

(i) guard keys; and

(ii) guard logs; and

(b) wait.

4.5.2 The clerk must pay. The clerk must rest.

## Schedule 2 Fees

1 The fee is small.
"""


@pytest.mark.parametrize(
    ("word", "locator"),
    [
        ("keys", "4.5.1(1)(a)(i)"),
        ("logs", "4.5.1(1)(a)(ii)"),
        ("wait", "4.5.1(1)(b)"),
        ("pay", "4.5.2"),
        ("rest", "4.5.2"),
    ],
)
def test_locator_is_the_path_of_all_numbers_above(word: str, locator: str) -> None:
    """Items stand below their lead-in, and a sentence without a number in the place of the one before."""
    assert _locators(RULES)[word].replace(" ", "") == locator


def test_locator_names_the_schedule_that_numbers_anew() -> None:
    """A number that begins anew in a schedule is cited with the schedule."""
    assert _locators(RULES)["small"].startswith("Schedule 2")


def test_locator_is_empty_where_nothing_is_numbered() -> None:
    """Plain text has no locators."""
    assert set(_locators("The keeper must pay.\n\nThe clerk must rest.\n").values()) == {""}


def test_numbers_and_letters_in_turn_hold_those_above() -> None:
    """ "2a1)" is cited by itself, below the article, as an item and as a provision; an unnumbered sentence is of the last one."""
    text = (
        "# Article 2: Riders\n\n- 2a) Riders may enter if they:\n    - 2a1) Wear a hat.\n    - 2a2) Pay.\n"
        "- 2b) Riders must wait.\n    - 2b1) Nobody runs. All walk.\n"
    )
    told = _located(text)
    assert [told[each] for each in ("Wear a hat", "Pay", "Nobody runs", "All walk")] == [
        "Article 2 2a1)",
        "Article 2 2a2)",
        "Article 2 2b1)",
        "Article 2 2b1)",
    ]


def test_paragraphs_behind_the_last_item_of_the_format_are_of_no_item() -> None:
    """What stands unindented below a list of Markdown is of the list's section; between items it is of the one above."""
    text = "## 3.1 Board\n\nThe board has these members:\n\n1. The chair\n2. The clerk\n\nEach of them votes. Nobody else does.\n"
    told = _located(text)
    assert [told[each] for each in ("Each of them votes", "Nobody else does")] == ["3.1", "3.1"]
    between = "## 3.1 Board\n\nThe board must:\n\n1. Meet.\n\nIt meets at noon.\n\n2. Vote.\n\nIt votes by hand.\n"
    assert _located(between)["It meets at noon"] == "3.1 1"
