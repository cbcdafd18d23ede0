"""The calibrations of a corpus: which is in force after who switched when, and what a build names of them."""

from __future__ import annotations

from itertools import permutations

import pytest

from coditect.schemas import Calibration, CalibrationSwitch, SupportFigures
from coditect.store.acts.calibrations import _switches, calibration_in_force, calibrations_of
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine


def _calibration(version: str, *, checker: bool = True) -> Calibration:
    return Calibration.create(
        corpus_id="c",
        checker=SupportFigures(version=f"support/{version}", intercept=0.5, coefficients={}) if checker else None,
        fitted=(),
        reviews=(version,),
        marks=(),
        generation=1,
        build_id="b",
        code_version="1",
        seed=1,
    )


def _switch(calibration_id: str, day: int, *follows: CalibrationSwitch) -> CalibrationSwitch:
    return CalibrationSwitch.create(
        corpus_id="c",
        calibration_id=calibration_id,
        by="C. Owner",
        at=f"2026-01-{day:02}T00:00:00Z",
        meaning="read",
        follows=tuple(each.switch_id for each in follows),
    )


ONE, TWO, GATE = _calibration("one"), _calibration("two"), _calibration("gate", checker=False)


def test_shipped_figures_are_in_force_where_nobody_switched(memory: Store) -> None:
    """A proposal is nothing more; a build names nothing of it."""
    memory.put_items([ONE])
    found = calibrations_of(memory, "c")
    assert found.proposals == {ONE.calibration_id: ONE}
    assert found.checkers == {"support/one": ONE.checker}
    assert (found.switches, found.in_force, found.checker, found.build_parameters) == ((), None, None, {})
    assert calibration_in_force(memory, "c") is None


def test_last_switch_puts_its_calibration_in_force(memory: Store) -> None:
    """A build names its figures, and the switch, by which it is known who decided."""
    first = _switch(ONE.calibration_id, 1)
    second = _switch(TWO.calibration_id, 2, first)
    memory.put_items([ONE, TWO, GATE, second, first])
    found = calibrations_of(memory, "c")
    assert found.switches == (first, second)
    assert found.in_force == calibration_in_force(memory, "c") == TWO
    assert found.checker == TWO.checker
    assert found.checkers == {"support/one": ONE.checker, "support/two": TWO.checker}
    assert found.build_parameters == {"calibration": "support/two", "calibration_switch": second.switch_id}


def test_way_back_to_the_shipped_figures_is_named_by_its_switch(memory: Store) -> None:
    """A build after it is another than one before anybody had switched."""
    first = _switch(ONE.calibration_id, 1)
    back = _switch("", 2, first)
    memory.put_items([ONE, first, back])
    found = calibrations_of(memory, "c")
    assert (found.in_force, found.checker, calibration_in_force(memory, "c")) == (None, None, None)
    assert found.build_parameters == {"calibration": "shipped", "calibration_switch": back.switch_id}


def test_switch_to_figures_of_search_alone_is_no_part_of_a_build(memory: Store) -> None:
    """Gate and fusion have no say in it; beside figures of the checker the switch is named all the same."""
    gate = _switch(GATE.calibration_id, 1)
    memory.put_items([GATE, ONE, gate])
    found = calibrations_of(memory, "c")
    assert (found.in_force, found.checker, found.build_parameters) == (GATE, None, {})
    own = _switch(ONE.calibration_id, 2, gate)
    again = _switch(GATE.calibration_id, 3, own)
    memory.put_items([own, again])
    assert calibrations_of(memory, "c").build_parameters == {
        "calibration": "shipped",
        "calibration_switch": again.switch_id,
    }


def test_switch_to_a_calibration_that_is_missing_is_no_figure_of_the_checker(memory: Store) -> None:
    """What was lost is told by validation, and no reader falls over it."""
    memory.put_items([_switch("calibration_lost", 1)])
    found = calibrations_of(memory, "c")
    assert (found.in_force, found.build_parameters) == (None, {})


def test_switch_that_follows_another_comes_after_it_whatever_the_clocks_say() -> None:
    """A clock that was wrong does not undo a decision; of two that know nothing of each other the later one counts."""
    first = _switch(ONE.calibration_id, 9)
    second = _switch(TWO.calibration_id, 5, first)
    third = _switch("", 1, second)
    beside = _switch(GATE.calibration_id, 8)
    for items in permutations((first, second, third, beside)):
        store = Store(MemoryEngine())
        store.put_items(items)
        assert calibrations_of(store, "c").switches == (beside, first, second, third)


def test_switches_that_follow_each_other_in_a_ring_are_all_told() -> None:
    """A forged ring ends the order, and no reader: they stand by their day."""
    first = _switch("", 1)
    forged = [
        first.model_copy(update={"follows": ("switch_2",), "switch_id": "switch_1"}),
        _switch("", 2).model_copy(update={"follows": ("switch_1",), "switch_id": "switch_2"}),
    ]
    store = Store(MemoryEngine())
    store.scan = lambda *_: iter([((), each) for each in reversed(forged)])  # type: ignore[assignment]
    assert _switches(store, "c") == tuple(forged)


@pytest.mark.parametrize("day", [1, 2])
def test_of_two_switches_of_one_moment_the_greater_id_counts(memory: Store, day: int) -> None:
    """Everybody who reads says the same."""
    both = [_switch(each.calibration_id, day) for each in (ONE, TWO)]
    memory.put_items([ONE, TWO, *both])
    last = max(both, key=lambda each: each.switch_id)
    found = calibration_in_force(memory, "c")
    assert found is not None
    assert found.calibration_id == last.calibration_id
