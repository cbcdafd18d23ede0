"""A document as structured text: headings, paragraphs, lists and tables, as its format or its outline has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from coditect.documents.source import Block, SourceText
from coditect.documents.structure.outline import OutlineSection
from coditect.documents.structure.series.worded_headings import with_sentences
from coditect.server.explorer.shown.reading.pieces import MarkedPiece, Overlay

__all__ = ["WINDOW", "Element", "TextLine", "blocks_of", "structured", "windows"]

WINDOW = 9_000
"""Code points of a page of a document that has no pages of its own; a page ends with the block that fills it."""

LONGEST_BLOCK = 3 * WINDOW
"""A block that reaches further is cut after a window."""

_BETWEEN_CELLS = re.compile(r" ?\|(?: |\Z)|\A\| ")
"""What readers put between the cells of a row; a cell without words leaves less of it."""

ElementKind = Literal["heading", "paragraph", "list", "table", "quote", "code"]

_LABEL = re.compile(r"(?:\(?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlc]{1,6})[.)]|\d{1,3}(?:\.\d{1,3})+|§|[-–—•*])\s?")

_NAMED = re.compile(r"(?:§{1,2}|[^\W\d_]{3,})[ \t\xa0]")
"""What a label of a whole provision begins with: "Article 4", "CHAPTER III", "§ 12"; "(b)" and "4.2" alone are no headings."""

_PARAGRAPH = re.compile(r"[^\n](?:[^\n]|\n(?!\s*(?:\n|\Z)))*")


@dataclass(frozen=True, slots=True)
class TextLine:
    """An item of a list, a row of a table, or the whole of another element.

    Attributes:
        cells: the pieces of each cell; only rows of tables have several.
        depth: of an item of a list, from 1.
        is_labelled: of an item of a list, whether its text begins with its own label: "(a)", "1.", "–".
    """

    cells: tuple[tuple[MarkedPiece, ...], ...]
    depth: int = 1
    is_labelled: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """A part of a document.

    Attributes:
        kind: what it is.
        level: of a heading: 2 to 6; never more than one below the heading before.
        lines: at least one.
    """

    kind: ElementKind
    lines: tuple[TextLine, ...]
    level: int = 0


def blocks_of(source: SourceText, sections: Sequence[OutlineSection]) -> tuple[Block, ...]:
    """The blocks of a document: those of its format, or its paragraphs; what is read as a heading is one, a sentence is none.

    Args:
        source: the document.
        sections: its outline.
    """
    found = with_sentences(source).blocks or tuple(
        Block(match.start(), match.end(), "paragraph") for match in _PARAGRAPH.finditer(source.text)
    )
    headings = {s.start: s for s in sections if s.level > 0 and (s.heading or _NAMED.match(s.label))}
    return tuple(_as_read(each, headings.get(each.start), source.text) for each in found)


def _as_read(block: Block, section: OutlineSection | None, text: str) -> Block:
    """A paragraph, or an item of a list, that is nothing but the heading of a section, or "Article 4" alone, is a heading."""
    if section is None or block.kind not in ("paragraph", "list_item"):
        return block
    if text[section.body_start : block.end].strip():
        return block
    return Block(block.start, block.end, "heading", min(section.level, 6), block.label)


def windows(length: int, blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """Where the pages of a document without pages begin and end: together its whole text."""
    edges, begin = [0], 0
    for block in blocks:
        if block.start - begin >= WINDOW:
            begin = block.start
            edges.append(begin)
        while block.end - begin > LONGEST_BLOCK:
            begin += WINDOW
            edges.append(begin)
    return list(zip(edges, [*edges[1:], length], strict=True))


def structured(text: str, blocks: Sequence[Block], start: int, end: int, overlay: Overlay) -> tuple[Element, ...]:
    """A stretch of a document as elements.

    Args:
        text: the whole canonical text.
        blocks: of the whole document.
        start: first code point of the stretch.
        end: one past its last.
        overlay: what is highlighted and marked.
    """
    found: list[Element] = []
    level = 1
    for kind, group in _groups(blocks, start, end):
        if kind == "heading":
            level = max(2, min(group[0].level + 1, level + 1, 6))
        lines = tuple(_line(text, kind, block, start, end, overlay) for block in group)
        found.append(Element(kind, lines, level if kind == "heading" else 0))
    return tuple(found)


def _groups(blocks: Sequence[Block], start: int, end: int) -> Iterator[tuple[ElementKind, list[Block]]]:
    """Blocks that reach into the stretch; items of a list and rows of a table that follow each other stand together."""
    together: list[Block] = []
    for block in blocks:
        if block.end <= start or block.start >= end:
            continue
        if together and (block.kind != together[0].kind or block.kind not in _JOINED):
            yield _kind(together[0]), together
            together = []
        together.append(block)
    if together:
        yield _kind(together[0]), together


_JOINED = frozenset(("list_item", "table_row"))


def _kind(block: Block) -> ElementKind:
    match block.kind:
        case "list_item":
            return "list"
        case "table_row":
            return "table"
        case "heading" | "quote" | "code" | "paragraph":
            return block.kind


def _line(text: str, kind: ElementKind, block: Block, start: int, end: int, overlay: Overlay) -> TextLine:
    left, right = max(block.start, start), min(block.end, end)
    if kind != "table":
        is_labelled = kind == "list" and _LABEL.match(text, left, right) is not None
        return TextLine(
            (overlay.pieces(text, left, right),), 1 if kind == "paragraph" else max(block.level, 1), is_labelled
        )
    cells, begin = [], left
    for match in (*_BETWEEN_CELLS.finditer(text, left, right), None):
        stop = right if match is None else match.start()
        cells.append(overlay.pieces(text, begin, stop))
        begin = stop if match is None else match.end()
    return TextLine(tuple(cells))
