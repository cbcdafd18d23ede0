"""The reducer reports which quotes repeat each other and which conflict; it settles nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.agents.roles.reducer import (
    LONGEST_ABOUT,
    MOST_SIDES,
    ConflictNote,
    ReducerQuote,
    Reduction,
    conflicts_of,
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


# Six that no rule keeps from being duplicates: no number, one modal word, other words.
SAME = tuple(
    ReducerQuote(f"k{n}", f"{n}.md", f"The supplier must report incidents to the {office}.")
    for n, office in enumerate(("board", "owner", "auditor", "regulator", "customer", "insurer"), 1)
)


def reduced(
    duplicates: list[Any] | None = None,
    conflicts: list[Any] | None = None,
    quotes: Sequence[ReducerQuote] = QUOTES,
) -> Reduction:
    """What such an answer says of the quotes."""
    answer = answered({"duplicates": duplicates or [], "conflicts": conflicts or []})
    return read_reduction(answer, quotes)


def conflict(*between: int, about: str = "time to report", kind: str = "value") -> dict[str, Any]:
    """A conflict as the model returns it."""
    return {"between": list(between), "about": about, "kind": kind}


def test_reduction_names_quotes_by_key() -> None:
    """Numbers of the answer become the caller's keys, sorted."""
    found = reduced([[2, 1]], [conflict(3, 1)])
    assert found.duplicates == (("k1", "k2"),)
    assert found.conflicts == (ConflictNote(("k1", "k3"), "time to report", "value"),)
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


def test_reduction_joins_overlapping_duplicates() -> None:
    """Duplicates of duplicates are duplicates."""
    assert reduced([[1, 2], [5, 6], [2, 4]], [], SAME).duplicates == (("k1", "k2", "k4"), ("k5", "k6"))


def test_reduction_lets_a_conflict_dissolve_its_duplicates() -> None:
    """Where the model sees a conflict among what it takes for duplicates, the conflict stands and the group is gone."""
    found = reduced([[1, 2], [5, 6]], [conflict(1, 2)], SAME)
    assert found.duplicates == (("k5", "k6"),)
    assert [each.between for each in found.conflicts] == [("k1", "k2")]


def test_reduction_counts_a_conflict_once_through_its_duplicates() -> None:
    """The same conflict found through different copies of a quote is one, with all its quotes and the first wording."""
    found = reduced([[1, 2]], [conflict(2, 3, about="time"), conflict(1, 3, about="reporting time")], SAME)
    assert found.conflicts == (ConflictNote(("k1", "k2", "k3"), "reporting time", "value"),)


def test_reduction_keeps_conflicts_of_different_kinds_apart() -> None:
    """A conflict of values is not one of modality, though about the same quotes."""
    found = reduced([], [conflict(1, 3), conflict(3, 1, kind="modality"), conflict(1, 3)], SAME)
    assert [(each.between, each.kind) for each in found.conflicts] == [
        (("k1", "k3"), "modality"),
        (("k1", "k3"), "value"),
    ]


def test_conflicts_of_several_answers_are_in_the_order_of_their_keys() -> None:
    """Answers about different quotes are put together; one that is missing takes nothing away."""
    one, other = reduced([], [conflict(3, 5)], SAME), reduced([], [conflict(1, 2)], SAME)
    assert [each.between for each in conflicts_of([one, None, other])] == [("k1", "k2"), ("k3", "k5")]


NUMBERS = st.lists(st.integers(1, 6), min_size=2, max_size=4, unique=True)


@settings(deadline=None)
@given(st.lists(NUMBERS, max_size=4), st.lists(NUMBERS, max_size=4), st.randoms(use_true_random=False))
def test_reduction_loses_no_conflict_in_any_order(
    groups: list[list[int]], sides: list[list[int]], shuffle: random.Random
) -> None:
    """Every conflict is kept with all its sides, no group of duplicates has one inside, and the order does not matter."""
    found = reduced(groups, [conflict(*each) for each in sides], SAME)
    for each in sides:
        assert any({f"k{number}" for number in each} <= set(kept.between) for kept in found.conflicts)
    for group in found.duplicates:
        named = [{f"k{number}" for number in each} for each in sides]
        assert not any(set(pair) <= keys for pair in combinations(group, 2) for keys in named)
    together = [key for group in found.duplicates for key in group]
    assert len(together) == len(set(together))
    shuffle.shuffle(groups)
    shuffle.shuffle(sides)
    assert reduced(groups, [conflict(*each) for each in sides], SAME) == found
