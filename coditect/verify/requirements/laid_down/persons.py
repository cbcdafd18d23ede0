"""Whom a sentence binds where a part binds everybody of a house: "all employees are trained", "tellers shall be trained"."""

from __future__ import annotations

import re

from coditect.language.reading.sentence import SentenceReading, read_sentence
from coditect.language.tables import worded
from coditect.verify.requirements.sides import AskedByPart
from coditect.verify.requirements.telling import without_label
from coditect.verify.requirements.terms import as_compared

__all__ = ["binds_only_some"]

_everybody = worded(
    "voice", r"\A\W*(?:(?:all|any|every|each|the)\s+)?(?:of\s+(?:the|its|our)\s+)?(?:«everybody»)\b[^.;:]{0,60}?\Z"
)
_NAME = 6
"""Words of a name for some people, at most."""

_nobody = re.compile(r"\A\W*no\s+(?:one|person|employee|member)\b", re.IGNORECASE)
_named = worded("voice", r"\b(?:«everybody»)\b")
_every = re.compile(r"\b(?:all|any|every|each|no)\b", re.IGNORECASE)


def binds_only_some(asked: AskedByPart, sentence: SentenceReading) -> str:
    """The people on whom alone a sentence lays what a part lays on everybody; "" for none.

    A sentence in the passive says of nobody in particular who has to act.

    Args:
        asked: the part.
        sentence: its words as they are compared.
    """
    whose = _subject(read_sentence(as_compared(asked.wording.text)))
    if not whose or (_everybody().match(whose) is None and _nobody.match(whose) is None):
        return ""
    label = len(sentence.text) - len(without_label(sentence.text))
    doer = re.split(r"[\"“”:;.]\s*", _subject(sentence)[label:])[-1].strip()
    if not doer or len(doer.split()) > _NAME or _named().search(doer) or _every.match(doer):
        return ""
    tokens = read_sentence(doer).tokens
    if not tokens or any(each.role == "condition" for each in tokens):
        return ""
    are_several = tokens[-1].low.endswith("s") and not tokens[-1].low.endswith("ss")
    return doer if are_several or any(each.actor for each in tokens) or _nobody.match(whose) else ""


def _subject(reading: SentenceReading) -> str:
    """What stands in front of the first modal, where it acts by it; "" of a passive and of what has no modal."""
    tokens = reading.tokens
    at = next((n for n, each in enumerate(tokens) if each.role == "modal"), None)
    if at is None or at + 1 >= len(tokens) or reading.text[tokens[at].start : tokens[at].end].split()[-1] == "be":
        return ""
    return "" if tokens[at + 1].low == "be" else reading.text[: tokens[at].start].rstrip()
