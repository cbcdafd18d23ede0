"""Noun phrases right before a modal verb that nothing marks as its subject: without a determiner, a comma or a capital."""

from __future__ import annotations

import re

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.norms.actors.agents import is_agent
from coditect.language.norms.before.segments import ADJUNCT_FIRST, SUBORDINATOR, skip_space
from coditect.language.norms.before.subordinates import last_match
from coditect.language.tables import read_table

__all__ = ["is_adjunct", "is_bare_phrase", "last_agent", "last_noun", "negative_noun"]

_I = re.IGNORECASE
_VERBS, _PHRASES = read_table("verbs"), read_table("noun_phrases")

# "data", "additional controls", "system developers of the bank": a noun phrase that no determiner opens.
_BARE_PHRASE = re.compile(
    r"\s*(?!(?:and|or|but|nor|then|as|if|in|on|at|by|to|who|which|that|where|when|including|being|it|they|we|you|he|she)\b)"
    r"(?![a-z]+ly\b)(?![a-z]+(?:ing|ed)(?:\s*\Z|\s+(?:by|to|in|on|with|for|as|from|at|of|under|that|the|an?|its|their)\b))"
    r"[a-z][a-z-]+(?:\s+[\w'’()/-]+){0,7}\s*"
)
# "Except as provided in section 9 no person shall": a negative subject behind an adjunct without a comma.
_NEGATIVE_NOUN = re.compile(
    r"(?<!\S)(?:no|neither|none\s+of)\s+(?!(?:later|earlier|sooner|more|less|fewer|longer|event|case|circumstances?|way|time|account)\b)(?=[A-Za-z])",
    _I,
)
_GOVERNS_NEGATIVE = re.compile(
    rf"\b(?:{_PHRASES.pattern('prepositions')}|{_VERBS.pattern('primary_auxiliaries')}|there|if|where|when|that)\s+\Z",
    _I,
)
_DETERMINED_LAST = re.compile(
    r"(?<!\S)(?P<np>(?:the|an?|each|any|every|such|these|those)\s+(?:(?!(?:of|in|to|for|by|the|an?)\b)[a-z-]+\s+){0,2}[a-z-]+)\s*\Z"
)
_TITLED_LAST = re.compile(
    r"(?<!\S)(?P<np>(?:the|an?|each|any|every)\s+(?:[A-Z][\w&-]*\s+){1,4}[a-z-]+)\s*\Z"
)  # "the Product Team member"
_GOVERNS = re.compile(rf"\b(?:{_PHRASES.pattern('prepositions')}|and|or|than|that|which|who)\s+\Z", _I)
_GERUND_BEFORE = re.compile(
    r"[a-z]+ing\s+\Z"
)  # "In reading the book the": what stands behind a participle is its object
_MOST_NAMED = 60
"""Code points in which the name of somebody stands right before a modal verb."""


def is_adjunct(text: str, lo: int, hi: int) -> bool:
    """Whether an adjunct or a subordinate clause begins at a place."""
    return ADJUNCT_FIRST.match(text, lo, hi) is not None or SUBORDINATOR.match(text, lo, hi) is not None


def is_bare_phrase(text: str, lo: int, hi: int) -> bool:
    """Whether a segment is a noun phrase without a determiner, and no clause or adjunct: "additional controls"."""
    if _BARE_PHRASE.fullmatch(text, lo, hi) is None or has_finite_verb(text, lo, hi):
        return False
    at = skip_space(text, lo, hi)
    return not is_adjunct(text, at, hi) and last_match(SUBORDINATOR, text, lo, hi) is None


def last_agent(text: str, lo: int, hi: int) -> int | None:
    """Where somebody who can act is named at the end of a stretch: "Where the appeal is denied the requester shall"."""
    found = next(
        filter(None, (each.search(text, max(lo, hi - _MOST_NAMED), hi) for each in (_DETERMINED_LAST, _TITLED_LAST))),
        None,
    )
    if found is None or not is_agent(found["np"], opens=False) or _GOVERNS.search(text, lo, found.start()):
        return None
    return found.start("np")


def last_noun(text: str, lo: int, hi: int) -> int | None:
    """Where a noun phrase with a determiner begins that ends a stretch and hangs on no preposition: "When moving a permit must"."""
    found = _DETERMINED_LAST.search(text, max(lo, hi - _MOST_NAMED), hi)
    if found is None or _GOVERNS.search(text, lo, found.start()) or _GERUND_BEFORE.search(text, lo, found.start()):
        return None
    return found.start("np")


def negative_noun(text: str, lo: int, hi: int) -> int | None:
    """Where a negative subject begins that an adjunct stands in front of without a comma; None where there is none."""
    if not is_adjunct(text, lo, hi):
        return None
    found = last_match(_NEGATIVE_NOUN, text, lo, hi)
    if found is None or has_finite_verb(text, found.end(), hi) or _GOVERNS_NEGATIVE.search(text, lo, found.start()):
        return None
    return found.start()
