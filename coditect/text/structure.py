"""The outline of a document: headings that its format marks, and numbered clauses in running text.

A clause is recognised by its label *and* its place in a sequence: "(c)" follows "(b)" or nothing. One stack of open
sections is kept; a label closes the sections that it cannot be inside of. The style of a label and the successor
that a sequence expects decide between readings, and refuse what only looks like a label.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from coditect.text.clauses import CONTAINERS, Candidate, Reading, candidates, parse_label
from coditect.text.headings import (
    HEADING_CHARS,
    capital_lines,
    contents_regions,
    ends_in_page_number,
    heading_after,
    is_contents_entry,
    may_start,
)
from coditect.text.source import Block, SourceText

__all__ = ["Section", "outline"]

_LARGEST_GAP = 3  # labels that may be missing in a sequence (deleted or unrecognised clauses)
_LEAD_IN_CHARS = 150  # text between a heading in capitals and the clauses that it groups
_NUMBERED_RANK = 5  # of "1.", "A." and "1.1"
_LOOKAHEAD = 40  # candidates that are looked at to tell "(i)" the letter from "(i)" the numeral
_NUMBERS = ("1.", "dotted:2", "dotted:3", "dotted:4")
_NOT_ID = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading or numbered clause with all that it holds.

    Attributes:
        section_id: unique in the document, from labels where printed: "sec_4_2_b"; else from the heading's words.
        label: as printed: "4.2.1", "§ 164.308(a)(1)", "(b)", or "".
        heading: without the label, white space collapsed, at most 200 characters, or "".
        level: 0 for the root, else one more than its parent's.
        start: first code point.
        end: one past the last code point, children included.
        body_start: first code point after label and heading; start <= body_start <= end.
        parent: index into the outline; -1 for the root.
        parent_chain: printed "label heading" of each ancestor below the root, outermost first.
    """

    section_id: str
    label: str
    heading: str
    level: int
    start: int
    end: int
    body_start: int
    parent: int
    parent_chain: tuple[str, ...]


@dataclass(slots=True)
class _Node:
    """A section under construction. ``kind``: root, block (the format's own heading), capitals, clause."""

    kind: str
    start: int
    label: str = ""
    heading: str = ""
    body_start: int = 0
    parent: int = -1
    reading: Reading | None = None
    block_level: int = 0
    format_label: str = ""


@dataclass(slots=True)
class _Event:
    """Something that may open a section, in document order."""

    start: int
    end: int
    kind: str
    candidate: Candidate | None = None
    block: Block | None = None
    strength: str = "good"


@dataclass(slots=True)
class _Builder:
    """The open sections (``stack``, indices into ``nodes``) and, per style, the last clause of the current part."""

    text: str
    nodes: list[_Node]
    stack: list[int]
    memory: dict[str, int] = field(default_factory=dict)

    def top(self) -> _Node:
        return self.nodes[self.stack[-1]]

    def floor(self) -> int:
        """Depth in the stack of the deepest section that clauses cannot close: root, format heading or container."""
        for depth in range(len(self.stack) - 1, -1, -1):
            node = self.nodes[self.stack[depth]]
            if node.kind in ("root", "block") or (node.reading is not None and node.reading.rank == 0):
                return depth
        return 0

    def open(self, node: _Node, depth: int) -> None:
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
            self.memory.clear()
        if node.reading is not None:
            self.memory[node.reading.style] = len(self.nodes) - 1


def outline(source: SourceText) -> tuple[Section, ...]:
    """The sections of a document, in document order; the first is the root and covers the whole text.

    Children lie within their parents, and siblings do not overlap. Time is linear in the text.

    Args:
        source: canonical text with whatever layout its format gave.
    """
    builder = _Builder(source.text, [_Node("root", 0)], [0])
    events = _events(source)
    for position, event in enumerate(events):
        if event.kind == "block" and event.block is not None:
            _open_block(builder, event.block)
        elif event.kind == "capitals":
            _open_capitals(builder, event, events, position)
        elif event.candidate is not None:
            _open_clause(builder, event, events, position)
    return _finish(builder)


