"""Headings that name a division and a section of it in one: "Article I - Section VIII", "ARTICLE 9, SECTION 3. REST".

By-laws and charters print them so where each section repeats its article: both numbers cite what stands below. Where an article
is named once, in front of the first of its sections ("ARTICLE II. Section 1. Dues" above "Section 2. Fees"), the two are labels
of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from coditect.documents.source import Block
from coditect.documents.structure.labels import WHOLE, LabelCandidate, LabelReading, parse_label
from coditect.documents.structure.series.beginnings import is_apart
from coditect.language.patterns.places import line_matches

__all__ = ["whole_headings", "whole_paths"]

_NUMBER = r"(?:[0-9]{1,3}[A-Z]?|[IVXLC]{1,7}|[A-Z])(?![0-9A-Za-z])(?!\.[0-9])"
_PATH = re.compile(
    r"(?:\A|(?<=\n))[ \t\xa0]{0,40}(?P<label>(?P<outer>(?:Article|ARTICLE|Art\.|ART\.|Chapter|CHAPTER|Part|PART|Title|TITLE)"
    rf"[ \t\xa0]{{1,4}}{_NUMBER})[ \t\xa0]*[-–—,:./|]?[ \t\xa0]*"
    rf"(?P<inner>(?:(?:Section|SECTION|Sec\.|SEC\.|Article|ARTICLE|Clause|CLAUSE)[ \t\xa0]{{1,4}}|§[ \t\xa0]{{0,3}}){_NUMBER}))"
    r"(?P<stop>\.?)(?=[ \t\xa0]*(?:[-–—:.][ \t\xa0]*)?(?:\n|\Z|[A-Z\"“(\[]|[a-z]{3,20}[ \t\xa0]*(?:\n|\Z)))"
)
_SECTION = re.compile(rf"(?:\A|\n)[ \t\xa0]*(?:Section|SECTION|Sec\.|SEC\.|§)[ \t\xa0]{{0,4}}{_NUMBER}")


def whole_paths(text: str, spans: Sequence[tuple[int, int]]) -> list[LabelCandidate]:
    """The labels of such headings in running text, in order.

    Args:
        text: the canonical text.
        spans: the stretches that are searched, half-open, in order.

    Returns:
        Candidates at a line's start, for the sequence to place. Time is linear in the text.
    """
    matches = [each for start, end in spans for each in line_matches(_PATH, text, start, end)]
    return _whole(text, [_candidate(each) for each in matches if is_apart(text, each.start("label"))])


def whole_headings(text: str, blocks: Sequence[Block]) -> dict[int, LabelCandidate]:
    """The labels of such headings of the format, by the heading's first code point.

    Args:
        text: the canonical text.
        blocks: its blocks.
    """
    headings = [block for block in blocks if block.marks_section]
    found = [_candidate(match) for each in headings if (match := _PATH.match(text, each.start, each.end))]
    return {each.start: each for each in _whole(text, found)}


def _candidate(found: re.Match[str]) -> LabelCandidate:
    outer, inner = (_reading(found[part]) for part in ("outer", "inner"))
    division = outer.style.partition(" ")[0].partition(":")[0]
    reading = LabelReading(f"{WHOLE}{division}", (*outer.path[:1], *inner.path[:1]), max(outer.rank, 1))
    label = " ".join(found["label"].split())
    return LabelCandidate(found.start("label"), found.end("stop"), label, (reading,), "line")


def _reading(label: str) -> LabelReading:
    """The likelier reading of a division's label; a numeral that is none counts for itself."""
    candidate = parse_label(label)
    return candidate.readings[0] if candidate is not None else LabelReading(label.casefold(), (label,), 1)


def _whole(text: str, found: list[LabelCandidate]) -> list[LabelCandidate]:
    """The labels, where two neighbours are of one division, or where no section has a label of its own."""
    paths = [each.readings[0].path for each in found]
    is_repeated = any(first[0] == second[0] and first != second for first, second in pairwise(paths))
    return found if is_repeated or (found and _SECTION.search(text) is None) else []
