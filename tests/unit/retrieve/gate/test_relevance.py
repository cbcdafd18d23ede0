"""The relevance gate with fitted parameters."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.models.cards import gate_for, shipped_cards
from coditect.models.port import GateParameters
from coditect.retrieve.gate.background import rarity_of, with_spoken
from coditect.retrieve.gate.relevance import (
    FEATURES,
    KnownQuestion,
    features,
    judge,
    judge_again,
    probability_of,
    typical,
)
from coditect.retrieve.port import Background
from coditect.retrieve.spoken import Spoken
from coditect.retrieve.words import Words, read_words

GATE = GateParameters(
    0.0, {"near": 6.0, "ordinary": -6.0, "missing": -0.8, "surplus": 2.0}, correct=0.6, incorrect=0.25
)
WORDS = read_words("audit log retention period")
RARITY = {"audit": 4.0, "log": 5.0, "retent": 6.0, "period": 2.0}
BACKGROUND = Background(1_000, RARITY, nearest=0.5, ordinary=0.3)
TEXTS = st.lists(st.sampled_from(["audit", "log", "retention", "period", "visitor", "badge", "."]), max_size=30)


def test_features_weigh_words_by_what_they_tell() -> None:
    """Nats that lack, for each word; nats that are there, beyond what singles out one of a thousand units."""
    seen = features(WORDS, "Audit log and its retention.", 0.4, BACKGROUND)
    assert seen["missing"] == pytest.approx(2.0 / 4)
    assert seen["surplus"] == pytest.approx(15.0 / math.log(1_001) - 1)
    assert seen["coverage"] == 0.75


def test_features_join_the_nearest_unit_and_the_hit() -> None:
    """The nearest unit says whether there is an answer, the hit's own cosine a little; no nearer hit than the nearest."""
    assert features(WORDS, "", 0.4, BACKGROUND)["near"] == pytest.approx(0.85 * 0.5 + 0.15 * 0.4)
    assert features(WORDS, "", 0.7, BACKGROUND)["near"] == pytest.approx(0.7)
    assert features(WORDS, "", -0.9, Background(9, RARITY, 0.0, -0.2)) == {
        "near": 0.0,
        "ordinary": 0.0,
        "missing": pytest.approx(17 / 4),
        "surplus": 0.0,
        "asked": pytest.approx(math.log(18)),
        "common": 0.0,
        "pairs": 0.0,
        "named": 0.0,
        "together": 0.0,
        "unheard": pytest.approx(3 / 4),
        "around": 0.0,
        "coverage": 0.0,
    }


def test_words_side_by_side_are_counted_without_function_words_up_to_three() -> None:
    """Retention of the log is no "log retention"; a log and its retention are."""
    asked = dict.fromkeys(read_words("audit log retention period badge visitor").weights, 3.0)
    words, background = read_words("audit log retention period badge visitor"), Background(1_000, asked)
    for text, pairs in (
        ("Retention of the log.", 0),
        ("The log and its retention.", 1),
        ("Audit log: retention period.", 3),
        ("Audit log, retention period, badge of a visitor.", 3),
    ):
        assert features(words, text, None, background)["pairs"] == pairs, text
    untold = Background(1_000, asked | {"log": 0.0})
    assert features(words, "The log and its retention.", None, untold)["pairs"] == 0


def test_words_scattered_over_a_text_are_not_together() -> None:
    """The same words, the same nats in common; what is said of a way of speaking stands for it there, too."""
    scattered = (
        "Audit. " + "Visitors wear badges at the gate of each house and each yard of it. " * 2 + "Log retention."
    )
    close, apart = (features(WORDS, text, None, BACKGROUND) for text in ("Audit log retention.", scattered))
    assert close["surplus"] == apart["surplus"] == close["together"] == pytest.approx(15 / math.log(1_001) - 1)
    assert apart["together"] == pytest.approx(11 / math.log(1_001) - 1)
    spoken = Background(
        20, {"walk": 9.0, "away": 9.0, "audit": 4.0}, 0.5, 0.3, ((frozenset({"walk", "away"}), {"termin": 3.0}),)
    )
    said = features(read_words("walk away from audit"), "They terminate the audit; away, walk.", None, spoken)
    assert said["together"] == pytest.approx(7 / math.log(21) - 1)


def test_words_that_no_unit_has_are_unheard() -> None:
    """A word of a single unit is not, nor what leads to other terms; of a typical background nothing is known."""
    held = {"audit": 3, "log": 1, "retent": 0, "period": 0}
    background = rarity_of("audit log retention period", 1_000, held.__getitem__)
    assert features(WORDS, "", None, background)["unheard"] == 0.5
    said = Spoken("retention period", ("retention", "period"), ("withdraw",))
    spoken = with_spoken(background, [said], lambda _: 2)
    assert features(WORDS, "", None, spoken)["unheard"] == 0.0
    assert features(WORDS, "", None)["unheard"] == 0.0


