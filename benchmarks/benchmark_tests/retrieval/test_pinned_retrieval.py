"""Cuts, wordings and reports are what was written down; a bootstrap is what its source says."""

from __future__ import annotations

import numpy as np
import pytest
from coditect_benchmarks.retrieval.bootstrap import difference
from coditect_benchmarks.retrieval.cuts import fixed
from coditect_benchmarks.retrieval.formats import Document

from benchmark_tests.retrieval.pinned_retrieval import MADE, TEXT, as_read, pinned


@pytest.mark.parametrize("name", MADE)
def test_made_is_what_was_written_down(name: str) -> None:
    """See :mod:`benchmark_tests.retrieval.pinned_retrieval`."""
    found, before = as_read(MADE[name]()), pinned()[name]
    assert list(found) == list(before)
    for part, said in found.items():
        assert said == before[part], part


@pytest.mark.parametrize("size", [1, 7, 30, 100])
def test_fixed_passages_hold_all_but_white_space(size: int) -> None:
    """None is longer than it may be, and none begins or ends with white space."""
    spans = fixed([Document("a", "", TEXT)], size)
    held = [TEXT[span.start : span.end] for span in spans]
    assert "".join("".join(held).split()) == "".join(TEXT.split())
    assert all(each == each.strip() and 0 < len(each) <= size for each in held)


def test_interval_is_that_of_resampled_means() -> None:
    """The same two thousand samples by the same seed, at both ends two and a half per cent."""
    first, second = np.array([1.0, 0.0, 3.0, 2.0, np.nan]), np.array([0.5, 0.5, 1.0, 0.0, 1.0])
    gaps = (first - second)[:4]
    found = difference(first, second, resamples=500, seed=3)
    generator = np.random.default_rng(3)
    means = sorted(float(gaps[generator.integers(0, 4, 4)].mean()) for _ in range(500))
    assert found.n == 4
    assert found.mean == pytest.approx(1.0)
    assert (found.low, found.high) == pytest.approx(np.percentile(means, [2.5, 97.5]).tolist())
