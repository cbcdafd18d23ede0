"""Locators are whole paths of printed numbers."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.documents.structure.lists import read_lists
from coditect.documents.structure.locators import find_locators
from coditect.tiers.extractions.document import read_document


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