def _events(source: SourceText) -> list[_Event]:
    text = source.text
    contents = contents_regions(text)
    contents_starts = [a for a, _ in contents]
    is_plain = not any(block.kind == "heading" for block in source.blocks)
    events: list[_Event] = []
    for start, end, block in _stretches(source):
        if block is not None:
            events.append(_Event(start, end, "block", block=block))
        if block is not None and block.kind == "heading":
            continue
        found: list[_Event] = []
        for candidate in candidates(text, start, end):
            strength = may_start(text, candidate, start)
            if strength != "no" and not is_contents_entry(text, candidate.end, end):
                found.append(_Event(candidate.start, candidate.end, "clause", candidate, strength=strength))
        found = _without_page_lists(text, found)
        labelled = {e.start for e in found}
        if is_plain:
            lines = capital_lines(text, start, end)
            found += [_Event(a, b, "capitals") for a, b in lines if a not in labelled]
        found.sort(key=lambda e: e.start)
        for event in found:
            at = bisect_right(contents_starts, event.start) - 1
            if at < 0 or event.start >= contents[at][1]:
                events.append(event)
    return events


def _without_page_lists(text: str, events: list[_Event]) -> list[_Event]:
    """Drop neighbouring labels whose short lines all end in a number: a table of contents that has no title."""
    paged = [e.kind == "clause" and ends_in_page_number(text, e.end) for e in events]
    beside = [False, *paged], [*paged[1:], False]
    return [e for e, own, left, right in zip(events, paged, *beside, strict=False) if not (own and (left or right))]


def _stretches(source: SourceText) -> list[tuple[int, int, Block | None]]:
    """Runs of text to search for clauses, cut at headings, tables, code and labelled blocks."""
    stretches: list[tuple[int, int, Block | None]] = []
    begin = 0
    for block in source.blocks:
        opens = block.kind == "heading" or (block.label != "" and block.kind in ("paragraph", "list_item", "quote"))
        if not opens and block.kind not in ("table_row", "code"):
            continue
        if begin < block.start:
            stretches.append((begin, block.start, None))
        if opens:
            stretches.append((block.start, block.end, block))
        begin = block.end
    if begin < len(source.text):
        stretches.append((begin, len(source.text), None))
    return stretches


def _open_block(builder: _Builder, block: Block) -> None:
    text = " ".join(builder.text[block.start : block.end][: 4 * HEADING_CHARS].split())
    candidate = parse_label(text)
    label = candidate.label if candidate is not None and _is_heading_label(candidate, text) else ""
    heading = text[candidate.end :].lstrip(" .:–—-") if candidate is not None and label else text
    node = _Node("block", block.start, label, heading[:HEADING_CHARS].rstrip(), block.end)
    node.reading = candidate.readings[0] if candidate is not None and label else None
    node.format_label = block.label
    node.block_level = block.level
    if block.kind != "heading":
        node.heading = ""
        node.body_start = block.start + (candidate.end if candidate is not None and label else 0)
        node.block_level = 0
    builder.open(node, _block_depth(builder, node))


def _is_heading_label(candidate: Candidate, text: str) -> bool:
    rest = text[candidate.end :].lstrip()
    return not rest or not rest[0].islower()


def _block_depth(builder: _Builder, node: _Node) -> int:
    """Under the deepest format heading of a smaller level; labelled paragraphs under the label that starts theirs."""
    for depth in range(len(builder.stack) - 1, 0, -1):
        other = builder.nodes[builder.stack[depth]]
        if other.kind != "block":
            continue
        if node.block_level == 0:
            inside = other.block_level > 0 or node.format_label.startswith(other.format_label + "-")
        else:
            inside = 0 < other.block_level < node.block_level
        if inside:
            return depth + 1
    return 1


