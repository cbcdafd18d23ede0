"""Acts that stand under another word, so that a sentence names them and does not do them (ADR 108).

"Persons performing forensics", "coordinating containment", "it is kept in a store, which encrypts data", "secure exports are made".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.tables import worded
from coditect.verify.requirements.sides import AskedByPart
from coditect.verify.requirements.telling import without_label

__all__ = ["governed_by", "is_done_by_product"]

_RELATIVE = re.compile(r",?\s(?:which|who|whose)\b[^,;:.]*\Z", re.IGNORECASE)
_FINITE_BEHIND = re.compile(r"[^,;:.]*?\s(?:is|are|must|shall|will|should|can|may)\b", re.IGNORECASE)

_TO = re.compile(r"\bto\s+(?:[a-z]+ly\s+)?\Z", re.IGNORECASE)
_BINDS = re.compile(
    r"\b(?:must|shall|will|should|is|are)\s+(?:be\s+)?(?!required\b|obliged\b|expected\b|responsible\b)\w+",
    re.IGNORECASE,
)

_means = worded("voice", r"\b(?:«means»)\b")
_adjectives = worded("voice", r"\A(?:«adjectives»)\Z")
_sees_to = worded("voice", r"\b(?:«acts_on_acts»)\s+(?:(?:the|any|all)\s+)?\Z")
_products = worded("voice", r"\W*(?:«products.systems»|«more_products»)(?:\s*\([^)]*\))?\s+(?:«provider_acts»)\b")


def governed_by(acts: Sequence[Token], asked: AskedByPart, sentence: SentenceReading) -> str:
    """Why none of the acts is done in a sentence, in words; "" where one of them is.

    Args:
        acts: the words of the sentence that stand for the acts of the part.
        asked: the part.
        sentence: its words as they are compared.
    """
    if not acts:
        return ""
    found = (
        ("it is told of something in a relative clause", _in_relative_clause),
        ("it is seen to or talked of, and not done", _is_seen_to),
        ("its act is an adjective", lambda act, sentence: _is_adjective(act, asked, sentence)),
        ("its act only tells of a noun", _tells_of_noun),
        ("it says what something else is for", _is_purpose),
    )
    return next((why for why, holds in found if all(holds(each, sentence) for each in acts)), "")


def is_done_by_product(sentence: SentenceReading) -> bool:
    """Whether a sentence tells what a product that is bought does: "GitHub provides encryption at rest"."""
    return _products().match(without_label(sentence.text)) is not None


def _in_relative_clause(act: Token, sentence: SentenceReading) -> bool:
    return _RELATIVE.search(sentence.text[: act.start]) is not None


def _is_seen_to(act: Token, sentence: SentenceReading) -> bool:
    return _sees_to().search(sentence.text[: act.start]) is not None and not act.low.endswith("ed")


def _is_adjective(act: Token, asked: AskedByPart, sentence: SentenceReading) -> bool:
    """Whether a word that is a verb as well stands in front of a noun with its own verb: "secure exports are available".

    Where the part has both in the same order it is read alike on both sides.
    """
    if _adjectives().match(act.low) is None or re.search(r"\bto\s+\Z", sentence.text[: act.start]) is not None:
        return False
    behind = sentence.text[act.end :]
    noun = re.match(r"\s+[\w-]+", behind)
    if noun is None or f"{act.low}{noun[0]}".casefold() in asked.wording.text.casefold():
        return False
    return _FINITE_BEHIND.match(behind) is not None


def _is_purpose(act: Token, sentence: SentenceReading) -> bool:
    """Whether an act is what something is for that does not itself do it: "BitLocker must be active to protect data"."""
    before = sentence.text[: act.start]
    return _TO.search(before) is not None and _BINDS.search(before) is not None and _means().search(before) is None


def _tells_of_noun(act: Token, sentence: SentenceReading) -> bool:
    """Whether an act in -ing stands right behind a noun in words without a verb: "name of persons performing forensics"."""
    if not act.low.endswith("ing") or has_finite_verb(sentence.text, 0, len(sentence.text)):
        return False
    before = [each for each in sentence.tokens if each.end <= act.start]
    return bool(before) and before[-1].has_substance and before[-1].role == "word" and not before[-1].comma
