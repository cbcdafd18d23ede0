"""What opens a section, and what it closes: headings and labels of the format, labels, lines in capitals, definitions in a row."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.documents.source import Block
from coditect.documents.structure.headings import HEADING_CHARS, after_space, heading_after
from coditect.documents.structure.labels import NUMBERED_RANK, WHOLE, LabelCandidate, LabelReading, parse_label
from coditect.documents.structure.open_sections import Event, Node, OpenSections
from coditect.documents.structure.sequence import place
from coditect.documents.structure.series.worded_headings import is_number, run_in_title
from coditect.documents.structure.steps import follows, goes_on, is_first

__all__ = ["open_block", "open_capitals", "open_clause", "return_to_terms"]


def open_block(builder: OpenSections, block: Block, events: Sequence[Event], position: int) -> None:
    """A heading of the format, or a paragraph to which it gives a label.

    Right behind a heading that is a label alone ("Article 5") another one of its level is its title; one inside of a section whose
    items go on behind it is a note in the margin, which closes nothing.
    """
    text = builder.text[block.start : min(block.end, block.start + 4 * HEADING_CHARS)]
    candidate, numbered = parse_label(text), events[position].candidate
    worded = block.marks_section and block.kind != "heading"
    if candidate is not None and worded and not is_number(candidate):
        candidate = None
    if candidate is not None and block.kind == "heading":
        is_alone = (
            candidate.label.isalpha() and candidate.label == text.strip()
        )  # "Schedule" may be a note in the margin
        if not _is_heading_label(candidate, text) or (is_alone and _is_note(builder, block, events, position)):
            candidate = None
    if numbered is not None and numbered.readings[0].style.startswith(WHOLE):
        candidate = None  # "Article I - Section 2" is more than "Article I"
    node = Node("block", block.start, format_label=block.label)
    node.level = block.level if block.kind == "list_item" else 0
    rest = 0
    if candidate is not None:
        node.label, node.reading, rest = candidate.label, candidate.readings[0], candidate.end
    elif numbered is not None:
        node.label, node.reading, rest = numbered.label, numbered.readings[0], numbered.end - block.start
    elif block.kind == "heading" and (_is_title(builder, block, text) or _is_note(builder, block, events, position)):
        return
    if block.kind == "heading":
        node.block_level = block.level
        node.heading = " ".join(text[rest:].split()).lstrip(" .:–—-")[:HEADING_CHARS].rstrip()
        node.body_start = after_space(builder.text, block.end)
    elif worded:
        begin = after_space(builder.text, block.start + rest, block.end)
        title = run_in_title(builder.text, begin, block.end)
        if not title and not node.label:
            return  # a sentence that nothing cites opens nothing
        node.block_level = block.level
        node.heading = " ".join(builder.text[begin : begin + title].split())
        node.body_start = after_space(builder.text, begin + title, block.end)
    elif candidate is not None:
        node.heading, body = heading_after(builder.text, block.start + rest, block.end, next_line=False)
        node.body_start = after_space(builder.text, body)
    else:
        node.body_start = block.start
    depth = _block_depth(builder, node)
    builder.open(node, depth + _is_of_part(builder, node, depth, events, position))


def _is_title(builder: OpenSections, block: Block, text: str) -> bool:
    """Whether a heading is the title of the label in the heading before; it is then given to that."""
    top = builder.top()
    if (
        top.kind != "block"
        or not top.label
        or top.heading
        or top.block_level != block.level
        or top.body_start < block.start
    ):
        return False
    top.heading = " ".join(text.split())[:HEADING_CHARS].rstrip()
    top.body_start = after_space(builder.text, block.end)
    return True


def _is_note(builder: OpenSections, block: Block, events: Sequence[Event], position: int) -> bool:
    """Whether the next label goes on inside of a numbered section that the heading would close."""
    following = next((each for each in events[position + 1 : position + 3] if each.kind != "term"), None)
    if following is None or following.candidate is None:
        return False
    depth = _block_depth(builder, Node("block", block.start, block_level=block.level))
    closed = [builder.nodes[each] for each in builder.stack[depth:]]
    labelled = next((n for n, each in enumerate(closed) if each.label), len(closed))
    readings = following.candidate.readings
    return any(goes_on(each.reading, reading) for each in closed[labelled + 1 :] for reading in readings)


def _is_of_part(builder: OpenSections, node: Node, depth: int, events: Sequence[Event], position: int) -> bool:
    """Whether a heading beside that of an appendix or schedule is inside of it: what it labels begins anew, or goes on there."""
    other = builder.nodes[builder.stack[depth]] if depth < len(builder.stack) else None
    if other is None or other.reading is None or other.reading.rank > 0 or other.block_level != node.block_level:
        return False
    if node.reading is not None and node.reading.rank == 0:
        return False
    readings = [*([node.reading] if node.reading else ()), *_readings_behind(builder, events, position)]
    inside = [each.reading for each in builder.nodes[builder.stack[depth] + 1 :]]
    is_next = any(goes_on(each, reading) for each in inside for reading in readings)
    return is_next or any(reading.rank > 0 and is_first(reading) for reading in readings)


def _readings_behind(builder: OpenSections, events: Sequence[Event], position: int) -> Sequence[LabelReading]:
    """The readings of the next label, through headings that have none."""
    for event in events[position + 1 : position + 1 + _HEADINGS_IN_A_ROW]:
        if event.candidate is not None:
            return event.candidate.readings
        if event.block is not None:
            candidate = parse_label(builder.text[event.block.start : event.block.end])
            if candidate is not None:
                return candidate.readings
    return ()


_HEADINGS_IN_A_ROW = 6


def _is_heading_label(candidate: LabelCandidate, text: str) -> bool:
    rest = text[candidate.end :].lstrip()
    return not rest or not rest[0].islower()


def _block_depth(builder: OpenSections, node: Node) -> int:
    """Under the deepest format heading of a smaller level; labelled paragraphs under the label that starts theirs."""
    for depth in range(len(builder.stack) - 1, 0, -1):
        other = builder.nodes[builder.stack[depth]]
        if other.kind != "block":
            continue
        if node.block_level == 0:
            is_below = node.format_label.startswith(f"{other.format_label}-") or 0 < other.level < node.level
            inside = other.block_level > 0 or is_below
        else:
            inside = 0 < other.block_level < node.block_level
        if inside:
            return depth + 1
    return 1


def open_capitals(builder: OpenSections, event: Event, events: Sequence[Event], position: int) -> None:
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
            if any(follows(builder.nodes[inner].reading, r) == 1 for r in following.candidate.readings):
                return
        depth += _is_title_of_clause(builder, depth + is_group, events, position)
    line = " ".join(builder.text[event.start : event.end].split()).rstrip(".")
    _, body = heading_after(builder.text, event.end, len(builder.text), next_line=False)
    builder.open(Node("capitals", event.start, heading=line[:HEADING_CHARS], body_start=body), depth)


def _is_title_of_clause(builder: OpenSections, depth: int, events: Sequence[Event], position: int) -> int:
    """How many sections deeper a line in capitals stands that is inside of a numbered clause, as a title of what it says.

    "A. Keys", a title, "1. The keeper must …", "B. Doors": what it labels begins anew in another form, and the row of the clause
    goes on before that form does at its level again.
    """
    if depth >= len(builder.stack):
        return 0
    clause = builder.nodes[builder.stack[depth]].reading
    ahead = [e.candidate for e in events[position + 1 : position + 1 + _TITLE_LOOKAHEAD] if e.candidate is not None]
    if clause is None or not ahead or not any(is_first(each) for each in ahead[0].readings):
        return 0
    inside = ahead[0].readings
    if any(each.style == clause.style for each in inside) or min(each.rank for each in inside) <= 4:
        return 0
    goes_on = any(follows(clause, each) == 1 for candidate in ahead for each in candidate.readings)
    return 1 if goes_on or _is_titled_inside(builder, clause) else 0


def _is_titled_inside(builder: OpenSections, clause: LabelReading) -> bool:
    """Whether the last line in capitals stood inside of a clause of the same row: the last of the row has none behind it."""
    for node in reversed(builder.nodes[-_TITLE_LOOKAHEAD:]):
        if node.kind == "capitals":
            holder = builder.nodes[node.parent].reading
            return holder is not None and holder.style == clause.style
    return False


_TITLE_LOOKAHEAD = 400
"""Labels among which the next of a clause must come, for a title to be inside of it."""


def return_to_terms(builder: OpenSections, event: Event) -> None:
    """Close what was opened inside of the definition before: all terms of a list of definitions stand beside each other."""
    if builder.terms and builder.stack[: len(builder.terms)] == builder.terms:
        for closed in builder.stack[len(builder.terms) :]:
            builder.nodes[closed].closed = event.start
        del builder.stack[len(builder.terms) :]
    elif event.strength == "good":
        builder.terms = list(builder.stack)


def _start_of_path(text: str, events: Sequence[Event], position: int) -> int:
    """Where the label of a clause begins: with the number of its section, where both stand together ("4.2.(3)", "34(1)")."""
    event, before = events[position], events[position - 1] if position else None
    is_whole = (
        before is not None and before.candidate is not None and _is_joint(text[before.candidate.end : event.start])
    )
    if before is None or not is_whole:
        return event.start
    # "34(1)"; of a chain in brackets, "(a)(1)", each is a section's own.
    last = text[event.start - 1]
    return event.start if last == ")" else before.start


def _is_joint(between: str) -> bool:
    """Whether nothing stands between two labels, or the dash of "3.—(1) The keeper"."""
    return not between or (len(between) <= _LONGEST_JOINT and not between.strip(" —–-") and not between.isspace())


_LONGEST_JOINT = 3


def _is_title_inside(builder: OpenSections, events: Sequence[Event], position: int) -> bool:
    """Whether a division's name is a title inside of a numbered paragraph, in one block with its number and its text.

    "12) Keys, line by line: Principle 1: Care, line by line: A keeper must …"
    """
    text, event, top = builder.text, events[position], builder.top()
    candidate = event.candidate
    if candidate is None or not 0 < candidate.readings[0].rank <= NUMBERED_RANK - 1 or candidate.place != "line":
        return False
    if top.kind != "clause" or top.reading is None or top.reading.rank < NUMBERED_RANK or event.block is not None:
        return False
    above = text[top.start : event.start]
    line_end = text.find("\n", event.start)
    if len(above) > 4 * HEADING_CHARS or _BLANK_LINE.search(above) or "\n" not in above or line_end < 0:
        return False
    below = text[line_end + 1 : line_end + 2]
    is_title = all(not line.rstrip().endswith((".", ";", ",")) for line in above.splitlines())
    following = events[position + 1].start if position + 1 < len(events) else len(text)
    return is_title and below.isalnum() and following > line_end + 1


_BLANK_LINE = re.compile(r"\n[ \t\xa0]*\n")


def open_clause(builder: OpenSections, events: Sequence[Event], position: int) -> None:
    """Open a section at a label, where the sequence has a place for it."""
    event = events[position]
    candidate = event.candidate
    if candidate is None or _is_title_inside(builder, events, position):
        return
    found = place(builder, events, position)
    if found is None:
        return
    reading, depth = found
    following = next((e.start for e in events[position + 1 : position + 6] if e.kind != "capitals"), len(builder.text))
    start = _start_of_path(builder.text, events, position)
    node = Node("clause", start, candidate.label, reading=reading, level=event.level)
    if candidate.title_end:
        node.heading = " ".join(builder.text[candidate.end : candidate.title_end].split())
        node.body_start = after_space(builder.text, candidate.title_end)
    else:
        node.heading, node.body_start = heading_after(
            builder.text, candidate.end, max(candidate.end, following), next_line=reading.rank <= 4
        )
    builder.open(node, depth)
