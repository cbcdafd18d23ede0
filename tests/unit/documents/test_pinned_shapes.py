"""Small documents in many shapes are read as they were."""

from __future__ import annotations

import pytest

from tests.unit.documents.pinned_shapes import READERS, pinned

_PINNED = pinned()


@pytest.mark.parametrize("reader", READERS)
def test_documents_are_read_as_was_written_down(reader: str) -> None:
    """Document by document; see :mod:`tests.unit.documents.pinned_shapes`."""
    for shape, told in _PINNED[reader].items():
        assert READERS[reader](shape) == told, shape


def test_every_reader_has_documents() -> None:
    """And nothing else is written down."""
    assert list(_PINNED) == list(READERS)
    assert all(_PINNED.values())
