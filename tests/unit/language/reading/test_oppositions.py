"""Opposites, poles, families and synonyms, by stems."""

from __future__ import annotations

import pytest

from coditect.language.reading.oppositions import families, opposite_kind, poles, synonyms
from coditect.language.reading.stems import canonical_stem as stem


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("increase", "decrease", "comparative"), ("include", "exclude", "quantifier"), ("approve", "reject", "negation"),
        ("required", "recommended", "modality"), ("day", "week", "comparative"), ("monthly", "annually", "comparative"),
    ],
)  # fmt: skip
def test_strict_opposites_have_their_kind_in_both_directions(one: str, other: str, kind: str) -> None:
    """The exchange of two opposites turns the same around, whichever stands in the claim."""
    assert opposite_kind(stem(one), stem(other)) == opposite_kind(stem(other), stem(one)) == kind


@pytest.mark.parametrize(("one", "other"), [("annual", "yearly"), ("increase", "increased"), ("buy", "tenant")])
def test_words_that_are_no_opposites_have_no_kind(one: str, other: str) -> None:
    """Forms of one word and words without relation turn nothing around."""
    assert opposite_kind(stem(one), stem(other)) is None


def test_words_of_one_axis_stand_on_its_poles() -> None:
    """Rise and grow share a pole, rise and fall an axis with opposite signs."""
    rise, grow, fall = (set(poles()[stem(each)]) for each in ("rise", "grow", "fall"))
    assert rise & grow
    assert {(axis, -sign) for axis, sign in rise} & fall


def test_family_and_synonyms_are_sets_by_stem() -> None:
    """Months exclude each other, and buy can stand for purchase."""
    assert set(families()["januari"]) & set(families()["octob"])
    assert set(synonyms()[stem("buys")]) & set(synonyms()[stem("purchased")])
