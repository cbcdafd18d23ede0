"""The figures of a difference as a claim prints them: with the words that make them the least or the most."""

from __future__ import annotations

import re

from coditect.language.matched import as_matched
from coditect.language.quantities.comparators import comparator_before
from coditect.tiers.findings.conflicts.opposed.told import Side

__all__ = ["as_bounded", "bounded"]

_BEYOND = frozenset(("more_than", "less_than"))
_DENIED = re.compile(r"\b(?:no|not|never|none|nobody|neither|nor|without|cannot)\b|n[’']t\b", re.IGNORECASE)


def bounded(side: Side) -> str:
    """What a side fixes, as printed, with the words before it that make it the least or the most: "no less than six years".

    "More than" behind a "no" further ahead ("no cabin may carry more than 15") would say the reverse alone, and is left out.
    """
    words, line, start = _before_figure(side)
    if words in _BEYOND and _DENIED.search(line, 0, start):
        return side.says
    return as_bounded(side)


def as_bounded(side: Side) -> str:
    """The same with whatever words compare it, as claims printed it before wording 17."""
    _, line, start = _before_figure(side)
    at = line.find(side.says)
    return f"{line[start:at]}{side.says}" if 0 <= start < at else side.says


def _before_figure(side: Side) -> tuple[str, str, int]:
    """What the words before a side's figure make it, its sentence on one line, and where they start in it; -1: it is not there."""
    line = " ".join(as_matched(side.statement.sentence.text).split())
    at = line.find(side.says)
    if at < 0:
        return "", line, -1
    words, start, _ = comparator_before(line, 0, at)
    return words, line, start
