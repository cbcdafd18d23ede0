"""Which options of ``calibrate`` go together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import invoke

SIGNED = ("--by", "C. Alibrator", "--meaning", "compared the verdicts")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--apply", "calibration_1", "--revert", *SIGNED), "there is one thing to do"),
        (("--apply", "calibration_1", "--list"), "there is one thing to do"),
        (("--revert", "--list"), "there is one thing to do"),
        (("--revert", "--seed", "3", *SIGNED), "only a calibration has a seed and a page"),
        (("--list", "--seed", "3"), "only a calibration has a seed and a page"),
        (("--list", "--output", "page.html"), "only a calibration has a seed and a page"),
        (("--by", "C. Alibrator"), "only a switch is signed"),
        (("--meaning", "compared"), "only a switch is signed"),
        (("--revert", "--by", "C. Alibrator"), "a switch needs a name and a meaning"),
        (("--revert", "--meaning", "compared"), "a switch needs a name and a meaning"),
    ],
)
def test_calibrate_says_which_options_do_not_go_together(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    """One thing at a time; a seed only for calibrating; a signature for a switch, whole, and for nothing else."""
    result = invoke(tmp_path / "store", "calibrate", "--corpus-id", "c", *words)
    assert result.exit_code == 2
    assert said in result.output


@pytest.mark.parametrize("words", [("--list",), ("--revert", *SIGNED), ("--seed", "3"), ()])
def test_calibrate_does_one_thing_of_a_corpus_that_is_there(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Each use alone is right, and goes on to look for the corpus."""
    result = invoke(tmp_path / "store", "calibrate", "--corpus-id", "c", *words)
    assert "no such corpus" in result.output or "no store" in result.output
