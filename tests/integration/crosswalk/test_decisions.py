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
    assert (now["decided"], now["label"], now["read_as"]) == (None, "partly", "meets")  # until a person decides anew
    (status,) = _json(capsys, "review", "--corpus-id", "policies", "--list")
    assert status["state"] == "reopened"
    assert "does not say “User access rights must be reviewed quarterly.” any more" in status["detail"]
    (pending,) = [each for each in _json(capsys, "review", "--corpus-id", "policies") if each["reopened"]]
    assert pending["reopened"]["row"]["part_id"] == "ac-1_smt.a"
    _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "accept", *WHO)
    states = sorted(each["state"] for each in _json(capsys, "review", "--corpus-id", "policies", "--list"))
    assert states == ["in force", "replaced"]


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
        (("--part", "ac-1_smt.a", "--decision", "correct", *WHO), "gives a label"),
        (("--part", "ac-1_smt.a", "--decision", "correct", "--label", "meets", *WHO), "say this label already"),
        (("--part", "ac-9", "--decision", "accept", *WHO), "no such part"),
        (("--part", "ac-1_smt.a", "--decision", "accept"), "needs what is decided"),
        (("--decision", "accept"), "is of one row"),
        (("--part", "ac-1_smt.a", "--decision", "withdraw", *WHO), "is decided of this item"),
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


def _outputs(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    found = {}
    for form in ("text", "json", "csv", "jsonl", "oscal"):
        capsys.readouterr()
        assert run("crosswalk", *WHERE, "--format", form) == ExitCode.OK
        found[form] = " ".join(capsys.readouterr().out.split())
    return found


def test_a_decision_is_told_in_every_output(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A label that a person gave is nowhere taken for the rules' own."""
    assert corpora.is_dir()
    before = _outputs(capsys)
    _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "correct", "--label", "partly", *WHO)
    after = _outputs(capsys)
    for form, text in after.items():
        assert "B. Reviewer" in text, form
        assert "B. Reviewer" not in before[form], form
    assert "the rules say: meets" in after["text"]


def test_a_decision_of_a_row_that_gained_a_sentence_is_told_until_it_is_made_again(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It decides nothing, but the row is no better than it was called, and every output says whose it is and what came."""
    first = _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "correct", "--label", "partly", *WHO)
    _rebuilt(corpora, POLICY + "\nUser access rights must be reviewed every month.\n")
    row = _part(capsys)
    assert (row["label"], row["decided"], row["read_as"]) == ("partly", None, "meets")
    earlier = row["earlier"]
    assert (earlier["decided"]["review_id"], earlier["label"], earlier["went"]) == (first["review_id"], "partly", [])
    assert [each["text"] for each in earlier["came"]] == ["User access rights must be reviewed every month."]
    for form, text in _outputs(capsys).items():
        assert "B. Reviewer" in text, form
        if form not in ("json", "jsonl"):
            assert "to be looked at again, since it was decided of other words: correct to “partly”" in text, form
            assert "came: “User access rights must be reviewed every month.” (access.md)" in text, form
    assert [each["part_id"] for each in _json(capsys, "decide", *WHERE)] == ["ac-1_smt.a"]
    (status,) = _json(capsys, "review", "--corpus-id", "policies", "--list")
    assert "it counts only where no other sentence stands beside the requirement now" in status["detail"]
    _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "accept", *WHO)
    assert _part(capsys)["earlier"] is None
    assert _json(capsys, "decide", *WHERE) == []
    states = sorted(each["state"] for each in _json(capsys, "review", "--corpus-id", "policies", "--list"))
    assert states == ["in force", "replaced"]


def test_a_decision_of_a_row_that_lost_a_sentence_says_which_went(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Withdrawn by its row, nothing is told of it any more."""
    _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "accept", *WHO)
    _rebuilt(corpora, POLICY.replace("quarterly", "monthly"))
    earlier = _part(capsys)["earlier"]
    assert [each["text"] for each in earlier["went"]] == ["User access rights must be reviewed quarterly."]
    assert [each["text"] for each in earlier["came"]] == ["User access rights must be reviewed monthly."]
    _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "withdraw", *WHO)
    assert _part(capsys)["earlier"] is None
    states = [each["state"] for each in _json(capsys, "review", "--corpus-id", "policies", "--list")]
    assert states == ["withdrawn", "withdrawn"]


