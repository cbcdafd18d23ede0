"""Claims that are no statement to check: empty, far too long, markup, another language, or instructions to the checker."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.patterns.deferred import deferred
from coditect.language.reading.words import Word, WordKind
from coditect.language.tables import read_table

__all__ = ["LONGEST_CLAIM", "unreadable"]

LONGEST_CLAIM = 8_000
"""Code points; what is longer is a document, not a claim."""

_TAG = deferred(r"<[^<>]{1,400}>|&#?\w{1,8};|\{\{.{0,200}?\}\}|\{%.{0,200}?%\}|```|\[[^\]]{0,200}\]\([^)]{0,400}\)")
_LETTER = deferred(r"[^\W\d_]")
_LATIN = deferred(r"[A-Za-z]")
_LATIN_WIDE = deferred(r"[A-Za-zÀ-ɏ]")
_GREEK = deferred(r"[Ͱ-Ͽ]")
_INSTRUCTIONS = deferred(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,25}\b(?:all|any|the|these|those|your|my|previous|prior|earlier|above)\b[^.!?\n]{0,30}"
    r"\b(?:instructions?|prompts?|evidence|above|previous|guidelines?)\b"
    r"|\b(?:answer|respond|reply|output|return|print|say|label|mark|classify|rate|score|treat|judge|report|set)\b[^.!?\n]{0,50}"
    r"[\"'“‘:=\s](?:supported\b|entailed\b|(?:label|verdict|score|probability)\s*(?:[:=]|of\s+1\b)\s*\S+)"
    r"|\bset\b[^.!?\n]{0,40}\b(?:label|verdict|support\s+score|probability)\s+to\s+\S+"
    r"|\b(?:system|developer|assistant|user)\s*(?:prompt|message)?\s*[:>]\s|<\|?(?:im_start|im_end|system|assistant|endoftext)\b"
    r"|\byou\s+(?:are|must|will)\s+(?:now\s+)?(?:an?\s+)?(?:\w+\s+)?"
    r"(?:fact[- ]?checker|checker|validator|assistant|language model|ai\b)"
    r"|\"?(?:label|verdict|support_score)\"?\s*[:=]\s*\"?(?:supported|1(?:\.0)?)\b"
    r"|\bthis\s+(?:claim|statement|sentence)\s+(?:is|must\s+be|should\s+be|has\s+been)\s+(?:\w+\s+){0,2}"
    r"(?:supported|verified|true|correct|valid|approved)\b",
    re.IGNORECASE,
)
# Where function words of other languages outnumber the English ones, the text is not English.
_FOREIGN = frozenset(read_table("other_languages").words("words"))
_FEWEST_WORDS = 3


def unreadable(claim: str, said: Sequence[Word]) -> str:
    """Why a claim cannot be checked; "" where it can.

    Args:
        claim: any text.
        said: its words.
    Returns:
        "empty", "too long", "markup", "language", "instruction" or "".
    """
    if len(claim) > LONGEST_CLAIM:
        return "too long"
    if _INSTRUCTIONS.search(claim):
        return "instruction"
    bare = _TAG.sub(" ", claim)
    letters = _LETTER.findall(bare)
    if not said or not claim.strip():
        return "empty"
    if len(letters) * 2 < len("".join(claim.split())) and (len(bare) < len(claim) or len(letters) < _FEWEST_WORDS):
        return "markup"
    if len(_TAG.findall(claim)) > max(2, len(bare.split()) // 6):
        return "markup"
    latin = sum(1 for each in letters if _LATIN_WIDE.match(each) or _GREEK.match(each))
    if latin < 0.7 * len(letters):
        return "language"
    return "language" if _foreign(bare, said) else ""


def _foreign(bare: str, said: Sequence[Word]) -> bool:
    lower = [word.low for word in said]
    foreign = sum(each in _FOREIGN for each in lower)
    english = sum(
        word.kind == WordKind.FUNCTION and each not in _FOREIGN for word, each in zip(said, lower, strict=True)
    )
    accented = sum(1 for each in _LETTER.findall(bare) if not _LATIN.match(each))
    return (foreign > english and foreign * 8 >= len(lower)) or (english == 0 and len(lower) > 4 and accented > 2)
