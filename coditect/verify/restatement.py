"""A claim of rules against its restatement: what its recipe and its evidence give, computed afresh.

Nothing takes a sentence apart here. Recipe and words are compared as a whole, and only where they differ is it told in which part.
"""

from __future__ import annotations

import re

from coditect.schemas import Claim, Restatement, Signal, canonical_json
from coditect.verify.checks import FATAL, SHOWN, signal

__all__ = ["restated"]

_WORD = re.compile(r"\S+")
_FACTS = {"figure": "recounted", "conflict": "differing", "gap": "missing", "standing": "missing"}
"""The signal on the fact that a claim tells, by what its recipe is of."""


def restated(claim: Claim, fresh: Restatement) -> list[Signal]:
    """Whether a claim of rules is what its recipe and its evidence give.

    Args:
        claim: what is said, and by which recipe.
        fresh: the claim made again.
    Returns:
        A signal on the fact ("recounted", "differing" or "missing"; none for a requirement), and "worded" on the sentence.
    """
    signals = [
        signal(name, not fresh.refusal and _same(claim, fresh), fresh.refusal or _recomputed(claim, fresh), FATAL)
        for of, name in _FACTS.items()
        if of in claim.recipe
    ][:1]
    if not fresh.text or (fresh.refusal and not signals):
        return [*signals, signal("worded", False, fresh.refusal, FATAL)]
    worded = signal("worded", claim.text == fresh.text and _same(claim, fresh), "it was made by another recipe", FATAL)
    if claim.text != fresh.text:
        start, end, detail = _difference(claim.text, fresh.text)
        worded = worded.model_copy(update={"detail": detail, "claim_start": start, "claim_end": end})
    return [*signals, worded]


def _same(claim: Claim, fresh: Restatement) -> bool:
    return canonical_json(claim.recipe) == canonical_json(fresh.recipe)


def _recomputed(claim: Claim, fresh: Restatement) -> str:
    """What of a recipe is another when it is computed again."""
    if "result" in fresh.recipe and claim.recipe.get("result") != fresh.recipe["result"]:
        return f"a fresh count gives {fresh.recipe['result']}"
    names = [name for name, value in fresh.recipe.items() if claim.recipe.get(name) != value]
    wrong = [f"{name} is {fresh.recipe[name]}" for name in names]
    return f"computed again, {', '.join(wrong)}" if wrong else "its recipe holds what nothing computes"


def _difference(said: str, told: str) -> tuple[int, int, str]:
    """(start, end, reason) of the words of a sentence that its evidence does not give: code points of ``said``, half-open."""
    ours, theirs = list(_WORD.finditer(said)), list(_WORD.finditer(told))
    first = _alike([m.group() for m in ours], [m.group() for m in theirs])
    last = _alike([m.group() for m in reversed(ours[first:])], [m.group() for m in reversed(theirs[first:])])
    extra, wanted = ours[first : len(ours) - last], theirs[first : len(theirs) - last]
    start = extra[0].start() if extra else (ours[first].start() if first < len(ours) else len(said))
    end = extra[-1].end() if extra else start
    here, there = said[start:end], told[wanted[0].start() : wanted[-1].end()] if wanted else ""
    if not here and not there:
        return 0, len(said), "its white space is another"
    if not there:
        return start, end, f"“{here[:SHOWN]}” has no place in it"
    if not here:
        return start, end, f"“{there[:SHOWN]}” is left out"
    return start, end, f"“{here[:SHOWN]}” stands where its evidence gives “{there[:SHOWN]}”"


def _alike(ours: list[str], theirs: list[str]) -> int:
    """How many words two lists begin with in common."""
    return next(
        (at for at, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other),
        min(len(ours), len(theirs)),
    )
