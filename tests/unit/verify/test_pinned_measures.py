"""What is measured of a claim beside its evidence is what was measured when the weights were fitted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.verify.pinned_measures import measured, pinned

_AT_ONCE = 10
ROWS = pinned()


@pytest.mark.parametrize("start", range(0, len(ROWS), _AT_ONCE))
def test_measures_are_those_that_were_measured(start: int) -> None:
    """Pair by pair, but for what other machines round; see :mod:`tests.unit.verify.pinned_measures`."""
    for row in ROWS[start : start + _AT_ONCE]:
        assert _like(measured(row["claim"], row["evidence"]), row["measured"]), row["claim"]


def _like(one: Any, other: Any) -> bool:  # noqa: ANN401 - whatever JSON holds
    """Whether two values are equal, figures of them nearly."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_like(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_like, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return bool(one == pytest.approx(other, abs=5e-6))
    return bool(one == other)
