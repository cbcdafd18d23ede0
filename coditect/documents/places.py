"""Where words stand on their pages: written when a file is read, stored in its layout, and read where somebody wants to see them.

A page is cut into *runs*, words beside each other; a run has one top and one height, and each of its words a left and a width, in
quarters of a point (:data:`UNITS_PER_POINT`), origin at the upper left of the page as it is shown. Rectangles are rounded outward. A word
is the smallest thing that has a rectangle: a span that begins in the middle of one is shown with the whole word.

Stored form, version 1 (``golden`` in the tests): base64 of a sequence of variable-length integers (LEB128, signed ones zigzag)::

    version, pages, then of each page
      number - number of the page before, width, height, runs
      words of each run; start - end of the run before (signed); top - top of the run before (signed); height
      then of all words of the page: gaps behind the word before in its run; lengths; left - right of the word before (signed); widths

Numbers of one kind stand together, since they compress better so: blobs are compressed by the store, not here, where the bytes are
hashed and must be the same with every release of a library.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from coditect.errors import Corrupt

__all__ = ["UNITS_PER_POINT", "PlacedPage", "Run", "decode_places", "encode_places", "rectangles"]

UNITS_PER_POINT = 4
"""Lengths are stored in quarters of a point, 0.09 mm: finer than a line of the thinnest pen."""

VERSION = 1

_WIDE_GAP = 2.5  # of the height of a run: cells of a table, which are highlighted one by one

Word = tuple[int, int, int, int]
"""First code point, one past the last, left and right in units."""

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom in points, origin at the upper left."""


@dataclass(frozen=True, slots=True)
class Run:
    """Words beside each other.

    Attributes:
        top: in units from the upper edge of the page.
        height: in units.
        words: at least one, in the order of the text.
    """

    top: int
    height: int
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page with its words.

    Attributes:
        number: 1-based physical page.
        width: in units, as it is shown.
        height: in units.
        runs: in the order of the text.
    """

    number: int
    width: int
    height: int
    runs: tuple[Run, ...]


def encode_places(pages: Sequence[PlacedPage]) -> str:
    """Pages as ASCII; "" where there are none. The same pages give the same characters everywhere."""
    if not pages:
        return ""
    out = bytearray()
    before = 0
    _put(out, (VERSION, len(pages)))
    for page in pages:
        _put(out, (page.number - before, page.width, page.height, len(page.runs)))
        before = page.number
        words = [(run, n, word) for run in page.runs for n, word in enumerate(run.words)]
        ends = [0, *(run.words[-1][1] for run in page.runs)]
        tops = [0, *(run.top for run in page.runs)]
        _put(out, (len(run.words) for run in page.runs))
        _put(out, (_signed(run.words[0][0] - end) for run, end in zip(page.runs, ends, strict=False)))
        _put(out, (_signed(run.top - top) for run, top in zip(page.runs, tops, strict=False)))
        _put(out, (run.height for run in page.runs))
        _put(out, (word[0] - run.words[n - 1][1] for run, n, word in words if n))
        _put(out, (word[1] - word[0] for _, _, word in words))
        _put(out, (_signed(word[2] - (run.words[n - 1][3] if n else 0)) for run, n, word in words))
        _put(out, (word[3] - word[2] for _, _, word in words))
    return b64encode(out).decode()


def decode_places(stored: str) -> tuple[PlacedPage, ...]:
    """The pages again.

    Raises:
        Corrupt: this is no such record, or of a version that this release does not know.
    """
    if not stored:
        return ()
    try:
        numbers = _numbers(b64decode(stored, validate=True))
        version = next(numbers)
        if version != VERSION:
            raise Corrupt("the places of words are of a version that this release does not read", version=version)
        before = 0
        pages = []
        for _ in range(next(numbers)):
            page = _page(numbers, before)
            before = page.number
            pages.append(page)
        if next(numbers, None) is not None:
            raise ValueError
    except (ValueError, StopIteration, IndexError, binascii.Error) as error:
        raise Corrupt("the stored places of words cannot be read") from error
    return tuple(pages)


def _page(numbers: Iterator[int], before: int) -> PlacedPage:
    number, width, height, count = _take(numbers, 4)
    sizes, starts, tops, heights = (_take(numbers, count) for _ in range(4))
    total = sum(sizes)
    gaps = iter(_take(numbers, total - count))
    lengths, lefts, widths = (iter(_take(numbers, total)) for _ in range(3))
    runs = []
    end = top = 0
    for n, size in enumerate(sizes):
        end += _unsigned(starts[n])
        top += _unsigned(tops[n])
        right = 0
        words = []
        for at in range(size):
            start = end + (next(gaps) if at else 0)
            end = start + next(lengths)
            left = right + _unsigned(next(lefts))
            right = left + next(widths)
            words.append((start, end, left, right))
        runs.append(Run(top, heights[n], tuple(words)))
    return PlacedPage(before + number, width, height, tuple(runs))


def _put(out: bytearray, numbers: Iterable[int]) -> None:
    for each in numbers:
        value = each
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        out.append(value)


def _numbers(data: bytes) -> Iterator[int]:
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        if byte & 128:
            shift += 7
            if shift > 63:
                raise ValueError
        else:
            yield value
            value = shift = 0
    if shift:
        raise ValueError


def _take(numbers: Iterator[int], count: int) -> list[int]:
    found = list(islice(numbers, count))
    if len(found) != count:
        raise ValueError
    return found


def _signed(value: int) -> int:
    return value * 2 if value >= 0 else -value * 2 - 1


def _unsigned(value: int) -> int:
    return value // 2 if value % 2 == 0 else -(value + 1) // 2


def rectangles(pages: Iterable[PlacedPage], start: int, end: int) -> Iterator[tuple[PlacedPage, tuple[Rectangle, ...]]]:
    """The pages on which a span stands, each with the rectangles over its words: one for each run, or cell of a run.

    Args:
        pages: of the document.
        start: first code point of its canonical text.
        end: one past the last; a word of which a part is inside counts whole.
    """
    for page in pages:
        found: list[Rectangle] = []
        for run in page.runs:
            words = [word for word in run.words if word[0] < end and start < word[1]]
            for left, right in _stretches(words, _WIDE_GAP * run.height):
                edges = (left, run.top, right, run.top + run.height)
                found.append(tuple(each / UNITS_PER_POINT for each in edges))  # type: ignore[arg-type]
        if found:
            yield page, tuple(found)


def _stretches(words: Sequence[Word], wide: float) -> list[tuple[int, int]]:
    """(left, right) of words that stand close to each other."""
    found: list[tuple[int, int]] = []
    for _, _, left, right in words:
        if found and 0 <= left - found[-1][1] + wide and left - found[-1][1] <= wide:
            found[-1] = (min(found[-1][0], left), max(found[-1][1], right))
        else:
            found.append((left, right))
    return found
