"""XML: RegML regulations (eRegulations schema) with their labels, OSCAL catalogues, and any other XML as its text.

RegML marks every paragraph with a label such as ``1003-2-b-1`` and a marker such as ``(1)``; the label goes to the
block, the marker is printed in front of the text, as in the Code of Federal Regulations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coditect.documents.readers.failures import LIBRARY_FAILURES, broken
from coditect.documents.readers.layout import LayoutWriter
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.source import SourceText
from coditect.errors import ReadError

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["parse_markup", "read"]

_DROPPED = frozenset({"tableOfContents", "preamble", "fdsys", "reserved", "graphic", "changeset"})
_PARAGRAPHS = frozenset({"paragraph", "interpParagraph", "analysisParagraph"})
_SECTIONS = {
    "part": 1, "subpart": 2, "appendix": 2, "interpretations": 2, "analysis": 2,
    "section": 3, "appendixSection": 3, "interpSection": 3, "analysisSection": 3,
}  # fmt: skip
_TITLES = frozenset({"title", "subject", "appendixTitle", "interpTitle", "header"})
_NO_MARKER = frozenset({"", "none"})


def read(raw: bytes, name: str, limits: ReadLimits) -> SourceText:
    """Read XML.

    Args:
        raw: the bytes of the file.
        name: its relative name.
        limits: the bounds on what is read.

    Raises:
        ReadError: malformed, with entity declarations, too deep or with huge text nodes, or without text.
    """
    root = parse_markup(raw, name)
    tag = _local(root)
    if tag == "catalog":
        from coditect.documents.readers.regulatory import oscal

        if str(root.tag) == f"{{{oscal.NAMESPACE}}}catalog":
            return oscal.read_catalog(oscal.catalog_from_xml(root), name, limits, "application/xml")
    writer = LayoutWriter(name, limits)
    try:
        if tag in ("regulation", "notice") and root.find(".//{*}part") is not None:
            title = root.findtext("{*}fdsys/{*}title") or ""
            _Regulation(writer, title).element(root, 0)
            return writer.finish("application/xml", "regml/1", title=title)
        _generic(writer, root)
    except LIBRARY_FAILURES as error:
        raise broken("the XML has an unexpected shape", name, error, "Save it as plain text.") from error
    return writer.finish("application/xml", "xml/1", title=root.findtext("{*}title") or "")


def parse_markup(raw: bytes, name: str) -> _Element:
    """The root of an XML file that declares no entities.

    Raises:
        ReadError: malformed, or with entities.
    """
    from lxml import etree

    # Nothing is fetched, and libxml2's own bounds on depth and size stay on.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(raw.lstrip(), parser)
        dtd: Any = root.getroottree().docinfo.internalDTD
        entities = [] if dtd is None else [str(entity.name) for entity in dtd.iterentities()]
    except LIBRARY_FAILURES as error:
        raise broken(
            "malformed XML", name, error, "Correct the file at this place, or restore it from its source."
        ) from error
    if entities:
        raise ReadError(
            "the XML declares entities",
            hint="Entities can expand without bound or name other files; resolve them before handing the file over.",
            name=name,
            entities=entities[:5],
        )
    return root


def _local(element: _Element) -> str:
    return str(element.tag).rpartition("}")[2]


class _Regulation:
    """Walks through a regulation in RegML and writes its text and blocks."""

    def __init__(self, writer: LayoutWriter, title: str) -> None:
        self._writer = writer
        self._title = title

    def element(self, element: _Element, depth: int) -> None:
        """Write an element of any kind and what is in it; ``depth`` counts the paragraphs around it."""
        tag = _local(element)
        if tag in _DROPPED:
            return
        if tag in _PARAGRAPHS:
            self._paragraph(element, depth)
            return
        if tag in _SECTIONS:
            self._section(element, tag)
        elif tag == "table":
            self._table(element)
            return
        elif tag == "content" and not _holds_sections(element):
            self._writer.add(_inline(element), "paragraph")
            return
        for child in element:
            if _local(child) not in _TITLES:
                self.element(child, depth)

    def _section(self, element: _Element, tag: str) -> None:
        label = element.get("label", "")
        heading = next((_inline(child) for child in element if _local(child) in _TITLES), "")
        if tag == "part":
            heading = heading or f"Part {label}—{self._title}" if self._title else f"Part {label}"
        elif tag == "subpart" and element.get("subpartLetter"):
            prefix = f"Subpart {element.get('subpartLetter')}"
            heading = heading if heading.startswith(prefix) else f"{prefix}—{heading}".rstrip("—")
        self._writer.add(heading, "heading", _SECTIONS[tag], label)

    def _paragraph(self, element: _Element, depth: int) -> None:
        marker, label = element.get("marker", ""), element.get("label", "")
        marker = "" if marker in _NO_MARKER else marker
        title = next((_inline(child) for child in element if _local(child) == "title"), "")
        content = [child for child in element if _local(child) == "content"]
        text = " ".join(filter(None, (_inline(child) for child in content)))
        keyterm = any(_local(child) == "title" and child.get("type") == "keyterm" for child in element)
        opens = not text and not marker and title and not keyterm
        if opens:  # a paragraph that only names those inside it
            self._writer.add(title, "heading", min(4 + depth, 6), label)
        else:
            if title and text.startswith(title):
                title = ""
            line = " ".join(filter(None, (marker, title, text)))
            self._writer.add(line, "list_item" if marker else "paragraph", depth + 1 if marker else 0, label)
        for child in content:
            for table in child.iter("{*}table"):
                self._table(table)
        for child in element:
            if _local(child) not in _TITLES and _local(child) != "content":
                self.element(child, depth + (0 if opens or not marker else 1))

    def _table(self, table: _Element) -> None:
        for row in table.iter("{*}columnHeaderRow", "{*}row"):
            cells = (_inline(cell) for cell in row.iter("{*}column", "{*}cell"))
            self._writer.add(" | ".join(filter(None, cells)), "table_row")


def _holds_sections(element: _Element) -> bool:
    """Whether a ``content`` element is a frame around sections rather than a paragraph's text."""
    return any(_local(child) in _SECTIONS or _local(child) in _PARAGRAPHS for child in element)


def _inline(element: _Element) -> str:
    """Text of mixed content without graphics, tables and printed rules."""
    parts = [element.text or ""]
    for child in element:
        tag = _local(child)
        if tag == "dash":
            parts.append(f"{_inline(child)} ____ ")
        elif tag in ("line", "footnote"):
            parts.append(f" {_inline(child)} ")
        elif tag not in ("graphic", "table"):
            parts.append(_inline(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _generic(writer: LayoutWriter, root: _Element) -> None:
    """Each element that has text of its own is a paragraph, with the inline elements inside it."""
    done: set[_Element] = set()
    for element in root.iter("{*}*"):
        parent = element.getparent()
        if parent is not None and parent in done:
            done.add(element)
            continue
        tails = any((child.tail or "").strip() for child in element)
        if (element.text or "").strip() or tails:
            text = "".join(str(piece) for piece in element.itertext())
            kind = "heading" if _local(element).lower() in ("title", "heading", "head") else "paragraph"
            writer.add(text, "heading" if kind == "heading" else "paragraph", 1 if kind == "heading" else 0)
            done.add(element)
