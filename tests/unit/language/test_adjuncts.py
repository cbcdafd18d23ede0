"""Conditions, exceptions and times are told from the act that they limit."""

from __future__ import annotations

from itertools import pairwise

import pytest

from coditect.language.norms.limits.adjuncts import divide
from coditect.language.norms.limits.fronted import adjuncts_before


def _divided(text: str) -> tuple[list[str], list[tuple[str, str]]]:
    pieces, found = divide(text, 0, len(text))
    return [text[a:b] for a, b in pieces], [(each.kind, text[each.start : each.end]) for each in found]


@pytest.mark.parametrize(
    ("predicate", "act", "limits"),
    [
        (
            "pay the levy within 14 days after the notice",
            "pay the levy",
            [("deadline", "within 14 days after the notice")],
        ),
        ("pay the levy if a gate is open", "pay the levy", [("condition", "if a gate is open")]),
        ("pay the levy unless it is waived", "pay the levy", [("exception", "unless it is waived")]),
        ("count the keys at least once a month", "count the keys", [("frequency", "at least once a month")]),
        ("keep the log for at least six years", "keep the log", [("duration", "for at least six years")]),
        ("count the keys promptly", "count the keys", [("deadline", "promptly")]),
        (
            "pay within one hundred eighty (180) days of the sale",
            "pay",
            [("deadline", "within one hundred eighty (180) days of the sale")],
        ),
    ],
)
def test_adjunct_is_parted_from_the_act(predicate: str, act: str, limits: list[tuple[str, str]]) -> None:
    """The act keeps its own words, and each limit has its kind and all of its words."""
    assert _divided(predicate) == ([act], limits)


@pytest.mark.parametrize(
    "predicate",
    [
        "give information on when it is due",
        "name a place where keys are kept",
        "enter the area without limiting others",
    ],
)
def test_words_inside_the_object_begin_no_adjunct(predicate: str) -> None:
    """A clause that a noun or a preposition takes is no condition of the act."""
    assert _divided(predicate) == ([predicate], [])


def test_adjuncts_in_brackets_limit_nothing_outside() -> None:
    """A time inside of parentheses is part of what it stands in."""
    assert _divided("file the form (within 9 days if asked) with the clerk")[1] == []


def test_adjuncts_before_a_subject_end_where_the_next_begins() -> None:
    """Two adjuncts with a comma between them are two, without the comma."""
    text = "Within two days, if a key is lost, "
    found = adjuncts_before(text, 0, len(text))
    assert [(each.kind, text[each.start : each.end]) for each in found] == [
        ("deadline", "Within two days"),
        ("condition", "if a key is lost"),
    ]


@pytest.mark.parametrize(
    "unit", [",", " ", "in in in ", "(", "[", "[Assignment: ", "9", "9 ", "within 9 ", "and ", ", and ", "if "]
)
def test_adjuncts_of_hostile_text_cover_it_in_order(unit: str) -> None:
    """Five thousand characters of one thing come apart into pieces in order, none outside of the text."""
    text = (unit * 5_000)[:5_000]
    pieces, found = divide(text, 0, len(text))
    edges = sorted([*pieces, *((each.start, each.end) for each in found)])
    assert all(0 <= start <= end <= len(text) for start, end in edges)
    assert all(before[1] <= after[0] for before, after in pairwise(edges))
    assert all(0 <= each.start < each.head <= len(text) for each in adjuncts_before(text, 0, len(text)))
