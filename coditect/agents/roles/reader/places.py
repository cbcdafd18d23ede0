"""Where words of an answer stand in the lines that it was shown: whole words, to the letter but for how they are set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from coditect.agents.roles.quotes import cuts_word
from coditect.agents.roles.reader.passages import ShownLine
from coditect.tiers.readings.told import Place

__all__ = ["ELIDED", "find_piece", "nearest_before", "occurrences"]

ELIDED = " ~~ "
"""Stands in an answer for everything between two runs of words of one line."""

_MOST_CHARS = 6_000
_ALIKE = {
    **dict.fromkeys('"“”„‟″', '["“”„‟″]'),
    **dict.fromkeys("'’‘‛′`", "['’‘‛′`]"),
    **dict.fromkeys("-‐‑‒–—", "[-‐‑‒–—]"),
}


@lru_cache(maxsize=512)
def _pattern(words: str) -> re.Pattern[str]:
    """Words as they may be set: any white space between them, any kind of quotation marks and dashes."""
    tokens = ("".join(_ALIKE.get(sign, re.escape(sign)) for sign in token) for token in words.split())
    return re.compile(r"\s+".join(tokens))


def occurrences(words: str, text: str, line: ShownLine) -> Iterator[Place]:
    """Where a line has some words, in order; ``first words ~~ last words`` is everything from the one to the other.

    Args:
        words: of an answer.
        text: the text as it is read.
        line: of the request.
    """
    first, elided, last = words.partition(ELIDED)
    if not first.strip() or len(words) > _MOST_CHARS or (elided and not last.strip()):
        return
    for found in _pattern(first.strip()).finditer(text, line.start, line.end):
        end = found.end()
        if elided:
            behind = next(_pattern(last.strip()).finditer(text, end, line.end), None)
            if behind is None:
                return
            end = behind.end()
        if not cuts_word(text, found.start(), end):
            yield found.start(), end


def find_piece(words: str, text: str, lines: Sequence[ShownLine], *, near: int = -1, behind: int = -1) -> Place | None:
    """Where words stand: in the first line that has them, at the place that fits best there.

    Args:
        words: of an answer.
        text: the text as it is read.
        lines: where to look, the likeliest first.
        near: of several places of that line the one that is nearest to this one; -1: the first.
        behind: places that begin before this one count only where no other is there; -1: all alike.
    """
    for line in lines:
        found = list(occurrences(words, text, line))
        if not found:
            continue
        later = [place for place in found if place[0] >= behind]
        found = later or found
        return found[0] if near < 0 else min(found, key=lambda place: _distance(place, near))
    return None


def nearest_before(words: str, text: str, lines: Sequence[ShownLine], at: int) -> Place | None:
    """Where words stand last in front of a place; else as :func:`find_piece`."""
    for line in lines:
        found = [place for place in occurrences(words, text, line) if place[1] <= at]
        if found and line.start <= at:
            return found[-1]
    return find_piece(words, text, lines)


def _distance(place: Place, at: int) -> int:
    return min(abs(place[0] - at), abs(place[1] - at))
