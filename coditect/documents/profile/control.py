"""Lines of document control that run on: "Owner: CISO Version: 2.1 Approved: 3 March 2025", wrapped or not.

A label stands at the beginning of a line elsewhere. Where several stand in a line, each with its colon, each is read as if it began
one. White space is exchanged for other white space, so that every character stays at its offset.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from coditect.language.tables import read_table

__all__ = ["part_control_lines"]

_PROFILES = read_table("profiles")
_ENTRIES = (
    "next_review", "effective_from", "effective_to", "dated", "owner", "edition", "superseding", "approval", "control_labels",
)  # fmt: skip
_BEGINS = r"(?<![^\s*_|(\[])[*_]{0,3}"


def _label(space: str) -> re.Pattern[str]:
    labels = "|".join(_PROFILES.pattern(each, space=space) for each in _ENTRIES)
    return re.compile(rf"{_BEGINS}(?:{labels})[*_]{{0,3}}[ \t]?[:：]", re.IGNORECASE)


_LABEL, _WRAPPED = _label(r"[ \t]+"), _label(r"\s+")
_FEWEST = 2
"""Labels in a line that tell that it is one of document control, at least."""

CONTROL_CHARS = 6_000
"""Characters from the beginning within which document control stands."""


def part_control_lines(head: str) -> str:
    """A text in whose lines of document control each label begins a line; as long as before.

    Args:
        head: the beginning of a text, as it is matched.
    """
    parts = re.split(r"(\n[ \t]*\n)", head[:CONTROL_CHARS])
    return "".join(map(_parted, parts)) + head[CONTROL_CHARS:]


def _parted(paragraph: str) -> str:
    """A paragraph with line ends before its labels; as it is where none of its lines runs on."""
    lines = [match.span() for match in re.finditer(r"[^\n]+", paragraph)]
    held = [_held(paragraph[start:end], start) for start, end in lines]
    if not _runs_on(paragraph, lines, held):
        return paragraph
    labels = _labels(paragraph, lines, held)
    made = list(paragraph)
    for number, ((_, at), (start, end)) in enumerate(pairwise(lines), 1):
        inside = any(begin < at < stop for begin, stop in labels)
        before = next((stop for _, stop in reversed(labels) if stop <= at), None)
        opened = before is not None and not paragraph[before:at].strip()
        first = next((begin for begin, _ in labels if start <= begin < end), None)
        wraps = first is not None and paragraph[start:first].strip() and _many(held, number)
        if inside or opened or wraps:
            made[at] = " "
    for begin, _ in labels:
        if begin and made[begin - 1] in " \t":
            made[begin - 1] = "\n"
    return "".join(made)


def _held(line: str, start: int) -> list[int]:
    """Where the labels of a line begin; none of a table's row, whose cells are read by themselves."""
    return [] if " | " in line else [start + match.start() for match in _LABEL.finditer(line)]


def _labels(paragraph: str, lines: Sequence[tuple[int, int]], held: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Where labels stand; one over a line's end only behind another of its line: "Policy" above "Owner:" is no label."""
    wide = [match.span() for match in _WRAPPED.finditer(paragraph)]
    crossing = [
        (begin, stop)
        for (start, end), starts in zip(lines, held, strict=True)
        for begin, stop in wide
        if start <= begin < end < stop and any(each < begin for each in starts)
    ]
    plain = [start for starts in held for start in starts if not any(a <= start < b for a, b in crossing)]
    found = [match.span() for start in plain if (match := _LABEL.match(paragraph, start))]
    return sorted([*found, *crossing])


def _runs_on(paragraph: str, lines: Sequence[tuple[int, int]], held: Sequence[Sequence[int]]) -> bool:
    """Whether a line holds several labels, and one begins it or the line before."""
    begins = [bool(own) and not paragraph[line[0] : own[0]].strip() for line, own in zip(lines, held, strict=True)]
    either = (one or other for one, other in zip(begins, [False, *begins], strict=False))
    return any(opens and len(own) >= _FEWEST for opens, own in zip(either, held, strict=True))


def _many(held: Sequence[Sequence[int]], number: int) -> bool:
    """Whether a line or the one before it holds several labels."""
    return any(len(starts) >= _FEWEST for starts in held[number - 1 : number + 1])
