"""What the sizes of passages may be."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from coditect.schemas import PassageSettings


def test_sizes_of_passages_reach_from_16_to_32768_tokens() -> None:
    """Both ends are allowed."""
    assert PassageSettings(chunk_levels=(16, 32_768)).chunk_levels == (16, 32_768)


@pytest.mark.parametrize(
    ("levels", "reason"),
    [
        ((15, 64), "between 16 and 32768"),
        ((64, 32_769), "between 16 and 32768"),
        ((64, 64), "strictly increasing"),
        ((128, 64), "strictly increasing"),
    ],
)
def test_sizes_out_of_range_or_order_are_refused_with_a_reason(levels: tuple[int, ...], reason: str) -> None:
    """Sizes outside of the range, equal and falling ones are errors that say what holds."""
    with pytest.raises(ValidationError, match=reason):
        PassageSettings(chunk_levels=levels)


def test_smallest_number_of_propositions_is_not_above_the_largest() -> None:
    """The two bounds may be equal, and not cross."""
    assert PassageSettings(min_propositions=4, max_propositions=4).min_propositions == 4
    with pytest.raises(ValidationError, match="min_propositions"):
        PassageSettings(min_propositions=5, max_propositions=4)
