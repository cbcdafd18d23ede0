"""Findings of rules that are rarely right wait for a person or a model: possible conflicts and possible gaps (ADR 136).

A class of rules whose findings were so often enough where people read them is published by rules alone; what others find gets the
opinion of the counts beside the checker's, and needs review. A model that read it and agrees, or a person, publishes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from coditect.schemas import Claim, Opinion, Verdict, doubt_in
from coditect.store.view import View
from coditect.tiers.claims.precision import PRECISION_VERSION, doubt_of
from coditect.tiers.claims.severity import SEVERITIES
from coditect.verify.judges import combine

__all__ = ["POSSIBLE", "doubt_of_claim", "doubted", "is_possible", "likeliest", "possible_counts", "possible_in"]

POSSIBLE = "possible_claims"
"""The count of a manifest that tells how many findings are only possible."""


def doubted(claims: Sequence[Claim], verdicts: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """Verdicts after the counts were heard: of what would be published, and what no model read and found to be so.

    Args:
        claims: all that are proposed, with their classes.
        verdicts: of the checker and of all models, by claim id; no person was heard yet.
    """
    heard = dict(verdicts)
    for claim in claims:
        verdict = heard[claim.claim_id]
        if verdict.label != "supported" or any(each.judge == "model" for each in verdict.opinions):
            continue
        if reason := doubt_of(claim.claim_kind, claim.rule):
            said = Opinion(
                judge="precision",
                who="the counts of what was read",
                version=PRECISION_VERSION,
                label="needs_review",
                reason=reason,
            )
            heard[claim.claim_id] = combine(verdict, said)
    return heard


def is_possible(verdict: Verdict | None) -> bool:
    """Whether a claim is held back by the counts alone, and by nobody's word."""
    return verdict is not None and bool(doubt_in(verdict.label, verdict.opinions))


def doubt_of_claim(view: View, claim: Claim) -> str:
    """Why a claim of a generation is only possible; "" for all others."""
    verdict = view.verdicts.get(claim.claim_id)
    return "" if verdict is None else doubt_in(verdict.label, verdict.opinions)


def possible_in(view: View) -> list[Claim]:
    """The possible findings of a generation, the likeliest first."""
    return likeliest([view.claims[each] for each in view.summary.filtered if is_possible(view.verdicts.get(each))])


def likeliest(claims: Iterable[Claim]) -> list[Claim]:
    """Claims by how often their class was right where people read it, then by severity; what is alike stays in its order."""
    return sorted(
        claims, key=lambda each: (-(each.confidence or 0.0), SEVERITIES.index(each.severity or "information"))
    )


def possible_counts(claims: Sequence[Claim]) -> dict[str, int]:
    """How many findings are only possible, by the name of that count in a manifest; nothing where there is none."""
    return {POSSIBLE: len(claims)} if claims else {}
