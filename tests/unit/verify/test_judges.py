"""Judges beside the checker: agreement decides, disagreement goes to a person, and a person settles nothing else."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.models.port import Entailed
from coditect.schemas import Opinion, Review, Signal, Verdict, VerdictLabel
from coditect.verify.judges import combine, combined, entailment_opinion, joint_label, settle, without_reviews

LABELS: tuple[VerdictLabel, ...] = ("supported", "unsupported", "needs_review")


def verdict(label: VerdictLabel, *signals: Signal) -> Verdict:
    """Of the checker alone."""
    return Verdict.create(
        corpus_id="c",
        claim_id="claim_1",
        label=label,
        support_score=0.8,
        confidence=0.7,
        published=label == "supported",
        filter_reason="" if label == "supported" else "support: 40% probable",
        signals=signals,
        checker="staged/1",
        evidence=("section_1",),
    )


def opinion(label: VerdictLabel, who: str = "validator/1") -> Opinion:
    """Of a model."""
    return Opinion(judge="model", who=who, version="m1", label=label, reason="because")


def review(decision: str, at: str = "2026-01-01T00:00:00Z") -> Review:
    """Of a person."""
    return Review.create(
        corpus_id="c",
        fingerprint="a" * 64,
        claim_text="A claim.",
        evidence=("A quote.",),
        decision=decision,
        by="R. Viewer",
        at=at,
        meaning="compared with the contract",
    )


@pytest.mark.parametrize(("own", "other"), list(itertools.product(LABELS, LABELS)))
def test_combine_publishes_only_what_checker_and_judge_both_support(own: VerdictLabel, other: VerdictLabel) -> None:
    """The same label from both is the label; two labels are needs_review, whichever they are."""
    joint = combine(verdict(own), opinion(other))
    assert joint.label == (own if own == other else "needs_review")
    assert joint.published == (own == other == "supported")
    assert bool(joint.filter_reason) != joint.published
    assert (joint.checker_label, joint.opinions) == (own, (opinion(other),))


def test_combine_keeps_the_checkers_score_and_never_averages() -> None:
    """A judge's opinion changes label and publication, not what the checker measured."""
    first = verdict("supported")
    joint = combine(first, opinion("unsupported"))
    assert (joint.support_score, joint.confidence, joint.signals) == (0.8, 0.7, first.signals)
    assert "validator/1 says unsupported (because)" in joint.filter_reason
    assert "the checker says supported" in joint.filter_reason


@given(st.permutations([opinion(label, f"judge {n}") for n, label in enumerate(LABELS)]))
def test_combined_gives_the_same_label_in_any_order(opinions: list[Opinion]) -> None:
    """Who is heard first does not matter."""
    assert combined(verdict("supported"), opinions).label == "needs_review"


def test_combined_with_nothing_is_the_same_verdict() -> None:
    """No opinion, no change, to the byte."""
    assert combined(verdict("supported"), ()) == verdict("supported")


@pytest.mark.parametrize("decision", ["supported", "unsupported"])
def test_settle_decides_what_needs_review(decision: str) -> None:
    """A person's decision becomes the label, and stands in the verdict with who, when and what it means."""
    settled = settle(combine(verdict("supported"), opinion("unsupported")), [review(decision)])
    assert settled.label == decision
    assert settled.published == (decision == "supported")
    last = settled.opinions[-1]
    assert (last.judge, last.who, last.at, last.reason) == (
        "review", "R. Viewer", "2026-01-01T00:00:00Z", "compared with the contract",
    )  # fmt: skip
    assert without_reviews(settled) == "needs_review"


@pytest.mark.parametrize("label", ["supported", "unsupported"])
def test_settle_leaves_what_everybody_agrees_on(label: VerdictLabel) -> None:
    """A review neither publishes what is refused nor withdraws what is supported."""
    for agreed in (verdict(label), combine(verdict(label), opinion(label))):
        assert settle(agreed, [review("supported"), review("unsupported")]) == agreed


def test_settle_with_reviews_that_disagree_settles_nothing() -> None:
    """Two persons who do not know of each other and say different things leave it open."""
    both = settle(verdict("needs_review"), [review("supported"), review("unsupported")])
    assert (both.label, both.published) == ("needs_review", False)


def test_combine_never_publishes_a_claim_without_citation() -> None:
    """Neither a judge nor a person can speak for a claim that cites nothing."""
    uncited = verdict("unsupported", Signal(name="cited", passed=False, detail="no citation", weight=1.0))
    joint = settle(combine(uncited, opinion("supported")), [review("supported")])
    assert (joint.label, joint.published) == ("unsupported", False)


@pytest.mark.parametrize(
    ("probability", "contradiction", "label"),
    [(0.9, 0.0, "supported"), (0.9, 0.8, "unsupported"), (0.5, 0.1, "needs_review"), (0.1, 0.1, "unsupported")],
)
def test_entailment_opinion_is_taken_only_where_the_model_is_sure(
    probability: float, contradiction: float, label: str
) -> None:
    """Sure of entailment, sure of the contrary, or a person decides; what it goes by is the best evidence, whole."""
    given_ = entailment_opinion(Entailed(probability, contradiction, 1), ["no", "the quote"], "nli-0a1b")
    assert given_.label == label
    assert [(span.quote, span.char_start, span.char_end) for span in given_.quotes] == [(1, 0, len("the quote"))]
    assert joint_label("supported", (given_,)) == ("supported" if label == "supported" else "needs_review")
