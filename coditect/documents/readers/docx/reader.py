"""Word documents: paragraphs, headings, lists and tables in document order, with the numbers that Word would print.

Headers and footers are left out. Text that tracked changes delete or move away is left out, inserted text is read, as Word shows
it once the changes are accepted, and its places are kept as proposals; hidden text, text that is struck through and comments are
left out. The warnings of the source say how much there was of each.
Footnotes and endnotes follow at the end. python-docx opens the package and knows its styles; the text is taken from the XML,
because ``Paragraph.text`` misses inserted runs.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from coditect.documents.readers.archive import check_archive
from coditect.documents.readers.docx.numbering import Numbering
from coditect.documents.readers.docx.runs import RunReader, W, changed_by, style_chain
from coditect.documents.readers.failures import LIBRARY_FAILURES, broken
from coditect.documents.readers.layout import LayoutWriter
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.source import MOST_SPANNED, SourceText
from coditect.documents.unseen import Unseen, UnseenKind

if TYPE_CHECKING:
    from docx.document import Document
    from lxml.etree import _Element

__all__ = ["read"]

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_HEADING = re.compile(r"heading ([1-9])")
_NOTES = {"/footnotes": "footnote", "/endnotes": "endnote"}
"""The notes of a document, by how the type of the part that holds them ends."""


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
        walk.body(document.element.body)
        walk.notes(document)
        walk.comments(document)
        title = document.core_properties.title or walk.title
    except LIBRARY_FAILURES as error:
        raise broken(
            "the Word document is damaged",
            name,
            error,
            "Open it in its program and save it again, or export it as PDF.",
        ) from error
    return writer.finish(_MEDIA_TYPE, "docx/4", title=title, warnings=walk.unseen.warnings())


class _BodyWalk:
    """Walks through the body of a Word document and writes its text and blocks."""

    def __init__(self, writer: LayoutWriter, document: Document) -> None:
        self.title = ""
        self.unseen = Unseen()
        self._writer = writer
        self._numbering = Numbering(document)
        self._styles: dict[str, _Element] = {
            style.get(f"{W}styleId"): style for style in document.styles.element.iter(f"{W}style")
        }
        self._levels: dict[str, int] = {}
        self._runs = RunReader(self._styles, self.unseen)

    def body(self, container: _Element, state: UnseenKind | None = None) -> None:
        """Write paragraphs and tables of a body, a cell or a content control; ``state``: whether all of it is inserted."""
        for child in container:
            if child.tag == f"{W}p":
                self._paragraph(child, state)
            elif child.tag == f"{W}tbl":
                self._table(child)
            elif child.tag in (f"{W}ins", f"{W}moveTo"):
                self._runs.within = changed_by(child)
                self.body(child, "inserted")
                self._runs.within = "", ""
            elif child.tag in (f"{W}del", f"{W}moveFrom"):
                self._runs.text(child, "deleted")
            elif child.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}customXml"):
                self.body(child, state)

    def _paragraph(self, paragraph: _Element, state: UnseenKind | None) -> None:
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        style_id = style.get(f"{W}val", "") if style is not None else ""
        chain = style_chain(self._styles, style_id)
        text = self._runs.text(paragraph, state)
        inserted = self._runs.inserted
        marker, list_level = self._numbering.next(paragraph, chain) if text.strip() else ("", 0)
        level = self._heading_level(paragraph, style_id)
        line = f"{marker} {text}" if marker else text
        if level:
            if not self.title and level == 1:
                self.title = text
            self._writer.add(line, "heading", min(level, 6), inserted=inserted)
        elif list_level or any("list" in _style_name(s) for s in chain[:1]):
            self._writer.add(line, "list_item", max(1, list_level), inserted=inserted)
        else:
            quote = any("quote" in _style_name(s) for s in chain[:1])
            self._writer.add(line, "quote" if quote else "paragraph", keep_lines=True, inserted=inserted)

    def _heading_level(self, paragraph: _Element, style_id: str) -> int:
        """1..9 for a heading, 0 for anything else."""
        own = paragraph.find(f"{W}pPr/{W}outlineLvl")
        if own is not None:
            return _outline(own)
        if style_id not in self._levels:
            self._levels[style_id] = 0
            for style in style_chain(self._styles, style_id):
                name = _style_name(style)
                found = _HEADING.fullmatch(name)
                outline = style.find(f"{W}pPr/{W}outlineLvl")
                if found or name == "title" or outline is not None:
                    named = int(found.group(1)) if found else 1
                    self._levels[style_id] = named if found or outline is None else _outline(outline)
                    break
        return self._levels[style_id]

    def _table(self, table: _Element) -> None:
        for row in _rows(table):
            if row.find(f"{W}trPr/{W}del") is not None:
                self._runs.text(row, "deleted")
                continue
            found = list(row.iter(f"{W}tc"))
            inserted: list[tuple[str, str, str]] = []
            cells = [" ".join(filter(None, (self._line(p, inserted) for p in cell.iter(f"{W}p")))) for cell in found]
            if any(cells):
                spanned = sum(1 << n for n, cell in enumerate(found[:MOST_SPANNED]) if _goes_on(cell) and not cells[n])
                self._writer.add(" | ".join(cells), "table_row", spanned, inserted=inserted)

    def notes(self, document: Document) -> None:
        """Write the footnotes, then the endnotes, each in their order, after the text."""
        for ending, kind in _NOTES.items():
            number = 0
            for note in _elements(document, ending, kind):
                inserted: list[tuple[str, str, str]] = []
                text = " ".join(filter(None, (self._line(each, inserted) for each in note.iter(f"{W}p"))))
                if note.get(f"{W}type") is None and text:
                    number += 1
                    self._writer.add(f"{number} {text}", "paragraph", label=f"{kind}-{number}", inserted=inserted)

    def comments(self, document: Document) -> None:
        """Count the comments, which are no text of the document."""
        for comment in _elements(document, "/comments", "comment"):
            self.unseen.add("comment", " ".join(each.text or "" for each in comment.iter(f"{W}t")))

    def _line(self, paragraph: _Element, inserted: list[tuple[str, str, str]]) -> str:
        """A paragraph on one line; what tracked changes put into it is added to ``inserted``."""
        text = " ".join(self._runs.text(paragraph).split())
        inserted += self._runs.inserted
        return text


def _elements(document: Document, ending: str, name: str) -> Iterator[_Element]:
    """Elements of the parts whose type ends so, such as the footnotes of a document."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    for part in [rel.target_part for rel in document.part.rels.values() if rel.reltype.endswith(ending)]:
        yield from etree.fromstring(part.blob, parser).iter(f"{W}{name}")


def _outline(element: _Element) -> int:
    """An outline level as 1..9; Word's 9 means body text."""
    value = int(element.get(f"{W}val", "9"))
    return value + 1 if 0 <= value <= 8 else 0


def _style_name(style: _Element) -> str:
    name = style.find(f"{W}name")
    return str(name.get(f"{W}val", "")).lower() if name is not None else ""


def _goes_on(cell: _Element) -> bool:
    """Whether a cell is merged with the one above it: ECMA-376, 17.4.84."""
    merged = cell.find(f"{W}tcPr/{W}vMerge")
    return merged is not None and merged.get(f"{W}val", "continue") == "continue"


def _rows(table: _Element) -> Iterator[_Element]:
    """Rows of a table; a nested table is part of its cell."""
    for row in table.iter(f"{W}tr"):
        outer = next(row.iterancestors(f"{W}tbl"))
        if outer is table:
            yield row
