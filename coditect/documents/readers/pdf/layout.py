"""Which lines of a PDF belong together: paragraphs, table rows, list items, hyphenation.

Every rule looks at what a typesetter did: a paragraph ends where its last line is short, where the gap to the next line
is wider than between lines, or where the next line is indented or starts a list item.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from coditect.documents.places import encode_places
from coditect.documents.readers.pdf.columns import with_columns
from coditect.documents.readers.pdf.placing import Box, Frame, Placed, joined, placed_pages, placed_words
from coditect.documents.readers.pdf.printed import CELLS, NUMERIC, Line, is_signed
from coditect.documents.readers.pdf.running import without_running_lines
from coditect.documents.readers.pdf.terms import with_rows_of_terms
from coditect.documents.source import Block, BlockKind, PageSpan

__all__ = ["Line", "Word", "assemble", "split_words"]

Word = tuple[str, Box | None]
"""Characters, and (left, bottom, right, top) in points, origin at the lower left; None where positions are unknown."""

_BULLETS = "•●▪■◦‣⁃–—☐☒☑✓✔·o¨"
_ITEM = re.compile(
    rf"(?:[{_BULLETS}]|\((?:[a-zA-Z]{{1,2}}|[ivxIVX]{{1,5}}|\d{{1,3}})\)|\d{{1,3}}[.)]|[a-zA-Z][.)])(?=\s|$)"
)
_DASHED = re.compile(r"-\s+\w")  # as often a dash inside a sentence as the mark of an item
_FEWEST_DASHED = 2
_MARKER = re.compile(r"(?:(?:item|section|article|exhibit)\s)?\d{1,3}[A-Z]?(?:\.\d{1,3})*[.)]?", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:§+\s?)?\d{1,3}(?:\.\d{1,3})*[.)]?\s+[A-Z\"“]")
_RUN_IN = re.compile(r"[A-Z][\w'’/() -]{1,40}:\s")  # "Curd: the solid part of milk"
_NUMBER_ALONE = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,5}")
_MOST_TITLE_WORDS = 8
_NUMERIC_SHARE = 0.25
_TERMINAL = re.compile(r"[.!?:;][\"'”’)\]]*$")
_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LINE_END_HYPHEN = re.compile(r"([^\W\d_]+)-$")
_COMPOUND_PREFIXES = frozenset({"co", "non", "self"})
_WIDE_GAP = 2.5  # of the line's height, between words: cells of a table
_PARAGRAPH_GAP = 1.3  # of the page's usual distance between lines
_LEADING = 1.35  # of the line's height: lines of a paragraph that is set solid are not further apart
_INDENT_PT = 8.0
_COLUMN_PT = 40.0  # how far the left ends of one column's lines may be apart
_MIN_FULL_CHARS = 35
_NEARLY_FULL = 0.75  # of the column's width
_NEIGHBOURS = 4
_MARGINS = 12  # lines above and below by which the margins of a page are known


@dataclass(slots=True)
class _Paragraph:
    """Lines that were put together, each with its page number."""

    kind: BlockKind
    lines: list[tuple[int, Line]]


def split_words(words: Sequence[Word], shown: Sequence[Box | None] = ()) -> list[Line]:
    """Lines from the words that PDFium holds for one: a word further left and lower starts another.

    Args:
        words: in reading order; U+FFFE at the end of a word stands for a hyphen at the end of a line.
        shown: the whole box of each word, where it is known; its place in the text is kept with it.
    """
    lines: list[Line] = []
    first = 0
    for n in range(1, len(words) + 1):
        ends = n == len(words) or words[n - 1][0].endswith("\ufffe") or _is_below(words[n - 1][1], words[n][1])
        if ends:
            lines.extend(_line(words[first:n], shown[first:n]))
            first = n
    return lines


def _is_below(before: Box | None, after: Box | None) -> bool:
    if before is None or after is None:
        return False
    return after[0] < before[0] and before[1] - after[1] > 0.6 * (before[3] - before[1])


def _line(words: Sequence[Word], shown: Sequence[Box | None] = ()) -> list[Line]:
    text = _joined(words)
    if not text or text.isspace():
        return []
    item = _ITEM.match(text) is not None
    boxes = [box for _, box in words if box is not None]
    box = None
    gaps: list[int] = []
    if boxes:
        box = (boxes[0][0], min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
        wide = _WIDE_GAP * max(1.0, boxes[0][3] - boxes[0][1])
        gaps = [n for n, (left, right) in enumerate(pairwise(words), 1) if _distance(left, right) > wide]
        # The space after an enumerator ("(a)", "4.1", "Item 8.01") separates no cells.
        if gaps and (_MARKER.fullmatch(" ".join(word for word, _ in words[: gaps[0]])) or (item and gaps[0] == 1)):
            item = True
            del gaps[0]
    tokens = [NUMERIC.fullmatch(token) is not None for token in text.split()]
    numeric = len(tokens) > 2 and all(tokens[-2:]) and sum(tokens) >= _NUMERIC_SHARE * len(tokens)
    borders = [n for n in gaps if not is_signed(words[n - 1][0], words[n][0])]
    if borders:
        text = CELLS.join(_joined(words[start:end]) for start, end in pairwise((0, *borders, len(words))))
    return [Line(text, box, bool(gaps) or numeric, item, placed_words(text, [word for word, _ in words], shown))]


def _joined(words: Sequence[Word]) -> str:
    return joined(word for word, _ in words)


def _distance(left: Word, right: Word) -> float:
    """Points between two words of a line; 0 where they are unknown."""
    return 0.0 if left[1] is None or right[1] is None else right[1][0] - left[1][2]


def assemble(
    pages: Sequence[Sequence[Line]], labels: Sequence[str], frames: Sequence[Frame] = ()
) -> tuple[str, tuple[Block, ...], tuple[PageSpan, ...], tuple[str, ...], str]:
    """Canonical text of a document, with blocks, page map, warnings, and the places of words (encoded).

    Args:
        pages: the lines of each page, in reading order.
        labels: the printed label of each page, or "".
        frames: how each page is shown; none: words have no places.
    """
    bodies, warnings = without_running_lines(pages)
    vocabulary = Counter(token.lower() for body in bodies for line in body for token in _TOKEN.findall(line.text))
    paragraphs: list[_Paragraph] = []
    for number, body in enumerate(bodies, 1):
        first = True
        for kind, lines in _paragraphs(with_rows_of_terms(with_columns(body))):
            numbered = [(number, line) for line in lines]
            if first and paragraphs and kind == "paragraph" and _runs_on(paragraphs[-1], lines[0]):
                paragraphs[-1].lines.extend(numbered)
            else:
                paragraphs.append(_Paragraph(kind, numbered))
            first = False
    text, blocks, spans, written = _write(paragraphs, labels, vocabulary)
    places = encode_places(placed_pages(written, frames)) if frames else ""
    return text, blocks, spans, warnings, places


def _paragraphs(lines: Sequence[Line]) -> list[tuple[BlockKind, list[Line]]]:
    """Lines of a page, put together."""
    found: list[tuple[BlockKind, list[Line]]] = []
    lines = _with_dashed(lines)
    pitch = _pitch(lines)
    widest = max((len(line.text) for line in lines), default=0)
    for n, line in enumerate(lines):
        if n and not line.item and found[-1][0] != "table_row" and not line.tabular:
            in_item = found[-1][0] == "list_item" and len(found[-1][1]) == 1
            if not _ends_paragraph(lines, n - 1, pitch, widest, in_item):
                found[-1][1].append(line)
                continue
        kind: BlockKind = "table_row" if line.tabular else "list_item" if line.item else "paragraph"
        found.append((kind, [line]))
    return found


def _with_dashed(lines: Sequence[Line]) -> Sequence[Line]:
    """Lines of a page, where those that begin with a plain dash are items if several of them begin at one edge."""
    dashed = [n for n, line in enumerate(lines) if line.box is not None and _DASHED.match(line.text)]
    edges = Counter(round(box[0]) for n in dashed if (box := lines[n].box) is not None)
    items = {n for n in dashed if (box := lines[n].box) is not None and edges[round(box[0])] >= _FEWEST_DASHED}
    return [replace(line, item=True) if n in items else line for n, line in enumerate(lines)] if items else lines


def _pitch(lines: Sequence[Line]) -> float:
    """The usual distance between two lines of the page in points, or 0."""
    gaps = []
    for above, below in pairwise(lines):
        if above.box is not None and below.box is not None:
            gap = above.box[1] - below.box[1]
            if 0.5 * (above.box[3] - above.box[1]) < gap < 3 * (above.box[3] - above.box[1]):
                gaps.append(gap)
    return median(gaps) if gaps else 0.0


def _ends_paragraph(lines: Sequence[Line], n: int, pitch: float, widest: int, in_item: bool) -> bool:
    """Whether line ``n`` is the last of its paragraph. ``in_item``: it is the first line of a list item."""
    line, after = lines[n], lines[n + 1]
    if _NUMBER_ALONE.fullmatch(line.text):
        return True
    if n and _NUMBER_ALONE.fullmatch(lines[n - 1].text) and len(line.text.split()) <= _MOST_TITLE_WORDS:
        return _TERMINAL.search(line.text) is None  # what a number above it counts is a title, or a term
    if line.box is None or after.box is None:
        return len(line.text) < 0.75 * widest
    left, bottom, right, top = line.box
    height = max(1.0, top - bottom)
    drop = bottom - after.box[1]
    if _NUMBER_ALONE.fullmatch(after.text) and (drop > _LEADING * height or len(line.text) < _NEARLY_FULL * widest):
        return True  # and not the end of "as set out in clause"
    if drop < 0.3 * height:  # beside or above: another column goes on only in mid-sentence
        return drop > -2 * height or not after.text[:1].islower() or _TERMINAL.search(line.text) is not None
    after_height = max(1.0, after.box[3] - after.box[1])
    if drop > _PARAGRAPH_GAP * max(pitch, height) or not 0.75 < after_height / height < 1.33:
        return True
    if _is_set_apart(lines, n):
        return True
    unfinished = _TERMINAL.search(line.text) is None
    if not unfinished and drop > _LEADING * height and _RUN_IN.match(after.text):
        return True
    if unfinished and after.text[:1].islower():
        return False
    hanging = in_item or _CLAUSE.match(line.text) is not None  # "6.2 The Processor …" with its further lines indented
    if after.box[0] - left > _INDENT_PT and not hanging:
        return True
    if len(line.text) < _MIN_FULL_CHARS:  # a heading, an address: no width to compare with
        return True
    margin = max(
        other.box[2]
        for other in lines[max(0, n - _NEIGHBOURS) : n + _NEIGHBOURS + 1]
        if other.box is not None and abs(other.box[0] - left) <= _COLUMN_PT
    )
    first_word = after.text.split(" ", 1)[0]
    width = (after.box[2] - after.box[0]) * (len(first_word) + 1) / max(1, len(after.text))
    if unfinished and right - left > _NEARLY_FULL * (margin - left):
        return False
    return right + width < margin


def _is_set_apart(lines: Sequence[Line], n: int) -> bool:
    """Whether one of two lines is centred between the margins, as a title, and the other begins at the left one, as a text.

    A title may follow what ends a sentence, and what follows it may be anything.
    """
    around = [box for each in lines[max(0, n - _MARGINS) : n + _MARGINS + 2] if (box := each.box) is not None]
    left, right = min(box[0] for box in around), max(box[2] for box in around)

    def is_centred(box: Box) -> bool:
        spare, other = box[0] - left, right - box[2]
        return min(spare, other) > _COLUMN_PT and abs(spare - other) < 2 * _INDENT_PT

    (line, above), (after, below) = ((each, each.box) for each in lines[n : n + 2])
    if above is None or below is None or after.text[:1].islower():
        return False
    if is_centred(above):
        return not line.item and not is_centred(below) and below[0] - left <= _COLUMN_PT
    return is_centred(below) and above[0] - left <= _COLUMN_PT and _TERMINAL.search(line.text) is not None


def _runs_on(before: _Paragraph, line: Line) -> bool:
    """Whether a page's first line goes on with the paragraph at the end of the page before."""
    if before.kind == "table_row" or _TERMINAL.search(before.lines[-1][1].text):
        return False
    return line.text[:1].islower()