def _open_capitals(builder: _Builder, event: _Event, events: Sequence[_Event], position: int) -> None:
    """A line in capitals is the heading of the bare label before it, or groups the clauses after it.

    It is nothing (a page header, an emphasis) if the next label continues a sequence inside what it would close.
    """
    if event.start < builder.top().body_start:
        return
    floor = builder.floor()
    depth = floor + 1
    while depth < len(builder.stack):
        node = builder.nodes[builder.stack[depth]]
        if node.reading is None or node.reading.rank > 4:
            break
        depth += 1
    following = next((e for e in events[position + 1 : position + 6] if e.kind == "clause"), None)
    if following is not None and following.candidate is not None:
        is_group = depth < len(builder.stack) and builder.nodes[builder.stack[depth]].kind == "capitals"
        for inner in builder.stack[depth + 1 + is_group :]:
            if any(_follows(builder.nodes[inner].reading, r) == 1 for r in following.candidate.readings):
                return
    line = " ".join(builder.text[event.start : event.end].split()).rstrip(".")
    _, body = heading_after(builder.text, event.end, len(builder.text), next_line=False)
    builder.open(_Node("capitals", event.start, heading=line[:HEADING_CHARS], body_start=body), depth)


def _follows(before: Reading | None, reading: Reading) -> int:
    """How many steps ``reading`` lies after ``before`` in one sequence, or 0."""
    if before is None or before.style != reading.style or before.path[:-1] != reading.path[:-1]:
        return 0
    last, previous = reading.path[-1], before.path[-1]
    if isinstance(last, int) and isinstance(previous, int):
        return max(0, last - previous)
    if isinstance(last, str) and isinstance(previous, str) and len(last) == len(previous) == 1:
        return max(0, ord(last) - ord(previous))
    return 0


def _is_first(reading: Reading) -> bool:
    return reading.path[-1] in (1, "a", "A", "i")


def _open_clause(builder: _Builder, event: _Event, events: Sequence[_Event], position: int) -> None:
    candidate = event.candidate
    if candidate is None or event.start < builder.top().start:
        return
    choices = []
    for reading in candidate.readings:
        score, depth = _fit(builder, reading, events, position)
        if score > 0 and (
            event.strength == "good" or reading.rank == 0 or _is_confirmed(builder, score, reading, events, position)
        ):
            choices.append((score, depth, reading))
    if not choices:
        return
    best = max(range(len(choices)), key=lambda i: choices[i][0])
    if len(choices) > 1 and min(c[0] for c in choices) >= 3:
        best = _by_lookahead([c[2] for c in choices], events, position)
    _, depth, reading = choices[best]
    node = _Node("clause", event.start, candidate.label, reading=reading)
    following = next((e.start for e in events[position + 1 : position + 6] if e.kind != "capitals"), len(builder.text))
    node.heading, node.body_start = heading_after(
        builder.text, candidate.end, max(candidate.end, following), next_line=reading.rank <= 4
    )
    builder.open(node, depth)


def _is_confirmed(builder: _Builder, score: int, reading: Reading, events: Sequence[_Event], position: int) -> bool:
    """Whether a label in a doubtful place is borne out by its sequence: by the one before it, or by the one after."""
    start = events[position].start
    after_sentence = builder.text[max(0, start - 3) : start].rstrip(" \t\xa0\n")[-1:] in ".;:"
    if score >= 4:
        return after_sentence or reading.style in _NUMBERS
    if score == 2:
        return after_sentence and reading.style in _NUMBERS
    if score != 3 or not _is_first(reading):
        return False
    for event in events[position + 1 : position + 1 + _LOOKAHEAD]:
        for other in event.candidate.readings if event.candidate is not None else ():
            if _follows(reading, other) == 1 or (other.path[:-1] == reading.path and _is_first(other)):
                return True
            if other.style == reading.style:
                return False
    return False


def _by_lookahead(readings: Sequence[Reading], events: Sequence[_Event], position: int) -> int:
    """Which reading's successor comes first among the next labels; the first reading if none does."""
    for event in events[position + 1 : position + 1 + _LOOKAHEAD]:
        if event.candidate is None:
            continue
        for index, reading in enumerate(readings):
            if any(_follows(reading, other) == 1 for other in event.candidate.readings):
                return index
    return 0


