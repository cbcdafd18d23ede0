"""The gold read with a model: rounds with the stand-in, and both readings scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from coditect_benchmarks.gold.__main__ import main
from coditect_benchmarks.stand_in.folder import StandInFolder
from coditect_benchmarks.stand_in.records import AnswerGiven

from benchmark_tests.gold.by_model.material import GUEST, KEEPER, written

NOTHING: dict[str, Any] = {"norms": [], "definitions": [], "nothing": [1], "suspicious": []}
FORBIDS = {
    "at": 1, "further": [], "kind": "prohibition", "holder": "A guest", "cue": ["may not"], "action": ["feed the goats"],
    "subject": "", "times": [], "conditions": [], "exceptions": [],
}  # fmt: skip


def _read(folder: Path, *further: str) -> int:
    return main(
        ["read", "--gold", str(folder), "--root", f"own={folder}", "--stand-in", str(folder / "stand-in"), *further]
    )


def _answer(user: str) -> dict[str, Any]:
    """What a reader says who passes over the keeper."""
    return (
        {**NOTHING, "norms": [FORBIDS], "nothing": [2] * ("\n2|" in user)} if f"1| {GUEST}" in user else _nothing(user)
    )


def _nothing(user: str) -> dict[str, Any]:
    return {**NOTHING, "nothing": [int(line.partition("|")[0]) for line in user.splitlines() if line[:1].isdigit()]}


def test_first_round_collects_and_second_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What nobody answered is asked and not scored; then the product's own reading of the answers is, beside the rules'."""
    folder = written(tmp_path / "gold")
    assert _read(folder) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "2 requests, 0 answered, 2 ModelError" in told.err
    stand_in = StandInFolder(folder / "stand-in")
    requests = list(stand_in.open_requests().values())
    assert [f"1| {words}" in each.user for words in (KEEPER, GUEST) for each in requests].count(True) == 2
    stand_in.add(*(AnswerGiven(key=each.key, answer=_answer(each.user)) for each in requests))
    assert _read(folder, "--misses", str(folder / "misses.txt")) == 0
    told = capsys.readouterr()
    rows = {line.split(" | ")[0].strip("| "): line.split(" | ") for line in told.out.splitlines() if " | " in line}
    names = [each.strip("| ") for each in rows[""]]
    cells = dict(zip(names[-len(rows["all"]) + 1 :], rows["all"][1:], strict=True))
    assert cells["missed"].startswith("0.0 [0-66] of 2 → 50.0 ")
    assert cells["invented"].startswith("0.0 [0-66] of 2 → 0.0 [0-79] of 1")
    assert "fully right: 100.0 (asked >= 80): met" in told.out
    assert "missed: 50.0 (asked <= 5): not met, short by 45.0" in told.out
    assert "2 requests, 2 answered" in told.err
    assert "kept 1, taken_away 1" in told.err
    misses = (folder / "misses.txt").read_text("utf-8")
    assert misses.count("rules alone: right") == 1
    assert "obligation; text=['The keeper shall" in misses


def test_answers_that_are_not_borne_out_leave_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Words that no line has are refused and counted; the figures are the rules'."""
    folder = written(tmp_path / "gold")
    assert _read(folder) == 1
    stand_in = StandInFolder(folder / "stand-in")
    wrong = {**NOTHING, "norms": [{**FORBIDS, "holder": "", "action": ["ride the horses"]}], "nothing": [2]}
    keys = [each.key for each in stand_in.open_requests().values()]
    stand_in.add(*(AnswerGiven(key=key, answer=json.loads(json.dumps(wrong))) for key in keys))
    capsys.readouterr()
    assert _read(folder, "--families") == 0
    told = capsys.readouterr()
    assert "left to the rules" in told.err
    assert "as by rules" in told.err or "kept" not in told.err
    assert "| rulebook: rules | 100.0 [34-100] of 2 → 100.0 [34-100] of 2 |" in told.out


def test_part_of_the_answers_is_scored_where_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rest is as rules read it."""
    folder = written(tmp_path / "gold")
    assert _read(folder, "--partial") == 0
    told = capsys.readouterr()
    assert "2 requests, 0 answered" in told.err
    assert "| all | 100.0 [34-100] of 2 → 100.0 [34-100] of 2 |" in told.out
