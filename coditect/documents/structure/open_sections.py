"""What may open a section, the sections under construction, and those that are open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from coditect.documents.source import Block
from coditect.documents.structure.labels import BARE, LabelCandidate, LabelReading
from coditect.documents.structure.steps import base

__all__ = ["Event", "Node", "OpenSections", "holds_next", "is_in_chain", "is_left_out"]


@dataclass(slots=True)
class Node:
    """A section under construction. ``kind``: root, block (the format's own heading), capitals, clause.

    ``closed`` is where it ends, where what follows is of a section around it; -1 where the next section tells. ``level`` is as in
    :class:`Event`.
    """

    kind: str
    start: int
    label: str = ""
    heading: str = ""
    body_start: int = 0
    parent: int = -1
    reading: LabelReading | None = None
    block_level: int = 0
    format_label: str = ""
    closed: int = -1
    level: int = 0


@dataclass(slots=True)
class Event:
    """Something that may open a section.

    ``kind`` is "clause" (with ``candidate``), "capitals" (with ``end``), "term" (a definition on a line of its own) or
    "block" (with ``block``). ``strength`` is "weak" where only the sequence can tell that a label is one. ``level`` is
    the depth of the format's item that begins with a clause, from 1; 0 where it is none.
    """

    start: int
    kind: str
    candidate: LabelCandidate | None = None
    block: Block | None = None
    strength: str = "good"
    end: int = 0
    level: int = 0


@dataclass(slots=True)
class OpenSections:
    """The open sections (``stack``, indices into ``nodes``) and, per style, the last clause of the current part.

    ``terms`` are the sections that were open where the list of definitions began that is being read.
    """

    text: str
    nodes: list[Node]
    stack: list[int]
    memory: dict[str, int] = field(default_factory=dict)
    terms: list[int] = field(default_factory=list)

    def top(self) -> Node:
        """The innermost open section."""
        return self.nodes[self.stack[-1]]

    def floor(self) -> int:
        """Depth in the stack of the deepest section that clauses cannot close: root, format heading or container."""
        for depth in range(len(self.stack) - 1, -1, -1):
            node = self.nodes[self.stack[depth]]
            if node.kind in ("root", "block") or (node.reading is not None and node.reading.rank == 0):
                return depth
        return 0

    def open(self, node: Node, depth: int) -> None:
        """Close everything at ``depth`` and deeper, then open ``node`` there."""
        if node.kind == "capitals":  # what it interrupts may go on after it, the outermost sequence of a style first
            for closed in reversed(self.stack[depth:]):
                if (reading := self.nodes[closed].reading) is not None:
                    self.memory[reading.style] = closed
        del self.stack[depth:]
        node.parent = self.stack[-1]
        self.stack.append(len(self.nodes))
        self.nodes.append(node)
        if node.kind == "block" or (node.reading is not None and node.reading.rank == 0):
            sections = self.memory.get(BARE)
            self.memory.clear()
            if sections is not None:  # sections are counted through a whole act, whatever its headings are
                self.memory[BARE] = sections
        if node.reading is not None:
            self.memory[base(node.reading).style] = len(self.nodes) - 1


_ASTERISKS = re.compile(r"(?:\A|\n)[ \t\xa0]*(?:\*[ \t\xa0]*){3,9}\n\s*\Z")
_LONGEST_ASTERISKS = 40
_LONGEST_BLANK = 8
_LONGEST_TITLE = 110


def is_left_out(sections: OpenSections, reading: LabelReading, events: Sequence[Event], position: int) -> bool:
    """Whether clauses before are not printed: a line of asterisks says so, a chain ("(j)(2)") that no list has, or what it holds.

    Args:
        sections: open so far.
        reading: of the label.
        events: of the document.
        position: of the label's event.
    """
    start = events[position].start
    before = sections.text[max(0, start - _LONGEST_ASTERISKS) : start]
    is_shown = is_in_chain(events, position) or holds_next(reading, events, position)
    return is_shown or _ASTERISKS.search(before) is not None


def holds_next(reading: LabelReading, events: Sequence[Event], position: int) -> bool:
    """Whether a number at a line's start has the first of its own parts next: "8. SCOPE" or "8.0 SCOPE", then "8.1. Both parties".

    Args:
        reading: of the label.
        events: of the document.
        position: of the label's event.
    """
    own = events[position].candidate
    if own is None or own.place != "line" or reading.style.partition(":")[0] not in ("1.", BARE, "dotted"):
        return False
    following = next((each.candidate for each in events[position + 1 :] if each.candidate is not None), None)
    parts = () if following is None else (each.path for each in following.readings if each.style.startswith("dotted"))
    whole = reading.path[:-1] if reading.path[-1] == 0 else reading.path
    return any(part == (*whole, 1) for part in parts)


def is_in_chain(events: Sequence[Event], position: int) -> bool:
    """Whether a label in brackets at the beginning of a line follows another without a blank, or is followed by one so.

    So does the number of a section that has the first of its subsections behind it or below its title, "61. (1) The keeper".

    Args:
        events: of the document.
        position: of the label's event.
    """
    own = events[position].candidate
    if own is None or own.place != "line":
        return False
    if own.readings[0].style in ("1.", BARE):
        inner = events[position + 1].candidate if position + 1 < len(events) else None
        longest = _LONGEST_TITLE if inner is not None and inner.place == "line" else _LONGEST_BLANK
        return inner is not None and inner.label == "(1)" and 0 <= inner.start - own.end <= longest
    if own.label[0] != "(":
        return False
    around = [each.candidate for each in events[max(0, position - 1) : position + 2]]
    beside = [each for each in around if each is not None and each is not own and each.label[0] == "("]
    return any(each.end == own.start or own.end == each.start for each in beside)
