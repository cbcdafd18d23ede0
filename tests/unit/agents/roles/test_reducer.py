"""The reducer reports which quotes repeat each other and which conflict; it settles nothing."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.agents.roles.answers import ConflictKind
from coditect.agents.roles.reducer import (
    LONGEST_ABOUT,
    MOST_SIDES,
    ConflictNote,
    ReducerQuote,
    Reduction,
    merge_reductions,
    read_reduction,
)
from coditect.errors import Malformed
from tests.unit.agents.roles.material import answered

QUOTES = (
    ReducerQuote("k1", "a.md", "The supplier must report incidents within 72 hours."),
    ReducerQuote("k2", "b.md", "Incidents must be reported by the supplier within 72 hours."),
    ReducerQuote("k3", "c.md", "The supplier must report incidents within 24 hours."),
    ReducerQuote("k4", "d.md", "The supplier may report incidents within 72 hours."),
    ReducerQuote("k5", "e.md", "The  supplier must report incidents within 72 hours."),
)


def reduced(duplicates: list[Any] | None = None, conflicts: list[Any] | None = None) -> Reduction:
    """What such an answer says of the quotes."""
    answer = answered({"duplicates": duplicates or [], "conflicts": conflicts or []})
    return read_reduction(answer, QUOTES)


def conflict(*between: int, about: str = "time to report", kind: str = "value") -> dict[str, Any]:
    """A conflict as the model returns it."""
    return {"between": list(between), "about": about, "kind": kind}


def note(*between: str, about: str = "time", kind: ConflictKind = "value") -> ConflictNote:
    """A conflict as it was read."""
    return ConflictNote(tuple(sorted(between)), about, kind)


def test_reduction_names_quotes_by_key() -> None:
    """Numbers of the answer become the caller's keys, sorted; the wording of a conflict is flagged as synthetic."""
    found = reduced([[2, 1]], [conflict(3, 1)])
    assert found.duplicates == (("k1", "k2"),)
    assert found.conflicts == (ConflictNote(("k1", "k3"), "time to report", "value"),)
    assert found.conflicts[0].synthetic is True
    assert found.rejections == ()


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ([1, 3], "they differ in a number"),
        ([1, 4], "they differ in a modal word"),
        ([1], "fewer than two quotes, or more than there are"),
        ([], "fewer than two quotes, or more than there are"),
        ([1, 1], "one quote twice"),
        ([0, 1], "a number that no quote has"),
        ([1, 6], "a number that no quote has"),
        ([1, 2, 3, 4, 5, 6], "fewer than two quotes, or more than there are"),
    ],
)
def test_reduction_rejects_duplicates_that_are_none(numbers: list[int], reason: str) -> None:
    """Quotes with another number or modal word are never merged, whatever the model says; nor are numbers out of range."""
    found = reduced([numbers, [1, 2]])
    assert found.duplicates == (("k1", "k2"),)
    assert found.rejections == (f"duplicates: {reason}",)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (conflict(1), "fewer than two quotes, or more than there are"),
        (conflict(1, 9), "a number that no quote has"),
        (conflict(3, 3), "one quote twice"),
        (conflict(1, 5), "the same words on all sides"),
        (conflict(1, 3, about=" <b></b> "), "about nothing"),
    ],
)
def test_reduction_rejects_conflicts_that_are_none(raw: dict[str, Any], reason: str) -> None:
    """A conflict needs two different quotes that exist, and a subject."""
    found = reduced([], [raw])
    assert found.conflicts == ()
    assert found.rejections == (f"conflict: {reason}",)


def test_reduction_rejects_a_conflict_of_everything() -> None:
    """A conflict with too many sides says nothing."""
    quotes = [ReducerQuote(f"k{n}", "a.md", f"Within {n} days.") for n in range(MOST_SIDES + 1)]
    answer = answered({"duplicates": [], "conflicts": [conflict(*range(1, MOST_SIDES + 2))]})
    assert read_reduction(answer, quotes).rejections == ("conflict: too many sides",)


def test_reduction_shows_what_a_conflict_is_about_on_one_short_line() -> None:
    """Mark-up, line ends, control characters and length are taken out of the model's words."""
    found = reduced([], [conflict(1, 3, about="**time**\nto <i>report</i>\x1b[2J " + "x" * 500)])
    about = found.conflicts[0].about
    assert about.startswith("time to report [2J xxx")
    assert len(about) == LONGEST_ABOUT


