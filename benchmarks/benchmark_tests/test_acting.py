"""The fit of the weights by which a subject that no table knows is taken for somebody who acts; all clauses are invented."""

from __future__ import annotations

from pathlib import Path

import pytest
from coditect_benchmarks.acting.__main__ import main
from coditect_benchmarks.acting.clauses import ActingClause, LabelledClause, clauses_of
from coditect_benchmarks.acting.fitting import combine, cross_validate, fit_views

PERSONS = ("the manager", "each employee", "the tenant", "the committee")
THINGS = ("the notice", "the policy", "the agreement", "the report")
ACTS = ("give notice to the owner", "maintain a list of lamps", "pay the fee")
STATES = ("contain a list of lamps", "state the date", "include a plan")


def _clauses() -> list[ActingClause]:
    clauses = [ActingClause(name, act, "must") for name in PERSONS for act in ACTS]
    clauses += [ActingClause(name, act, "must") for name in THINGS for act in STATES]
    return clauses + [ActingClause("the Zorvex", act, "must") for act in ACTS]


def _labelled() -> list[LabelledClause]:
    return [
        LabelledClause(ActingClause(name, act, "must"), holds, f"family {number % 2}", name)
        for holds, acts in ((True, ACTS), (False, STATES))
        for number, act in enumerate(acts)
        for name in ("the Quarrel", "the Lumen", "the Brisk")
    ]


def test_tables_know_persons_and_things() -> None:
    """What the tables know teaches; "the Zorvex" is known to no table."""
    assert [ActingClause(name, "pay", "must").known for name in ("the manager", "the notice", "the Zorvex")] == [
        True,
        False,
        None,
    ]


def test_acts_teach_who_acts_and_names_learn_from_them() -> None:
    """An unknown subject of what persons do is taken for somebody, one of what things do is not; its name is learnt as well."""
    model = fit_views(_clauses())
    weights = combine(model, _labelled())
    assert (
        weights.log_odds("the Vantor", "pay the fee", "must")
        > 0
        > weights.log_odds("the Vantor", "state a date", "must")
    )
    assert model.names[1]["word zorvex"] > model.names[1]["word notice"]


def test_families_are_judged_by_what_the_others_taught() -> None:
    """Each clause is judged once, by a fit that did not see its family."""
    found = cross_validate(fit_views(_clauses()), _labelled())
    assert found.found + found.left == sum(each.holds for each in _labelled())
    assert found.wrong == 0


def test_same_clauses_give_the_same_weights() -> None:
    """The fit has no chance in it."""
    assert combine(fit_views(_clauses()), _labelled()) == combine(fit_views(_clauses()), _labelled())


def test_clauses_of_documents_are_active_ones(tmp_path: Path) -> None:
    """Of a passive nobody is the subject who could act; a file that is empty gives nothing."""
    (tmp_path / "a.txt").write_text("The Zorvex must pay the fee. The fee must be paid in May.", "utf-8")
    (tmp_path / "b.txt").write_bytes(b"")
    assert list(clauses_of([tmp_path / "a.txt", tmp_path / "b.txt"])) == [
        ActingClause("The Zorvex", "pay the fee", "must")
    ]


def test_units_without_their_folders_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which folder a sample's documents lie in has to be told for each."""
    (tmp_path / "list.txt").write_text("", "utf-8")
    with pytest.raises(SystemExit):
        main(["--documents", str(tmp_path / "list.txt"), "--units", "x.jsonl", "--output", str(tmp_path / "w.json")])
    assert "--roots" in capsys.readouterr().err
