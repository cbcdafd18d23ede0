"""What models had to do with a claim: who proposed it, who read it before it was published, whether it rests on what one read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coditect.schemas import Claim, Verdict
from coditect.tiers.claims.precision import READ

__all__ = ["told_of_models"]

_PROMPTS = "roles/"
"""What the version of a set of prompts begins with; behind it stand those of a role, and the model last."""

_SAID = {"supported": "confirmed by", "unsupported": "denied by", "needs_review": "not confirmed by"}


def told_of_models(claim: Claim, verdict: Verdict | None) -> tuple[str, ...]:
    """In words, in the order in which it happened; () where no model had to do with the claim.

    Args:
        claim: any claim.
        verdict: on it; None where there is none.
    """
    return tuple(_told(claim, verdict))


def _told(claim: Claim, verdict: Verdict | None) -> Iterator[str]:
    by = claim.recipe.get("by")
    if isinstance(by, str) and by:
        yield f"proposed by {_player(by.split())}"
    if claim.rule.endswith(READ):
        yield "rests on a model's reading"
    for opinion in () if verdict is None else verdict.opinions:
        if opinion.judge == "model":
            yield f"{_SAID[opinion.label]} {_player(opinion.version.split(), opinion.who)}"


def _player(version: Sequence[str], role: str = "") -> str:
    """A role and the model that plays it: "the reducer (claude-sonnet-5-5)"."""
    role = role or next((each.partition("/")[0] for each in version if not each.startswith(_PROMPTS)), "")
    return f"the {role} ({version[-1]})" if version and role else f"the {role or 'model'}"
