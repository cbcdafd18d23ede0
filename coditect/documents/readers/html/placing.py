"""Tables that only place what stands in them, as pages did before style sheets: they hold tables and no rows of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["placing_tables"]

_HEADS = frozenset({"th", "caption", "thead"})


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
