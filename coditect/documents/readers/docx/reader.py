"""Word documents: paragraphs, headings, lists and tables in document order, with the numbers that Word would print.

Headers and footers are left out. Text that tracked changes delete or move away is left out, inserted text is read.
Footnotes follow at the end. python-docx opens the package and knows its styles; the text is taken from the XML, because
``Paragraph.text`` misses inserted runs.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from coditect.documents.readers.archive import check_archive
from coditect.documents.readers.docx.numbering import Numbering
from coditect.documents.readers.failures import LIBRARY_FAILURES, broken
from coditect.documents.readers.layout import LayoutWriter
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.source import SourceText

if TYPE_CHECKING:
    from docx.document import Document
    from lxml.etree import _Element

__all__ = ["read"]

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SKIPPED = frozenset({f"{_W}del", f"{_W}moveFrom", f"{_W}rPr", f"{_W}pPr", f"{_W}instrText", f"{_W}delText", _FALLBACK})
_GLYPHS = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "\u2011", f"{_W}ptab": "\t"}
_HEADING = re.compile(r"heading ([1-9])")
_FOOTNOTES = "/footnotes"
_MAX_STYLE_DEPTH = 20  # of styles based on styles; more is a circle


def read(raw: bytes, name: str, limits: ReadLimits) -> SourceText:
    """Read a .docx file.

    Args:
        raw: the bytes of the file.
        name: its relative name.
        limits: the bounds on what is read.

    Raises:
        ReadError: encrypted, damaged, a zip bomb, not a Word document, or without text.
    """
    check_archive(raw, name, "word/document.xml", limits)
    import docx

    writer = LayoutWriter(name, limits)
    try:
        document = docx.Document(io.BytesIO(raw))
        walk = _BodyWalk(writer, document)
        walk.body(document.element.body, 0)
        walk.footnotes(document)
        title = document.core_properties.title or walk.title
    except LIBRARY_FAILURES as error:
        raise broken(
            "the Word document is damaged",
            name,
            error,
            "Open it in its program and save it again, or export it as PDF.",
        ) from error
    return writer.finish(_MEDIA_TYPE, "docx/1", title=title)


class _BodyWalk:
    """Walks through the body of a Word document and writes its text and blocks."""

    def __init__(self, writer: LayoutWriter, document: Document) -> None:
        self.title = ""
        self._writer = writer
        self._numbering = Numbering(document)
        self._styles: dict[str, _Element] = {
            style.get(f"{_W}styleId"): style for style in document.styles.element.iter(f"{_W}style")
        }
        self._levels: dict[str, int] = {}

    def body(self, container: _Element, depth: int) -> None:
        """Write paragraphs and tables of a body, a cell or a content control."""
        for child in container:
            if child.tag == f"{_W}p":
                self._paragraph(child)
            elif child.tag == f"{_W}tbl":
                self._table(child)
            elif child.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}customXml", f"{_W}ins", f"{_W}moveTo"):
                self.body(child, depth + 1)

    def _paragraph(self, paragraph: _Element) -> None:
        style = paragraph.find(f"{_W}pPr/{_W}pStyle")
        style_id = style.get(f"{_W}val", "") if style is not None else ""
        chain = self._chain(style_id)
        text = _text(paragraph)
        marker, list_level = self._numbering.next(paragraph, chain) if text.strip() else ("", 0)
        level = self._heading_level(paragraph, style_id)
        line = f"{marker} {text}" if marker else text
        if level:
            if not self.title and level == 1:
                self.title = text
            self._writer.add(line, "heading", min(level, 6))
        elif list_level or any("list" in _style_name(s) for s in chain[:1]):
            self._writer.add(line, "list_item", max(1, list_level))
        else:
            quote = any("quote" in _style_name(s) for s in chain[:1])
            self._writer.add(line, "quote" if quote else "paragraph", keep_lines=True)

    def _chain(self, style_id: str) -> list[_Element]:
        """A style and those that it is based on, nearest first."""
        chain: list[_Element] = []
        while style_id in self._styles and len(chain) < _MAX_STYLE_DEPTH:
            chain.append(self._styles[style_id])
            base = chain[-1].find(f"{_W}basedOn")
            style_id = base.get(f"{_W}val", "") if base is not None else ""
        return chain

    def _heading_level(self, paragraph: _Element, style_id: str) -> int:
        """1..9 for a heading, 0 for anything else."""
        own = paragraph.find(f"{_W}pPr/{_W}outlineLvl")
        if own is not None:
            return _outline(own)
        if style_id not in self._levels:
            self._levels[style_id] = 0
            for style in self._chain(style_id):
                name = _style_name(style)
                found = _HEADING.fullmatch(name)
                outline = style.find(f"{_W}pPr/{_W}outlineLvl")
                if found or name == "title" or outline is not None:
                    named = int(found.group(1)) if found else 1
                    self._levels[style_id] = named if found or outline is None else _outline(outline)
                    break
        return self._levels[style_id]

    def _table(self, table: _Element) -> None:
        for row in _rows(table):
            cells = [" ".join(filter(None, map(_line, cell.iter(f"{_W}p")))) for cell in row.iter(f"{_W}tc")]
            if any(cells):
                self._writer.add(" | ".join(cells), "table_row")

    def footnotes(self, document: Document) -> None:
        """Write the notes, in their order, after the text."""
        from lxml import etree

        parts = [rel.target_part for rel in document.part.rels.values() if rel.reltype.endswith(_FOOTNOTES)]
        for part in parts:
            parser = etree.XMLParser(resolve_entities=False, no_network=True)
            number = 0
            for note in etree.fromstring(part.blob, parser).iter(f"{_W}footnote"):
                text = " ".join(filter(None, map(_line, note.iter(f"{_W}p"))))
                if note.get(f"{_W}type") is None and text:
                    number += 1
                    self._writer.add(f"{number} {text}", "paragraph", label=f"footnote-{number}")


def _outline(element: _Element) -> int:
    """An outline level as 1..9; Word's 9 means body text."""
    value = int(element.get(f"{_W}val", "9"))
    return value + 1 if 0 <= value <= 8 else 0


def _style_name(style: _Element) -> str:
    name = style.find(f"{_W}name")
    return str(name.get(f"{_W}val", "")).lower() if name is not None else ""


def _rows(table: _Element) -> Iterator[_Element]:
    """Rows of a table that tracked changes do not delete; a nested table is part of its cell."""
    for row in table.iter(f"{_W}tr"):
        outer = next(row.iterancestors(f"{_W}tbl"))
        if outer is table and row.find(f"{_W}trPr/{_W}del") is None:
            yield row


def _line(paragraph: _Element) -> str:
    return " ".join(_text(paragraph).split())


def _text(element: _Element) -> str:
    """Visible text; an explicit stack, since content controls and changes may nest at will."""
    parts: list[str] = []
    stack = [element]
    while stack:
        node = stack.pop()
        if node.tag in _SKIPPED:
            continue
        if node.tag == f"{_W}t":
            parts.append(node.text or "")
        elif node.tag in _GLYPHS:
            parts.append(_GLYPHS[node.tag])
        else:
            stack.extend(reversed(node))
    return "".join(parts)
