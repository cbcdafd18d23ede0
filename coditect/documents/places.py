"""Where words stand on their pages: written when a file is read, stored in its layout, and read where somebody wants to see them.

A page is cut into *runs*, words beside each other; a run has one top and one height, and each of its words a left and a width, in
quarters of a point (:data:`UNITS_PER_POINT`), origin at the upper left of the page as it is shown. Rectangles are rounded outward.
A word is the smallest thing that has a rectangle: a span that begins in the middle of one is shown with the whole word.

Stored form, version 1 (a golden copy lies with the tests): base64 of variable-length integers (LEB128, signed ones zigzag)::

    version, pages, then of each page
      number - number of the page before, bytes of all that follows of this page
      width, height, runs
      words of each run; start - end of the run before (signed); top - top of the run before (signed); height
      then of all words: gaps behind the word before in its run; lengths; left - right of the word before (signed); widths

Numbers of one kind stand together, since they compress better so: blobs are compressed by the store, not here, where the bytes are
hashed and must be the same with every release of a library.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from coditect.errors import Corrupt

__all__ = ["UNITS_PER_POINT", "PlacedPage", "Run", "decode_places", "encode_places", "rectangles", "stretches"]

UNITS_PER_POINT = 4
"""Lengths are stored in quarters of a point, 0.09 mm: finer than a line of the thinnest pen."""

VERSION = 1

_MOST_BITS = 63

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

    @property
    def width_pt(self) -> float:
        """In points."""
        return self.width / UNITS_PER_POINT

    @property
    def height_pt(self) -> float:
        """In points."""
        return self.height / UNITS_PER_POINT


def encode_places(pages: Sequence[PlacedPage]) -> str:
    """Pages as ASCII; "" where there are none. The same pages give the same characters everywhere."""
    if not pages:
        return ""
    out = bytearray()
    before = 0
    _put(out, (VERSION, len(pages)))
    for page in pages:
        body = _body(page)
        _put(out, (page.number - before, len(body)))
        out += body
        before = page.number
    return b64encode(out).decode()


def _body(page: PlacedPage) -> bytearray:
    out = bytearray()
    _put(out, (page.width, page.height, len(page.runs)))
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
    return out


def decode_places(stored: str, wanted: Container[int] | None = None) -> tuple[PlacedPage, ...]:
    """The pages again.

    Args:
        stored: of :func:`encode_places`.
        wanted: numbers of pages; None: all of them. The others are passed over without being read.

    Raises:
        Corrupt: this is no such record, or of a version that this release does not know.
    """
    if not stored:
        return ()
    try:
        data = b64decode(stored, validate=True)
        version, at = _number(data, 0)
        if version != VERSION:
            raise Corrupt("the places of words are of a version that this release does not read", version=version)
        count, at = _number(data, at)
        pages, number = [], 0
        for _ in range(count):
            step, at = _number(data, at)
            size, at = _number(data, at)
            number += step
            if at + size > len(data):
                raise ValueError
            if wanted is None or number in wanted:
                pages.append(_page(number, data[at : at + size]))
            at += size
        if at != len(data):
            raise ValueError
    except (ValueError, StopIteration, IndexError, binascii.Error) as error:
        raise Corrupt("the stored places of words cannot be read") from error
    return tuple(pages)


def _page(number: int, data: bytes) -> PlacedPage:
    numbers = _numbers(data)
    width, height, count = _take(numbers, 3)
    sizes, starts, tops, heights = (_take(numbers, count) for _ in range(4))
    total = sum(sizes)
    gaps = iter(_take(numbers, total - sum(size > 0 for size in sizes)))
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
    if next(numbers, None) is not None:
        raise ValueError
    return PlacedPage(number, width, height, tuple(runs))


def _put(out: bytearray, numbers: Iterable[int]) -> None:
    for each in numbers:
        value = each
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        out.append(value)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number, and where the next begins."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > _MOST_BITS:
            raise ValueError


def _numbers(data: bytes) -> Iterator[int]:
    at = 0
    while at < len(data):
        if data[at] < 128:  # as most are
            yield data[at]
            at += 1
        else:
            value, at = _number(data, at)
            yield value


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
            for group in stretches(run, words):
                left, right = min(word[2] for word in group), max(word[3] for word in group)
                edges = (left, run.top, right, run.top + run.height)
                found.append(tuple(each / UNITS_PER_POINT for each in edges))  # type: ignore[arg-type]
        if found:
            yield page, tuple(found)


def stretches(run: Run, words: Sequence[Word]) -> list[list[Word]]:
    """Some words of a run, in groups that stand close to each other: cells of a table stand apart."""
    wide = _WIDE_GAP * run.height
    found: list[list[Word]] = []
    for word in words:
        if found and -wide <= word[2] - found[-1][-1][3] <= wide:
            found[-1].append(word)
        else:
            found.append([word])
    return found
