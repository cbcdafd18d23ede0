"""What the commands that check print, to the letter."""

from __future__ import annotations

import pytest

from coditect.cli.verify_text import write_replay, write_report
from coditect.schemas import CheckedSentence, Disagreement, Drift, ReplayReport, TextEvidence, TextReport


def test_replay_text_says_what_drifted_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    """Both outcomes on a line, the claim below it, and the reason below that, each further in."""
    drift = Drift(
        claim_id="claim_1",
        verdict_id="verdict_1",
        text="Logs are kept for a year.",
        cause="evidence",
        changed=True,
        old_label="supported",
        new_label=None,
        old_score=0.91,
        new_score=None,
        detail="its quote was changed",
    )
    report = ReplayReport(
        corpus_id="policies",
        generation=2,
        build_id="build_1",
        checker="staged/3",
        weights_version="words/4",
        weights_sha256="0123456789abcdef",
        replayed=3,
        identical=2,
        drift=(drift,),
        seconds=0.5,
    )
    write_replay(report)
    assert capsys.readouterr().out.splitlines() == [
        "Corpus policies, generation 2: 3 verdicts, 2 identical, 1 drifted",
        "",
        "evidence  supported 0.9100 -> none -  claim_1",
        "  Logs are kept for a year.",
        "    its quote was changed",
        "",
        "staged/3, weights words/4, 0123456789ab; 0.50 s",
    ]


def _statement(name: str, text: str, composed: str = "") -> TextEvidence:
    return TextEvidence(
        item_id=f"item_{name}",
        document_id=f"doc_{name}",
        document_name=f"{name}.md",
        version_id="v",
        raw_sha256="0" * 64,
        char_start=10,
        char_end=10 + len(text),
        text=text,
        composed=composed,
    )


def test_report_text_names_both_sources_that_disagree(capsys: pytest.CaptureFixture[str]) -> None:
    """The one that says it first, each with its words and its place; an item of a list with its lead-in."""
    claim = "Keys are kept for two years."
    sentence = CheckedSentence(
        text=claim,
        char_start=0,
        char_end=len(claim),
        label="sources_disagree",
        support_score=0.1,
        reason="“b.md” says it, “a.md” does not: two years, one year",
        evidence=(
            _statement("a", "Keys are kept for one year."),
            _statement("b", "kept for two years", "Keys must be kept for two years"),
        ),
        disagreement=Disagreement(supporting=1, refuting=0, detail="two years, one year"),
    )
    report = TextReport(
        corpus_id="keys",
        generation=1,
        build_id="build_1",
        name="",
        text=claim,
        label="sources_disagree",
        minimum_support=0.7,
        checker="staged/3",
        weights_version="words/4",
        weights_sha256="0123456789abcdef",
        sentences=(sentence,),
    )
    write_report(report)
    assert capsys.readouterr().out.splitlines() == [
        "Claim against keys, generation 1: 1 sources disagree",
        "",
        "sources disagree  0.10",
        "  Keys are kept for two years.",
        "    “b.md” says it, “a.md” does not: two years, one year",
        "    says it: “Keys must be kept for two years” b.md:10-28",
        "    denies it: “Keys are kept for one year.” a.md:10-37",
        "",
        "staged/3, weights words/4, 0123456789ab",
    ]
