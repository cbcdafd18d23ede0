"""What is decided of a part of a requirement and a sentence is what was decided."""

from __future__ import annotations

import pytest

from coditect.verify.requirements.decision import SaidByPolicy
from tests.unit.verify.pinned_requirements import pinned, told

_AT_ONCE = 20
ROWS = pinned()


@pytest.mark.parametrize("start", range(0, len(ROWS), _AT_ONCE))
def test_decisions_are_those_that_were_made(start: int) -> None:
    """Case by case, with its reasons; see :mod:`tests.unit.verify.pinned_requirements`."""
    for row in ROWS[start : start + _AT_ONCE]:
        assert told(row["part"], row["title"], SaidByPolicy(*row["said"])) == row["told"], row["part"]
