"""How a document is printed: lines, indents, pages, files of a format."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Literal

from docx import Document as WordDocument

from coditect_benchmarks.places.provisions import Document, Provision, walk

__all__ = ["LAYOUTS", "Layout", "Piece", "pieces", "printed"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph as it is printed, with the numbers that cite it; those of a title are not asked for."""

    label: str
    heading: str
    words: str
    depth: int
    path: tuple[str, ...]
    is_sure: bool
    is_title: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """How paragraphs are printed.

    Attributes:
        kind: the file that they become.
        blank: whether an empty line parts them.
        indent: blanks before a paragraph for each depth.
        width: longest line; 0 where lines are not broken.
        alone: whether numbers stand on lines of their own.
        gap: what stands between a number and its words.
        chained: what joins a number that has no words with the first one inside of it; None where it stands alone.
        inline: depth from which parts run on in their paragraph; 0 for none.
        page: lines of a page, with its number below and the document's name above; 0 without pages.
        below: whether a section's heading stands on the line behind its number.
    """

    kind: Literal["txt", "html", "md", "docx"] = "txt"
    blank: bool = True
    indent: int = 0
    width: int = 0
    alone: bool = False
    gap: str = " "
    chained: str | None = ""
    inline: int = 0
    page: int = 0
    below: bool = False


LAYOUTS: dict[str, Layout] = {
    "plain": Layout(),
    "close": Layout(blank=False, chained=" "),
    "wrapped": Layout(indent=4, width=72, chained=" "),
    "pages": Layout(width=78, page=44, gap="  ", chained=" "),
    "alone": Layout(alone=True, chained=None),
    "tabs": Layout(blank=False, gap="\t", chained=None),
    "inline": Layout(inline=3, chained=" "),
    "html": Layout("html", chained=" "),
    "markdown": Layout("md", chained=" "),
    "word": Layout("docx", gap="\t", chained=" "),
}


def pieces(document: Document, layout: Layout) -> list[Piece]:
    """The paragraphs of a document in the order of their print."""
    return list(_pieces(document.parts, (), 0, layout, ""))


def _pieces(
    parts: Sequence[Provision], above: tuple[str, ...], depth: int, layout: Layout, chain: str
) -> Iterator[Piece]:
    for number, each in enumerate(parts):
        path = next(walk((each,), above))[1]
        label = f"{chain}{each.label}" if not number else each.label
        below = depth + 1
        if (not each.is_cited and each.label) or (not each.label and each.parts):
            yield Piece(each.label, each.heading, "", depth, path, False, is_title=True)
            label, below = "", depth
            words = each.words
        elif each.heading and (depth == 0 or each.is_whole) and not each.heading.endswith(("—", ":")):
            yield Piece(label, each.heading, "", depth, path, False, is_title=True)
            label, words = "", each.words
        else:
            words = each.words
            if words or each.heading:
                yield Piece(label, each.heading, words[0] if words else "", depth, path, each.is_sure)
                label, words = "", words[1:]
        for said in words:
            yield Piece("", "", said, depth, path, each.is_sure)
        if label and (layout.chained is None or not each.parts):
            yield Piece(label, "", "", depth, path, False)
            label = ""
        inner = f"{label}{layout.chained or ''}" if label else ""
        yield from _pieces(each.parts, path, below, layout, inner)
        for said in each.tail:
            yield Piece("", "", said, depth, path, each.is_sure)


def printed(document: Document, layout: Layout) -> tuple[bytes, str, list[Piece]]:
    """A document as a file: its bytes, the end of its name, and its paragraphs in order."""
    rows = pieces(document, layout)
    if layout.kind == "html":
        return _html(rows).encode(), "html", rows
    if layout.kind == "docx":
        return _word(rows, layout), "docx", rows
    if layout.kind == "md":
        return _markdown(rows).encode(), "md", rows
    return _text(document.name, rows, layout).encode(), "txt", rows


def _line(row: Piece, gap: str) -> str:
    said = " ".join(each for each in (row.heading, row.words) if each)
    return f"{row.label}{gap}{said}" if row.label and said else row.label or said


def _text(name: str, rows: Sequence[Piece], layout: Layout) -> str:
    lines: list[str] = []
    for at, row in enumerate(rows):
        indent = " " * (layout.indent * row.depth)
        gap = "\n" if layout.alone and row.label and not row.is_title else layout.gap
        gap = "\n" if layout.below and row.is_title else gap
        said = _line(row, gap)
        before = rows[at - 1] if at else None
        if layout.inline and row.depth >= layout.inline and before is not None and before.depth >= layout.inline - 1:
            is_next = row.label and not row.is_title and not before.is_title
            if is_next and lines:
                while lines and not lines[-1]:
                    lines.pop()
                lines[-1] += f" {said}"
                lines += [""] * layout.blank
                continue
        for part in said.split("\n"):
            lines += textwrap.wrap(part, layout.width - len(indent), break_long_words=False) if layout.width else [part]
            for n in range(len(lines) - 1, -1, -1):
                if lines[n] == "" or lines[n].startswith(indent or "\0"):
                    break
                lines[n] = indent + lines[n] if indent else lines[n]
                if not indent:
                    break
        lines += [""] * (layout.blank or row.is_title)
    if not layout.page:
        return "\n".join(lines)
    out: list[str] = []
    for number, start in enumerate(range(0, len(lines), layout.page)):
        out += [*lines[start : start + layout.page], "", f"{number + 1:>40}", "", name, ""]
    return "\n".join(out)


def _html(rows: Sequence[Piece]) -> str:
    out = ["<!DOCTYPE html><html><head><title>Text</title></head><body>"]
    for row in rows:
        said = html.escape(_line(row, " "))
        tag = f"h{min(row.depth + 2, 6)}" if row.is_title else "p"
        out.append(f"<{tag}>{said}</{tag}>")
    return "\n".join([*out, "</body></html>"])


def _markdown(rows: Sequence[Piece]) -> str:
    return "\n\n".join(
        f"{'#' * min(row.depth + 2, 6)} {_line(row, ' ')}" if row.is_title else _line(row, " ") for row in rows
    )


def _word(rows: Sequence[Piece], layout: Layout) -> bytes:
    document = WordDocument()
    for row in rows:
        if row.is_title:
            document.add_heading(_line(row, " "), min(row.depth + 1, 9))
        else:
            document.add_paragraph(_line(row, layout.gap))
    out = BytesIO()
    document.save(out)
    return out.getvalue()
