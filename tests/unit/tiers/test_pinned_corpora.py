"""What is made of small corpora is what was made of them."""

from __future__ import annotations

import pytest

from tests.unit.tiers.pinned_corpora import STEPS, pinned

ROWS = pinned()


@pytest.mark.parametrize(
    ("number", "step"), [(number, step) for number, row in enumerate(ROWS) for step in STEPS if step in row]
)
def test_corpus_gives_what_it_gave(number: int, step: str) -> None:
    """Step by step; see :mod:`tests.unit.tiers.pinned_corpora`."""
    assert STEPS[step](ROWS[number]["files"]) == ROWS[number][step]
