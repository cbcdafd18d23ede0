"""Passages of a law that lay nothing down: its recitals, and words of other laws that it changes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

__all__ = ["binds", "unbinding_passages"]

_I = re.IGNORECASE
_WHEREAS = re.compile(r"^[^\S\n]*whereas[^\S\n]*:[^\S\n]*$", _I | re.MULTILINE)
_ENACTED = re.compile(
    r"^[^\S\n]*(?:(?:have|has)\s+(?:adopted|agreed|decided|enacted)\b|(?:article|section|§)\s*1\b|chapter\s+(?:1|I)\b)",
    _I | re.MULTILINE,
)
_CHANGES = re.compile(
    r"\b(?:replaced|substituted|amended|inserted|added|read(?:s)?)\b[^:‘’“”\n]{0,80}:\s*(?P<open>[‘“])", _I
)
_LAW = re.compile(r"\b(?:Regulation|Directive|Act|Decision|Code|Law|Ordinance|Statute)s?\b")
_CLOSING = {"‘": re.compile(r"’[.;,]?[^\S\n]*(?:\n|\Z)"), "“": re.compile(r"”[.;,]?[^\S\n]*(?:\n|\Z)")}
_NEAR = 400
"""Code points in front of what is changed in which the law is named that is changed."""

_MOST = 40_000
"""Code points of words of another law at one place, at most."""


def unbinding_passages(text: str) -> list[tuple[int, int]]:
    """Where a text gives its reasons, or the words that another law is to have, in order: no norm of its own stands there.

    Recitals begin with a line "Whereas:" and end where the act is adopted, or with its first article. What changes a contract is
    not meant: it binds the parties who sign it.

    Args:
        text: of a document.
    """
    found: list[tuple[int, int]] = []
    for begin in _WHEREAS.finditer(text):
        end = _ENACTED.search(text, begin.end())
        if end is not None and (not found or begin.start() >= found[-1][1]):
            found.append((begin.start(), end.start()))
    for change in _CHANGES.finditer(text):
        start = change.start("open")
        closing = _CLOSING[change["open"]].search(text, start, start + _MOST)
        if closing is not None and _LAW.search(text, max(0, start - _NEAR), start):
            found.append((start, closing.end()))
    return sorted(found)


def binds(passages: Sequence[tuple[int, int]], start: int) -> bool:
    """Whether a sentence stands outside of all passages that lay nothing down.

    Args:
        passages: from :func:`unbinding_passages`.
        start: first code point of the sentence.
    """
    at = bisect_right(passages, start, key=lambda each: each[0]) - 1
    return at < 0 or start >= passages[at][1]
