from __future__ import annotations

import json
from pathlib import Path

from coditect_benchmarks.gold.checking import Findings, check_file

from benchmark_tests.gold.material import CUSTODIAN, norm


def _checked(tmp_path: Path, *records: object) -> Findings:
    file = tmp_path / "01.jsonl"
    file.write_text("\n".join(json.dumps(record) for record in records), "utf-8")
    return check_file(file, {CUSTODIAN.id: CUSTODIAN})


def test_a_good_file_has_nothing_to_mend(tmp_path: Path) -> None:
    """A label of the format whose quotes are all there is accepted."""
    found = _checked(tmp_path, {"id": "u1", "norms": [norm()]})
    assert (found.errors, found.questions, found.missing) == ((), (), ())


def test_units_without_label_are_named(tmp_path: Path) -> None:
    """An empty file leaves all units open."""
    assert _checked(tmp_path).missing == ("u1",)


def test_each_fault_is_an_error(tmp_path: Path) -> None:
    """An unknown unit, a second label, an unknown key, a missing statement and one too many are all told."""
    for fault in (
        {"id": "u2", "statement": "fact"},
        {"id": "u1"},
        {"id": "u1", "statement": "fact", "norms": [norm()]},
        {"id": "u1", "statement": "fact", "mood": "good"},
        {"id": "u1", "norms": [norm(kind="duty")]},
        {"id": "u1", "norms": [norm(action="sell a key")]},
    ):
        assert len(_checked(tmp_path, fault).errors) == 1, fault
    assert "twice" in _checked(tmp_path, {"id": "u1", "statement": "fact"}, {"id": "u1", "statement": "fact"}).errors[0]


def test_what_is_unlikely_is_a_question(tmp_path: Path) -> None:
    """A positive prohibition and an action outside the norm are asked about, not refused."""
    found = _checked(tmp_path, {"id": "u1", "norms": [norm(polarity="positive", action="return a key")]})
    assert found.errors == ()
    assert len(found.questions) == 2
