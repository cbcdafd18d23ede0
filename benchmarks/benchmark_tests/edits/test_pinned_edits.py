"""Sentences of our own are edited as they were, and those that nothing fits are left alone."""

from __future__ import annotations

import pytest

from benchmark_tests.edits.pinned_edits import SENTENCES, edited, pinned


@pytest.mark.parametrize("sentence", SENTENCES)
def test_edits_are_those_that_were_written_down(sentence: str) -> None:
    """For both families, whatever the dice say; see :mod:`benchmark_tests.edits.pinned_edits`."""
    assert edited(sentence) == pinned()[sentence]


def test_every_sentence_is_written_down() -> None:
    """And nothing else is."""
    assert list(pinned()) == list(SENTENCES)
