"""AUROC, calibration error, thresholds and intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from coditect_benchmarks.verification.figures import auroc, bins, bootstrap, calibration_error
from coditect_benchmarks.verification.protocol import balanced_accuracy
from hypothesis import given
from hypothesis import strategies as st

SCORED = st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 1)), min_size=2, max_size=30)


@given(SCORED)
def test_auroc_is_the_share_of_pairs_in_order(pairs: list[tuple[int, int]]) -> None:
    """AUROC equals the share of (supported, unsupported) pairs with the supported one higher, ties half."""
    high = [score for score, label in pairs if label]
    low = [score for score, label in pairs if not label]
    found = auroc(np.array([s for s, _ in pairs], float), np.array([label for _, label in pairs]))
    if not high or not low:
        assert math.isnan(found)
        return
    wanted = sum((a > b) + 0.5 * (a == b) for a in high for b in low) / (len(high) * len(low))
    assert found == pytest.approx(wanted)


def test_calibration_error_is_zero_where_shares_match() -> None:
    """Claims said to be supported with 0.25 of which a quarter is: no error; all supported: 0.75."""
    said = np.full(8, 0.25)
    assert calibration_error(said, np.array([1, 0, 0, 0, 1, 0, 0, 0])) == 0.0
    assert calibration_error(said, np.ones(8, int)) == pytest.approx(0.75)


def test_bins_hold_every_claim_once() -> None:
    """Probabilities of 0 and 1 fall into the first and last bin."""
    found = bins(np.array([0.0, 0.05, 0.55, 1.0]), np.array([0, 1, 1, 1]))
    assert [(each.count, each.found) for each in found] == [(2, 0.5), (1, 1.0), (1, 1.0)]


def test_balanced_accuracy_is_half_for_a_constant() -> None:
    """Accepting everything is right for one label and wrong for the other."""
    labels = np.array([1, 1, 1, 0])
    assert balanced_accuracy(np.ones(4, bool), labels) == 0.5
    assert balanced_accuracy(labels == 1, labels) == 1.0
    assert math.isnan(balanced_accuracy(np.ones(4, bool), np.ones(4, int)))


def test_bootstrap_draws_documents_and_repeats_itself() -> None:
    """The interval holds the value, is the same again, and is wider where claims share documents."""
    values = np.repeat(np.array([0.0, 1.0] * 20), 5)

    def mean(drawn: np.ndarray) -> float:
        return float(values[drawn].mean())

    by_document = bootstrap(mean, np.repeat(np.arange(40), 5))
    by_claim = bootstrap(mean, np.arange(200))
    assert by_document == bootstrap(mean, np.repeat(np.arange(40), 5))
    assert by_document.low <= by_document.value <= by_document.high
    assert by_document.high - by_document.low > by_claim.high - by_claim.low
