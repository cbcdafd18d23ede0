"""Decisions on rows of crosswalks: signed, kept through rebuilds, and asked again where one side changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coditect.cli.decide import LABELS, ROW_DECISIONS
from coditect.cli.exit_codes import ExitCode
from coditect.knowledge.review.rows import _DECISIONS, _LABELS
from tests.integration.crosswalk.house import POLICY, run, stored

WHERE = ("--corpus-id", "policies", "--framework-corpus", "house")
WHO = ("--by", "B. Reviewer", "--meaning", "read both sides")


def _json(capsys: pytest.CaptureFixture[str], *words: str, code: ExitCode = ExitCode.OK) -> Any:  # noqa: ANN401 - JSON
    capsys.readouterr()
    assert run(*words, "--format", "json") == code
    return json.loads(capsys.readouterr().out)


def _part(capsys: pytest.CaptureFixture[str], part: str = "ac-1_smt.a") -> dict[str, Any]:
    found = _json(capsys, "crosswalk", *WHERE)
    (row,) = [each for each in found["rows"] if each["part_id"] == part]
    assert isinstance(row, dict)
    return row


def _rebuilt(corpora: Path, text: str) -> None:
    (corpora / "policies" / "access.md").write_text(text)
    assert run("ingest", "--corpus-id", "policies", str(corpora / "policies")) == ExitCode.OK
    assert run("build", "--corpus-id", "policies") == ExitCode.OK


def test_words_of_the_command_are_those_of_the_records() -> None:
    """The command repeats them, so that its help is instant."""
    assert LABELS == _LABELS
    assert {each.replace("-", "_") for each in ROW_DECISIONS} == _DECISIONS


def test_a_correction_changes_the_label_says_who_and_survives_a_rebuild(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rules' own label stays beside it; words that come elsewhere change nothing; a sentence that changed asks again."""
    before = _part(capsys)
    assert (before["label"], before["decided"], before["read_as"]) == ("meets", None, None)
    signed = _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "correct", "--label", "partly", *WHO)
    after = _part(capsys)
    assert (after["label"], after["read_as"]) == ("partly", "meets")
    assert (after["decided"]["by"], after["decided"]["review_id"]) == ("B. Reviewer", signed["review_id"])
    _rebuilt(corpora, POLICY + "\nVisitors may wear green hats.\n")
    assert _part(capsys)["label"] == "partly"
    (status,) = _json(capsys, "review", "--corpus-id", "policies", "--list")
    assert status["state"] == "in force"
    assert run("validate", "--corpus-id", "policies") == ExitCode.OK
    _rebuilt(corpora, POLICY.replace("quarterly", "monthly"))
    now = _part(capsys)
    assert (now["decided"], now["read_as"]) == (None, None)
    (status,) = _json(capsys, "review", "--corpus-id", "policies", "--list")
    assert status["state"] == "reopened"
    assert "does not say “User access rights must be reviewed quarterly.” any more" in status["detail"]
    (pending,) = [each for each in _json(capsys, "review", "--corpus-id", "policies") if each["reopened"]]
    assert pending["reopened"]["row"]["part_id"] == "ac-1_smt.a"
    _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "accept", *WHO)
    states = [each["state"] for each in _json(capsys, "review", "--corpus-id", "policies", "--list")]
    assert states == ["replaced", "in force"]


def test_a_decision_on_a_regulation_survives_that_it_is_read_anew(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its parts have ids of extractions, which change with any other word of the document; the number and the words do not."""
    rule = "# Rule\n\n1 The clerk shall review user access rights each year.\n"
    stored(corpora, "rules", "rule.md", rule)
    where = ("--corpus-id", "policies", "--framework-corpus", "rules")
    (row,) = _json(capsys, "crosswalk", *where)["rows"]
    _json(capsys, "decide", *where, "--part", row["part_id"], "--decision", "correct", "--label", "looser", *WHO)
    stored(corpora, "rules", "rule.md", rule + "\n# Other matters\n\nHats are green.\n")
    now = next(each for each in _json(capsys, "crosswalk", *where)["rows"] if each["text"] == row["text"])
    assert now["part_id"] != row["part_id"]
    assert (now["label"], now["decided"]["by"]) == ("looser", "B. Reviewer")


def test_an_erased_sentence_takes_the_decision_with_it(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It holds the words; the framework's side alone is no reason to keep it."""
    stored(corpora, "policies", "other.md", "# Other\n\nVisitors must wear hats in the garden on each Tuesday.\n")
    _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "accept", *WHO)
    assert len(_json(capsys, "review", "--corpus-id", "policies", "--list")) == 1
    erased = ("erase", "--corpus-id", "policies", "--document", "access.md", "--reason", "r", "--by", "b", "--yes")
    assert _json(capsys, *erased)["state"] == "done"
    assert run("build", "--corpus-id", "policies") == ExitCode.OK
    assert _json(capsys, "review", "--corpus-id", "policies", "--list") == []


def test_a_row_is_dismissed_withdrawn_and_told_in_the_audit_trail(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Dismissed, nothing speaks to it; withdrawn, the rules' label is back."""
    signed = _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "dismiss", *WHO)
    assert _part(capsys)["label"] == "no evidence"
    coverage = _json(capsys, "crosswalk", *WHERE)["coverage"]
    assert coverage == [{"family": "Access Control", "labels": {"no evidence": 2}, "parts": 2}]
    _json(capsys, "review", "--corpus-id", "policies", "--item", signed["review_id"], "--decision", "withdraw", *WHO)
    assert _part(capsys)["label"] == "meets"
    assert run("build", "--corpus-id", "policies") == ExitCode.OK


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--part", "ac-1_smt.a", "--decision", "correct", *WHO), "says what is changed"),
        (("--part", "ac-1_smt.a", "--decision", "correct", "--label", "meets", *WHO), "say this label already"),
        (("--part", "ac-9", "--decision", "accept", *WHO), "no such part"),
        (("--part", "ac-1_smt.a", "--decision", "accept"), "needs what is decided"),
        (("--decision", "accept"), "is of one row"),
        (("--part", "ac-1_smt.a", "--decision", "withdraw", *WHO), "nothing is decided"),
        (("--part", "ac-1_smt.a", "--decision", "accept-risk", "--until", "2026-94-10", *WHO), "is no day"),
    ],
)
def test_what_cannot_be_decided_is_said(
    corpora: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    """Nothing is stored."""
    assert corpora.is_dir()
    capsys.readouterr()
    assert run("decide", *WHERE, *words) == ExitCode.USAGE
    assert told in capsys.readouterr().err
    assert _json(capsys, "review", "--corpus-id", "policies", "--list") == []


def test_rows_that_wait_are_listed(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those of which the rules found something that is not all that is asked, until somebody decides."""
    assert corpora.is_dir()
    assert _json(capsys, "decide", *WHERE) == []
    _rebuilt(corpora, "# Access Policy\n\nUser access rights must not be reviewed.\n")
    waiting = _json(capsys, "decide", *WHERE)
    assert [each["part_id"] for each in waiting] == ["ac-1_smt.a"]
    run("decide", *WHERE)
    assert "1 row that a person has to decide of" in capsys.readouterr().out
    _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "accept", *WHO)
    assert _json(capsys, "decide", *WHERE) == []
