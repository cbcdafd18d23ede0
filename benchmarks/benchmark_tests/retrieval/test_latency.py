"""What the latency benchmark times."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from coditect_benchmarks.retrieval.__main__ import main
from coditect_benchmarks.retrieval.latency import Times, timed
from coditect_benchmarks.retrieval.synthetic import SyntheticUnits

TEXTS = ("Invoices are paid within thirty days.", "Backups run every night.", "Visitors wear a badge.")


def test_timed_counts_each_question_once() -> None:
    """Questions asked before are not counted; where there are none, the first is asked twice."""
    asked: list[str] = []
    times = timed(asked.append, ["a", "b"], ["x", "y", "z"])
    assert asked == ["x", "y", "z", "a", "b"]
    assert times.wall.shape == times.cpu.shape == (2,)
    timed(asked.append, ["a"])
    assert asked[-2:] == ["a", "a"]


def test_timed_takes_the_fastest_round_of_each_question() -> None:
    """What another process takes in one round is left out."""
    asked: list[str] = []

    def search(query: str) -> None:
        asked.append(query)
        if len(asked) in (2, 5):
            time.sleep(0.05)

    times = timed(search, ["a", "b"], ["x"], rounds=2)
    assert asked == ["x", "a", "b", "a", "b"]
    assert times.wall.shape == (2,)
    assert times.wall.max() < 50


def test_times_are_subtracted_question_by_question() -> None:
    """What one way adds over another, not the difference of their percentiles."""
    first, second = Times(np.array([3.0, 9.0]), np.array([2.0, 2.0])), Times(np.array([1.0, 8.0]), np.array([1.0, 1.5]))
    found = first - second
    assert found.wall.tolist() == [2.0, 1.0]
    assert found.cpu.tolist() == [1.0, 0.5]


def test_synthetic_units_are_searched_by_words_and_meaning(tmp_path: Path) -> None:
    """The text that says what is asked comes first; each unit is there once, and the same seed gives the same vectors."""
    units = SyntheticUnits(tmp_path / "a", "wordllama", TEXTS, 300)
    assert len(units) == 300
    found = units.search("every night backups")
    assert int(found[0].item_id.removeprefix("extraction_"), 16) % len(TEXTS) == 1
    again = SyntheticUnits(tmp_path / "b", "wordllama", TEXTS, 300)
    assert again.nearest("badge") == units.nearest("badge")


@pytest.mark.parametrize("levels", ["", "256,128", "8", "a"])
def test_command_refuses_levels_that_no_passage_can_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], levels: str
) -> None:
    """Wrong usage, told in a line, before anything is read."""
    with pytest.raises(SystemExit) as stopped:
        main(["--data", str(tmp_path), "--levels", levels])
    assert stopped.value.code == 2
    assert "increasing, 16 to 32768" in capsys.readouterr().err
