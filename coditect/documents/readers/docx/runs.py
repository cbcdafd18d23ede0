"""The text of runs of a Word document as it is printed once all tracked changes are accepted; the rest is counted.

Source: ECMA-376-1, 17.3.2.41 (vanish), 17.7.3 (toggle properties), 17.11 (footnotes and endnotes), 17.13.5 (revisions).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coditect.documents.unseen import Unseen, UnseenKind, raised

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["RunReader", "W", "changed_by", "style_chain"]

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
"""The namespace of Word's elements, as lxml writes it."""

_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SKIPPED = frozenset({f"{W}rPr", f"{W}pPr", f"{W}instrText", f"{W}delInstrText", _FALLBACK})
_GLYPHS = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "\u2011", f"{W}ptab": "\t"}
_CHANGES: dict[str, UnseenKind] = {
    f"{W}ins": "inserted", f"{W}moveTo": "inserted", f"{W}del": "deleted", f"{W}moveFrom": "deleted",
}  # fmt: skip
_LEFT_OUT = frozenset(("deleted", "hidden", "struck"))
_STRIKES = (f"{W}strike", f"{W}dstrike")
_REFERENCES = (f"{W}footnoteReference", f"{W}endnoteReference")
_OFF = frozenset(("0", "false", "off"))
_MAX_STYLE_DEPTH = 20  # of styles based on styles; more is a circle


def style_chain(styles: dict[str, _Element], style_id: str) -> list[_Element]:
    """A style and those that it is based on, nearest first.

    Args:
        styles: the ``w:style`` elements of a document, by id.
        style_id: of the style; unknown ones have no chain.
    """
    chain: list[_Element] = []
    while style_id in styles and len(chain) < _MAX_STYLE_DEPTH:
        chain.append(styles[style_id])
        base = chain[-1].find(f"{W}basedOn")
        style_id = base.get(f"{W}val", "") if base is not None else ""
    return chain


def changed_by(change: _Element) -> tuple[str, str]:
    """Who made a tracked change, and on which day, as the file tells it."""
    return str(change.get(f"{W}author", "")).strip(), str(change.get(f"{W}date", ""))[: len("2026-01-31")]


class RunReader:
    """Reads the text of paragraphs, and counts what is inserted, deleted or hidden in them.

    Args:
        styles: the ``w:style`` elements of the document, by id.
        unseen: where it is counted.

    Attributes:
        inserted: (words, author, day) of what tracked changes put into the text that was read last.
        within: author and day of a change that holds all that is read.
    """

    def __init__(self, styles: dict[str, _Element], unseen: Unseen) -> None:
        self._styles = styles
        self._unseen = unseen
        self._hidden: dict[str, bool] = {}
        self.inserted: list[tuple[str, str, str]] = []
        self.within = "", ""
        defaults = (i for i, s in styles.items() if s.get(f"{W}type") == "paragraph" and s.get(f"{W}default") == "1")
        self._default = next(defaults, "")

    def text(self, element: _Element, state: UnseenKind | None = None) -> str:
        """What is printed of a paragraph; an explicit stack, since content controls and changes may nest at will.

        Args:
            element: a ``w:p``, or what holds some.
            state: what is known of all of it: "deleted" for a row of a table that is, "inserted" inside what is.
        """
        parts: list[str] = []
        self.inserted, by = [], self.within
        paragraph = _style_of(element, "pPr", "pStyle") or self._default
        stack: list[tuple[_Element, UnseenKind | None, bool, tuple[str, str]]] = [(element, state, False, by)]
        while stack:
            node, state, high, by = stack.pop()
            tag = node.tag
            if tag in _SKIPPED:
                continue
            if tag in (f"{W}t", f"{W}delText"):
                self._take(parts, node.text or "", state, by, high=high)
                continue
            if tag in _GLYPHS:
                if state not in _LEFT_OUT:
                    parts.append(_GLYPHS[tag])
                continue
            if tag == f"{W}p" and node is not element:
                paragraph = _style_of(node, "pPr", "pStyle") or self._default
            elif tag in _CHANGES and state != "deleted":
                state, by = _CHANGES[tag], changed_by(node)
            elif tag == f"{W}r":
                if state != "deleted" and self._is_hidden(node, paragraph):
                    state = "hidden"
                elif state != "deleted" and _is_struck(node):
                    state = "struck"
                high = _is_raised(node)
            stack.extend((child, state, high, by) for child in reversed(_before_own_mark(node)))
        return "".join(parts)

    def _take(self, parts: list[str], text: str, state: UnseenKind | None, by: tuple[str, str], *, high: bool) -> None:
        """Put a piece of text where it belongs."""
        if state is not None:
            self._unseen.add(state, text, ", ".join(filter(None, by)) if state in ("inserted", "deleted") else "")
        if state == "inserted" and text.strip():
            self.inserted.append((text, *by))
        if state not in _LEFT_OUT:
            attached = high and parts and not parts[-1][-1:].isspace()
            parts.append(raised(text) if attached else text)

    def _is_hidden(self, run: _Element, paragraph: str) -> bool:
        properties = run.find(f"{W}rPr")
        own = properties.find(f"{W}vanish") if properties is not None else None
        if own is not None:
            return _is_on(own)
        # 17.7.3: a toggle property of the paragraph's style and of the character's style is on where one of them says so.
        return self._style_hides(paragraph) != self._style_hides(_style_of(run, "rPr", "rStyle"))

    def _style_hides(self, style_id: str) -> bool:
        if style_id not in self._hidden:
            own = (style.find(f"{W}rPr/{W}vanish") for style in style_chain(self._styles, style_id))
            first = next((each for each in own if each is not None), None)
            self._hidden[style_id] = first is not None and _is_on(first)
        return self._hidden[style_id]


def _style_of(element: _Element, properties: str, name: str) -> str:
    style = element.find(f"{W}{properties}/{W}{name}")
    return str(style.get(f"{W}val", "")) if style is not None else ""


def _is_on(toggle: _Element) -> bool:
    return str(toggle.get(f"{W}val", "1")).lower() not in _OFF


def _is_struck(run: _Element) -> bool:
    """Whether a line goes through what a run prints, by its own properties: 17.3.2.9 (dstrike), 17.3.2.37 (strike)."""
    properties = run.find(f"{W}rPr")
    own = (properties.find(each) for each in _STRIKES) if properties is not None else ()
    return any(each is not None and _is_on(each) for each in own)


def _is_raised(run: _Element) -> bool:
    position = run.find(f"{W}rPr/{W}vertAlign")
    return position is not None and position.get(f"{W}val") == "superscript"


def _before_own_mark(node: _Element) -> Sequence[_Element]:
    """The children of a node without the mark of a note that its author typed ("*"): marks that Word counts are no text either."""
    for at, child in enumerate(node) if node.tag == f"{W}r" else ():
        if child.tag in _REFERENCES and str(child.get(f"{W}customMarkFollows", "0")).lower() not in _OFF:
            return list(node)[:at]
    return list(node)
