"""Written claims are read, checked against their passage and counted by kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from coditect_benchmarks.claims.__main__ import main
from coditect_benchmarks.claims.records import WrittenClaim, read_claims
from coditect_benchmarks.claims.scoring import Judged, headline, judge_by_overlap, judge_claims, tables

PASSAGE = "The Supplier shall notify the Customer of an incident within 24 hours.\n\nBackups are kept for 30 days."
ROWS: tuple[dict[str, object], ...] = (
    {"claim": "The Customer must be told of an incident by the Supplier within 24 hours.", "label": "supported", "kind": "passive"},
    {"claim": "The Supplier shall notify the Customer of an incident within 48 hours.", "label": False, "kind": "number"},
    {"claim": "The Supplier need not notify the Customer of an incident.", "label": "false", "kind": "may_for_must"},
    {"claim": "The Supplier pays a fine for every incident.", "label": "not_stated", "kind": "not_stated"},
)  # fmt: skip


def _claims(path: Path) -> Path:
    lines = [json.dumps({"id": f"c{n}", "evidence": PASSAGE} | row) for n, row in enumerate(ROWS)]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def test_claims_are_read_with_either_form_of_label(tmp_path: Path) -> None:
    """A label is a word or a truth value; what is not stated is not true of the passage."""
    claims = read_claims(_claims(tmp_path / "claims.jsonl"))
    assert [each.is_true for each in claims] == [True, False, False, False]
    assert claims[1].claim_id == "c1"
    assert claims[0].document == ""


@pytest.mark.parametrize(
    "line", ['{"claim": "x", "evidence": "y"}', '{"claim": "x", "evidence": "y", "label": "perhaps"}']
)
def test_line_that_is_no_claim_is_named(tmp_path: Path, line: str) -> None:
    """Neither a missing label nor a strange one is guessed."""
    path = tmp_path / "claims.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 2 is no claim"):
        read_claims(path)


def test_claims_are_judged_by_the_function_that_checks_texts(tmp_path: Path) -> None:
    """A faithful rewriting is supported, what contradicts is refused, and each keeps what was said of its sentences."""
    judged = judge_claims(read_claims(_claims(tmp_path / "claims.jsonl")))
    assert [each.label for each in judged[:3]] == ["supported", "unsupported", "unsupported"]
    assert judged[3].label != "supported"
    assert judged[1].sentences[0].reason


def test_headline_counts_what_an_auditor_asks_for() -> None:
    """False ones that pass, true ones that are refused, and all that a person has to see, with intervals around them."""

    def claim(is_true: bool) -> WrittenClaim:
        return WrittenClaim("c", "x", "y", is_true, "kind")

    judged = [Judged(claim(True), label) for label in ("supported", "unsupported", "needs_review", "supported")]
    judged += [Judged(claim(False), label) for label in ("supported", "unsupported")]
    counts = [(share.count, share.total) for share in headline(judged)]
    assert counts == [(1, 2), (1, 4), (1, 6)]
    for share in headline(judged):
        low, high = share.interval
        assert low < share.count / share.total < high
    assert headline([])[0].interval == (0.0, 1.0)
    assert [(is_true, counts.total()) for is_true, _, counts in tables(judged)] == [(False, 2), (True, 4)]


def test_peer_takes_the_threshold_that_is_best_for_it() -> None:
    """No other share of words in common settles more of the same claims rightly."""
    claims = [
        WrittenClaim("a", "red apples ripen", "Red apples ripen early.", True, ""),
        WrittenClaim("b", "green pears ripen", "Red apples ripen early.", False, ""),
    ]
    judged, threshold = judge_by_overlap(claims)
    assert [each.label for each in judged] == ["supported", "unsupported"]
    assert 0.3 < threshold <= 1.0


def test_command_prints_tables_and_writes_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Kinds, headline and peer for people, the same as data; a file that is none ends with 2."""
    figures = tmp_path / "figures.json"
    arguments = ["score", "--claims", str(_claims(tmp_path / "claims.jsonl")), "--json", str(figures), "--misses"]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert "false called supported" in shown
    assert "passive" in shown
    written = json.loads(figures.read_text(encoding="utf-8"))
    assert {row["kind"] for row in written["kinds"]} == {"passive", "number", "may_for_must", "not_stated"}
    assert written["headline"]["product"]["false called supported"][:2] == [0, 3]
    assert main(["score", "--claims", str(tmp_path / "none.jsonl")]) == 2
