"""The parts of a sentence that grants: who grants, who is excused, from what, and on which condition."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.documents.profile.waivers.facts import TABLE
from coditect.documents.profile.waivers.times import BLOT

__all__ = ["Parts", "condition_of", "parts_behind", "subject_of", "tidy"]

_I = re.IGNORECASE
_CONDITION = re.compile(rf"(?<![\w-])(?:{TABLE.pattern('conditions')})\s+(?P<what>[^;.]{{4,240}}?)\s*(?:[;.]|$)", _I)
_PLACE_ONLY = re.compile(r"(?:(?:sub)?(?:section|paragraph|clause|article|rule|part|regulation)s?\b[\s\d()\w,.]*)$", _I)
_INSTEAD = re.compile(
    r"\bwith\s+(?P<what>[^;.,]{4,160}?)\s+as\s+(?:an?\s+)?(?:compensating|mitigating|alternative)\s+(?:control|measure)s?",
    _I,
)
_MARK = re.compile(rf"(?P<mark>\b(?:{TABLE.pattern('leading_in')})\b)|(?P<stop>[;:]|,\s|\.(?=\s|$)|(?<=\s)\(|$)", _I)
_OF = re.compile(r"\s+of\s+", _I)
_TIME = re.compile(
    r"\W*(?:(?:an?|the|this|that|each|one|his|its|their)\s+)?(?:[\w-]+\s+){0,2}?"
    rf"(?:{TABLE.pattern('spans')})\b|\W*{BLOT}|\W*(?:as\s+)?(?:long|now)\b",
    _I,
)
_LEAD = re.compile(
    rf"^(?:\W*(?:(?:{TABLE.pattern('opening')})\b\W*(?:that\b)?|\(?\w{{1,3}}[.)]|[\d.]+\.?\d*)(?:\s+|:\s*|,\s*))+", _I
)
_AUXILIARY = re.compile(rf"(?:\s*\b(?:{TABLE.pattern('helping')})\b\s*,?)+$", _I)
_JOINED = re.compile(r"(?:and/)?or\b", _I)
_SHORTENED = re.compile(r"\b(?:Ltd|Inc|Co|Corp|Bros|No|etc)\.\Z")
_ASIDE = re.compile(rf"\W*(?:{TABLE.pattern('asides')})\b", _I)
_MOST_WORDS = 28


class Parts:
    """What stands behind a verb or noun, by the word that leads it in.

    Args:
        pieces: (the word, in small letters; first code point; one past the last) in order; the first has no word.
    """

    def __init__(self, text: str, pieces: list[tuple[str, int, int]]) -> None:
        self.text = text
        self.pieces = pieces

    def first(self, *marks: str, time: bool = False) -> str:
        """The first piece that one of the words leads in and that is no length of time; "" for none."""
        for mark, start, end in self.pieces:
            if mark in marks and (time or not _TIME.match(self.text, start, end)):
                return tidy(self.text[start:end])
        return ""

    @property
    def object(self) -> tuple[int, int]:
        """First code point and one past the last of what stands right there, with the places under which that is."""
        if not self.pieces:
            return 0, 0
        _, start, end = self.pieces[0]
        for mark, begin, stop in self.pieces[1:]:
            if mark not in ("under", "of") or not self.text[begin:stop].strip():
                break
            end = stop
        return start, end


def parts_behind(text: str, start: int, *, of: bool = False, end: int | None = None) -> Parts:
    """The pieces of a sentence behind a place.

    Args:
        text: the sentence, dates blotted out.
        start: first code point behind the noun or verb.
        of: whether an "of" right there leads a piece in.
        end: one past the last code point that is read; None: to the end of the clause.
    """
    return Parts(text, list(_pieces(text if end is None else text[:end], start, of)))


def _pieces(text: str, start: int, of: bool) -> Iterator[tuple[str, int, int]]:
    mark, begin = "", start
    if of and (found := _OF.match(text, start)):
        mark, begin = "of", found.end()
    at = begin
    for found in _MARK.finditer(text, begin):
        if (
            found["mark"]
            and text[start : found.start()].strip()
            and mark in ("of", "from", "to", "under", "")
            and _within(text, found)
        ):
            continue
        if found.start() > at or mark:
            yield mark, at, found.start()
        if found["stop"] is not None:
            if found["stop"].strip() not in (",", "("):
                return
            mark, at = ",", found.end()
            continue
        mark, at = " ".join(found["mark"].casefold().split()), found.end()
        mark = "under" if mark in ("pursuant to", "according to") else mark
        mark = "in respect of" if "respect" in mark or "relation" in mark or "regards" in mark else mark


_VERB_FOLLOWS = re.compile(r"to\s+(?!the\b|an?\b|its\b|our\b|their\b|all\b|any\b)[a-z]+\b(?!['’])", 0)
_NAMES = re.compile(r"and\s+(?:the\s+)?(?:[A-Z§\d(]|(?:sub)?(?:section|paragraph|clause|article|rule|part)s?\b)")


def _within(text: str, found: re.Match[str]) -> bool:
    """Whether a word that could lead a piece in belongs to the piece before it: "the duty to report", "Health and Safety"."""
    word = found["mark"].casefold()
    if word == "to":
        return _VERB_FOLLOWS.match(text, found.start()) is not None
    return word in ("and",) and _NAMES.match(text, found.start()) is not None


def subject_of(text: str, start: int, end: int) -> str:
    """Who does what a verb says: the words before it in its clause, without what leads in.

    Args:
        text: the sentence, dates blotted out.
        start: first code point of the clause.
        end: of the verb, its first code point.
    """
    said = text[start:end]
    said = _AUXILIARY.sub("", said.rstrip(" ,"))
    pieces = re.split(r",\s|:\s|;\s|\bthat\s|" + BLOT + r"\s+", said)
    while len(pieces) > 1 and _ASIDE.match(pieces[-1]):
        pieces.pop()
    said = pieces[-1]
    said = _LEAD.sub("", said)
    said = tidy(_AUXILIARY.sub("", said))
    return (
        said
        if not _JOINED.match(said)
        and re.search(r"[^\W\d_]{3}", said)
        and len(said.split()) <= _MOST_WORDS
        and BLOT not in said
        else ""
    )


def condition_of(text: str) -> str:
    """The condition of an exception, or what is done instead, as printed; "" for none, and for a mere place."""
    for found in _CONDITION.finditer(text):
        if _PLACE_ONLY.match(found["what"]) is None and not found["what"].split(",")[0].strip().endswith(
            ("section", "sections")
        ):
            cut = re.split(r",?\s+(?:until|and\s+(?:expires|ends))\s", found["what"])[0]
            if _PLACE_ONLY.match(cut.split(",")[0]) is None:
                return tidy(cut)
    instead = _INSTEAD.search(text)
    return tidy(instead["what"]) if instead else ""


def tidy(said: str) -> str:
    """Words without white space and marks at their edges."""
    words = " ".join(said.split()).strip(' ,;:–—-“”"')
    return words if _SHORTENED.search(words) else words.rstrip(" .,;:")
