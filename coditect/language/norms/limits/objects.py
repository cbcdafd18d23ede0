"""Whether a predicate still waits for its object, and whether what limits a joined one limits that alone."""

from __future__ import annotations

import re

from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.norms.limits.openings import START

__all__ = ["is_of_next", "waits"]

# "give", "give to the clerk": the object stands behind what is put between.
_WAITS = re.compile(
    r"(?P<verb>[a-z]+)(?:\s+(?:out|up|down|off|forward|in\s+place))?(?:\s+(?:to|from|with)\s+[^,;]{2,80})?"
)
_NEXT = re.compile(
    r",\s+(?!(?:by|to|in|on|with|for|at|from|of|upon|within|before|after|until|during|when|if|where|as|without)\b)"
    r"(?P<word>(?P<article>the|an?|any|all|its|their|such)?[\w’'-]*)(?=\s)"
)
_NO_OBJECT = ("will", "shall", "must", "may", "should", "can", "then", "as")


def waits(text: str, lo: int, hi: int) -> bool:
    """Whether a predicate so far is a verb without its object: "give", "give to the clerk"."""
    verb = _WAITS.fullmatch(text, lo, hi)
    return verb is not None and is_plain_verb(verb["verb"])


def is_of_next(text: str, at: int, hi: int) -> bool:
    """Whether another object, and no act, stands behind the comma that closes an adjunct: "the key and, if any is there, a copy".

    Args:
        text: the text.
        at: where the adjunct ends.
        hi: one past the predicate.
    """
    follows = _NEXT.match(text, at, hi)
    if follows is None or follows["word"] in _NO_OBJECT or START.match(text, follows.start("word"), hi):
        return False
    return follows["article"] is not None or not (is_plain_verb(follows["word"]) or follows["word"].endswith("ed"))
