"""Three ways to say what must come first: it is needed for something, that is barred without it, and allowed only with it."""

from __future__ import annotations

from typing import Literal

from coditect.verify.rewrites.force import keys_of
from coditect.verify.rewrites.matching import WordMatch
from coditect.verify.rewrites.negation import negators
from coditect.verify.rewrites.reading import ReadStatement

__all__ = ["is_inverted"]

_WITHOUT = frozenset(("without", "unless", "until", "except with", "unless and until", "before", "prior to"))
_ONLY = ("only if", "only when", "only with", "only after", "only where", "only upon", "only on", "only once")
_NEEDING = frozenset(("requires", "require", "required", "needs", "needed", "necessary", "need"))
_FIRST = frozenset(("before", "prior to", "in advance of", "ahead of", "in order to"))

Way = Literal["needed", "barred", "allowed"]


def _way(said: ReadStatement) -> Way | None:
    text = f" {said.reading.text.casefold()} ".replace(",", " ")
    if any(f" {each} " in text for each in _ONLY):
        return "allowed"
    denied = negators(said)
    bars = "shall not" in keys_of(said) or " cannot " in text
    if bars and (len(denied) > 1 or any(f" {each} " in text for each in _WITHOUT)):
        return "barred"
    if denied:
        return None
    needs = any(f" {each} " in text for each in _NEEDING)
    first = any(f" {each} " in text for each in _FIRST)
    return "needed" if needs or (first and "shall" in keys_of(said)) else None


def is_inverted(pair: WordMatch) -> bool:
    """Whether a claim and its source say in two of these ways what must come first; then force, negation and conditions differ.

    Args:
        pair: a sentence of the claim beside a statement of the evidence.
    """
    mine, theirs = _way(pair.claim), _way(pair.source)
    return mine is not None and theirs is not None and mine != theirs
