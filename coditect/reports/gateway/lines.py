"""Where a sentence of the text that was read stands in the file that it was read from, by line and column."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Region", "SourceLines"]

_WORD = re.compile(r"\w+")

_OPENINGS = (6, 3, 2)
"""Words by which the beginning of a sentence is known again; fewer where a link's address stands among them."""

_CLOSING = 3
"""Words by which its end is."""

_STRETCH = 4
"""Mark-up and addresses of links may make a sentence this many times as long in its file."""


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a text file; lines and columns count from 1, the end column is one past the last character."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


class SourceLines:
    """A text file whose sentences are looked for in their order, whatever mark-up stands between their words.

    Args:
        content: the file's bytes; of a file that is no text nothing is found.
    """

    def __init__(self, content: bytes) -> None:
        try:
            text = "" if b"\0" in content else content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = ""
        self._words = [(found.group().casefold(), found.start(), found.end()) for found in _WORD.finditer(text)]
        self._starts = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]
        self._next = 0

    def find(self, sentence: str) -> Region | None:
        """Where the next sentence stands; None where its words are not found behind the one before."""
        wanted = [found.group().casefold() for found in _WORD.finditer(sentence)]
        if not wanted:
            return None
        openings = dict.fromkeys(min(each, len(wanted)) for each in _OPENINGS)
        tried = (self._after(wanted[:each], self._next, len(self._words)) for each in openings)
        first = next((place for place in tried if place is not None), None)
        if first is None:
            return None
        tail = wanted[-_CLOSING:]
        shortest = first + max(0, len(wanted) - len(tail))
        last = self._after(tail, shortest, min(len(self._words), first + _STRETCH * len(wanted) + _OPENINGS[0]))
        end = first + 1 if last is None else last + len(tail)
        self._next = end
        return self._region(self._words[first][1], self._words[end - 1][2])

    def _after(self, words: Sequence[str], begin: int, end: int) -> int | None:
        """The first place from ``begin`` on, and before ``end``, where these words follow each other."""
        for at in range(begin, end - len(words) + 1):
            if self._words[at][0] == words[0] and all(
                self._words[at + n][0] == word for n, word in enumerate(words) if n
            ):
                return at
        return None

    def _region(self, start: int, end: int) -> Region:
        first, last = (bisect_right(self._starts, at) for at in (start, end - 1))
        return Region(first, start - self._starts[first - 1] + 1, last, end - self._starts[last - 1] + 1)
