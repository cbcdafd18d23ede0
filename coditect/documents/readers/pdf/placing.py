"""Where the words of a PDF stand: in the text that is made of them, and on the page as it is shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from ctypes import byref, c_int
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from coditect.documents.places import UNITS_PER_POINT, PlacedPage, Run
from coditect.documents.readers.canonical import canonicalize, collapse

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

__all__ = ["Box", "Frame", "Placed", "frame_of", "joined", "placed_pages", "placed_words"]

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in points of the PDF's own system, origin at the lower left."""

Placed = tuple[tuple[int, int, Box], ...]
"""Words of a line: first code point, one past the last, counted from the line's beginning, and where they stand."""

_FINE = 64  # steps of a point, in which PDFium is asked where a point is shown
_FAR = 1000
_MOST_POINTS = 20_000  # of the longest page that a PDF may have (14,400), with room; whatever lies beyond is cut off
_ASTRAY = 0.2  # of its height, that a word's top and bottom may lie apart from those of its run: signs, smaller letters


@dataclass(frozen=True, slots=True)
class Frame:
    """How a page is shown: turned, and cut out of a larger one.

    Attributes:
        width: of the page as it is shown, points.
        height: as it is shown, points.
        matrix: (a, b, c, d, e, f); (x, y) is shown at (a x + c y + e, b x + d y + f), origin at the upper left.
    """

    width: float
    height: float
    matrix: tuple[float, float, float, float, float, float]


def frame_of(page: PdfPage) -> Frame:
    """Ask PDFium how it shows a page."""
    from pypdfium2.raw import FPDF_PageToDevice

    width, height = page.get_size()
    wide, high = max(1, round(width * _FINE)), max(1, round(height * _FINE))

    def shown(x: float, y: float) -> tuple[float, float]:
        right, down = c_int(), c_int()
        FPDF_PageToDevice(page, 0, 0, wide, high, 0, x, y, byref(right), byref(down))
        return right.value / _FINE, down.value / _FINE

    (e, f), (ax, bx), (cy, dy) = shown(0, 0), shown(_FAR, 0), shown(0, _FAR)
    return Frame(width, height, ((ax - e) / _FAR, (bx - f) / _FAR, (cy - e) / _FAR, (dy - f) / _FAR, e, f))


def joined(words: Iterable[str]) -> str:
    """Words of a line as canonical text."""
    return collapse(canonicalize(" ".join(words).replace("\ufffe", "-")))


def placed_words(text: str, words: Sequence[str], shown: Sequence[Box | None]) -> Placed:
    """Where the words of a line stand in its text. Those that are not found there one after the other have no place.

    Args:
        text: of the line, canonical, with what the reader put between cells.
        words: as PDFium gave them.
        shown: their boxes; () where none are known.
    """
    found: list[tuple[int, int, Box]] = []
    at = 0
    for word, box in zip(words, shown, strict=False):
        canonical = joined((word,))
        start = text.find(canonical, at) if canonical else -1
        if start >= 0:
            at = start + len(canonical)
            if box is not None:
                found.append((start, at, box))
    return tuple(found)


def placed_pages(lines: Sequence[tuple[int, int, Placed]], frames: Sequence[Frame]) -> list[PlacedPage]:
    """The pages with their words, as they are stored.

    Args:
        lines: of the whole text, in its order: page, first code point, words.
        frames: of each page.
    """
    # Where a hyphen was taken off the end of a line, the next begins before this one has ended.
    ends = [start for _, start, _ in lines[1:]] + [2**62]
    bounded = zip(lines, ends, strict=True)
    pages = []
    for number, some in groupby(bounded, key=lambda each: each[0][0]):
        frame = frames[number - 1]
        runs = tuple(run for (_, start, words), end in some for run in _runs(frame, start, end, words))
        if runs:
            pages.append(PlacedPage(number, _up(frame.width), _up(frame.height), runs))
    return pages


def _runs(frame: Frame, start: int, end: int, words: Placed) -> Iterator[Run]:
    """Words of a line as they stand beside each other; those above or below are a run of their own."""
    run: list[tuple[int, int, int, int]] = []
    top = bottom = 0
    for first, last, box in words:
        left, upper, right, lower = _shown(frame, box)
        if right <= left or lower <= upper or min(start + last, end) <= start + first:
            continue
        if run and max(abs(upper - top), abs(lower - bottom)) > _ASTRAY * (bottom - top):
            yield Run(top, bottom - top, tuple(run))
            run = []
        if not run:
            top, bottom = upper, lower
        run.append((start + first, min(start + last, end), left, right))
    if run:
        yield Run(top, bottom - top, tuple(run))


def _shown(frame: Frame, box: Box) -> tuple[int, int, int, int]:
    """Left, top, right and bottom in units as the page is shown, rounded outward, inside the page."""
    a, b, c, d, e, f = frame.matrix
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in box[::2] for y in box[1::2]]
    across = [min(max(x, 0.0), frame.width, _MOST_POINTS) for x, _ in corners]
    down = [min(max(y, 0.0), frame.height, _MOST_POINTS) for _, y in corners]
    return _floor(min(across)), _floor(min(down)), _up(max(across)), _up(max(down))


def _floor(points: float) -> int:
    return math.floor(points * UNITS_PER_POINT)


def _up(points: float) -> int:
    return math.ceil(min(points, _MOST_POINTS) * UNITS_PER_POINT)