def _write(
    paragraphs: Sequence[_Paragraph], labels: Sequence[str], vocabulary: Counter[str]
) -> tuple[str, tuple[Block, ...], tuple[PageSpan, ...], list[tuple[int, int, Placed]]]:
    """Text, blocks and pages; and of each line its page, where it begins in the text, and its words."""
    parts: list[str] = []
    written: list[tuple[int, int, Placed]] = []
    blocks: list[Block] = []
    spans: list[PageSpan] = []
    position = 0
    for n, paragraph in enumerate(paragraphs):
        if n:
            tight = paragraph.kind != "paragraph" and paragraphs[n - 1].kind == paragraph.kind
            parts.append("\n" if tight else "\n\n")
            position += len(parts[-1])
        start = position
        before = ""
        for page, printed in paragraph.lines:
            line = printed.text
            cut, glue = _joint(before, line, vocabulary) if before else (0, "")
            if cut:
                parts[-1] = parts[-1][:-cut]
                position -= cut
                spans[-1] = replace(spans[-1], end=position)
            parts.extend((glue, line))
            position += len(glue)
            if not spans or spans[-1].number != page:
                spans.append(PageSpan(page, position, position, labels[page - 1]))
            written.append((page, position, printed.words))
            position += len(line)
            spans[-1] = replace(spans[-1], end=position)
            before = line
        level = 1 if paragraph.kind == "list_item" else 0
        blocks.append(Block(start, position, paragraph.kind, level))
    return "".join(parts), tuple(blocks), tuple(spans), written


def _joint(before: str, after: str, vocabulary: Counter[str]) -> tuple[int, str]:
    """How two lines meet: characters to take off the first, and what to put between.

    A hyphen at the end of a line goes if the next line starts in lower case, unless the document itself writes the word
    with a hyphen, or both halves are words of their own.
    """
    stem = _LINE_END_HYPHEN.search(before)
    rest = _TOKEN.match(after)
    if stem is None or rest is None:
        return 0, "" if before.endswith(("-", "\u2010")) and not before.endswith(" -") else " "
    if not after[:1].islower():
        return 0, ""
    head, tail = stem.group(1).lower(), rest.group().lower()
    if vocabulary[head + tail]:
        return 1, ""
    compound = vocabulary[f"{head}-{tail}"] or head in _COMPOUND_PREFIXES or min(vocabulary[head], vocabulary[tail]) > 1
    return (0, "") if compound else (1, "")
