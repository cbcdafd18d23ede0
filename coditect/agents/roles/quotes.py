"""Words that a model says stand in a text: whether they are whole words there, and what a quote must not leave out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from coditect.language.quotes.places import Rejection, locate
from coditect.language.tables import read_table

__all__ = ["LEAST_QUOTED", "LONGEST_REASON", "cuts_word", "find_quotes", "find_words", "leaves_out", "letters_in"]

LONGEST_REASON = 500
"""Code points of a model's reason that are kept, at most."""

LEAST_QUOTED = 12
"""Letters and digits that a verdict must quote, or else all that a shorter text has: less decides nothing."""

_CELL = " | "
_NEAR = 600
"""Code points before and after a quote in which the rest of its sentence is looked for."""

_LIST_MARK = re.compile(r"\s*(?:[-–—*•▪‣◦]|\(?(?:\d{1,3}|[A-Za-z]|[ivxlIVXL]{1,5})[.)]|\d{1,3}(?:\.\d{1,3})+\.?)\s+\Z")
_END_BEFORE = re.compile(r"[.!?;:](?=[\s\"'”’)\]]*(?:\s|\Z))|\n\s*\n|\n(?=[ \t]*(?:[-–—*•▪‣◦]|\(?\w{1,3}[.)])[ \t])")
_END_AFTER = re.compile(r"[.!?;](?=\s|\Z)|\n\s*\n|\n(?=[ \t]*(?:[-–—*•▪‣◦]|\(?\w{1,3}[.)])[ \t])")


def _any_of(phrases: Iterable[str]) -> str:
    """A pattern for whole words, their white space as it comes."""
    return r"\b(?:" + "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in sorted(phrases)) + r")\b"


_NEGATION = read_table("negation")
# "save" takes something out, too, but is more often a verb; "save for" and its like are among the restrictions.
_EXCEPTIONS = frozenset(_NEGATION.words("exceptions")) - {"save"}
_LIMITS_BEFORE = re.compile(_any_of({*_NEGATION.words("negators"), *_EXCEPTIONS}) + r"|n['’]t\b", re.IGNORECASE)
_LIMITS_AFTER = re.compile(_any_of({*_EXCEPTIONS, *read_table("restrictions").phrases("restrictions")}), re.IGNORECASE)


def find_words(words: str, text: str) -> tuple[int, int] | None:
    """Where ``text`` has ``words``, as whole words: to the letter, else but for white space, quotation marks and the like.

    Args:
        words: what an answer says that the text has.
        text: a quote; where it has the words more than once, their first occurrence counts.

    Returns:
        First code point and one past the last; None if they are not there.
    """
    words = words.strip()
    at = text.find(words) if words else -1
    while at >= 0:
        if not cuts_word(text, at, at + len(words)):
            return at, at + len(words)
        at = text.find(words, at + 1)
    place = locate(words, text)
    if isinstance(place, Rejection) or cuts_word(text, place.start, place.end):
        return None
    return place.start, place.end


def find_quotes(
    quotes: Iterable[tuple[int, str]], texts: Sequence[str], called: str
) -> tuple[list[tuple[int, int, int]], str]:
    """Where quotes of numbered texts stand, each once, and what is wrong with the first that stands nowhere.

    Args:
        quotes: (number of the text, from 1, as an answer gives it; the words).
        texts: what the request showed, in its order.
        called: what the texts are called: "evidence".

    Returns:
        (index of the text, first code point, one past the last) of those that are there, and the problem, or "".
    """
    places: dict[tuple[int, int, int], None] = {}
    problem = ""
    for number, words in quotes:
        if not 1 <= number <= len(texts):
            problem = problem or f"a quote of {called} that was not given"
            continue
        place = find_words(words, texts[number - 1])
        if place is None:
            problem = problem or f"a quote is not in the {called}"
            continue
        places[number - 1, *place] = None
    return list(places), problem


def letters_in(*texts: str) -> int:
    """Letters and digits of texts together."""
    return sum(character.isalnum() for text in texts for character in text)


def cuts_word(text: str, start: int, end: int) -> bool:
    """Whether a span begins or ends inside a word: "able to act" must not be quoted from "unable to act"."""
    return any(0 < at < len(text) and _joined(text[at - 1], text[at]) for at in (start, end))


def leaves_out(text: str, start: int, end: int) -> str:
    """Words of the same sentence, before or after a span, that turn or limit what it says; "" if there are none.

    A quote that begins after "not", or ends before "unless", is verbatim and still says something else than its source. A
    list item and a row of a table are sentences of their own: what leads a list in is not looked at.
    """
    before = text[max(0, start - _NEAR) : start]
    after = text[end : end + _NEAR]
    if _CELL in text[start:end]:
        before, after = before.rpartition("\n")[2], after.partition("\n")[0]
    begins_line = before.rpartition("\n")[2].strip() == "" and text[start : start + 1].isupper()
    if not begins_line and not _LIST_MARK.search(before):
        ends = [found.end() for found in _END_BEFORE.finditer(before)]
        limit = _LIMITS_BEFORE.search(before, ends[-1] if ends else 0)
        if limit:
            return limit.group()
    if text[end - 1 : end] not in tuple(".!?;"):
        found = _END_AFTER.search(after)
        limit = _LIMITS_AFTER.search(after, 0, found.start() if found else len(after))
        if limit:
            return limit.group()
    return ""


def _joined(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum()
