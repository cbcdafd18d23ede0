"""Sentences of many shapes are read as they were."""

from __future__ import annotations

import pytest

from tests.unit.language.pinned_sentences import READERS, pinned

_PINNED = pinned()


@pytest.mark.parametrize("reader", READERS)
def test_sentences_are_read_as_was_written_down(reader: str) -> None:
    """Sentence by sentence; see :mod:`tests.unit.language.pinned_sentences`."""
    for text, told in _PINNED[reader].items():
        assert READERS[reader](text) == told, text


def test_every_reader_has_sentences() -> None:
    """And nothing else is written down."""
    assert list(_PINNED) == list(READERS)
    assert all(_PINNED.values())
