"""Lines of document control that run on: "Owner: CISO Version: 2.1 Approved: 3 March 2025", wrapped or not.

A label stands at the beginning of a line elsewhere. Where several stand in a line, each with its colon, each is read as if it began
one; so is one behind a mark that parts the line ("Version 2.1 · Owner: CISO", "Version 1.4, in force from 1 May 2026"). A character
is exchanged for one other, so that every one stays at its offset.
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


def _parting() -> re.Pattern[str]:
    """A mark behind which a label stands: a dot or bullet; a comma or dash in front of a label with its value."""
    every = "|".join(_PROFILES.pattern(each, space=r"[ \t]+") for each in _ENTRIES)
    valued = "|".join(_PROFILES.pattern(each, space=r"[ \t]+") for each in _VALUED)
    return re.compile(
        rf"[·•][ \t]*(?=[*_]{{0,3}}(?:{every})\b)"
        rf"|(?:,|;|[ \t][-–—])[ \t]+(?=[*_]{{0,3}}(?:{valued})[*_]{{0,3}}[ \t]*[:：]?[ \t]*(?:the[ \t]+)?(?:\d|{_MONTH}))",
        re.IGNORECASE,
    )


_VALUED = ("next_review", "effective_from", "effective_to", "dated", "edition")
_MONTH = read_table("time").pattern("month_forms")
_MONTHS = rf"(?:{_MONTH})"
_PARTING = _parting()
_DAY = (
    rf"\d{{1,2}}[ ]{_MONTHS}[ ]\d{{4}}|{_MONTHS}[ ](?:\d{{1,2}},?[ ])?\d{{4}}"
    r"|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{4}"
)
_FIRST = re.compile(
    rf"[ \t*_#]*(?:{'|'.join(_PROFILES.pattern(each, space='[ ]') for each in _VALUED)})[*_]*[ \t]*[:：]?[ \t]*"
    rf"(?:v?\.?\d{{1,3}}(?:\.\d{{1,3}}){{0,3}}[a-z]?|{_DAY})[ \t]*(?:[,;]|[-–—][ \t])",
    re.IGNORECASE,
)
"""A line that begins with a label, its value, and a mark behind it; a sentence goes on with a verb."""

_LONGEST = 240
"""Code points of a line of document control, at most."""

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
    controlled = "\n".join(map(_marked, head[:CONTROL_CHARS].split("\n")))
    parts = re.split(r"(\n[ \t]*\n)", controlled)
    return "".join(map(_parted, parts)) + head[CONTROL_CHARS:]


def _marked(line: str) -> str:
    """A line with a line end in the place of each mark behind which a label stands."""
    if len(line) > _LONGEST or " | " in line:
        return line
    begins = _FIRST.match(line) is not None
    if not begins and "·" not in line and "•" not in line:
        return line
    made = list(line)
    for mark in _PARTING.finditer(line):
        if begins or mark[0][0] in "·•":
            made[mark.start() + mark[0].index(mark[0].strip())] = "\n"
    return "".join(made)


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
