"""HTML: what a browser shows, as headings, paragraphs, list items, quotes, code and table rows.

Text that a page's own tags hide is left out, and so is what stands in ``<template>`` and ``<noscript>``; the warnings of the source
say how much there was. What is hidden from screen readers alone (``aria-hidden``) is seen, and read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from coditect.documents.readers.canonical import canonicalize, decode
from coditect.documents.readers.failures import LIBRARY_FAILURES, broken
from coditect.documents.readers.html.placing import is_enumerator, is_point, placing_tables, tables_of_points
from coditect.documents.readers.html.spans import RowSpans
from coditect.documents.readers.html.styles import SHOWN, Look, look_of
from coditect.documents.readers.layout import LayoutWriter
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.source import BlockKind, SourceText
from coditect.documents.unseen import Unseen, UnseenKind, raised

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["read", "visible_blocks"]

_VisibleBlock = tuple[BlockKind, int, str]

# fmt: off
_HIDDEN = frozenset({
    "script", "style", "nav", "noscript", "template", "head", "iframe", "object", "svg", "select", "textarea",
    "audio", "video", "canvas", "-comment",
})
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hr", "html", "li", "main", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr",
    "ul",
})
_FOR_SCRIPTS: dict[str, UnseenKind] = {"template": "template", "noscript": "noscript"}
_CELLS = frozenset({"td", "th"})
_HEADING = re.compile("h([1-6])")
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{1,30})", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^>]*>")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")
# Elements without an end tag, or whose end tag is implied: many of them in a row nest nothing.
_FLAT = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "p", "li",
    "td", "th", "tr", "tbody", "thead", "tfoot", "dt", "dd", "option", "optgroup", "colgroup", "rt", "rp", "a",
    "nobr", "button", "html", "body", "head",
})
# fmt: on
# The parsing algorithm looks through all open elements at each tag: its time grows with the square of the depth.
_MAX_DEPTH = 10_000
# So is its time in the attributes of one tag: each is compared with all before it.
_MAX_ATTRIBUTES = 5_000
_ATTRIBUTES = re.compile(rf"<[a-zA-Z](?:[^<>=]*+=){{{_MAX_ATTRIBUTES}}}")
_SPACES = re.compile("[ \t\n\r\f]+")


def read(raw: bytes, name: str, limits: ReadLimits) -> SourceText:
    """Read a web page.

    Args:
        raw: the bytes of the file.
        name: its relative name.
        limits: the bounds on what is read.

    Raises:
        ReadError: not text, nothing visible, or too long.
    """
    declared = _DECLARED.search(raw[:4096])
    text, warnings = decode(raw, name, declared.group(1).decode("ascii", "replace") if declared else "")
    writer, unseen = LayoutWriter(name, limits), Unseen()
    first_heading = ""
    try:
        tree = _parse(text)
        for kind, level, content in _walk(tree, unseen):
            if kind == "heading" and level == 1 and not first_heading:
                first_heading = content
            writer.add(content, kind, level, keep_lines=True)
        title = _title(tree) or first_heading
    except LIBRARY_FAILURES as error:
        raise broken("the HTML cannot be parsed", name, error, "Save the page again, or as plain text.") from error
    return writer.finish("text/html", "html/5", title=title, warnings=(*warnings, *unseen.warnings()))


def visible_blocks(html: str, unseen: Unseen) -> Iterator[_VisibleBlock]:
    """Kind, level and text of each block that a browser would show, in document order.

    Args:
        html: a page or a fragment.
        unseen: where hidden text is counted.

    Raises:
        ValueError: nested too deeply; readers translate it.
    """
    yield from _walk(_parse(html), unseen)


def _parse(html: str) -> LexborHTMLParser:
    from selectolax.lexbor import LexborHTMLParser

    if _too_deep(html):
        raise ValueError(f"more than {_MAX_DEPTH} elements are nested")
    if _ATTRIBUTES.search(html):
        raise ValueError(f"a tag has {_MAX_ATTRIBUTES} attributes or more")
    return LexborHTMLParser(canonicalize(html))


def _walk(tree: LexborHTMLParser, unseen: Unseen) -> Iterator[_VisibleBlock]:
    points = tables_of_points(tree)
    page = _Page(unseen, placing_tables(tree) | points, points)
    # An explicit stack: nesting in hostile pages is deeper than Python's.
    stack: list[tuple[LexborNode, bool, Look]] = [(tree.root, False, SHOWN)] if tree.root is not None else []
    while stack:
        node, leaving, around = stack.pop()
        if leaving:
            page.leave(node)
        else:
            if node.next is not None and stack:
                stack.append((node.next, False, around))
            look = _seen(node, around, unseen)
            if look is None:
                continue
            page.enter(node, look)
            stack.append((node, True, look))
            if node.child is not None:
                stack.append((node.child, False, look))
        if page.ready:
            yield from page.take()
    page.end()
    yield from page.take()


def _seen(node: LexborNode, around: Look, unseen: Unseen) -> Look | None:
    """How an element looks; None where nothing of it is read, which is counted if it is text."""
    tag = node.tag or ""
    if tag in _HIDDEN:
        if kind := _FOR_SCRIPTS.get(tag):
            unseen.add(kind, _text_in(node))
        return None
    attributes = {} if tag.startswith("-") else node.attributes
    look = look_of(attributes, around) if "style" in attributes or "hidden" in attributes else around
    if look.gone:
        unseen.add("hidden", _text_in(node))
        return None
    return look


def _text_in(node: LexborNode) -> str:
    """All the text of an element that is not read, on one line."""
    # The content of a template stands beside the tree; it is read from its source.
    if node.tag == "template":
        return " ".join(_ANY_TAG.sub(" ", node.html or "").split())
    return " ".join(node.text(separator=" ").split())


def _too_deep(html: str) -> bool:
    """Whether more than ``_MAX_DEPTH`` elements may be open at once; linear in the length."""
    depth = 0
    for tag in _TAG.finditer(html):
        if tag.group(2).lower() not in _FLAT:
            depth = max(0, depth - 1) if tag.group(1) else depth + 1
            if depth > _MAX_DEPTH:
                return True
    return False


def _title(tree: LexborHTMLParser) -> str:
    node = tree.css_first("title")
    return node.text() if node is not None else ""


@dataclass(slots=True)
class _HtmlList:
    """An open list: the next number, how it is printed, and whether numbers are printed at all."""

    ordered: bool
    number: int
    style: str


@dataclass(slots=True)
class _Page:
    """What is open at a point of the page, and the text gathered for the block there."""

    unseen: Unseen
    placing: frozenset[int] = frozenset()  # tables that are none
    points: frozenset[int] = frozenset()  # of these, those whose rows are points of a list
    ready: list[_VisibleBlock] = field(default_factory=list)
    _inline: list[str] = field(default_factory=list)
    _lists: list[_HtmlList] = field(default_factory=list)
    _rows: list[list[str]] = field(default_factory=list)
    _spans: list[RowSpans] = field(default_factory=list)
    _placing: list[bool] = field(default_factory=list)  # of each open table
    _depth: int = 0  # open tables whose rows are points
    _enumerator_alone: str = ""  # of a point whose text follows
    _heading: int = 0
    _quotes: int = 0
    _pre: int = 0
    _raised: int = 0
    _item: str | None = None  # the enumerator of a list item that has no text yet

    def take(self) -> list[_VisibleBlock]:
        """The finished blocks; they are handed over once."""
        ready, self.ready = self.ready, []
        return ready

    def enter(self, node: LexborNode, look: Look) -> None:
        """Take in a start tag or a text node."""
        tag = node.tag or ""
        if tag == "-text":
            self._take(node.text_content or "", look)
        elif tag == "sup":
            self._raised += 1
        elif tag == "br":
            self._inline.append("\n")
        elif tag in _CELLS:
            if not self._rows or self._is_placing:
                self.flush()
            elif self._spans:
                self._spans[-1].open_cell()
        elif tag in _BLOCKS:
            self.flush()
            self._open(tag, node)

    def _take(self, text: str, look: Look) -> None:
        """Take in text, unless it is hidden."""
        if look.is_hidden or look.is_faint:
            self.unseen.add("hidden" if look.is_hidden else "faint", text)
            if look.is_hidden:
                return
        if self._raised and self._inline and not self._inline[-1][-1:].isspace():
            text = raised(text)
        self._inline.append(text if self._pre else _SPACES.sub(" ", text))

    def _open(self, tag: str, node: LexborNode) -> None:
        heading = _HEADING.fullmatch(tag)
        if heading:
            self._heading = int(heading.group(1))
        elif tag == "blockquote":
            self._quotes += 1
        elif tag == "pre":
            self._pre += 1
        elif tag == "table":
            self._spans.append(RowSpans())
            self._placing.append(not self._rows and node.mem_id in self.placing)
            self._depth += node.mem_id in self.points
        elif tag == "tr" and not self._is_placing:
            self._rows.append([])
        elif tag in ("ul", "ol"):
            start = node.attributes.get("start") or "1"
            number = int(start) if re.fullmatch(r"-?\d{1,6}", start) else 1
            self._lists.append(_HtmlList(tag == "ol", number, node.attributes.get("type") or "1"))
        elif tag == "li":
            self._item = self._enumerator()

    def leave(self, node: LexborNode) -> None:
        """Take in an end tag."""
        tag = node.tag or ""
        if tag in _CELLS and self._is_placing:
            self.flush()
        elif tag in _CELLS and self._rows:
            self._rows[-1].append(self._text().replace("\n", " "))
            if self._spans:
                self._spans[-1].close_cell(node.attributes)
        elif tag == "sup":
            self._raised -= 1
        elif tag in _BLOCKS:
            self.flush()
            if _HEADING.fullmatch(tag):
                self._heading = 0
            elif tag == "blockquote":
                self._quotes -= 1
            elif tag == "pre":
                self._pre -= 1
            elif tag in ("ul", "ol") and self._lists:
                self._lists.pop()
            elif tag == "li":
                self._item = None
            elif tag == "tr" and self._rows and not self._is_placing:
                row = self._rows.pop()
                spanned = self._spans[-1].close_row() if self._spans else 0
                if self._rows:  # a table inside a cell reads as that cell's text
                    self._inline.append(" ".join(row) + " ")
                elif any(row):
                    self._give("table_row", spanned, " | ".join(row))
            elif tag == "table" and self._spans:
                self._spans.pop()
                self._placing.pop()
                self._depth -= node.mem_id in self.points

    @property
    def _is_placing(self) -> bool:
        return bool(self._placing) and self._placing[-1]

    def flush(self) -> None:
        """Close the block at hand; inside a table row its text stays with its cell."""
        if self._rows:
            self._inline.append(" ")
            return
        text = self._text()
        if not text:
            return
        if self._item is not None:
            self._give("list_item", max(1, len(self._lists)), self._item + text)
            self._item = None
        elif self._heading:
            self._give("heading", self._heading, text.replace("\n", " "))
        else:
            self._give("code" if self._pre else "quote" if self._quotes else "paragraph", 0, text)

    def _give(self, kind: BlockKind, level: int, text: str) -> None:
        """Hand a block over; an enumerator in a cell or a block of its own goes before the text that it numbers."""
        alone, self._enumerator_alone = self._enumerator_alone, ""
        if alone and kind == "paragraph" and not is_enumerator(text):
            kind, level, text = "list_item", max(1, self._depth), f"{alone} {text}"
        elif alone:
            self.ready.append(("paragraph", 0, alone))
        if kind == "paragraph" and (is_enumerator(text) or (self._depth and is_point(text))):
            self._enumerator_alone = text
        else:
            self.ready.append((kind, level, text))

    def end(self) -> None:
        """The page ends: what is left is handed over."""
        self.flush()
        if self._enumerator_alone:
            self.ready.append(("paragraph", 0, self._enumerator_alone))

    def _text(self) -> str:
        text = "".join(self._inline)
        self._inline.clear()
        if self._pre:
            return text.strip("\n").rstrip()
        return "\n".join(_SPACES.sub(" ", line).strip(" ") for line in text.split("\n")).strip("\n")

    def _enumerator(self) -> str:
        if not self._lists or not self._lists[-1].ordered:
            return ""
        current = self._lists[-1]
        current.number += 1
        return f"{_numeral(current.number - 1, current.style)}. "


def _numeral(number: int, style: str) -> str:
    """A list number in the style of the ``type`` attribute: 1, a, A, i or I."""
    if style in ("a", "A") and 1 <= number <= 26:
        return chr(ord(style) + number - 1)
    if style in ("i", "I") and 1 <= number < 400:
        roman = ""
        for value, letters in (
            (100, "c"),
            (90, "xc"),
            (50, "l"),
            (40, "xl"),
            (10, "x"),
            (9, "ix"),
            (5, "v"),
            (4, "iv"),
            (1, "i"),
        ):
            roman += letters * (number // value)
            number %= value
        return roman.upper() if style == "I" else roman
    return str(number)