def _fit(builder: _Builder, reading: Reading, events: Sequence[_Event], position: int) -> tuple[int, int]:
    """How well a label fits the open sections, and the depth at which it would open.

    Returns:
        score 0 (does not fit) to 5 (the expected successor), and a stack depth.
    """
    floor = builder.floor()
    candidate = events[position].candidate
    if reading.rank == 0 and candidate is not None:
        return _fit_container(builder, candidate)
    if len(reading.path) > 1 and (fit := _fit_under_prefix(builder, reading, floor)) is not None:
        return fit
    nearest = 0
    for depth in range(len(builder.stack) - 1, floor, -1):
        other = builder.nodes[builder.stack[depth]].reading
        if other is None or other.style != reading.style:
            continue
        steps = _follows(other, reading)
        if steps == 1:
            return 5, depth
        if 1 < steps <= _LARGEST_GAP:
            return 2, depth
        nearest = nearest or depth
    if nearest:
        return _fit_restart(builder, reading, nearest, events, position)
    return _fit_new_style(builder, reading, floor, events[position].start)


def _fit_restart(
    builder: _Builder, reading: Reading, depth: int, events: Sequence[_Event], position: int
) -> tuple[int, int]:
    """A sequence that starts again while one of its style is open: a list inside a list, or a part without heading.

    It is inside if the outer sequence goes on after it: its next label comes when the inner one expects another.
    """
    other = builder.nodes[builder.stack[depth]].reading
    if other is None:
        return 0, depth
    if not _is_first(reading):
        is_next_part = len(reading.path) > 1 and isinstance(reading.path[0], int) and isinstance(other.path[0], int)
        if not is_next_part or reading.path[:-1] == other.path[:-1]:
            return 0, depth
        return (1 if 0 <= int(reading.path[0]) - int(other.path[0]) <= _LARGEST_GAP else 0), depth
    if depth < len(builder.stack) - 1 and len(reading.path) == 1:
        last = reading
        for event in events[position + 1 : position + 1 + _LOOKAHEAD]:
            for following in event.candidate.readings if event.candidate is not None else ():
                if _follows(last, following) == 1:
                    last = following
                elif _follows(other, following) == 1:
                    return 3, len(builder.stack)
    return 2, depth


def _fit_container(builder: _Builder, candidate: Candidate) -> tuple[int, int]:
    """Exhibits and annexes stand on a line of their own, beside each other, below format headings only."""
    line = builder.text[candidate.end : candidate.end + 130].split("\n", 1)[0]
    is_file_name = not builder.text[: candidate.start].strip()  # "Exhibit 10.1" as the first words names the file
    alone = (
        not is_file_name and candidate.place == "line" and len(line) <= 120 and not line.rstrip().endswith((",", ";"))
    )
    depth = builder.floor()
    node = builder.nodes[builder.stack[depth]]
    if node.reading is not None and node.reading.rank == 0 and node.kind == "clause":
        depth -= 1
    return (3 if alone else 0), depth + 1


def _fit_under_prefix(builder: _Builder, reading: Reading, floor: int) -> tuple[int, int] | None:
    """A dotted number belongs below the number that it extends, "2.1" below "2.", "Article II" or "Section 2"."""
    for depth in range(len(builder.stack) - 1, floor, -1):
        other = builder.nodes[builder.stack[depth]].reading
        if other is None:
            continue
        if other.style == reading.style and other.path[:-1] == reading.path[:-1]:
            steps = _follows(other, reading)
            return (5 if steps == 1 else 2 if 1 < steps <= _LARGEST_GAP else 0), depth
        for cut in range(len(reading.path) - 1, 0, -1):
            if other.path == reading.path[:cut] and other.rank <= _rank_of_numbers(reading):
                return (4 if _is_first(reading) else 2), depth + 1
    return None


def _rank_of_numbers(reading: Reading) -> int:
    return max(reading.rank, 5)


