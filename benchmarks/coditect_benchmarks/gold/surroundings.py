"""What stands around a unit: the headings and provisions that it lies under, and some text before and after it."""

from __future__ import annotations

from collections.abc import Sequence

from coditect_benchmarks.gold.records import Span
from coditect_benchmarks.gold.segments import Line, Segment

__all__ = ["text_after", "text_before", "trace_path"]

_ANCESTOR_CHARS = 240
_BEFORE = (3, 500)
_AFTER = (2, 280)


def trace_path(lines: Sequence[Line], segment: Segment) -> tuple[Span, ...]:
    """The headings and numbered provisions above a unit, outermost first; each cut after 240 code points.

    A provision is taken for an ancestor when it is the nearest line before whose numbering is of another series.
    """
    found: list[Line] = []
    line = lines[segment.line]
    series = {name for name, _ in line.marks}
    level, path_seen = 7, line.kind == "path"
    if segment.start > line.start:
        found.append(line)
    for above in reversed(lines[max(0, segment.line - 400) : segment.line]):
        if above.kind == "heading":
            if above.level < level:
                found.append(above)
                level = above.level
            if level <= 1:
                break
            continue
        if path_seen or not series or level < 7:
            continue
        if above.kind == "path":
            found.append(above)
            path_seen = True
        elif above.kind in ("item", "bullet") and not series & {name for name, _ in above.marks}:
            if above.marks and above.marks[0][0].startswith("bullet"):
                continue
            found.append(above)
            series |= {name for name, _ in above.marks}
        elif above.kind == "text" and line.kind == "bullet":
            found.append(above)
            path_seen = True
    return tuple((a.start, min(a.end, a.start + _ANCESTOR_CHARS)) for a in reversed(found))


def text_before(text: str, lines: Sequence[Line], segment: Segment) -> Span:
    """Up to three lines before a unit, at most 500 code points, from the start of a word."""
    count, chars = _BEFORE
    first = lines[segment.line].start
    if segment.start == first:
        first = lines[max(0, segment.line - count)].start
    if segment.start - first > chars:
        first = segment.start - chars
        while first < segment.start and not text[first - 1].isspace():
            first += 1
    end = segment.start
    while end > first and text[end - 1].isspace():
        end -= 1
    return first, end


def text_after(text: str, lines: Sequence[Line], segment: Segment) -> Span:
    """Up to two lines after a unit, at most 280 code points, to the end of a word."""
    count, chars = _AFTER
    start = segment.end
    while start < len(text) and text[start].isspace():
        start += 1
    later = [line.end for line in lines[segment.line :] if line.end > start][:count]
    end = max(start, min(later[-1] if later else start, start + chars))
    while start < end < len(text) and not text[end].isspace():
        end -= 1
    return start, end
