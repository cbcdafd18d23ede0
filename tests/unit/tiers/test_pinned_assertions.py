"""What the recognisers tell of single sentences is what they told."""

from __future__ import annotations

import pytest

from tests.unit.tiers.pinned_assertions import pinned, told

ROWS = pinned()
_AT_ONCE = 25


@pytest.mark.parametrize("start", range(0, len(ROWS), _AT_ONCE))
def test_sentences_tell_what_they_told(start: int) -> None:
    """Sentence by sentence; see :mod:`tests.unit.tiers.pinned_assertions`."""
    for text, before in ROWS[start : start + _AT_ONCE]:
        assert told(text) == before, text
