"""Days that words name, and gaps that rules do not tell any more."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.tiers.claims.read_gaps import named_day
from tests.unit.tiers.corpora import rules_tell, view_of


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("Next review due: 30 June 2026", "2026-06-30"),
        ("valid until June 2026", "2026-06-30"),
        ("from 1 March 2024 to 28 February 2029", "2029-02-28"),
        ("within two weeks", ""),
        ("every June", ""),
    ],
)
def test_last_day_that_words_name(words: str, day: str) -> None:
    """Of a month alone its end; without a year none."""
    assert named_day(words) == day


def _gaps(folder: Path, files: dict[str, str]) -> list[str]:
    return [claim.text for claim in rules_tell(view_of(folder, files), "gap")]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Where the price of the cover has not been fixed, the desk shall use the highest estimate.", 0),
        ("The price of the cover has not been fixed.", 1),
    ],
)
def test_rule_for_an_open_case_leaves_no_point_open(tmp_path: Path, sentence: str, told: int) -> None:
    """It says what holds where something is open, and not that it is."""
    text = f"# Cover Procedure\n\nThe desk shall keep a list of covers.\n\n{sentence}\n"
    assert len(_gaps(tmp_path / "documents", {"cover-procedure.md": text})) == told


def test_open_point_in_a_rule_of_others_is_counted(tmp_path: Path) -> None:
    """A blank of its form is nobody's task here."""
    rules = "".join(f"{n}.1 A firm shall report under Rule {n}.\n\n" for n in range(1, 25))
    text = f"# Anti-Money Laundering Rulebook\n\n{rules}We attest for [insert name of Fund] that it is green.\n"
    view = view_of(tmp_path / "documents", {"AML_VER01.md": text})
    assert rules_tell(view, "gap") == []
    assert view.summary.trivial == {"open points in papers of others": 1}


def test_two_documents_in_one_breath_are_none_of_that_name(tmp_path: Path) -> None:
    """What either of them is, their own names would tell."""
    files = {
        "key-policy.md": "# Key Policy\n\nThe porter shall follow the Lost Key Policy and Plan. See our Door Standard.\n",
        "porter-policy.md": "# Porter Policy\n\nThe porter shall lock the doors every evening.\n",
    }
    told = _gaps(tmp_path / "documents", files)
    assert any("Door Standard" in each for each in told)
    assert not any("Policy and Plan" in each for each in told)
