"""What an amendment replaces, where it says so in explicit words: a clause as a whole, or words in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Replacement", "is_in_clause", "read_replacements", "reworded"]

_CLAUSE = (
    r"\b(?:clause|section|article|paragraph|sub-?section|sub-?clause)\s+"
    r"(?P<clause>\d+(?:\.\d+)*[A-Z]?(?:\([A-Za-z\d]{1,4}\))*)"
    r"(?:\s*\([^()“”\"]{2,80}\))?"
)
_OF = r"(?:\s+of\s+(?:the|this|that)\s+[^.;:“”\"]{2,80}?)?"
_OPEN, _CLOSE = r"[“\"]", r"[”\"]"
_HEREBY = r"(?:hereby\s+)?"
_REPLACED = (
    rf"(?:is|are|shall\s+be)\s+{_HEREBY}(?:(?:deleted|removed|struck(?:\s+out)?)\s+and\s+)?"
    r"(?:replaced|substituted)\s+(?:by|with)"
)
_WORDS = re.compile(
    rf"\bin\s+{_CLAUSE}{_OF}\s*,?\s+(?:(?:the\s+)?(?:words?|phrase|reference\s+to|figures?|number|amount)\s+)?"
    rf"{_OPEN}(?P<old>[^“”\"]{{1,200}}){_CLOSE}\s+{_REPLACED}\s+(?:(?:the\s+)?(?:words?|phrase|figures?|number|amount)\s+)?"
    rf"{_OPEN}(?P<new>[^“”\"]{{1,200}}){_CLOSE}",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    rf"{_CLAUSE}{_OF}\s+(?:is|are|shall\s+be)\s+{_HEREBY}(?:"
    r"amended(?:\s+and\s+restated)?(?:\s+in\s+its\s+entirety)?\s+(?:so\s+as\s+)?to\s+read(?:\s+in\s+its\s+entirety)?"
    r"|amended\s+and\s+restated(?:\s+in\s+its\s+entirety)?"
    r"|(?:(?:deleted|removed)(?:\s+in\s+its\s+entirety)?\s+and\s+)?(?:replaced|substituted)(?:\s+in\s+its\s+entirety)?"
    r"\s+(?:by|with))(?:\s+(?:the\s+following|as\s+follows))?\s*:?\s*"
    rf"{_OPEN}(?P<new>[^“”\"]{{1,4000}}){_CLOSE}",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\d+[A-Za-z]?|[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Replacement:
    """Words of an amendment that say that something is replaced.

    Attributes:
        clause: the number of the clause as printed: "2.1", "4(b)".
        old: the words in the clause that are replaced; "" where the whole clause is.
        new: the words that take their place.
        start: where the sentence that says so begins in the text, code points.
        end: one past its last.
    """

    clause: str
    old: str
    new: str
    start: int
    end: int


def read_replacements(text: str) -> Iterator[Replacement]:
    """What the text of an amendment replaces, in order; what it only speaks of is left out.

    Args:
        text: the amendment as a whole.
    """
    found = sorted((*_WORDS.finditer(text), *_WHOLE.finditer(text)), key=lambda each: each.start())
    for each in found:
        old = each["old"].strip(" ,.;") if "old" in each.re.groupindex else ""
        yield Replacement(each["clause"], old, each["new"].strip(" ,.;" if old else " "), *each.span())


def is_in_clause(locator: str, clause: str) -> bool:
    """Whether a place that a person would cite is a clause or stands in it: "2.1(a)" in "2.1" and in "2", not in "2.10"."""
    place, whole = _PLACE.findall(locator), _PLACE.findall(clause)
    return bool(whole) and [each.casefold() for each in place[: len(whole)]] == [each.casefold() for each in whole]


def reworded(text: str, replacement: Replacement) -> str:
    """A sentence with words of it replaced; "" where it does not have them, or the clause as a whole is replaced."""
    if not replacement.old:
        return ""
    old = r"\s+".join(re.escape(each) for each in replacement.old.split())
    pattern = re.compile(rf"(?<!\w){old}(?!\w)", re.IGNORECASE)
    return pattern.sub(lambda _: replacement.new, text) if pattern.search(text) else ""
