"""Marks of words: whatever can stand for a word shares one with it."""

from __future__ import annotations

from itertools import product

from coditect.language.reading.equivalents import can_stand_for, has_equivalent, kinship
from coditect.language.reading.stems import canonical_stems

STEMS = canonical_stems(
    ("review", "inspect", "check", "notify", "inform", "report", "employer", "employee", "destroy", "destruction", "dispose", "may",
     "encrypt", "encryption", "keep", "retain", "retention", "record", "recording", "begin", "commence", "start", "end", "cat", "a")
)  # fmt: skip


def test_words_that_can_stand_for_each_other_have_a_mark_in_common() -> None:
    """Else a search by marks would lose pairs; and some pairs of the sample are equivalent, some have marks and are not."""
    pairs = list(product(STEMS, STEMS))
    equivalent = [pair for pair in pairs if can_stand_for(*pair)]
    kin = [pair for pair in pairs if not kinship(pair[0]).isdisjoint(kinship(pair[1]))]
    assert set(equivalent) <= set(kin)
    assert len(STEMS) < len(equivalent) < len(pairs)


def test_an_equivalent_is_found_among_others_as_one_by_one() -> None:
    """By marks or without, the answer is the same."""
    for number, stem in enumerate(STEMS):
        others = frozenset(each for at, each in enumerate(STEMS) if at % 3 == number % 3 and at != number)
        assert has_equivalent(stem, others) == (stem in others or any(can_stand_for(stem, each) for each in others))