@pytest.mark.parametrize(("nats", "named"), [(0.0, 0.0), (3.0, 0.0), (4.5, 0.5), (6.0, 1.0), (60.0, 1.0)])
def test_words_that_name_a_document_are_worth_what_they_single_out(nats: float, named: float) -> None:
    """Twice one unit of so many is as sure as it gets; words that answer are not counted for names."""
    units = round(math.e**6) - 1
    background = Background(units, RARITY | {"acm": nats, "suppli": nats})
    assert features(WORDS, "audit", None, background)["named"] == pytest.approx(named, abs=1e-3)


def test_question_that_asks_more_is_less_probable_for_the_same_hit() -> None:
    """Any text holds some of many words by chance; a corpus that is near on average speaks of such things."""
    gate = GateParameters(0.0, {"surplus": 1.0, "asked": -2.0, "common": 3.0})
    short, long = read_words("audit log"), read_words("audit log visitor badge")
    worth = RARITY | {"visitor": 5.0, "badg": 5.0}

    def chance(words: Words, common: float) -> float:
        background = Background(1_000, {stem: worth[stem] for stem in words.weights}, common=common)
        found = judge(KnownQuestion.of(words, background), "audit log", 0.3, gate).probability
        assert found is not None
        return found

    assert chance(short, 0.1) > chance(long, 0.1)
    assert chance(long, 0.3) > chance(long, 0.1)


def test_features_without_embedder_are_of_words_alone() -> None:
    """No cosine, no nearness."""
    seen = features(WORDS, "audit", None, Background(1_000, RARITY))
    assert (seen["near"], seen["ordinary"]) == (0.0, 0.0)
    assert features(WORDS, "audit", None)["ordinary"] == 0.0


def test_way_of_speaking_is_one_word_that_a_text_says_by_any_of_its_terms() -> None:
    """Worth the rarest term that is there, or the commonest of all that lack; a word that is no part of it stays as it was."""
    words = read_words("walk away from audit")
    rarity = {"walk": 9.0, "away": 9.0, "audit": 4.0}
    terms = {"termin": 3.0, "withdraw": 5.0}
    background = Background(1_000, rarity, 0.5, 0.3, ((frozenset({"walk", "away"}), terms),))
    lacking = features(words, "The audit.", 0.4, background)
    assert [lacking["coverage"], lacking["missing"]] == pytest.approx([0.5, 3.0 / 2])
    having = features(words, "They may withdraw or terminate.", 0.4, background)
    assert [having["coverage"], having["missing"]] == pytest.approx([0.5, 4.0 / 2])
    assert features(words, "They may terminate the audit.", 0.4, background)["coverage"] == 1.0
    plain = Background(1_000, rarity, 0.5, 0.3)
    assert features(words, "They may terminate the audit.", 0.4, plain)["coverage"] == pytest.approx(1 / 3)


def test_words_that_only_ask_count_for_nothing() -> None:
    """An answer need not say "mentioned"; where there are no other words, they count."""
    words = read_words("audit mentioned")
    background = Background(1_000, {"audit": 4.0, "mention": 0.0})
    assert features(words, "The audit.", None, background)["coverage"] == 1.0
    assert features(words, "A visitor.", None, background)["missing"] == 4.0
    only = Background(1_000, {"audit": 0.0, "mention": 0.0})
    assert features(words, "The audit.", None, only)["coverage"] == 0.5


def test_surplus_is_bounded_and_small_corpora_have_one() -> None:
    """Many rare words are no surer than some; one unit, or none, is no division by zero."""
    many = dict.fromkeys(RARITY, 90.0)
    assert features(WORDS, "audit log retention period", None, Background(1_000, many))["surplus"] == 1.5
    for units in (0, 1):
        assert 0.0 <= features(WORDS, "audit", None, Background(units, RARITY))["surplus"] <= 1.5


def test_probability_is_the_logistic_regression() -> None:
    """Bias and weights as the card states them; what it does not weigh counts for nothing."""
    seen = {"near": 0.5, "ordinary": 0.25, "missing": 1.0, "surplus": 0.5, "coverage": 1.0}
    assert probability_of(GATE, seen) == pytest.approx(1 / (1 + math.exp(-(3 - 1.5 - 0.8 + 1))), abs=1e-6)


