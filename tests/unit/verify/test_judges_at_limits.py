"""Opinions at the very thresholds, and what persons say about claims that everybody supports."""

from __future__ import annotations

import pytest

from coditect.models.port import Entailed
from coditect.schemas import Opinion, Review
from coditect.verify.judges import combined, dismissed, entailment_opinion, review_opinion, settle
from tests.unit.verify.test_judges import opinion, review, verdict


@pytest.mark.parametrize(
    ("probability", "contradiction", "label"),
    [
        (0.7, 0.0, "supported"),
        (0.69, 0.0, "needs_review"),
        (0.31, 0.0, "needs_review"),
        (0.29, 0.0, "unsupported"),
        (0.99, 0.7, "unsupported"),
        (0.99, 0.69, "supported"),
    ],
)
def test_model_is_sure_from_seven_in_ten(probability: float, contradiction: float, label: str) -> None:
    """Either way; what it says stands in the reason."""
    found = entailment_opinion(Entailed(probability, contradiction, None), [], "nli/1")
    assert (found.label, found.quotes, found.probability) == (label, (), probability)
    assert found.reason == f"entailment {probability:.2f}, contradiction {contradiction:.2f}"


def test_probability_of_a_model_is_kept_to_four_digits() -> None:
    """More would differ from machine to machine."""
    assert entailment_opinion(Entailed(0.123456, 0.0, None), [], "nli/1").probability == 0.1235


@pytest.mark.parametrize(
    ("decision", "label", "kept"),
    [
        ("supported", "supported", None),
        ("unsupported", "unsupported", None),
        ("dismiss", "unsupported", "dismiss"),
        ("accept", "supported", "accept"),
    ],
)
def test_review_is_an_opinion_with_its_decision(decision: str, label: str, kept: str | None) -> None:
    """A decision that only settles is its label; any other stands beside it."""
    found = review_opinion(review(decision))
    assert (found.label, found.decision, found.judge, found.who) == (label, kept, "review", "R. Viewer")


def _person(decision: str, at: str = "2026-01-01T00:00:00Z") -> Opinion:
    return review_opinion(review(decision, at))


def test_claim_is_dismissed_where_every_person_refuses_it() -> None:
    """One who dismisses it is needed, one who supports it is enough against; models have no say."""
    assert dismissed([_person("dismiss")])
    assert dismissed([_person("dismiss"), _person("unsupported")])
    assert not dismissed([_person("unsupported")])
    assert not dismissed([_person("dismiss"), _person("supported")])
    assert dismissed([_person("dismiss"), opinion("supported")])
    assert not dismissed([])


def test_dismissed_claim_keeps_its_label_and_is_not_published() -> None:
    """The reason names who, and what it means; the checker's own is left out."""
    settled = settle(verdict("supported"), [review("dismiss"), review("unsupported", "2026-02-01T00:00:00Z")])
    assert (settled.label, settled.published) == ("supported", False)
    assert settled.filter_reason == "dismissed by R. Viewer (compared with the contract)"
    assert [each.decision for each in settled.opinions] == ["dismiss"]


def test_reviews_are_heard_in_the_order_of_their_days() -> None:
    """Whatever order they are given in."""
    reviews: list[Review] = [review("unsupported", f"2026-0{month}-01T00:00:00Z") for month in (3, 1, 2)]
    heard = settle(verdict("needs_review"), reviews).opinions
    assert [each.at for each in heard] == sorted(each.at for each in reviews)


def test_reason_names_everybody_and_what_failed() -> None:
    """The checker first, then each opinion with its reason in brackets, then the signals."""
    plain = Opinion(judge="model", who="second/1", version="m1", label="needs_review", reason="")
    joint = combined(verdict("unsupported"), [opinion("supported"), plain])
    assert joint.filter_reason == (
        "the checker says unsupported, validator/1 says supported (because), second/1 says needs review"
    )


def test_published_claim_has_no_reason() -> None:
    """Where all agree."""
    assert combined(verdict("supported"), [opinion("supported")]).filter_reason == ""
    assert settle(verdict("needs_review"), [review("supported")]).filter_reason == ""
