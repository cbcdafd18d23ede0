"""Sentences and list groups of a canonical text, found by plain means: line ends, numbering, the format's own blocks.

Nothing here looks at the product's rules; what it finds wrongly is an odd unit, and an annotator says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from coditect.documents.source import SourceText

__all__ = ["GROUP_CHARS", "Line", "Segment", "find_segments", "read_lines_of", "split_sentences"]

GROUP_CHARS = 2600
"""A longer group is not one unit; the groups inside it are."""
_SENTENCE_CHARS = (12, 1200)
_LABEL_CHARS = 70

_ITEM = re.compile(r"(?:\(?([a-zA-Z]{1,5}|\d{1,3})\)\.?|([a-z]|\d{1,2})\.|([•▪●*–—-]))\s+(?=\S)")
_PATH = re.compile(r"[^\t]{1,70}\t")
_NUMBERED = re.compile(r"\d|\bPart\b|SECTION|Guidance|Schedule|Chapter|Article", re.IGNORECASE)
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi")
_ABBREVIATION = re.compile(
    r"(?:\b(?:No|Nos|Inc|Corp|Ltd|Co|Sec|Secs|Art|Mr|Mrs|Ms|Dr|St|vs|v|cf|e\.g|i\.e|al|Reg|para|paras|U\.S|U\.S\.C|D\.C|Fed|approx|pt|"
    r"Messrs|Jan|Feb|Aug|Sept|Oct|Nov|Dec|Exh|Ex|N\.A|L\.P|S\.A|p\.m|a\.m)|\b[A-Z]|^\W*\d{1,3}(?:\.\d+)*|[( ]\d{1,2}(?:\.\d+)+)\.$"
)
_END = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9{])")
_LEADS = re.compile(r"[:—–-]\s*$|(?::|—|–)\s*(?:and|or)?\s*$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text: ``label`` is its numbering, ``marks`` how that may be read as (series, ordinal)."""

    start: int
    end: int
    label: str
    marks: tuple[tuple[str, int], ...]
    kind: Literal["heading", "path", "item", "bullet", "text"]
    level: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A candidate unit: ``line`` is the index of its first line; ``depth`` 0 for a sentence, else how deep its list goes."""

    start: int
    end: int
    line: int
    depth: int = 0
    tail: bool = False


def read_lines_of(source: SourceText) -> list[Line]:
    """The lines of a text that hold something, each with its numbering."""
    kinds = sorted((b.start, b.end, b.kind, b.level) for b in source.blocks if b.kind in ("heading", "list_item"))
    lines, position, block = [], 0, 0
    for raw in source.text.split("\n"):
        start, end = position + len(raw) - len(raw.lstrip()), position + len(raw.rstrip())
        position += len(raw) + 1
        if end <= start:
            continue
        while block < len(kinds) and kinds[block][1] <= start:
            block += 1
        inside = block < len(kinds) and kinds[block][0] <= start < kinds[block][1]
        lines.append(_line(source.text, start, end, *(kinds[block][2:] if inside else ("", 0))))
    return lines


def _line(text: str, start: int, end: int, kind: str, level: int) -> Line:
    content = text[start:end]
    if kind == "heading":
        return Line(start, end, "", (), "heading", level)
    if item := _ITEM.match(content):
        word = next(group for group in item.groups() if group)
        if marks := _marks(word):
            return Line(start, end, item.group().strip(), marks, "bullet" if marks[0][0] == "bullet" else "item", level)
    if (path := _PATH.match(content)) and _NUMBERED.search(path.group()):
        return Line(start, end, path.group().strip(), (), "path", 0)
    if kind == "list_item":
        return Line(start, end, "", ((f"bullet{level}", 0),), "bullet", level)
    if len(content) < 90 and not re.search(r"[.;:,?]$", content) and (content.isupper() or content.istitle()):
        return Line(start, end, "", (), "heading", 6)
    return Line(start, end, "", (), "text", 0)


def _marks(word: str) -> tuple[tuple[str, int], ...]:
    if word.isdigit():
        return (("number", int(word)),)
    if not word.isalnum():
        return (("bullet", 0),)
    case = "lower" if word.islower() else "upper"
    marks = []
    if word.lower() in _ROMAN:
        marks.append((f"roman {case}", _ROMAN.index(word.lower()) + 1))
    if len(set(word)) == 1 and len(word) <= 2:
        marks.append((f"letter {case}", ord(word[0].lower()) - 96 + 26 * (len(word) - 1)))
    return tuple(marks)


def split_sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of a stretch of text, each without the white space at its edges."""
    sentences, first = [], start
    for match in _END.finditer(text, start, end):
        dot = match.start() + 1
        if text[match.start()] == "." and _ABBREVIATION.search(text[first:dot]):
            continue
        if first == start and dot - start < _LABEL_CHARS and "\t" in match.group():
            continue  # the numbering of the line, not a sentence
        sentences.append((first, match.start() + len(match.group().rstrip())))
        first = match.end()
    if text[first:end].strip():
        sentences.append((first, end))
    return sentences


