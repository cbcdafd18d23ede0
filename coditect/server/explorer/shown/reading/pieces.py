"""A text cut where highlights and marks begin and end; joined again, the pieces are the text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

__all__ = ["MarkedPiece", "MarkedWords", "Overlay"]


@dataclass(frozen=True, slots=True)
class MarkedWords:
    """Words that can be clicked.

    Attributes:
        start: first code point in the document's text.
        end: one past the last.
        kind: of the extraction, or "term" for a word that a document defines.
        href: where a click leads.
        title: what it is, for people.
    """

    start: int
    end: int
    kind: str
    href: str
    title: str


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """A stretch of text that is marked the same way all along.

    Attributes:
        text: verbatim.
        hit: whether it is what the visitor came to see.
        first: whether it is the first piece of that.
        mark: the smallest mark around it; None where nothing is marked.
    """

    text: str
    hit: bool = False
    first: bool = False
    mark: MarkedWords | None = None


class Overlay:
    """Highlights and marks of a document, asked for stretch by stretch.

    Args:
        hits: (start, end) of what is highlighted, half-open code points.
        marks: what can be clicked; they may overlap.
    """

    def __init__(self, hits: Iterable[tuple[int, int]] = (), marks: Iterable[MarkedWords] = ()) -> None:
        self.hits = sorted(each for each in hits if each[0] < each[1])
        self._marks = sorted((m for m in marks if m.start < m.end), key=lambda m: (m.start, m.end))
        self._starts = [mark.start for mark in self._marks]
        self._reached = list(accumulate((mark.end for mark in self._marks), max))  # ascending

    def marks_in(self, start: int, end: int) -> Sequence[MarkedWords]:
        """The marks that reach into a stretch."""
        first = bisect_right(self._reached, start)
        last = bisect_left(self._starts, end)
        return [mark for mark in self._marks[first:last] if mark.end > start]

    def pieces(self, text: str, start: int, end: int) -> tuple[MarkedPiece, ...]:
        """A stretch of a text as pieces.

        Args:
            text: the whole text.
            start: first code point of the stretch.
            end: one past its last.
        """
        marks = self.marks_in(start, end)
        borders = {start, end}
        for edges in (*self.hits, *((m.start, m.end) for m in marks)):
            borders.update(min(max(edge, start), end) for edge in edges)
        found: list[tuple[int, int, bool, MarkedWords | None]] = []
        for left, right in pairwise(sorted(borders)):
            around = [m for m in marks if m.start <= left and right <= m.end]
            mark = min(around, key=lambda m: (m.end - m.start, m.start), default=None)
            hit = any(a <= left and right <= b for a, b in self.hits)
            if found and found[-1][2:] == (hit, mark):
                found[-1] = (found[-1][0], right, hit, mark)
            else:
                found.append((left, right, hit, mark))
        begins = {a for a, _ in self.hits}
        return tuple(MarkedPiece(text[a:b], hit, hit and a in begins, mark) for a, b, hit, mark in found)
