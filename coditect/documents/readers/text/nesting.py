"""Items of Markdown that are nested by two blanks: whoever writes them so means a list inside of the item above.

CommonMark asks that an item's own lists stand as far right as its words do: three blanks behind "1. ", four behind "10. ". What
stands two blanks to the right is beside the item there, and gets the next number of its list. Editors that indent by two, and
people who write policies by hand, take it for a list inside. Here such lines are moved to where CommonMark asks for them, before
they are parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["nested_items"]

_ITEM = re.compile(r"(?P<blanks> *)(?P<mark>[-*+]|(?P<number>\d{1,9})[.)])(?P<gap> {1,4})(?=\S)")
_FENCE = re.compile(r" *(?:```|~~~)")
_RULE = re.compile(r" *(?:(?:\* *){3,}|(?:- *){3,})\Z")
_LEAST = 2
"""Blanks by which an item that is inside of another stands to the right of it, at least."""


@dataclass(frozen=True, slots=True)
class _Item:
    """An open item.

    Attributes:
        indent: columns in front of its mark, as it is written.
        content: the column at which its words begin.
        shift: columns by which its lines are moved.
    """

    indent: int
    content: int
    shift: int


def nested_items(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a Markdown text, those of items that are nested by too few blanks moved to the right.

    An item that stands two blanks or more to the right of another, but left of its words, is inside of it where it has a bullet or
    counts anew from 1. Lines of code keep their distance from the item that they are in.

    Args:
        lines: as they are written, without their ends.
    """
    stack: list[_Item] = []
    is_code = is_behind_blank = False
    for line in lines:
        if _FENCE.match(line):
            is_code = not is_code
        if not line.strip() or is_code:
            is_behind_blank = not line.strip()
            yield " " * stack[-1].shift + line if stack and line.strip() else line
            continue
        found = None if _RULE.match(line) else _ITEM.match(line)
        indent = len(line) - len(line.lstrip(" "))
        while stack and indent < stack[-1].indent:
            stack.pop()
        if found is not None:
            stack, shift = _opened(stack, found, indent)
        else:
            if is_behind_blank:  # a paragraph that stands left of an item's words is behind it
                while stack and indent <= stack[-1].indent:
                    stack.pop()
            shift = stack[-1].shift if stack else 0
        is_behind_blank = False
        yield " " * shift + line if shift else line


def _opened(stack: list[_Item], found: re.Match[str], indent: int) -> tuple[list[_Item], int]:
    """The open items with one that begins, and by how much it is moved."""
    above = stack[-1] if stack else None
    if above is None:
        shift = 0
    elif indent == above.indent:
        shift = above.shift
        stack = stack[:-1]
    elif indent >= above.content:
        shift = above.shift
    elif indent - above.indent >= _LEAST and (found["number"] is None or int(found["number"]) == 1):
        shift = above.shift + above.content - indent
    else:
        return [*stack[:-1], _Item(above.indent, above.content, above.shift)], above.shift
    return [*stack, _Item(indent, found.end(), shift)], shift
