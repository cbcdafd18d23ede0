"""Headings of requirements that are cited by a code, in running text: "AC-2(7) Privileged accounts", "CC6.1 Access".

A code looks like a name with a number ("COVID-19"). It is a heading's where it is one of a row: several codes of one family, each
with a title behind it, alone on lines of their own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from coditect.documents.structure.labels import CODE_RANK, LabelCandidate, LabelReading

__all__ = ["coded_headings"]

_CODED = re.compile(
    r"(?:\A|(?<=\n))[ \t\xa0]{0,40}(?P<label>(?P<family>[A-Z]{2,5}(?:\.[A-Z]{2,3})?)(?P<sign>-?)"
    r"(?P<number>[0-9]{1,3}(?:\.[0-9]{1,3}){0,3})"
    r"(?:\((?P<inside>[0-9]{1,3})\))?)[ \t\xa0]*[:.–—-]?[ \t\xa0]{1,8}(?P<title>[A-Z][^\n]{2,110}?)[ \t\xa0]*(?=\n|\Z)"
)
_LEAST = 3
"""Headings that a family must have."""


def coded_headings(text: str, spans: Sequence[tuple[int, int]]) -> list[LabelCandidate]:
    """The codes that headings on lines of their own begin with, in order.

    Args:
        text: the canonical text.
        spans: the stretches that are searched, half-open, in order.

    Returns:
        Candidates at a line's start, for the sequence to place. Time is linear in the text.
    """
    families: dict[tuple[str, str], list[LabelCandidate]] = defaultdict(list)
    for start, end in spans:
        for found in _CODED.finditer(text, start, end):
            if not found["sign"] and "." not in found["number"]:
                continue
            if found["title"].endswith((".", ";", ",", ":")) or not _is_apart(text, found.start("label")):
                continue
            numbers = [int(part) for part in found["number"].split(".")]
            path = (*numbers, int(found["inside"])) if found["inside"] else tuple(numbers)
            reading = LabelReading(f"code {found['family']}:{len(path)}", path, CODE_RANK)
            candidate = LabelCandidate(found.start("label"), found.end("label"), found["label"], (reading,), "line")
            families[found["family"], found["sign"]].append(candidate)
    kept = [each for row in families.values() if len({c.label for c in row}) >= _LEAST for each in row]
    return sorted(kept, key=lambda each: each.start)


def _is_apart(text: str, at: int) -> bool:
    """Whether what stands before has ended."""
    before = text[max(0, at - 80) : at].rstrip(" \t\xa0")
    return before == "" or before.endswith("\n\n") or before.rstrip()[-1:] in ".;:!?"
