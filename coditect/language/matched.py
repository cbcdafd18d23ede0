r"""A text as its words are matched: without the characters that print nothing, and without the marks of notes.

A zero-width space inside "shall" is seen by nobody who reads the page, and parts the word for every pattern; the mark of a footnote
behind "30" makes another number of it. Canonical text keeps both, and so do quotes. What is matched is matched without them, and
leads back to the offsets of the canonical text. A text that holds neither is matched as it stands, for the price of one search.

Source of the invisible characters: Unicode Standard 16, DerivedCoreProperties.txt, Default_Ignorable_Code_Point, and the anchors of
interlinear annotations (U+FFF9..U+FFFB), which have no glyph of their own either.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator

__all__ = ["INVISIBLE", "MatchedText", "as_matched", "as_seen", "describe_invisible"]

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""The characters that print nothing, as they stand between the brackets of a regular expression."""

_RAISED = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u207d\u207e\u2020\u2021"
_RUN = re.compile(f"[{INVISIBLE}{_RAISED}]+")
_PART = re.compile(f"[{INVISIBLE}]+|(?P<raised>[{_RAISED}]+)")
_SOME_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_SOME_RAISED = re.compile(f"[{_RAISED}]")
# What raised digits may stand behind to be the mark of a note; the group is the word, where it is one.
_MARKED = re.compile(f"(?:(?P<word>[^\\W_]+)|[.,;:!?)\\]\"'”’%])[{INVISIBLE}]*\\Z")
_LONGEST_BASE = 3
_POWERS = "\u00b2\u00b3"

# What hides something: what parts a word, a text in tag characters (but for the flags that emoji make of them), and what makes the
# words around it be seen in another order.
_HIDING = re.compile(
    f"(?<=[^\\W_])(?P<inside>[{INVISIBLE}]+)(?=[^\\W_])"
    "|(?P<tags>(?<![\U0001f3f4\U000e0000-\U000e007f])[\U000e0000-\U000e007f]+)"
    "|(?P<turning>[\u202a-\u202e\u2066-\u2069]+)"
)
_TOLD = {
    "inside": ("{} inside words read through", "invisible character"),
    "tags": ("{} that print nothing not read", "tag character"),
    "turning": ("{} of the direction of writing, read as the text is stored", "control character"),
}
_MOST_KINDS = 4
_AROUND = 24
"""Code points of a word before and behind a place that a description shows, at most."""


def as_matched(text: str) -> str:
    """``text`` without invisible characters and marks of notes; the same object where it holds none."""
    return MatchedText(text).text if not text.isascii() and _RUN.search(text) else text


def as_seen(text: str) -> str:
    """``text`` without invisible characters; marks of notes, which are seen, stay."""
    return text if text.isascii() else _SOME_INVISIBLE.sub("", text)


class MatchedText:
    """A text as its words are matched, with offsets both ways, all in code points.

    Attributes:
        verbatim: the text as it stands.
        text: the text without what is left out; the same object where nothing is.
    """

    __slots__ = ("_at", "_gone", "_starts", "text", "verbatim")

    def __init__(self, verbatim: str) -> None:
        self.verbatim = self.text = verbatim
        self._starts, self._at, self._gone = array("q"), array("q"), array("q")
        pieces = []
        read = gone = 0
        for start, end in () if verbatim.isascii() else _left_out(verbatim):
            pieces.append(verbatim[read:start])
            self._starts.append(start)
            self._at.append(start - gone)
            gone += end - start
            self._gone.append(gone)
            read = end
        if pieces:
            self.text = "".join((*pieces, verbatim[read:]))

    @property
    def is_verbatim(self) -> bool:
        """Whether nothing was left out, so that all offsets are the same."""
        return not self._at

    def start(self, at: int) -> int:
        """Where the character at ``at`` of the matched text stands in the verbatim one; its length for the end of the text."""
        run = bisect_right(self._at, at)
        return at + self._gone[run - 1] if run else at

    def end(self, at: int) -> int:
        """Where the character before ``at`` of the matched text ends in the verbatim one; 0 for the beginning of the text."""
        run = bisect_left(self._at, at)
        return at + self._gone[run - 1] if run else at

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A stretch of the matched text in the verbatim one, without anything at its edges that was left out.

        Args:
            start: first code point of the matched text.
            end: one past the last; an empty stretch stays behind the character that it stands behind.
        """
        return (self.start(start) if start < end else self.end(end)), self.end(end)

    def position(self, verbatim: int) -> int:
        """Where an offset of the verbatim text is in the matched one; of what was left out, where that stood."""
        run = bisect_right(self._starts, verbatim) - 1
        return verbatim if run < 0 else max(self._at[run], verbatim - self._gone[run])


def _left_out(text: str) -> Iterator[tuple[int, int]]:
    """Stretches that are left out, in order and apart."""
    for run in _RUN.finditer(text):
        start, end = run.span()
        if _SOME_RAISED.search(text, start, end) is None:
            yield start, end
            continue
        begin = at = start
        for part in _PART.finditer(text, start, end):
            if part["raised"] and not _is_note_mark(text, *part.span()):
                if begin < at:
                    yield begin, at
                begin = part.end()
            at = part.end()
        if begin < at:
            yield begin, at


def _is_note_mark(text: str, start: int, end: int) -> bool:
    """Whether raised characters mark a note: directly behind a word, and neither a power of ten, nor of a unit or a variable."""
    before = _MARKED.search(text, max(0, start - _AROUND), start)
    if before is None:
        return False
    word = before["word"] or ""
    if word == "10":
        return text[start:end] == "\u00b9"
    return not (text[start:end] in _POWERS and len(word) < _LONGEST_BASE and word.isalpha())


def describe_invisible(text: str) -> tuple[str, ...]:
    """What a reader of a document is to be told of its invisible characters; nothing where they hide nothing.

    Joiners and marks between words, as Word and emoji have them, hide nothing.

    Args:
        text: canonical text.

    Returns:
        A sentence each for characters inside words, for tag characters, and for those that turn the direction of writing: how
        many there are, which, and where the first of them stands, in code points.
    """
    if text.isascii() or _SOME_INVISIBLE.search(text) is None:
        return ()
    firsts: dict[str, re.Match[str]] = {}
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in _TOLD}
    for match in _HIDING.finditer(text):
        kind = match.lastgroup or "inside"
        firsts.setdefault(kind, match)
        counts[kind][match.group()] += 1
    return tuple(_described(*told, counts[kind], firsts[kind], text) for kind, told in _TOLD.items() if kind in firsts)


def _described(told: str, noun: str, runs: Counter[str], first: re.Match[str], text: str) -> str:
    """How many characters, which of them, and where the first stands, in its word."""
    count = sum(len(run) * times for run, times in runs.items())
    counted = f"{count} {noun}{'s' * (count > 1)}"
    kinds = sorted(set().union(*runs))
    listed = ", ".join(f"U+{ord(each):04X}" for each in kinds[:_MOST_KINDS]) + ", …" * (len(kinds) > _MOST_KINDS)
    start, end = first.span()
    before, behind = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    word = f"{_last_word(before)}{text[start : min(end, start + _AROUND)]}{_first_word(behind)}"
    shown = _SOME_INVISIBLE.sub(lambda each: f"<U+{ord(each[0]):04X}>", word)
    return f"{told.format(counted)} ({listed}); the first at character {start}, in {shown}"


def _last_word(text: str) -> str:
    return "" if not text or text[-1].isspace() else text.split()[-1]


def _first_word(text: str) -> str:
    return "" if not text or text[0].isspace() else text.split()[0]
