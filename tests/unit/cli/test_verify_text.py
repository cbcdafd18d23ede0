"""What the commands that check print, to the letter."""

from __future__ import annotations

import pytest

from coditect.cli.verify_text import write_replay
from coditect.schemas import Drift, ReplayReport


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
        checker="staged/2",
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
        "staged/2, weights words/4, 0123456789ab; 0.50 s",
    ]