def test_a_provision_whose_words_changed_tells_what_was_decided_of_the_former(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its number names it, where it asks one thing; the new decision closes the former."""
    rule = "# Rule\n\n1 The clerk shall review user access rights each year.\n"
    stored(corpora, "rules", "rule.md", rule)
    where = ("--corpus-id", "policies", "--framework-corpus", "rules")
    (row,) = _json(capsys, "crosswalk", *where)["rows"]
    _json(capsys, "decide", *where, "--part", row["requirement_id"], "--decision", "accept", *WHO)
    stored(corpora, "rules", "rule.md", rule.replace("each year", "each month"))
    (now,) = _json(capsys, "crosswalk", *where)["rows"]
    assert (now["requirement_id"], now["earlier"]["text"]) == (row["requirement_id"], row["text"])
    _json(capsys, "decide", *where, "--part", now["requirement_id"], "--decision", "accept", *WHO)
    states = sorted(each["state"] for each in _json(capsys, "review", "--corpus-id", "policies", "--list"))
    assert states == ["in force", "replaced"]


def test_a_crosswalk_of_some_documents_calls_no_sentence_of_another_gone(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was not asked; and nothing is said to be looked at again for that."""
    stored(corpora, "policies", "other.md", "# Other\n\nVisitors must wear hats in the garden on each Tuesday.\n")
    _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "accept", *WHO)
    capsys.readouterr()
    assert run("crosswalk", *WHERE, "--document", "other.md") == ExitCode.OK
    shown = " ".join(capsys.readouterr().out.split())
    assert "decided with other documents, too: accept, B. Reviewer" in shown
    assert "not compared here: “User access rights must be reviewed quarterly.”" in shown
    assert "looked at again" not in shown


def test_a_row_with_no_sentence_gets_no_label_of_sentences(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A label says what sentences say; that nothing does can be accepted, and so can its risk."""
    assert corpora.is_dir()
    for words in (("correct", "--label", "meets"), ("dismiss",)):
        capsys.readouterr()
        assert run("decide", *WHERE, "--part", "ac-1_smt.b", "--decision", *words, *WHO) == ExitCode.USAGE
        assert "no sentence stands beside the requirement" in capsys.readouterr().err
    _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.b", "--decision", "accept", *WHO)
    row = _part(capsys, "ac-1_smt.b")
    assert (row["label"], row["decided"]["by"]) == ("no evidence", "B. Reviewer")


def test_rows_that_several_documents_call_alike_are_told_apart(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A number that two documents print names none; the error says which rows there are."""
    rule = "# Rule\n\n1 The clerk shall review user access rights each week.\n"
    stored(corpora, "rules", "rule.md", rule)
    stored(corpora, "rules", "second.md", rule.replace("Rule", "Second"))
    where = ("--corpus-id", "policies", "--framework-corpus", "rules")
    number = _json(capsys, "crosswalk", *where)["rows"][0]["requirement_id"]
    capsys.readouterr()
    assert run("decide", *where, "--part", number, "--decision", "accept", *WHO) == ExitCode.USAGE
    told = capsys.readouterr().err
    assert "several rows are called so" in told
    assert "rule.md" in told
    assert "second.md" in told
    one = ("--framework", "second.md", "--part", number, "--decision", "accept")
    assert _json(capsys, "decide", *where, *one, *WHO)["row"]["document"] == "second.md"


def test_an_oscal_mapping_relates_no_more_than_a_person_left(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A dismissed sentence is related to nothing, and its requirement is a gap; lowered to partly it only intersects."""
    assert corpora.is_dir()

    def told() -> tuple[set[str], bool]:
        capsys.readouterr()
        assert run("crosswalk", *WHERE, "--format", "oscal") == ExitCode.OK
        (mapping,) = json.loads(capsys.readouterr().out)["mapping-collection"]["mappings"]
        mine = [each for each in mapping["maps"] if each["targets"][0]["id-ref"] == "ac-1_smt.a"]
        return {each["relationship"] for each in mine}, "target-gap-summary" in mapping

    assert told() == ({"superset-of"}, False)
    _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "correct", "--label", "partly", *WHO)
    assert told() == ({"intersects-with"}, False)
    _json(capsys, "decide", *WHERE, "--part", "ac-1_smt.a", "--decision", "dismiss", *WHO)
    assert told() == ({"no-relationship"}, True)