def _fit_new_style(builder: _Builder, reading: Reading, floor: int, start: int) -> tuple[int, int]:
    """A style that no open section has: the first of a list, or a sequence that goes on after an interruption."""
    depth = len(builder.stack)
    top = builder.top()
    if top.kind == "capitals" and reading.rank <= _NUMBERED_RANK and start - top.body_start > _LEAD_IN_CHARS:
        depth -= 1  # a title or the recitals with a text of their own, not the heading of a group of clauses
    has_numbers = any((r := builder.nodes[i].reading) is not None and r.rank <= 5 for i in builder.stack[floor + 1 :])
    limit = reading.rank if reading.rank <= 4 or not has_numbers else 6
    while depth > floor + 1:
        other = builder.nodes[builder.stack[depth - 1]].reading
        if other is None or other.rank <= limit:
            break
        depth -= 1
    last = builder.memory.get(reading.style)
    if last is not None and _follows(builder.nodes[last].reading, reading) == 1:
        parent = builder.nodes[last].parent
        if builder.nodes[parent].kind != "capitals" and parent in builder.stack:
            depth = builder.stack.index(parent) + 1
        return 4, depth
    if _is_first(reading):
        return 3, depth
    if last is None and len(reading.path) > 1 and all(isinstance(part, int) for part in reading.path):
        return 1, depth
    if last is None and reading.rank <= 4:
        return 1, depth
    return 0, depth


def _finish(builder: _Builder) -> tuple[Section, ...]:
    text, nodes = builder.text, builder.nodes
    ends = _ends(text, nodes)
    used: dict[str, int] = {}
    done: list[Section] = []
    for index, node in enumerate(nodes):
        if index == 0:
            done.append(Section("sec_root", "", "", 0, 0, len(text), 0, -1, ()))
            used["sec_root"] = 1
            continue
        parent = done[node.parent]
        chain = parent.parent_chain
        if node.parent > 0:
            chain = (*chain, f"{parent.label} {parent.heading}".strip())
        body = min(max(node.body_start, node.start), ends[index])
        done.append(
            Section(
                _unique(_section_id(nodes, done, node), used),
                node.label,
                node.heading,
                parent.level + 1,
                node.start,
                ends[index],
                body,
                node.parent,
                chain,
            )
        )
    return tuple(done)


def _ends(text: str, nodes: Sequence[_Node]) -> list[int]:
    """Where each section ends: before the next one that is not inside it, without trailing white space."""
    ends = [len(text)] * len(nodes)
    open_nodes = [0]
    for index in range(1, len(nodes) + 1):
        parent = nodes[index].parent if index < len(nodes) else -1
        stop = nodes[index].start if index < len(nodes) else len(text)
        floor = nodes[open_nodes[-1]].start
        while stop > floor and text[stop - 1].isspace():
            stop -= 1
        while open_nodes and open_nodes[-1] != parent:
            ends[open_nodes.pop()] = stop
        open_nodes.append(index)
    ends[0] = len(text)
    return ends


def _section_id(nodes: Sequence[_Node], done: Sequence[Section], node: _Node) -> str:
    if node.format_label:
        return f"sec_{_slug(node.format_label)}"
    if not node.label:
        return f"sec_{_slug(node.heading)}"
    reading = node.reading
    label = node.label
    if reading is not None and reading.style.split(":")[0] == "section":
        label = label.split(None, 1)[-1]  # "Section 4.2" is cited as 4.2
    absolute = reading is not None and (len(reading.path) > 1 or reading.rank <= 4)
    numbered = reading is not None and reading.style == "1."
    base, at = "sec", node.parent
    while at > 0:
        other = nodes[at]
        is_container = other.reading is not None and other.reading.style.split(":")[0].split(" ")[0] in CONTAINERS
        is_named = other.label != "" or other.format_label != "" or other.kind == "block" or not numbered
        if is_container or (is_named and not absolute):
            base = done[at].section_id
            break
        at = other.parent
    return f"{base}_{_slug(label)}"


def _slug(text: str) -> str:
    return _NOT_ID.sub("_", text.lower()).strip("_")[:60].rstrip("_") or "x"


def _unique(name: str, used: dict[str, int]) -> str:
    count = used.get(name, 0) + 1
    unique = name if count == 1 else f"{name}_{count}"
    while count > 1 and unique in used:
        count += 1
        unique = f"{name}_{count}"
    used[name] = count
    used.setdefault(unique, 1)
    return unique