def find_segments(text: str, lines: Sequence[Line]) -> list[Segment]:
    """All candidate units of a text, in order, not overlapping."""
    segments: list[Segment] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        group = _group(text, lines, index)
        if group:
            last, depth, tail = group
            sentences = split_sentences(text, line.start, line.end)
            segments += [Segment(*sentence, index) for sentence in sentences[:-1]]
            first = sentences[-1][0]
            if lines[last].end - first <= GROUP_CHARS:
                segments.append(Segment(first, lines[last].end, index, depth, tail))
                index = last + 1
                continue
            segments.append(Segment(*sentences[-1], index))
            index += 1
            continue
        last = _paragraph_end(text, lines, index)
        segments += [Segment(*sentence, index) for sentence in split_sentences(text, line.start, lines[last].end)]
        index = last + 1
    low, high = _SENTENCE_CHARS
    return [s for s in segments if s.depth or low <= s.end - s.start <= high]


def _paragraph_end(text: str, lines: Sequence[Line], index: int) -> int:
    """The last line of a sentence that a line end or a page end cuts: it goes on in lower case."""
    while (
        index + 1 < len(lines)
        and lines[index].kind != "heading"
        and lines[index + 1].kind == "text"
        and text[lines[index + 1].start].islower()
        and text[lines[index].end - 1] not in ".;:?!"
    ):
        index += 1
    return index


def _group(text: str, lines: Sequence[Line], index: int) -> tuple[int, int, bool] | None:
    """The last line, depth and tail of the list that a line leads into; None where it leads into none."""
    lead = lines[index]
    if index + 1 >= len(lines) or lead.kind == "heading" or lines[index + 1].kind not in ("item", "bullet"):
        return None
    if not _LEADS.search(text[lead.start : lead.end]) and text[lead.end - 1] in ".;?!":
        return None
    if lines[index + 1].kind == "bullet" and not _LEADS.search(text[lead.start : lead.end]):
        return None
    if not any(ordinal <= 1 for _, ordinal in lines[index + 1].marks):
        return None
    if lead.kind == "bullet" and lines[index + 1].marks == lead.marks:
        return None
    open_series: list[tuple[str, int]] = []
    last, depth, tail = index, 0, False
    for number in range(index + 1, len(lines)):
        line = lines[number]
        if line.kind in ("item", "bullet"):
            placed = _place(open_series, line.marks, lead.marks)
            if placed is None:
                break
            open_series = placed
            depth = max(depth, len(open_series))
        elif line.kind == "text" and last > index and text[line.start].islower():
            tail = True
        else:
            break
        last = number
    return (last, depth, tail) if last > index + 1 or depth else None


def _place(
    open_series: list[tuple[str, int]], marks: tuple[tuple[str, int], ...], lead: tuple[tuple[str, int], ...]
) -> list[tuple[str, int]] | None:
    """The open series once an item is placed in them; None where it belongs to a list outside."""
    for depth in range(len(open_series), 0, -1):
        series, ordinal = open_series[depth - 1]
        for mark in marks:
            if mark[0] == series and (mark[1] == ordinal + 1 or series.startswith("bullet")):
                return [*open_series[: depth - 1], mark]
    taken = {series for series, _ in open_series}
    for mark in marks:
        outside = any(mark[0] == series and not series.startswith("bullet") for series, _ in lead)
        if mark[1] <= 1 and mark[0] not in taken and not outside:
            if mark[0].startswith("bullet") and any(mark[0] <= series for series, _ in lead if series[:6] == "bullet"):
                return None
            return [*open_series, mark]
    return None
