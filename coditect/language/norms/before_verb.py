"""What stands between a modal expression and its verb without commas: "shall within two days of receipt tell the clerk"."""

from __future__ import annotations

import re

from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.tables import read_table

__all__ = ["act_behind", "verb_behind"]

_WORDS = read_table("adjuncts")
_NOT_ALONE = frozenset((*read_table("base_verbs").words("also_nouns"), *_WORDS.words("alike_participles")))
_FIRST = re.compile(
    rf"\s*(?:(?:[a-z]+ly|forthwith)\s+)?(?P<opens>{_WORDS.pattern('before_verbs')})\s+(?=\S)",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"(?<=[a-z\d)\]’'”] )(?:not\s+)?(?:be\s+(?:\w+ly\s+)?\w+(?:ed|en|wn|t|ne|de|id)\b|(?P<verb>[a-z]{2,})\b)"
)
_BEFORE = re.compile(rf"(?:\A|\s)(?:{_WORDS.pattern('no_verb_behind')}|[a-z]+(?:ed|ive|ous|ful|ary|able|ible))\s\Z")
# What an object begins with, or what follows a verb that has none.
_OBJECT = re.compile(
    r"\s+(?:the|an?|all|any|each|every|its|their|your|our|his|her|this|that|these|those|such|it|them|him|no|whether)\b"
)
_PAIR = re.compile(r"(?:,\s+[a-z]+)*,?\s+(?:and|or)\s+(?P<verb>[a-z]+)\s")
_BEHIND = re.compile(rf"\s+(?!{_WORDS.pattern('not_behind_verbs')}\b)[\w“\"(\[]")
_CLAUSAL = re.compile(r"(?:if|where|when|unless|until|once|as|before|after)\b", re.IGNORECASE)
_ACT_BEHIND = re.compile(r",\s+(?:\w+ly\s+)?(?P<verb>[a-z]{2,})\s")
_MOST = 240
"""Code points of such a phrase, at most."""


def verb_behind(text: str, lo: int, hi: int) -> int | None:
    """Where the verb begins behind an adjunct that opens a predicate and that no comma closes.

    Args:
        text: the text.
        lo: where the predicate begins, behind its modal expression.
        hi: one past its last.

    Returns:
        The place of the verb, at "not" where it is denied; None where the predicate opens with its verb, or a comma comes first.
    """
    first = _FIRST.match(text, lo, hi)
    if first is None:
        return None
    if _CLAUSAL.match(text, first.start("opens"), hi) and _ACT_BEHIND.search(text, first.end(), hi):
        return None  # "must if the gate is shut, open it"
    for found in _PLACE.finditer(text, first.end(), min(hi, lo + _MOST)):
        if "," in text[lo : found.start()]:
            return None
        verb = found["verb"]
        if verb is None:
            if not _BEFORE.search(text, lo, found.start()):
                return found.start()
            continue
        if not is_plain_verb(verb) or _BEFORE.search(text, lo, found.start()):
            continue
        pair = _PAIR.match(text, found.end(), hi)
        if pair and is_plain_verb(pair["verb"]):
            return found.start()  # "at all times establish and maintain"
        if _OBJECT.match(text, found.end(), hi) or (verb not in _NOT_ALONE and _BEHIND.match(text, found.end(), hi)):
            return found.start()
    return None


def act_behind(text: str, lo: int, hi: int) -> int | None:
    """Where the act begins behind an adjunct that opens a predicate, with or without a comma between; None where it opens itself.

    Args:
        text: the text.
        lo: where the predicate begins, behind its modal expression.
        hi: one past its last.
    """
    at = verb_behind(text, lo, hi)
    if at is not None or _FIRST.match(text, lo, hi) is None:
        return at
    behind = (found.start("verb") for found in _ACT_BEHIND.finditer(text, lo, hi) if is_plain_verb(found["verb"]))
    return next(behind, None)
