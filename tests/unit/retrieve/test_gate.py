"""The relevance gate with fitted parameters."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.models.cards import gate_for, shipped_cards
from coditect.models.port import GateParameters
from coditect.retrieve.gate import FEATURES, features, judge, judge_again, probability_of
from coditect.retrieve.words import read_words

GATE = GateParameters(-2.0, {"coverage": 2.0, "together": 1.0, "cosine": 3.0}, correct=0.6, incorrect=0.25)
WORDS = read_words("audit log retention period")
TEXTS = st.lists(st.sampled_from(["audit", "log", "retention", "period", "visitor", "badge", "."]), max_size=30)


def test_features_count_words_and_neighbours() -> None:
    """Two of four words, one of three pairs side by side; a negative cosine is none."""
    seen = features(WORDS, "The audit log is kept.", -0.2)
    assert seen == {"coverage": 0.5, "together": pytest.approx(1 / 3), "cosine": 0.0}


def test_features_see_no_neighbours_far_apart() -> None:
    """Words that stand more than eight words apart are not together."""
    assert features(read_words("audit log"), "audit " + "x " * 20 + "log", None)["together"] == 0.0


def test_probability_is_the_logistic_regression() -> None:
    """Bias and weights as the card states them."""
    seen = {"coverage": 0.5, "together": 1.0, "cosine": 0.4}
    assert probability_of(GATE, seen) == pytest.approx(1 / (1 + math.exp(-(-2 + 1 + 1 + 1.2))), abs=1e-6)


@given(TEXTS, st.sampled_from(["audit", "log", "retention", "period"]), st.floats(-1, 1), st.floats(0, 0.5))
def test_more_in_common_is_never_less_probable(text: list[str], word: str, cosine: float, more: float) -> None:
    """Another word of the question, or a higher cosine, does not lower the probability."""
    base = judge(WORDS, " ".join(text), cosine, gate=GATE).probability
    longer = judge(WORDS, " ".join([*text, word]), cosine + more, gate=GATE).probability
    assert base is not None
    assert longer is not None
    assert 0.0 <= base <= longer <= 1.0


@given(TEXTS, st.floats(-1, 1))
def test_judgement_follows_the_thresholds(text: list[str], cosine: float) -> None:
    """Correct from one probability, incorrect below another, ambiguous between."""
    found = judge(WORDS, " ".join(text), cosine, gate=GATE)
    assert found.probability is not None
    expected = "correct" if found.probability >= 0.6 else "incorrect" if found.probability < 0.25 else "ambiguous"
    assert found.relevance == expected


def test_ambiguous_hit_is_scored_again_with_what_holds_it() -> None:
    """The probability becomes that of the parent if it answers; else both stay."""
    first = judge(WORDS, "Seven years; see the period.", 0.4, gate=GATE)
    assert first.relevance == "ambiguous"
    second = judge_again(WORDS, first, "Audit log retention period: seven years", gate=GATE)
    assert second.relevance == "correct"
    assert first.probability is not None
    assert second.probability is not None
    assert second.probability > first.probability
    assert judge_again(WORDS, first, "Visitors", gate=GATE).probability == first.probability


@pytest.mark.parametrize("relevant", [True, False])
def test_clear_hit_is_not_scored_again(relevant: bool) -> None:
    """What holds it can neither save nor spoil it."""
    text = "audit log retention period" if relevant else "Visitors wear badges."
    first = judge(WORDS, text, 0.1, gate=GATE)
    assert judge_again(WORDS, first, "audit log retention period", gate=GATE) is first


def test_shipped_gates_know_their_features_and_refuse_what_shares_nothing() -> None:
    """Every card's gate uses features that there are, and refuses a text without a word in common and a cosine of 0."""
    gates = [gate_for(f"x@{card.weights_sha256[:12]}") for card in shipped_cards().values()]
    for gate in gates:
        assert gate is not None
        assert set(gate.weights) <= set(FEATURES)
        assert all(weight > 0 for weight in gate.weights.values())
        assert 0 < gate.incorrect <= gate.correct < 1
        assert judge(WORDS, "Visitors wear badges.", 0.0, gate=gate).relevance == "incorrect"
        assert judge(WORDS, "audit log retention period", 0.9, gate=gate).relevance == "correct"


def test_gate_without_embedder_looks_at_words_alone() -> None:
    """What the cosines of a model that nothing was fitted for mean is not known."""
    gate = gate_for("")
    assert gate is not None
    assert "cosine" not in gate.weights
    assert gate_for("some-model@000000000000") == gate
