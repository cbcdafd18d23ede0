"""The bench that fails where the default loses to plain BM25, and how its figures are chosen."""

from __future__ import annotations

import numpy as np
import pytest
from coditect_benchmarks import families
from coditect_benchmarks.families import DEFAULT, comparisons, means
from coditect_benchmarks.retrieval.fit import chosen, grid, regrets

from coditect.retrieve.local.parameters import RANKING


def measured(default: float, rival: float) -> dict[str, dict[str, np.ndarray]]:
    """Two systems on forty questions, each with the same value."""
    return {
        name: {measure: np.full(40, value) for measure in ("recall@10", "MAP@10")}
        for name, value in ((DEFAULT, default), ("bm25s", rival))
    }


def test_default_below_plain_bm25_is_lost() -> None:
    """Worse on every question is beyond noise."""
    assert [each.is_lost for each in comparisons("rulebooks, typos", measured(0.5, 0.6))] == [True, True]


def test_default_above_plain_bm25_is_not_lost() -> None:
    """Better, or the same."""
    assert not any(each.is_lost for value in (0.5, 0.4) for each in comparisons("x", measured(0.5, value)))


def test_default_below_its_own_part_is_told_and_not_failed() -> None:
    """Only plain BM25 blocks a release."""
    own = measured(0.5, 0.6)
    (found, *_) = comparisons("x", {DEFAULT: own[DEFAULT], "words": own["bm25s"]})
    assert found.gap.verdict == "worse"
    assert not found.is_lost


def test_families_refuse_a_set_that_is_not_there(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, and what there is."""
    assert families.main(["--data", str(tmp_path), "--sets", "none"]) == 2
    assert "error:" in capsys.readouterr().err


def test_regret_is_what_lacks_to_the_best_of_all_in_a_case() -> None:
    """Rivals count for the best, and have no regret of their own."""
    means = {"a": {"x": 0.5, "y": 0.4}, "b": {"x": 0.3, "y": 0.5}, "bm25": {"x": 0.6, "y": 0.1}}
    found = regrets(means, ["a", "b"])
    assert found["a"] == pytest.approx({"x": 0.1, "y": 0.1})
    assert found["b"] == pytest.approx({"x": 0.3, "y": 0.0})


def test_the_least_of_the_greatest_regrets_is_chosen() -> None:
    """Not the best mean."""
    assert chosen({"even": {"x": 0.1, "y": 0.1}, "uneven": {"x": 0.15, "y": 0.0}})[0] == "even"


def test_the_default_is_one_of_those_compared() -> None:
    """What ships was chosen out of the grid."""
    assert RANKING in grid().values()


def test_means_have_intervals_over_questions() -> None:
    """Measures that no question has are left out."""
    own = measured(0.5, 0.25)
    own[DEFAULT]["char R@8"] = np.full(40, np.nan)
    own["bm25s"]["recall@10"] = np.array([0.0, 0.5] * 20)
    lines = list(means("x", own))
    assert len(lines) == 2
    assert "default 0.500 [0.500, 0.500]" in lines[0]
    assert "bm25s 0.250 [0.1" in lines[0]
