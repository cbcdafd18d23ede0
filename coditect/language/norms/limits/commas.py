"""Where a phrase meets its comma, and white space."""

from __future__ import annotations

import re

__all__ = ["comma_at", "skip_blank"]

_YEAR = re.compile(r"\d,\s+(?:19|20)\d\d\b")  # "13 October, 2006", "October 13, 2006"


def skip_blank(text: str, at: int, hi: int) -> int:
    """The first place from ``at`` on that is no white space, at most ``hi``."""
    while at < hi and text[at].isspace():
        at += 1
    return at


def comma_at(text: str, lo: int, hi: int) -> int:
    """The first comma outside of brackets, or ``hi``."""
    depth = 0
    for at in range(lo, hi):
        char = text[at]
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth <= 0 and text[at + 1 : at + 2].isspace() and not _YEAR.match(text, at - 1):
            return at
    return hi
