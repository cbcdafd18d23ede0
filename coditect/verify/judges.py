"""Judges beside the checker: their opinions join a verdict, agreement decides, and disagreement goes to a person.

No opinion is averaged with another. Where the checker and every judge say the same, that is the label; where not, it is
``needs_review``, and a reviewer's sign-off settles it. A person may dismiss a claim that everybody supports: its label stays, it is
not published. No review publishes what everybody refuses, nor a claim that cites nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coditect.models.port import Entailed
from coditect.schemas import (
    Claim,
    EvidenceSpan,
    Opinion,
    Review,
    Signal,
    Verdict,
    VerdictLabel,
    canonical_json,
    doubt_in,
    sha256_hex,
)
from coditect.verify.checker import Evidence, check, quotes_of

__all__ = [
    "combine",
    "combined",
    "dismissed",
    "entailment_opinion",
    "fingerprint",
    "fingerprints",
    "joint_label",
    "recheck",
    "review_opinion",
    "settle",
    "without_reviews",
]


_OF_THE_CORPUS = frozenset(("similarity",))
"""Figures of a recipe that other documents of the corpus move, and that are not told in its words."""

SURE = 0.7
"""Probability from which an entailment model's word is taken, either way."""


def combine(verdict: Verdict, opinion: Opinion) -> Verdict:
    """A verdict after one more opinion was heard.

    Args:
        verdict: the checker's, or one with opinions already.
        opinion: what a judge says, or a review.
    Returns:
        A new verdict; its score and signals stay the checker's.
    """
    return combined(verdict, (opinion,))


def combined(verdict: Verdict, opinions: Iterable[Opinion]) -> Verdict:
    """A verdict after some opinions were heard, in order; the same verdict where there are none."""
    heard = (*verdict.opinions, *opinions)
    if heard == verdict.opinions:
        return verdict
    own = verdict.checker_label or verdict.label
    label = _joint(own, heard, cited=_cites(verdict))
    fields = {name: getattr(verdict, name) for name in Verdict.model_fields if name != "verdict_id"}
    fields |= {
        "checker_label": own,
        "opinions": heard,
        "label": label,
        "published": label == "supported" and not dismissed(heard),
        "filter_reason": _filter_reason(label, own, heard, verdict.signals),
    }
    return Verdict.create(**fields)


def entailment_opinion(found: Entailed, quotes: Sequence[str], model_id: str) -> Opinion:
    """What an entailment model says, as an opinion: sure of entailment, sure of the contrary, or a person decides.

    Args:
        found: what the model answers.
        quotes: the evidence that it was shown.
        model_id: the name and version of the model.
    """
    label: VerdictLabel = "needs_review"
    if found.contradiction >= SURE:
        label = "unsupported"
    elif found.probability >= SURE:
        label = "supported"
    elif found.probability < 1.0 - SURE:
        label = "unsupported"
    best = (
        () if found.best is None else (EvidenceSpan(quote=found.best, char_start=0, char_end=len(quotes[found.best])),)
    )
    reason = f"entailment {found.probability:.2f}, contradiction {found.contradiction:.2f}"
    probability = round(found.probability, 4)
    return Opinion(judge="entailment", who=model_id, label=label, reason=reason, quotes=best, probability=probability)


def joint_label(own: VerdictLabel, opinions: Iterable[Opinion]) -> VerdictLabel:
    """What the checker and judges make of a text together: what all say, else needs_review. Reviews settle only that."""
    return _joint(own, opinions, cited=True)


def recheck(claim: Claim, evidence: Evidence, minimum_support: float, stored: Verdict) -> Verdict:
    """The verdict that this claim gets today: the checker asked again, the stored opinions heard again.

    The probability of support is calibrated with the figures that the stored verdict names, where they are known.

    Args:
        claim: what is said.
        evidence: what it rests on.
        minimum_support: claims below are not published, 0..1.
        stored: the verdict that the opinions are taken from.
    """
    return combined(check(claim, evidence.as_of(stored), minimum_support), stored.opinions)


