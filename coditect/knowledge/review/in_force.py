"""Which reviews are in force, and what they make of verdicts.

Of several reviews of one fingerprint the one that no other follows is in force; two that do not know of each other (signed at the
same moment) and disagree settle nothing. A withdrawn review, and an accepted risk whose date has passed, decide nothing. Nor does
one that waits for signatures that the corpus asks for: what it is to replace stays in force.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from coditect.integrity.signing.approvals import Approvals
from coditect.knowledge.progress import Clock
from coditect.schemas import Claim, Review, Verdict
from coditect.store.store import Store
from coditect.verify.checker import Evidence
from coditect.verify.judges import fingerprints, settle

__all__ = [
    "UNREVIEWED",
    "Reviews",
    "agreed",
    "claim_reviews",
    "day_of",
    "extraction_reviews",
    "heard",
    "is_expired",
    "review_parameters",
    "reviews_in_force",
    "row_reviews",
    "settled",
    "stored_reviews",
    "waiting_reviews",
]

Reviews: TypeAlias = Mapping[str, tuple[Review, ...]]
"""By fingerprint, ordered by time and id."""

UNREVIEWED: Reviews = MappingProxyType({})
"""Nobody decided anything."""


def day_of(clock: Clock) -> str:
    """The day that it is, ``2026-03-31``, in UTC."""
    return clock()[:10]


def is_expired(review: Review, today: str) -> bool:
    """Whether a risk was accepted until a day that has passed; never, where ``today`` is empty."""
    return bool(today and review.until and review.until < today)


def stored_reviews(store: Store, corpus_id: str) -> list[Review]:
    """Every review of a corpus, those that others follow among them."""
    return [review for _, review in store.scan("reviews", Review, corpus_id)]


def reviews_in_force(store: Store, corpus_id: str, today: str = "") -> dict[str, tuple[Review, ...]]:
    """By fingerprint the reviews that no other follows, ordered by time and id.

    Args:
        store: where they are.
        corpus_id: the corpus.
        today: leaves out risks that were accepted until an earlier day; "": none.
    """
    every, _ = Approvals(store, corpus_id).sorted_out(stored_reviews(store, corpus_id))
    followed = {each for review in every for each in review.follows}
    found: dict[str, list[Review]] = defaultdict(list)
    for review in every:
        if review.review_id not in followed and review.decision != "withdraw" and not is_expired(review, today):
            found[review.fingerprint].append(review)
    return {key: tuple(sorted(found[key], key=lambda r: (r.at, r.review_id))) for key in sorted(found)}


def waiting_reviews(store: Store, corpus_id: str) -> list[Review]:
    """The reviews that wait for signatures, by time; those that another waiting one is to replace are left out."""
    _, waiting = Approvals(store, corpus_id).sorted_out(stored_reviews(store, corpus_id))
    followed = {each for review in waiting for each in review.follows}
    return [each for each in waiting if each.review_id not in followed]


def claim_reviews(store: Store, corpus_id: str, today: str = "") -> Reviews:
    """The reviews in force that are of claims."""
    every = reviews_in_force(store, corpus_id, today)
    return {key: reviews for key, reviews in every.items() if reviews[0].extraction is None and reviews[0].row is None}


def extraction_reviews(store: Store, corpus_id: str, today: str = "") -> dict[str, tuple[Review, ...]]:
    """By name of the document the reviews in force that are of its extractions, one for each fingerprint, ordered by it."""
    found: dict[str, list[Review]] = defaultdict(list)
    for reviews in reviews_in_force(store, corpus_id, today).values():
        subject = reviews[0].extraction
        if subject is not None and agreed(reviews):
            found[subject.document].append(reviews[0])
    return {name: tuple(reviews) for name, reviews in found.items()}


def row_reviews(store: Store, corpus_id: str, today: str = "") -> dict[str, Review]:
    """The reviews in force that are of rows of crosswalks, by fingerprint; two that disagree settle nothing."""
    every = reviews_in_force(store, corpus_id, today)
    return {key: reviews[-1] for key, reviews in every.items() if reviews[0].row is not None and agreed(reviews)}


def agreed(reviews: Sequence[Review]) -> bool:
    """Whether reviews of one fingerprint decide the same."""
    return all((each.decision, each.changes) == (reviews[0].decision, reviews[0].changes) for each in reviews)


def review_parameters(reviews: Reviews) -> dict[str, Any]:
    """What the reviews in force are in the identity of a summary: nothing where there are none."""
    ids = sorted(review.review_id for each in reviews.values() for review in each)
    return {"reviews": ids} if ids else {}


def settled(
    reviews: Reviews, claims: Sequence[Claim], verdicts: Mapping[str, Verdict], evidence: Evidence
) -> dict[str, Verdict]:
    """Verdicts by claim id, after the reviews in force were heard on their claims."""
    if not reviews:
        return dict(verdicts)
    return {
        claim.claim_id: settle(verdicts[claim.claim_id], heard(reviews, fingerprints(claim, evidence)))
        for claim in claims
    }


def heard(reviews: Reviews, fingerprints: Iterable[str]) -> tuple[Review, ...]:
    """The reviews in force of a claim, by each of its fingerprints; ordered by time and id."""
    found = [review for each in fingerprints for review in reviews.get(each, ())]
    return tuple(sorted(found, key=lambda r: (r.at, r.review_id)))
