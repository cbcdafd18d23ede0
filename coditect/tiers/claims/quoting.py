"""Quotes inside the sentences of Tier 4: on one line, as they are seen, without labels, and cut at a word where they are long."""

from __future__ import annotations

import re
from collections.abc import Mapping

from coditect.language.matched import as_seen

__all__ = ["LONGEST_QUOTE", "LONGEST_SIDE", "around", "quoted", "seen", "side", "without_label"]

LONGEST_QUOTE = 320
LONGEST_SIDE = 240
AROUND = 140
"""Characters that are quoted, at most; of a side of a reported difference; and on either side of a reference in a long sentence."""

_LABEL = re.compile(r"^(?:[•*–-]\s+|(?:\d+(?:\.\d+)*[.)]?|\([a-z\d]{1,4}\)|[a-z]\))\s+)+(?=\S)")
_RULE_LINE = re.compile(r"^(?:[-=_*~]{3,}\s+(?:\*\s+)?)+|\s\*$")
"""The line under a heading, and the mark of the next item, where the reader of a text kept them with the sentence."""


def quoted(text: str, most: int = LONGEST_QUOTE) -> str:
    """A text in quotation marks, on one line and without its label and what prints nothing; cut at a word where it is long.

    Its own quotation marks become single ones, as usual in print; the checker reads both alike.
    """
    line = _LABEL.sub("", _RULE_LINE.sub("", _line(text))).replace("“", "‘").replace("”", "’")
    line = line if len(line) <= most else line[:most].rsplit(" ", 1)[0] + " …"
    return f"“{line}”"


def without_label(text: str) -> str:
    """A text on one line, without its label."""
    return _LABEL.sub("", " ".join(text.split()))


def _line(text: str) -> str:
    """A text as it is seen, on one line."""
    return " ".join(as_seen(text).split())


def around(text: str, needle: str) -> str:
    """The words around some word, in quotation marks, where the whole text is too long to quote."""
    line = _line(text)
    at = line.find(_line(needle))
    if len(line) <= LONGEST_QUOTE or at < 0:
        return quoted(text)
    first = line.find(" ", max(0, at - AROUND)) + 1 if at > AROUND else 0
    last = line.rfind(" ", 0, at + AROUND) if at + AROUND < len(line) else len(line)
    return f"{quoted(line[first:last])[:-1]} …”" if last < len(line) else quoted(line[first:last])


def side(quote: str) -> str:
    """A quote between quotation marks: on one line, cut where it is long, and before marks of its own."""
    line = _line(quote)
    for mark in "“”":
        line = line.partition(mark)[0] if line.find(mark) > LONGEST_SIDE // 4 else line.replace(mark, "'")
    return line if len(line) <= LONGEST_SIDE else line[:LONGEST_SIDE].rsplit(" ", 1)[0] + "…"


def seen(words: Mapping[str, str]) -> dict[str, str]:
    """Words that were read from a text, as they are seen."""
    return {name: as_seen(each) for name, each in words.items()}
