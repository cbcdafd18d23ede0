from __future__ import annotations

import pytest
from coditect_benchmarks.gold.adjudication import Ruling, differences, settle
from pydantic import ValidationError

from benchmark_tests.gold.material import label, norm, resolved


def test_differences_name_the_part() -> None:
    """Only what differs is named; a note does not count."""
    assert differences(resolved(norms=[norm()]), resolved(norms=[norm(holder=[])], note="x")) == ("norms[0].holder",)
    assert differences(resolved(norms=[norm()]), resolved(norms=[norm()], unsure=True)) == ()
    assert differences(resolved(norms=[norm()]), resolved(statement="fact")) == ("norms", "statement")


def test_agreed_units_need_no_ruling_and_others_stay_open_without_one() -> None:
    """The third reader decides what differs, by taking one label or writing another."""
    first, second = label(norms=[norm()]), label(statement="fact")
    assert settle({"u1": first}, {"u1": first}, {"u1": ()}, {}) == ({"u1": first}, ())
    assert settle({"u1": first}, {"u1": second}, {"u1": ("norms",)}, {}) == ({}, ("u1",))
    taken = Ruling(id="u1", take="second")
    assert settle({"u1": first}, {"u1": second}, {"u1": ("norms",)}, {"u1": taken}) == ({"u1": second}, ())
    third = label(statement="heading")
    assert (
        settle({"u1": first}, {"u1": second}, {"u1": ("norms",)}, {"u1": Ruling(id="u1", label=third)})[0]["u1"]
        == third
    )


def test_a_unit_that_only_one_pass_has_is_open() -> None:
    """One reading is no gold."""
    assert settle({"u1": label(statement="fact")}, {}, {}, {}) == ({}, ("u1",))


def test_a_ruling_takes_one_or_writes_one() -> None:
    """Both or neither is refused, and so is the label of another unit."""
    for wrong in (
        {"id": "u1"},
        {"id": "u1", "take": "first", "label": {"id": "u1", "statement": "fact"}},
        {"id": "u2", "label": {"id": "u1", "statement": "fact"}},
    ):
        with pytest.raises(ValidationError):
            Ruling.model_validate(wrong)
