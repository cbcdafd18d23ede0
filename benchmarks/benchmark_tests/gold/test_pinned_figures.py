"""The sample of our own corpus is drawn as it was, and labels that differ in known ways give the figures that they gave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from coditect_benchmarks.gold.scoring import wilson

from benchmark_tests.gold.pinned_figures import checked, figures, pinned, sampled


@pytest.mark.parametrize("make", [sampled, figures, checked])
def test_figures_are_those_that_were_written_down(make: Callable[[], dict[str, Any]]) -> None:
    """Sample, agreement, scores and checks; see :mod:`benchmark_tests.gold.pinned_figures`."""
    found, before = make(), pinned()[make.__name__]
    assert list(found) == list(before)
    for part, made in found.items():
        assert made == before[part], part


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [(5, 10, 0.2366, 0.7634), (0, 10, 0.0, 0.2775), (1, 1, 0.2065, 1.0), (90, 100, 0.8256, 0.9448)],
)
def test_interval_is_that_of_the_textbook(right: int, n: int, low: float, high: float) -> None:
    """Wilson's score interval without correction for continuity."""
    assert wilson(right, n) == pytest.approx((low, high), abs=1e-4)
