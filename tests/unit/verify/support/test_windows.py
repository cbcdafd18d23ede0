"""Runs of sentences beside a claim, computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.support.features import Measured, measure
from coditect.verify.support.windows import RUNS, WINDOWS, measure_runs, measure_windows, said_words

APART = (
    "The vault is cleaned on Monday.",
    "A clerk reads the ledger.",
    "The auditor visits the harbour.",
    "Boats leave.",
)


def _measured(claim: str, *evidence: str) -> Measured:
    return measure(claim, EvidenceIndex(evidence))


def test_words_in_one_place_hold_more_than_the_same_words_apart() -> None:
    """All words of both claims stand in the evidence; those of the first stand in one sentence."""
    together = measure_windows(_measured("The auditor visits the harbour.", *APART))
    apart = measure_windows(_measured("The auditor cleaned the boats.", *APART))
    assert together["row_all"] == apart["row_all"] == 1.0
    assert together["row_one"] == together["row_three"] == 1.0
    assert apart["row_one"] < apart["row_two"] < 1.0


def test_longer_runs_never_hold_less() -> None:
    """One sentence, two, three, and all of them."""
    for claim in ("The auditor cleaned the vault.", "A clerk leaves the harbour with the ledger on Monday."):
        found = measure_windows(_measured(claim, *APART))
        assert found["row_one"] <= found["row_two"] <= found["row_three"] <= found["row_all"]


def test_shares_are_by_what_words_tell() -> None:
    """A word counts the logarithm of how rare it is in the evidence; the worst quarter is the word that is not there."""
    measured = _measured("The auditor visits the lighthouse.", *APART)
    said = said_words(measured)
    assert [word.low for word in said.words] == ["auditor", "visits", "lighthouse"]
    here, nowhere = math.log(2 + 5 / 1.5), math.log(2 + 5 / 0.5)
    found = measure_windows(measured)
    assert found["row_one"] == pytest.approx(2 * here / (2 * here + nowhere))
    assert found["row_all_low"] == found["row_three_low"] == 0.0


def test_another_form_of_a_word_holds_most_of_it() -> None:
    """The word "cleaning" is another form of "cleaned"; a number has no other form."""
    assert measure_windows(_measured("Cleaning.", "It was cleanable.", "Boats leave."))["row_one"] == pytest.approx(0.7)
    assert measure_windows(_measured("It lasts 12 days.", "It lasts 120 days."))["row_all"] < 1.0


def test_the_worst_sentence_and_the_worst_run_of_a_claim_are_its_own() -> None:
    """One sentence of the claim stands there, the other does not."""
    found = measure_windows(_measured("The auditor visits the harbour. Penguins dance.", *APART))
    assert found["row_part"] == 0.0
    assert 0.0 < found["row_five"] < 1.0


def test_runs_of_nothing_are_0() -> None:
    """A claim without words of substance, and evidence without sentences."""
    assert set(measure_windows(_measured("It is what it is.", *APART)).values()) == {0.0}
    assert set(measure_windows(_measured("The auditor visits the harbour.")).values()) == {0.0}


def test_runs_are_measured_from_nearness_alone() -> None:
    """Two words, of which the first sentence holds one and the third the other: only three in a row hold both."""
    measured = _measured("Auditors dance.", "a", "b", "c")
    said = said_words(measured)
    near = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    found = dict(zip(RUNS, measure_runs(measured, said, near), strict=True))
    share = max(said.weights) / said.weights.sum()
    assert found["one"] == pytest.approx(share)
    assert found["two"] == pytest.approx(share)
    assert (found["three"], found["all"], found["three_low"], found["all_low"]) == (1.0, 1.0, 1.0, 1.0)
    assert tuple(f"row_{name}" for name in RUNS) == WINDOWS
