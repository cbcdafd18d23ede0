"""Whether two statements are about one matter, and which is the stricter, is decided as it was."""

from __future__ import annotations

import pytest

from tests.unit.tiers.pinned_matters import pinned, told

ROWS = pinned()


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_pairs_of_statements_are_told_apart_as_they_were(number: int) -> None:
    """Pair by pair; see :mod:`tests.unit.tiers.pinned_matters`."""
    assert told(ROWS[number]["files"]) == ROWS[number]["told"]
