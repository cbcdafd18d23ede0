"""Sections whose number has several parts and stands with the first of their subsections: "3.1(1) A keeper" above "(2) A clerk".

Such a number with brackets is the whole path of a provision elsewhere ("3.1(1)", then "3.1(2)"). It is that of a section with
its first subsection where the second one stands on a line of its own further down, before the next such number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.documents.structure.labels import LabelCandidate, parse_label
from coditect.language.patterns.places import line_matches

__all__ = ["first_paragraphs"]

_FIRST = re.compile(
    r"(?:\A|(?<=\n))[ \t\xa0]{0,40}(?P<label>\d{1,3}(?:\.\d{1,3}){1,4})(?P<inner>\((?P<mark>1|a|A)\))[ \t\xa0]+(?=[A-Z\"“\[])"
)
_NEXT = {"1": "2", "a": "b", "A": "B"}
_BEGINS = re.compile(r"\n[ \t\xa0]*(?:\d{1,3}(?:\.\d{1,3}){1,4}(?P<dotted>[ \t\xa0.(])|\((?P<mark>2|b|B)\)[ \t\xa0])")
_LONGEST = 4_000


def first_paragraphs(text: str, spans: Sequence[tuple[int, int]]) -> list[LabelCandidate]:
    """The numbers of such sections, each with the label of its first subsection behind it, in order.

    Args:
        text: the canonical text.
        spans: the stretches that are searched, half-open, in order.

    Returns:
        Candidates at a line's start, for the sequence to place. Time is linear in the text.
    """
    found: list[LabelCandidate] = []
    for start, end in spans:
        for first in line_matches(_FIRST, text, start, end):
            following = _BEGINS.search(text, first.end(), min(end, first.end() + _LONGEST))
            section, inner = parse_label(first["label"]), parse_label(first["inner"])
            if following is None or following["mark"] != _NEXT[first["mark"]] or section is None or inner is None:
                continue
            at, behind = first.start("label"), first.start("inner")
            found.append(LabelCandidate(at, behind, section.label, section.readings, "line"))
            found.append(LabelCandidate(behind, first.end("inner"), inner.label, inner.readings, "line"))
    return found
