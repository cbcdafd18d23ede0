"""Sentences that tell of an occasion, or of a means, and lay nothing down (ADR 101).

What happened once ("The incident was contained within 4 hours"), what would need an act ("Incident requiring containment"), and
with what it may be done ("All scans must be performed using the approved platform").
"""

from __future__ import annotations

import re

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.verify.requirements.sides import AskedByPart
from coditect.verify.requirements.telling import without_label

__all__ = ["happened_once", "is_limited_to_means", "leaves_out_when", "names_case"]

_WAS = re.compile(r"\b(?:was|were)\s+(?:[a-z]+ly\s+)?\Z", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were)\b", re.IGNORECASE)

_NEEDING = re.compile(r"\b(?:requiring|needing|warranting|necessitating)\b", re.IGNORECASE)

_WITH_WHAT = re.compile(
    r"\W*(?:all|any|every|each)\b[^.;:|]*?\b(?:must|shall|should|will)\s+(?P<be>(?:only\s+)?be\s+(?:only\s+)?(?:performed|conducted|carried\s+out|executed|done))\s+(?:only\s+)?(?P<how>using|with|through|via|by)\b",
    re.IGNORECASE,
)
"""What binds all that is done to a means or a person: "all scans must be performed using the approved platform"."""


def happened_once(acts: list[Token], asked: AskedByPart, sentence: SentenceReading) -> bool:
    """Whether all acts are told of the past: "the incident was contained within 4 hours".

    Args:
        acts: words of the sentence that stand for the acts of the part.
        asked: the part.
        sentence: its words as they are compared.
    """
    if not acts or _PAST.search(asked.wording.text) or any(each.role == "modal" for each in sentence.tokens):
        return False
    return all(_WAS.search(sentence.text[: each.start]) for each in acts)


_WHEN = re.compile(r"\b(?:before|prior\s+to|until)\b", re.IGNORECASE)
_SOME_TIME = re.compile(
    r"\b(?:before|prior|after|afterwards|upon|during|following|when|whenever|within|once|until|if|on|at|immediately|ahead|first|post|pre)\b",
    re.IGNORECASE,
)


def leaves_out_when(asked: AskedByPart, sentence: SentenceReading) -> str:
    """The word by which a part says when something is done, where the sentence says no time at all; "" for none."""
    found = _WHEN.search(asked.wording.asked)
    return found[0] if found is not None and _SOME_TIME.search(sentence.text) is None else ""


def names_case(places: list[Token], sentence: SentenceReading) -> bool:
    """Whether a sentence without a verb names what would need the act: "security incident requiring containment"."""
    start = len(sentence.text) - len(without_label(sentence.text))
    needing = _NEEDING.search(sentence.text, start)
    if needing is None or not places or max(each.start for each in places) < needing.end():
        return False
    return not has_finite_verb(sentence.text, start, len(sentence.text))


def is_limited_to_means(asked: AskedByPart, sentence: SentenceReading) -> bool:
    """Whether a sentence only says with what, or by whom, all that is done may be done, and the part asks that it is."""
    found = _WITH_WHAT.match(without_label(sentence.text))
    return found is not None and re.search(rf"\b{found['how']}\b", asked.wording.text, re.IGNORECASE) is None
