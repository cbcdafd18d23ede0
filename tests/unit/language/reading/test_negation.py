"""The one table of words that deny."""

from __future__ import annotations

import pytest

from coditect.language.reading.negation import NEGATION, is_negator
from coditect.language.tables import read_table


@pytest.mark.parametrize(
    "said", ["shall not pay", "NEVER", "can't", "doesn’t", "cannot", "without notice", "Nobody knows"]
)
def test_pattern_finds_negators_and_contractions(said: str) -> None:
    """Every absolute negator and every n't is found, in either case and with either apostrophe."""
    assert NEGATION.search(said)


@pytest.mark.parametrize("said", ["the note is noted", "annotate", "nothingness", "unless it rains", "seldom"])
def test_pattern_passes_over_what_only_contains_a_negator(said: str) -> None:
    """A word that merely contains a negator is none, nor is an exception or an approximate negator."""
    assert NEGATION.search(said) is None


def test_exceptions_are_apart_from_negators() -> None:
    """ "Unless" takes a case out and turns nothing around."""
    assert not any(
        is_negator(each, approximate=True, implicit=True) for each in read_table("negation").words("exceptions")
    )


def test_negator_grades_count_only_where_asked() -> None:
    """Approximate and implicit negators are for those who ask for them."""
    assert not is_negator("hardly")
    assert is_negator("hardly", approximate=True)
    assert not is_negator("fails")
    assert is_negator("fails", implicit=True)
