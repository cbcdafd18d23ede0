"""A perfect reading scores 1.0, and each kind of miss lowers exactly its own column."""

from __future__ import annotations

from typing import Any

import pytest
from coditect_benchmarks.gold.readings import Reading, ReadNorm
from coditect_benchmarks.gold.records import Norm, Span, Time
from coditect_benchmarks.gold.scoring import PARTS, SHARES, score, scores_as_text, show_miss, wilson
from coditect_benchmarks.gold.store import GoldUnit

from benchmark_tests.gold.material import norm, placed, resolved

_TIME = {"text": ["until the contract ends"], "kind": "deadline", "trigger": ["the contract ends"]}
_DEFINED = {"term": ["custodian"], "meaning": ["the client"], "form": "meaning"}


def _gold() -> tuple[str, GoldUnit]:
    """The custodian's unit with one norm that has every part, and one definition."""
    text, unit = placed()
    full = norm(times=[_TIME], conditions=["to the client"], locator=["7.2.(3)"])
    return text, GoldUnit(unit=unit, label=resolved(norms=[full], definitions=[_DEFINED]))


def _figures(
    read: Norm[Span] | None, *, locator: str = "7.2.(3)", terms: tuple[str, ...] = ("custodian",)
) -> dict[str, Any]:
    text, gold = _gold()
    norms = () if read is None else (ReadNorm(read, locator, 0.9),)
    reading = Reading(norms, tuple((term, gold.unit.span) for term in terms))
    figures, _ = score([gold], {gold.unit.id: reading}, {gold.unit.document: text})
    return figures["all"]


def _perfect() -> Norm[Span]:
    return _gold()[1].label.norms[0]


_RIGHT = {
    **dict.fromkeys((*PARTS, "fine kind", "locator"), 1.0),
    **dict.fromkeys(("missed", "invented", "definitions missed", "definitions invented"), 0.0),
}


def _changed(figures: dict[str, Any]) -> set[str]:
    return {name for name in SHARES if figures[name]["share"] != _RIGHT[name]}


def test_perfect_reading_scores_one() -> None:
    """What the gold says, read back, is right in every column."""
    figures = _figures(_perfect())
    assert _changed(figures) == set()
    assert figures["deadlines and frequencies F1"] == {"share": 1.0, "n": 1}


_ELSEWHERE: Span = (0, 6)


@pytest.mark.parametrize(
    ("update", "columns"),
    [
        ({"kind": "obligation"}, {"kind", "fine kind"}),
        ({"polarity": "positive"}, {"polarity"}),
        ({"holder": ()}, {"holder"}),
        ({"action": (_ELSEWHERE,)}, {"action"}),
        ({"times": ()}, {"times"}),
        ({"conditions": ()}, {"conditions"}),
    ],
    ids=["kind", "polarity", "holder", "action", "times", "conditions"],
)
def test_wrong_part_lowers_its_column(update: dict[str, object], columns: set[str]) -> None:
    """A part that is wrong is wrong in its own column, and the norm is not fully right."""
    assert _changed(_figures(_perfect().model_copy(update=update))) == {*columns, "fully right"}


def test_wrong_trigger_makes_a_time_wrong() -> None:
    """A deadline counted from another event is another deadline."""
    (time,) = _perfect().times
    other = _perfect().model_copy(
        update={"times": (Time[Span](text=time.text, kind=time.kind, trigger=(_ELSEWHERE,)),)}
    )
    figures = _figures(other)
    assert _changed(figures) == {"times", "fully right"}
    assert figures["deadlines and frequencies F1"]["share"] == 0.0


def test_power_read_as_permission_is_wrong_only_in_the_fine_kind() -> None:
    """Permission, power and right count as one kind; which of them it is has its own column."""
    text, gold = _gold()
    label = gold.label.model_copy(update={"norms": (_perfect().model_copy(update={"kind": "power"}),)})
    read = _perfect().model_copy(update={"kind": "permission"})
    reading = Reading((ReadNorm(read, "7.2.(3)", 0.9),), (("custodian", gold.unit.span),))
    gold = gold.model_copy(update={"label": label})
    figures, misses = score([gold], {gold.unit.id: reading}, {gold.unit.document: text})
    assert _changed(figures["all"]) == {"fine kind"}
    assert misses == []


def test_norm_that_was_not_read_is_missed() -> None:
    """Of a norm that is missed nothing is counted as right or wrong."""
    figures = _figures(None)
    assert figures["missed"]["share"] == 1.0
    assert all(figures[name]["n"] == 0 for name in (*PARTS, "fine kind", "locator", "invented"))


def test_norm_that_is_in_no_label_is_invented() -> None:
    """A reading without a norm of the gold lowers no part, but is counted and shown as invented."""
    text, gold = _gold()
    empty = gold.model_copy(update={"label": gold.label.model_copy(update={"norms": ()})})
    reading = Reading((ReadNorm(_perfect(), "", 0.9),), (("custodian", gold.unit.span),))
    figures, (miss,) = score([empty], {gold.unit.id: reading}, {gold.unit.document: text})
    assert figures["all"]["invented"]["share"] == 1.0
    assert figures["all"]["kind"]["n"] == 0
    assert "invented" in show_miss(miss, [empty], {gold.unit.document: text})


@pytest.mark.parametrize(("locator", "right"), [("AB 7.2.(3)", True), ("7.2", False), ("(3)", False), ("", False)])
def test_locator_is_right_when_it_holds_the_whole_path(locator: str, right: bool) -> None:
    """More above the gold's path is right; less of it is not, and lowers no other column."""
    assert _changed(_figures(_perfect(), locator=locator)) == (set() if right else {"locator"})


@pytest.mark.parametrize(
    ("terms", "columns"),
    [((), {"definitions missed", "definitions invented"}), (("custodian", "A gate"), {"definitions invented"})],
    ids=["missed", "invented"],
)
def test_definitions_are_counted_by_term(terms: tuple[str, ...], columns: set[str]) -> None:
    """A term that is not read is missed, one that is in no label is invented; of none there is no share."""
    assert _changed(_figures(_perfect(), terms=terms)) == columns


def test_interval_holds_the_share() -> None:
    """Wilson's interval lies around the share, inside of 0 and 1, and there is none of nothing."""
    found = wilson(9, 10)
    assert found is not None
    assert 0 < found[0] < 0.9 < found[1] < 1
    assert wilson(0, 0) is None


def test_table_has_a_row_for_all_and_each_family() -> None:
    """The figures print as a table with as many cells in each row as columns."""
    text, gold = _gold()
    figures, _ = score([gold], {gold.unit.id: Reading((), ())}, {gold.unit.document: text})
    lines = scores_as_text(figures).split("\n")
    assert len(lines) == 5
    assert len({line.count("|") for line in lines}) == 1
