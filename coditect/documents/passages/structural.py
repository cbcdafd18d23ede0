"""Structural passages: the unit that Tier 2 summarises.

The text is cut at every section start and around tables, cuts that are too long are cut again at paragraphs, then
sentence ends, then words, and neighbours are joined up to a target size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from coditect.documents.passages.atoms import layout_runs
from coditect.documents.source import SourceText, without_space
from coditect.documents.structure.outline import OutlineSection
from coditect.errors import UsageError

__all__ = ["PassageKind", "StructuralPassage", "passages"]

PassageKind = Literal["text", "table", "list", "heading_only"]

# Where a long stretch may be cut, the best place first. Each pattern ends where the next piece begins.
_BREAKS = (
    re.compile(r"\n[ \t\xa0]*\n\s*"),
    re.compile(r"\n\s*"),
    re.compile(r"[.;:?!][\"”’)\]]?\s+"),
    re.compile(r"\s+"),
)


@dataclass(frozen=True, slots=True)
class StructuralPassage:
    """A stretch of text to be summarised or retrieved as one.

    Attributes:
        start: first code point; never white space.
        end: one past the last code point; ``text[end - 1]`` is never white space.
        section: index of the smallest section that contains it.
        kind: "table" and "list" if all of its body is, "heading_only" if there is no body, else "text".
    """

    start: int
    end: int
    section: int
    kind: PassageKind


def passages(
    source: SourceText,
    sections: Sequence[OutlineSection],
    *,
    target_chars: int = 2400,
    max_chars: int = 6000,
    min_chars: int = 400,
) -> tuple[StructuralPassage, ...]:
    """Cut a document into passages along its structure.

    They are in order, do not overlap, and together hold every character that is not white space. None is longer than
    ``max_chars``. One crosses a top-level section only if the part before the border is shorter than ``min_chars``.

    Args:
        source: the text.
        sections: its outline, from :func:`coditect.documents.structure.outline.outline`.
        target_chars: small neighbours are joined up to this many code points.
        max_chars: no passage is longer.
        min_chars: shorter ones are joined where the target allows.
    Raises:
        UsageError: unless 1 <= min_chars <= target_chars <= max_chars.
    """
    if not 1 <= min_chars <= target_chars <= max_chars:
        raise UsageError(
            "passage sizes are out of order",
            hint="give 1 <= min_chars <= target_chars <= max_chars",
            min_chars=min_chars,
            target_chars=target_chars,
            max_chars=max_chars,
        )
    text = source.text
    pieces: list[StructuralPassage] = []
    for piece in _pieces(source, sections):
        if piece.end - piece.start <= max_chars:
            pieces.append(piece)
        else:
            pieces.extend(
                StructuralPassage(a, b, piece.section, piece.kind)
                for a, b in _split(text, piece.start, piece.end, target_chars)
            )
    return tuple(_joined(pieces, sections, target_chars, min_chars))


def _pieces(source: SourceText, sections: Sequence[OutlineSection]) -> Iterator[StructuralPassage]:
    """The text cut at every section start and end and at the borders of tables and lists, trimmed, none empty."""
    text = source.text
    runs = layout_runs(source)
    run = 0
    for first, end, section in _own_stretches(text, sections):
        body = sections[section].body_start if section else 0
        start = first
        while start < end:
            while run < len(runs) and runs[run].end <= start:
                run += 1
            stop: int = end
            kind: PassageKind = "text"
            if run < len(runs):
                if runs[run].start <= start:
                    stop, kind = min(end, runs[run].end), runs[run].kind
                else:
                    stop = min(end, runs[run].start)
            a, b = without_space(text, start, stop)
            if a < b:
                yield StructuralPassage(a, b, section, "heading_only" if b <= body and kind == "text" else kind)
            start = stop


def _own_stretches(text: str, sections: Sequence[OutlineSection]) -> Iterator[tuple[int, int, int]]:
    """(start, end, index of the innermost section) of consecutive stretches that cover the text."""
    position = 0
    stack = [0]
    for index in range(1, len(sections)):
        start = sections[index].start
        while stack[-1] != sections[index].parent:
            closed = stack.pop()
            if position < sections[closed].end:
                yield position, sections[closed].end, closed
                position = sections[closed].end
        if position < start:
            yield position, start, stack[-1]
            position = start
        stack.append(index)
    while stack:
        closed = stack.pop()
        if position < sections[closed].end:
            yield position, sections[closed].end, closed
            position = sections[closed].end


def _split(text: str, start: int, end: int, target: int, level: int = 0) -> Iterator[tuple[int, int]]:
    """Pieces of at most ``target`` code points, trimmed, cut at the best kind of break that does it."""
    if level == len(_BREAKS):
        for a in range(start, end, target):
            yield a, min(end, a + target)
        return
    begin = start
    last = start
    ends = [m.end() for m in _BREAKS[level].finditer(text, start, end)]
    for stop in (*ends, end):
        if stop - begin > target and last > begin:
            yield from _cut(text, begin, last, target, level)
            begin = last
        last = stop
    if begin < end:
        yield from _cut(text, begin, end, target, level)


def _cut(text: str, start: int, end: int, target: int, level: int) -> Iterator[tuple[int, int]]:
    start, end = without_space(text, start, end)
    if end - start > target:
        yield from _split(text, start, end, target, level + 1)
    elif start < end:
        yield start, end


def _joined(
    pieces: Sequence[StructuralPassage], sections: Sequence[OutlineSection], target: int, least: int
) -> Iterator[StructuralPassage]:
    tops = _top_levels(sections)
    current: StructuralPassage | None = None
    for piece in pieces:
        if current is not None and _may_join(current, piece, sections, tops, target, least):
            kind = _joined_kind(current.kind, piece.kind)
            current = StructuralPassage(
                current.start, piece.end, _common(current.section, piece.section, sections), kind
            )
            continue
        if current is not None:
            yield current
        current = piece
    if current is not None:
        yield current


def _may_join(
    current: StructuralPassage,
    piece: StructuralPassage,
    sections: Sequence[OutlineSection],
    tops: Sequence[int],
    target: int,
    least: int,
) -> bool:
    if piece.end - current.start > target:
        return False
    size = current.end - current.start
    if "table" in (current.kind, piece.kind) and current.kind not in (piece.kind, "heading_only") and size >= least:
        return False
    if tops[current.section] != tops[piece.section]:
        return size < least
    opens = sections[piece.section]
    # A section that is not deeper than what the passage is about, and would not fit whole, starts a passage of its own.
    is_new = opens.start == piece.start and opens.level <= max(1, sections[current.section].level)
    return not (is_new and size >= least and opens.end - current.start > target)


def _joined_kind(first: PassageKind, second: PassageKind) -> PassageKind:
    if first == "heading_only":
        return second
    return first if second in (first, "heading_only") else "text"


def _top_levels(sections: Sequence[OutlineSection]) -> list[int]:
    """For each section the index of its ancestor at level 1 (0 for the root)."""
    tops = [0] * len(sections)
    for index in range(1, len(sections)):
        parent = sections[index].parent
        tops[index] = tops[parent] if parent else index
    return tops


def _common(first: int, second: int, sections: Sequence[OutlineSection]) -> int:
    """The deepest section that holds both; a parent's index is always smaller than its children's."""
    while first != second:
        if first > second:
            first = sections[first].parent
        else:
            second = sections[second].parent
    return first
