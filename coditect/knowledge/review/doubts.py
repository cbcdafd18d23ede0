"""Findings of rules that are rarely right wait for a person or a model: possible conflicts and possible gaps (ADR 136).

A class of rules whose findings were so often enough where people read them is published by rules alone; what others find gets the
opinion of the counts beside the checker's, and needs review. A model that read it and agrees, or a person, publishes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coditect.schemas import Claim, Opinion, Verdict, doubt_in
from coditect.store.view import View
from coditect.tiers.claims.precision import PRECISION_VERSION, doubt_of
from coditect.verify.judges import combine

__all__ = ["POSSIBLE", "doubt_of_claim", "doubted", "is_possible", "possible_counts", "possible_in"]

POSSIBLE = {"conflict": "possible_conflicts", "stricter": "possible_conflicts", "gap": "possible_gaps"}
"""The count of a manifest that holds a possible finding, by kind of claim."""


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
                who="how often its kind was so",
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
    """The possible conflicts and gaps of a generation, in the order of its summary."""
    return [view.claims[each] for each in view.summary.filtered if is_possible(view.verdicts.get(each))]


def possible_counts(claims: Sequence[Claim]) -> dict[str, int]:
    """How many possible conflicts and gaps there are, by the name of their count; nothing of what there is none."""
    found: dict[str, int] = {}
    for claim in claims:
        name = POSSIBLE[claim.claim_kind]
        found[name] = found.get(name, 0) + 1
    return found
