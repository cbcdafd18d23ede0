"""A text in the normal form in which quotes are compared, with the way back to the original's offsets.

Two rewritings after one another. The first goes over clusters (a character and the marks on it) and brings each into NFKC,
with one kind of quotation mark and of dash. The second is about what stands between words: blanks, invisible characters,
and hyphens inside words. Each remembers what it replaced; what it did not touch is shifted only.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from coditect.language.matched import INVISIBLE

__all__ = ["NormalText", "normal_text"]

_QUOTATION_MARKS = '"`´‘’‚‛“”„‟‹›«»′″‵‶ʼ＂＇〝〞'
_DASHES = "‐‑‒–—―−⁃﹘﹣－"
_ALIKE = str.maketrans({**dict.fromkeys(_QUOTATION_MARKS, "'"), **dict.fromkeys(_DASHES, "-")})

_ASCII_MARKS = '"`'
_NOT_PLAIN = re.compile(r'["`]|[^\x00-\x7f]+')
_LINE_END = "\n\r\x0b\x0c\x85\u2028\u2029"
_LETTER = r"[^\W\d_]"
# Possessive runs, and each begins where the one before it ends: no input makes this go back and forth.
_BETWEEN = re.compile(
    # A dash inside a word, with the end of the line that it may stand at.
    rf"(?<={_LETTER})[{INVISIBLE}]*+-(?:(?:[^\S{_LINE_END}]|[{INVISIBLE}])*+[{_LINE_END}][\s{INVISIBLE}]*+|[{INVISIBLE}]*+)(?={_LETTER})"
    # The same with a soft hyphen.
    rf"|(?<={_LETTER})(?=[{INVISIBLE}]*\u00ad)[{INVISIBLE}]++[^\S{_LINE_END}]*+[{_LINE_END}][\s{INVISIBLE}]*+(?={_LETTER})"
    # Blanks and invisible characters, unless it is one plain blank.
    rf"|(?! (?![\s{INVISIBLE}]))(?P<blank>[\s{INVISIBLE}]++)"
)
_CHUNK = 64
# Sorting the marks of a cluster takes the square of their number; text for people has no more than 30 (UAX #15, Stream-Safe).
_MOST_MARKS = 30


class _Rewriting:
    """Replaced stretches of a text, in order, where they were and where they are."""

    __slots__ = ("_new_ends", "_new_starts", "_old_ends", "_old_starts", "text")

    def __init__(self, old: str, replaced: Iterator[tuple[int, int, str]]) -> None:
        self._old_starts: list[int] = []
        self._old_ends: list[int] = []
        self._new_starts: list[int] = []
        self._new_ends: list[int] = []
        pieces: list[str] = []
        size = read = 0
        for start, end, new in replaced:
            size += start - read
            pieces += (old[read:start], new)
            self._old_starts.append(start)
            self._old_ends.append(end)
            self._new_starts.append(size)
            size += len(new)
            self._new_ends.append(size)
            read = end
        self.text = "".join((*pieces, old[read:])) if pieces else old

    def start(self, at: int) -> int | None:
        """Where the character at ``at`` begins in the old text; None inside a replaced stretch."""
        unit = bisect_right(self._new_starts, at) - 1
        if unit < 0:
            return at
        if at < self._new_ends[unit]:
            return self._old_starts[unit] if at == self._new_starts[unit] else None
        return self._old_ends[unit] + at - self._new_ends[unit]

    def end(self, at: int) -> int | None:
        """Where the character before ``at`` ends in the old text; None inside a replaced stretch."""
        unit = bisect_left(self._new_starts, at) - 1
        if unit < 0:
            return at
        if at <= self._new_ends[unit]:
            return self._old_ends[unit] if at == self._new_ends[unit] else None
        return self._old_ends[unit] + at - self._new_ends[unit]

    def position(self, old: int) -> int:
        """Where an offset of the old text is now; the beginning of a replaced stretch for one inside it."""
        unit = bisect_right(self._old_starts, old) - 1
        if unit < 0:
            return old
        if old < self._old_ends[unit]:
            return self._new_starts[unit]
        return self._new_ends[unit] + old - self._old_ends[unit]


class NormalText:
    """A text as quotes are compared, with offsets both ways, all in code points.

    Attributes:
        text: the normal form; blanks at either end stay.
    """

    __slots__ = ("_first", "_second", "text")

    def __init__(self, text: str) -> None:
        self._first = _Rewriting(text, _clusters(text))
        self._second = _Rewriting(self._first.text, _between(self._first.text))
        self.text = self._second.text

    def start(self, at: int) -> int | None:
        """Offset in the original of the character at ``at``; None if it is not the first that an original one became."""
        middle = self._second.start(at)
        return None if middle is None else self._first.start(middle)

    def end(self, at: int) -> int | None:
        """Offset in the original after the character before ``at``; None if it is not the last that one became."""
        middle = self._second.end(at)
        return None if middle is None else self._first.end(middle)

    def position(self, original: int) -> int:
        """Offset in the normal form of an offset in the original, or a little before it."""
        return self._second.position(self._first.position(original))


def normal_text(text: str) -> NormalText:
    """Bring a text into the normal form; takes time linear in its length."""
    return NormalText(text)


def _between(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _BETWEEN.finditer(text):
        blank = found["blank"]
        visible = blank is not None and any(character.isspace() for character in blank)
        yield found.start(), found.end(), " " if visible else ""


def _clusters(text: str) -> Iterator[tuple[int, int, str]]:
    """What the first rewriting replaces: clusters whose normal form is another."""
    for found in _NOT_PLAIN.finditer(text):
        start, end = found.span()
        if text[start] in _ASCII_MARKS:
            if end == len(text) or not _extends(text[end]):
                yield start, end, "'"
            continue
        if start and _extends(text[start]) and _carries_marks(text[start - 1]):
            start -= 1
        while start < end:
            stop = _safe_end(text, start, end)
            if stop - start > 2 * _CHUNK or not _is_normal(text[start:stop]):
                yield from _replaced(text, start, stop)
            start = stop


def _safe_end(text: str, start: int, end: int) -> int:
    """The end of about a chunk that divides no cluster."""
    stop = min(start + _CHUNK, end)
    while stop < end and _extends(text[stop]):
        stop += 1
    return stop


def _replaced(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    while start < end:
        stop = start + 1
        if _carries_marks(text[start]):
            while stop < end and stop - start <= _MOST_MARKS and _extends(text[stop]):
                stop += 1
        old = text[start:stop]
        new = _in_normal_form(old)
        if new != old:
            yield start, stop, new
        start = stop


def _carries_marks(character: str) -> bool:
    """Not on what may go: a mark on a blank or on an invisible character stands for itself."""
    return not character.isspace() and unicodedata.category(character) != "Cf"


def _is_normal(some: str) -> bool:
    return unicodedata.normalize("NFKC", some.translate(_ALIKE)) == some


def _in_normal_form(some: str) -> str:
    alike = some.translate(_ALIKE)
    new = unicodedata.normalize("NFKC", alike)
    # NFKC makes a blank and a mark of a diacritic that stands alone; the blank would be taken for one.
    return unicodedata.normalize("NFC", alike) if len(new) > 1 and new[0] == " " and not some[0].isspace() else new


def _extends(character: str) -> bool:
    """Whether it may be composed with what stands before it: marks, and the inner letters of Korean syllables."""
    return (
        (character > "\x7f" and unicodedata.category(character)[0] == "M")
        or "\u1160" <= character <= "\u11ff"
        or "\ud7b0" <= character <= "\ud7fb"
        or "\uff9e" <= character <= "\uffdc"
    )