def settle(verdict: Verdict, reviews: Iterable[Review]) -> Verdict:
    """A verdict after the reviews of its claim.

    One that needs review is settled; of one that is supported a person may say more. What everybody refuses is not changed.

    Args:
        verdict: a verdict that holds every judge's opinion already.
        reviews: in force for the claim's fingerprint, as :func:`coditect.knowledge.review.in_force.reviews_in_force` gives them.
    """
    if verdict.label == "unsupported":
        return verdict
    opinions = [review_opinion(each) for each in sorted(reviews, key=lambda r: (r.at, r.review_id))]
    if verdict.label == "supported":
        opinions = [each for each in opinions if each.decision is not None]
    return combined(verdict, opinions)


def without_reviews(verdict: Verdict) -> VerdictLabel:
    """What the checker and the judges alone make of a claim."""
    judges = [each for each in verdict.opinions if each.judge != "review"]
    return _joint(verdict.checker_label or verdict.label, judges, cited=_cites(verdict))


def review_opinion(review: Review) -> Opinion:
    """A review as it stands in a verdict."""
    settles = review.decision in ("supported", "unsupported")
    return Opinion(
        judge="review",
        who=review.by,
        label="unsupported" if review.decision in ("unsupported", "dismiss") else "supported",
        reason=review.meaning,
        review_id=review.review_id,
        at=review.at,
        decision=None if settles else review.decision,
        until=review.until,
    )


def dismissed(opinions: Iterable[Opinion]) -> bool:
    """Whether a claim is dismissed: a person says so, and no other review in force says otherwise."""
    reviews = [each for each in opinions if each.judge == "review"]
    return any(each.decision == "dismiss" for each in reviews) and all(each.label == "unsupported" for each in reviews)


def fingerprint(claim: Claim, evidence: Evidence) -> str:
    """What a review signs: the claim's kind and words, its quotes with the names of their documents, and its figures.

    Ids of items are not part of it, so that a review outlives rebuilds, but a changed word on either side ends it. Nor is how much
    statements resemble each other: that is weighed by the words of the whole corpus, and moves with every other document.

    Returns:
        64 hex digits.
    """
    return fingerprints(claim, evidence)[0]


def fingerprints(claim: Claim, evidence: Evidence) -> tuple[str, ...]:
    """The fingerprint of a claim, and after it the other one that reviews of earlier releases may have signed it by.

    Returns:
        One or two texts of 64 hex digits.
    """
    quotes = [(quote.name, quote.text) for quote in quotes_of(claim, evidence)]
    kept = {name: value for name, value in claim.recipe.items() if name not in _OF_THE_CORPUS}
    recipes = (kept,) if len(kept) == len(claim.recipe) else (kept, claim.recipe)
    return tuple(sha256_hex(canonical_json([claim.claim_kind, claim.text, quotes, recipe])) for recipe in recipes)


def _cites(verdict: Verdict) -> bool:
    return all(each.passed for each in verdict.signals if each.name == "cited")


def _joint(own: VerdictLabel, opinions: Iterable[Opinion], *, cited: bool) -> VerdictLabel:
    if not cited:
        return "unsupported"
    opinions = tuple(opinions)
    said = {own, *(each.label for each in opinions if each.judge != "review")}
    if len(said) == 1 and "needs_review" not in said:
        return own
    reviews = {each.label for each in opinions if each.judge == "review"}
    return reviews.pop() if len(reviews) == 1 else "needs_review"


def _filter_reason(label: VerdictLabel, own: VerdictLabel, heard: Sequence[Opinion], signals: Iterable[Signal]) -> str:
    """Why a claim is not published; "" where it is."""
    if dismissed(heard):
        said = [each for each in heard if each.decision == "dismiss"]
        return "; ".join(f"dismissed by {each.who} ({each.reason})" for each in said)
    if doubt := doubt_in(label, heard):
        others = [each for each in heard if each.judge != "precision"]
        return doubt if not others else f"{doubt}; {_reason(own, others, signals)}"
    return "" if label == "supported" else _reason(own, heard, signals)


def _reason(own: VerdictLabel, opinions: Iterable[Opinion], signals: Iterable[Signal]) -> str:
    """Who says what, then what the checker found."""
    said = [f"the checker says {own.replace('_', ' ')}"]
    for each in opinions:
        reason = f" ({each.reason})" if each.reason else ""
        said.append(f"{each.who} says {each.label.replace('_', ' ')}{reason}")
    found = [f"{each.name}: {each.detail}" for each in signals if not each.passed]
    return "; ".join([", ".join(said), *found])
