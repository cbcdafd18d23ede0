"""What is made of a claim is what was made of it."""

from __future__ import annotations

import pytest

from tests.unit.verify.pinned_assessments import pinned, told

_AT_ONCE = 10
ROWS = pinned()


@pytest.mark.parametrize("start", range(0, len(ROWS), _AT_ONCE))
def test_claims_are_assessed_as_they_were(start: int) -> None:
    """Claim by claim; see :mod:`tests.unit.verify.pinned_assessments`."""
    for asked, before in ROWS[start : start + _AT_ONCE]:
        assert told(asked) == before, asked.claim