@pytest.mark.parametrize(
    "value",
    [
        {"duplicates": []},
        {"duplicates": [["1", "2"]], "conflicts": []},
        {"duplicates": [], "conflicts": [{"between": [1, 3], "about": "x", "kind": "opinion"}]},
        {"duplicates": [], "conflicts": [{"between": [1, 3], "about": "x", "kind": "value", "right": 1}]},
    ],
)
def test_reduction_of_another_shape_is_malformed(value: object) -> None:
    """Unknown kinds, missing lists, texts for numbers and a word on who is right are refused."""
    with pytest.raises(Malformed):
        read_reduction(answered(value), QUOTES)


def test_merge_joins_overlapping_duplicates() -> None:
    """Duplicates of duplicates are duplicates."""
    merged = merge_reductions([Reduction((("a", "b"),), ()), Reduction((("b", "c"), ("x", "y")), ())])
    assert merged.duplicates == (("a", "b", "c"), ("x", "y"))


def test_merge_lets_a_conflict_dissolve_its_duplicates() -> None:
    """Where one partial result sees a conflict among what another merges, the conflict stands and the group is disputed."""
    merged = merge_reductions([Reduction((("a", "b"), ("x", "y")), ()), Reduction((), (note("a", "b"),))])
    assert merged.duplicates == (("x", "y"),)
    assert merged.disputed == (("a", "b"),)
    assert merged.conflicts == (note("a", "b"),)


def test_merge_counts_a_conflict_once_through_its_duplicates() -> None:
    """The same conflict found through different copies of a quote is one, with all its quotes."""
    merged = merge_reductions(
        [
            Reduction((("a", "b"),), (note("a", "z", about="reporting time"),)),
            Reduction((), (note("b", "z", about="time"),)),
        ]
    )
    assert merged.conflicts == (note("a", "b", "z", about="reporting time"),)


def test_merge_keeps_conflicts_of_different_kinds_apart() -> None:
    """A conflict of values is not one of modality, though about the same quotes."""
    merged = merge_reductions([Reduction((), (note("a", "z"), note("a", "z", kind="modality")))])
    assert [each.kind for each in merged.conflicts] == ["modality", "value"]


def test_merge_counts_what_is_missing_and_keeps_rejections() -> None:
    """A partial result that is not there is counted, not taken for "no conflict"; rejections of all are kept."""
    merged = merge_reductions([None, Reduction((), (), ("b",)), None, Reduction((), (), ("a",))])
    assert (merged.missing, merged.rejections) == (2, ("a", "b"))


KEYS = st.sampled_from("abcdefgh")
GROUPS = st.sets(KEYS, min_size=2, max_size=4).map(lambda keys: tuple(sorted(keys)))
VALUE: ConflictKind = "value"
NOTES = st.builds(ConflictNote, GROUPS, st.sampled_from("pq"), st.just(VALUE))
PARTIALS = st.lists(
    st.builds(
        lambda groups, notes: Reduction(tuple(groups), tuple(notes)),
        st.lists(GROUPS, max_size=3),
        st.lists(NOTES, max_size=3),
    ),
    max_size=5,
)


@settings(deadline=None)
@given(PARTIALS, st.randoms(use_true_random=False))
def test_merge_does_not_depend_on_the_order(partials: list[Reduction], shuffle: random.Random) -> None:
    """Partial results arrive in any order and give the same whole."""
    other = list(partials)
    shuffle.shuffle(other)
    assert merge_reductions(partials) == merge_reductions(other)


@settings(deadline=None)
@given(PARTIALS)
def test_merge_loses_no_conflict(partials: list[Reduction]) -> None:
    """Every reported conflict is in the whole with all its sides, and no merged group has a conflict inside."""
    merged = merge_reductions(partials)
    for partial in partials:
        for each in partial.conflicts:
            assert any(set(each.between) <= set(kept.between) and kept.kind == each.kind for kept in merged.conflicts)
    reported = [set(each.between) for partial in partials for each in partial.conflicts]
    for group in merged.duplicates:
        assert not any(set(pair) <= sides for pair in combinations(group, 2) for sides in reported)
    together = [key for group in (*merged.duplicates, *merged.disputed) for key in group]
    assert len(together) == len(set(together))
