"""What is told of two versions of a document is what was told."""

from __future__ import annotations

import pytest

from tests.unit.tiers.pinned_changes import pinned, told

ROWS = pinned()
_AT_ONCE = 8


@pytest.mark.parametrize("start", range(0, len(ROWS), _AT_ONCE))
def test_changes_are_told_as_they_were(start: int) -> None:
    """Pair by pair; see :mod:`tests.unit.tiers.pinned_changes`."""
    for old, new, said in ROWS[start : start + _AT_ONCE]:
        assert told(old, new) == said, new
