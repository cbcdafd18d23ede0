"""What each rule finds of a claim beside its evidence is what it found."""

from __future__ import annotations

import pytest

from tests.unit.verify.pinned_rules import pinned, told

_AT_ONCE = 20
ROWS = pinned()


@pytest.mark.parametrize("start", range(0, len(ROWS), _AT_ONCE))
def test_rules_find_what_they_found(start: int) -> None:
    """Pair by pair; see :mod:`tests.unit.verify.pinned_rules`."""
    for row in ROWS[start : start + _AT_ONCE]:
        assert told(row["claim"], row["evidence"]) == row["told"], row["claim"]
