"""Tables that only place what stands in them: those that hold tables and no rows of cells, as before style sheets, and those whose
rows are points of a list, a number and its text, as official journals set them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["is_enumerator", "is_point", "placing_tables", "tables_of_points"]

_HEADS = frozenset({"th", "caption", "thead"})

_ENUMERATOR = re.compile(r"\((?:[0-9]{1,3}[a-z]?|[a-z]|aa|bb|cc|dd|ee|ff|gg|hh|[ivxlc]{1,7}|[A-Z])\)")
_POINT = re.compile(rf"{_ENUMERATOR.pattern}|(?:[0-9]{{1,3}}|[a-z]|[ivxlc]{{1,7}}|[A-Z])[.)]|[—–•·▪-]")


def is_enumerator(text: str) -> bool:
    """Whether a block of text is only a number or a letter in parentheses: what it numbers follows."""
    return _ENUMERATOR.fullmatch(text) is not None


def is_point(text: str) -> bool:
    """Whether a cell holds only what numbers or marks the point beside it."""
    return _POINT.fullmatch(text) is not None


def tables_of_points(tree: LexborHTMLParser) -> frozenset[int]:
    """The tables without heads whose rows are points of a list, an enumerator and one cell each, by the ids of their nodes."""
    return frozenset(each.mem_id for each in tree.css("table") if _holds_points(each))


def _holds_points(table: LexborNode) -> bool:
    enumerated = False
    if any(each.tag in _HEADS for each in _below(table)):
        return False
    for row in _rows(table):
        filled = [each for each in _below(row) if each.tag == "th" or each.css_first("table") or each.text().strip()]
        if any(each.tag == "th" for each in filled):
            return False
        if len(filled) > 1:
            if len(filled) > 2 or filled[0].css_first("table") or not is_point(filled[0].text().strip()):
                return False
            if not any(each.isalpha() for each in filled[1].text()):
                return False  # "(5)" beside "(7)": amounts
            enumerated = True
    return enumerated


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    for part in _below(table):
        if part.tag == "tr":
            yield part
        elif part.tag in ("tbody", "tfoot"):
            yield from (each for each in _below(part) if each.tag == "tr")


def _below(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        yield child
        child = child.next


def placing_tables(tree: LexborHTMLParser) -> frozenset[int]:
    """The tables that hold another one and have neither heads nor a row of several cells, by the ids of their nodes.

    Args:
        tree: of the page; it is walked once, and only where one table stands in another.
    """
    if tree.root is None or tree.css_first("table table") is None:
        return frozenset()
    holding: set[int] = set()
    tabular: set[int] = set()
    open_tables: list[int] = []
    stack: list[tuple[LexborNode, bool]] = [(tree.root, False)]
    while stack:
        node, leaving = stack.pop()
        if leaving:
            open_tables.pop()
            continue
        if node.next is not None and node is not tree.root:
            stack.append((node.next, False))
        if node.tag == "table":
            if open_tables:
                holding.add(open_tables[-1])
            open_tables.append(node.mem_id)
            stack.append((node, True))
        elif open_tables and (node.tag in _HEADS or (node.tag == "td" and _has_cell_before(node))):
            tabular.add(open_tables[-1])
        if node.child is not None:
            stack.append((node.child, False))
    return frozenset(holding - tabular)


def _has_cell_before(cell: LexborNode) -> bool:
    before = cell.prev
    while before is not None and before.tag not in ("td", "th"):
        before = before.prev
    return before is not None
