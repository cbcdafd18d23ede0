"""Sign-off: a person settles a claim that needs review. Reviews are added, never changed; the next build heeds them.

A review holds for a fingerprint of the claim's words and evidence, not for an id: it outlives rebuilds, and a changed word on
either side needs a new one. Of several reviews of one claim the one that no other follows is in force; two that do not know of
each other (signed at the same moment) and disagree settle nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from coditect.errors import NotFound, UsageError
from coditect.integrity.evidence import evidence_of
from coditect.schemas import Claim, Decision, PendingReview, Review, Verdict
from coditect.store.store import Store
from coditect.store.view import View
from coditect.verify.checker import Evidence, quotes_of
from coditect.verify.judges import fingerprint, settle, without_reviews

__all__ = ["pending", "review_parameters", "reviews_in_force", "settled", "sign"]


def reviews_in_force(store: Store, corpus_id: str) -> dict[str, tuple[Review, ...]]:
    """By fingerprint the reviews that no other follows, ordered by time and id."""
    every = [review for _, review in store.scan("reviews", Review, corpus_id)]
    followed = {each for review in every for each in review.follows}
    found: dict[str, list[Review]] = defaultdict(list)
    for review in every:
        if review.review_id not in followed:
            found[review.fingerprint].append(review)
    return {key: tuple(sorted(found[key], key=lambda r: (r.at, r.review_id))) for key in sorted(found)}


def review_parameters(store: Store, corpus_id: str) -> dict[str, Any]:
    """What the reviews in force are in the identity of a summary: nothing where there are none."""
    ids = sorted(review.review_id for each in reviews_in_force(store, corpus_id).values() for review in each)
    return {"reviews": ids} if ids else {}


def settled(
    store: Store, corpus_id: str, claims: Sequence[Claim], verdicts: Mapping[str, Verdict], evidence: Evidence
) -> dict[str, Verdict]:
    """Verdicts by claim id, after the reviews in force were heard on the claims that need them."""
    reviews = reviews_in_force(store, corpus_id)
    if not reviews:
        return dict(verdicts)
    return {
        claim.claim_id: settle(verdicts[claim.claim_id], reviews.get(fingerprint(claim, evidence), ()))
        for claim in claims
    }


def pending(store: Store, view: View) -> list[PendingReview]:
    """The claims of a generation that are a person's to settle, those that are open first, then by id."""
    reviews = reviews_in_force(store, view.corpus_id)
    evidence = evidence_of(view)
    found = []
    for claim_id, verdict in view.verdicts.items():
        if without_reviews(verdict) != "needs_review":
            continue
        claim = view.claims[claim_id]
        found.append(
            PendingReview(
                claim_id=claim_id,
                text=claim.text,
                label=verdict.label,
                support_score=verdict.support_score,
                reason=verdict.filter_reason,
                evidence=tuple(quote.text for quote in quotes_of(claim, evidence)),
                reviews=reviews.get(fingerprint(claim, evidence), ()),
            )
        )
    return sorted(found, key=lambda each: (each.label != "needs_review", bool(each.reviews), each.claim_id))


def sign(store: Store, view: View, claim_id: str, *, decision: Decision, by: str, meaning: str, at: str) -> Review:
    """Store a reviewer's decision on a claim of a generation; it takes effect in the next build.

    Args:
        store: the store that the review is written to.
        view: the generation that the reviewer looked at.
        claim_id: of a claim of that generation.
        decision: "supported" or "unsupported".
        by: the reviewer's name.
        meaning: of the signature.
        at: now, RFC 3339, UTC.
    Returns:
        the review; the one that is in force already where it says the same of the same claim by the same person.

    Raises:
        NotFound: no such claim in this generation.
        UsageError: the claim does not need review, or a field is empty.
    """
    claim, verdict = view.claims.get(claim_id), view.verdicts.get(claim_id)
    if claim is None or verdict is None:
        raise NotFound(
            "unknown claim",
            claim_id=claim_id,
            generation=view.generation,
            hint="'coditect knowledge review' without --claim lists what needs review.",
        )
    by, meaning = " ".join(by.split()), meaning.strip()
    if not by or not meaning:
        raise UsageError("a review names who signs and what the signature means", by=by, meaning=meaning)
    if without_reviews(verdict) != "needs_review":
        raise UsageError(
            "the claim does not need review",
            claim_id=claim_id,
            label=verdict.label,
            hint="Only what the checker and the judges leave open is settled by a person.",
        )
    evidence = evidence_of(view)
    key = fingerprint(claim, evidence)
    before = reviews_in_force(store, view.corpus_id).get(key, ())
    if len(before) == 1 and (before[0].decision, before[0].by, before[0].meaning) == (decision, by, meaning):
        return before[0]
    review = Review.create(
        corpus_id=view.corpus_id,
        fingerprint=key,
        claim_text=claim.text,
        evidence=tuple(quote.text for quote in quotes_of(claim, evidence)),
        decision=decision,
        by=by,
        at=at,
        meaning=meaning,
        follows=tuple(each.review_id for each in before),
    )
    store.put_items([review])
    return review
