"""What stands between a modal expression and its verb: "shall, on request, tell", "shall within two days tell the clerk"."""

from __future__ import annotations

import re

from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.norms.limits.fronted import adjuncts_before
from coditect.language.norms.limits.openings import Adjunct
from coditect.language.tables import read_table

__all__ = ["act_behind", "limits_before_verb", "limits_inside", "verb_behind"]

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
# "must if necessary close the gate": no adjective of what follows.
_IF_SO = re.compile(
    r"\s*(?:if|where|when|whenever)\s+(?:necessary|needed|required|requested|appropriate|possible|applicable)\s+(?P<verb>[a-z]+)\b"
)
_CLAUSAL = re.compile(r"(?:if|where|when|whenever|unless|until|once|as|before|after)\b", re.IGNORECASE)
_ACT_BEHIND = re.compile(r",\s+(?:\w+ly\s+)?(?P<verb>[a-z]{2,})\s")
_COMMA_FIRST = re.compile(r"\s*,\s+")
_MOST = 240
"""Code points of such a phrase, at most."""

_ALSO = re.compile(r"(?:also|however|likewise|then|therefore)\s+(?=[a-z])")
_SENT_FIRST = re.compile(
    r"(?:without|subject|upon|with|in|at|on|by|for|except|unless|if|where|when|before|after|within|to)\b", re.IGNORECASE
)
_COMMA = re.compile(r",\s+(?P<verb>[a-z]+)\b")
_MOST_OF_ASIDE = 240
_RIGHT_ASIDE = re.compile(
    r"\b(?:right|option|opportunity|authority|power|discretion)s?,\s+(?P<words>[^;]{3,160}),\s+to\Z", re.IGNORECASE
)
_ASIDE = re.compile(r",\s*(?P<words>[^,;]{0,200}),\s*(?=\w)")


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
    if_so = _IF_SO.match(text, lo, hi)
    if if_so and (if_so["verb"] == "be" or is_plain_verb(if_so["verb"])):
        return if_so.start("verb")
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
    """Where the act begins behind an adjunct that opens a predicate, with or without commas around it; None where it opens itself.

    Args:
        text: the text.
        lo: where the predicate begins, behind its modal expression.
        hi: one past its last.
    """
    at = verb_behind(text, lo, hi)
    comma = _COMMA_FIRST.match(text, lo, hi)
    if at is not None or (comma is None and _FIRST.match(text, lo, hi) is None):
        return at
    start, last = (comma.end(), min(hi, lo + _MOST)) if comma else (lo, hi)
    behind = (found.start("verb") for found in _ACT_BEHIND.finditer(text, start, last) if is_plain_verb(found["verb"]))
    return next(behind, None)


def limits_before_verb(text: str, lo: int, hi: int) -> tuple[list[Adjunct], int]:
    """What limits a clause between its modal expression and its verb, and where the verb begins; the rest is passed over.

    Args:
        text: the text.
        lo: one past the modal expression.
        hi: one past the predicate.
    """
    found, lo = _asides(text, lo, hi)
    at = verb_behind(text, lo, hi)
    return (found, lo) if at is None else ([*found, *adjuncts_before(text, lo, at)], at)


def limits_inside(text: str, lo: int, hi: int) -> list[Adjunct]:
    """What limits a clause inside of its words of force ``text[lo:hi]``: "shall have the right, on request, to"."""
    aside = _RIGHT_ASIDE.search(text, lo, hi)
    return adjuncts_before(text, *aside.span("words")) if aside else []


def _asides(text: str, lo: int, hi: int) -> tuple[list[Adjunct], int]:
    """What limits between commas, and where the predicate goes on."""
    aside = _ASIDE.match(text, lo, hi)
    if aside is None:
        return [], lo
    start, stop = aside.span("words")
    if _SENT_FIRST.match(text, start, stop):
        # "shall not, without the leave of the Director for Trade, Mines, and Wharves, sell": up to the comma before the verb
        longer = (each for each in _COMMA.finditer(text, stop, min(hi, stop + _MOST_OF_ASIDE)))
        verbs = [each for each in longer if is_plain_verb(each["verb"])]
        if verbs and not is_plain_verb(text[aside.end() : hi].split(" ", 1)[0].rstrip(",")):
            return adjuncts_before(text, start, verbs[0].start()), verbs[0].start("verb")
    also = _ALSO.match(text, aside.end(), hi)
    return adjuncts_before(text, start, stop), also.end() if also else aside.end()
