"""The share of synthetic characters of a section."""

from __future__ import annotations

from coditect.schemas import SectionPart
from coditect.schemas.section import synthesis_ratio


def test_synthesis_ratio_counts_characters() -> None:
    """Synthetic characters by all of them; none of nothing is nothing."""
    transition = SectionPart(type="synthetic", content="ab")
    assert synthesis_ratio(()) == 0.0
    assert synthesis_ratio((transition,)) == 1.0