@given(TEXTS, st.sampled_from(["audit", "log", "retention", "period"]), st.floats(-1, 1), st.floats(0, 0.5))
def test_more_in_common_is_never_less_probable(text: list[str], word: str, cosine: float, more: float) -> None:
    """Another word of the question, or a higher cosine, does not lower the probability."""
    for background in (BACKGROUND, None):
        base = judge(KnownQuestion.of(WORDS, background or typical(cosine)), " ".join(text), cosine, GATE).probability
        both = " ".join([*text, word])
        nearer = KnownQuestion.of(WORDS, background or typical(cosine + more))
        longer = judge(nearer, both, cosine + more, GATE).probability
        assert base is not None
        assert longer is not None
        assert 0.0 <= base <= longer <= 1.0


@given(st.floats(0, 1), st.floats(0, 0.5), st.floats(0, 1))
def test_nearer_corpus_and_less_ordinary_question_are_never_less_probable(
    nearest: float, more: float, ordinary: float
) -> None:
    """The same hit counts for more where the corpus comes near, and for less where everyday words do."""

    def chance(near: float, usual: float) -> float:
        found = judge(
            KnownQuestion.of(WORDS, Background(1_000, RARITY, near, usual)), "audit log", 0.3, GATE
        ).probability
        assert found is not None
        return found

    base = chance(nearest, ordinary)
    assert chance(nearest + more, ordinary) >= base >= chance(nearest, ordinary + more)


@given(TEXTS, st.floats(-1, 1))
def test_judgement_follows_the_thresholds(text: list[str], cosine: float) -> None:
    """Correct from one probability, incorrect below another, ambiguous between."""
    found = judge(KnownQuestion.of(WORDS, BACKGROUND), " ".join(text), cosine, GATE)
    assert found.probability is not None
    expected = "correct" if found.probability >= 0.6 else "incorrect" if found.probability < 0.25 else "ambiguous"
    assert found.relevance == expected


def test_ambiguous_hit_is_scored_again_with_what_holds_it() -> None:
    """The probability becomes that of the parent if it answers; else both stay."""
    first = judge(KnownQuestion.of(WORDS, BACKGROUND), "Seven years; see the log of the period.", 0.4, GATE)
    assert first.relevance == "ambiguous"
    above = "Audit log retention period: seven years"
    second = judge_again(KnownQuestion.of(WORDS, BACKGROUND), first, above, GATE)
    assert second.relevance == "correct"
    assert first.probability is not None
    assert second.probability is not None
    assert second.probability > first.probability
    assert judge_again(KnownQuestion.of(WORDS, BACKGROUND), first, "Visitors", GATE).probability == first.probability


@pytest.mark.parametrize("relevant", [True, False])
def test_clear_hit_is_not_scored_again(relevant: bool) -> None:
    """What holds it can neither save nor spoil it."""
    text = "audit log retention period" if relevant else "Visitors wear badges."
    first = judge(KnownQuestion.of(WORDS, BACKGROUND), text, 0.1, GATE)
    assert judge_again(KnownQuestion.of(WORDS, BACKGROUND), first, "audit log retention period", GATE) is first


def test_shipped_gates_know_their_features_and_refuse_what_shares_nothing() -> None:
    """Every card's gate uses features that there are, and refuses a text without a word in common and a cosine of 0."""
    gates = [gate_for(f"x@{card.weights_sha256[:12]}") for card in shipped_cards().values()]
    for gate in gates:
        assert gate is not None
        assert set(gate.weights) <= set(FEATURES)
        assert all(weight * FEATURES[name] > 0 for name, weight in gate.weights.items())
        assert 0 < gate.incorrect <= gate.correct < 1
        for background in (Background(1_000, RARITY, 0.2, 0.3), None):
            nothing = judge(KnownQuestion.of(WORDS, background or typical(0.0)), "Visitors wear badges.", 0.0, gate)
            assert nothing.relevance == "incorrect"
        for background in (Background(1_000, RARITY, 0.6, 0.3), None):
            everything = judge(
                KnownQuestion.of(WORDS, background or typical(0.9)), "audit log retention period", 0.9, gate
            )
            assert everything.relevance == "correct"


def test_gate_without_embedder_looks_at_words_alone() -> None:
    """What the cosines of a model that nothing was fitted for mean is not known."""
    gate = gate_for("")
    assert gate is not None
    assert set(gate.weights) <= set(FEATURES) - {"near", "ordinary", "common", "around"}
    assert gate_for("some-model@000000000000") == gate


def test_probability_has_six_digits_and_stays_between_none_and_all() -> None:
    """However far a logit is out; what is stored is the same on every machine."""
    assert probability_of(GateParameters(1.0, {}), {}) == 0.731059
    assert probability_of(GateParameters(-1e9, {}), {}) == 0.0
    assert probability_of(GateParameters(1e9, {}), {}) == 1.0
