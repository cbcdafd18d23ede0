"""The outline of a document: headings that its format marks, and numbered clauses in running text.

A clause is recognised by its label *and* its place in a sequence: "(c)" follows "(b)" or nothing. One stack of open
sections is kept; a label closes the sections that it cannot be inside of. The style of a label and the successor
that a sequence expects decide between readings, and refuse what only looks like a label.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coditect.documents.source import SourceText
from coditect.documents.structure.events import read_events
from coditect.documents.structure.labels import BARE, CONTAINERS, INSERTED
from coditect.documents.structure.open_sections import Node, OpenSections
from coditect.documents.structure.openings import open_block, open_capitals, open_clause, return_to_terms
from coditect.documents.structure.series.worded_headings import read_as_text
from coditect.language.matched import MatchedText

__all__ = ["OutlineSection", "matched_outline", "outline", "printed", "root_alone", "section_around"]

_NOT_ID = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class OutlineSection:
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


def printed(section: OutlineSection) -> str:
    """A section's label and heading as printed; "" for the root."""
    return f"{section.label} {section.heading}".strip()


def root_alone(text: str) -> tuple[OutlineSection, ...]:
    """The outline of a text that has none: the root, over all of it."""
    return (OutlineSection("sec_root", "", "", 0, 0, len(text), 0, -1, ()),)


def section_around(sections: Sequence[OutlineSection], starts: Sequence[int], start: int, end: int) -> int:
    """Index of the smallest section that holds ``[start, end)``; 0, the root, where no other does.

    Args:
        sections: an outline.
        starts: the first code point of each of its sections.
        start: first code point.
        end: one past the last.
    """
    index = bisect_right(starts, start) - 1
    while index > 0 and sections[index].end < end:
        index = sections[index].parent
    return max(index, 0)


def outline(source: SourceText) -> tuple[OutlineSection, ...]:
    """The sections of a document, in document order; the first is the root and covers the whole text.

    Children lie within their parents, and siblings do not overlap. Labels and headings are read without characters that print
    nothing. Time is linear in the text.

    Args:
        source: canonical text with whatever layout its format gave.
    """
    shown, matched = read_as_text(source)
    sections = matched_outline(shown)
    return sections if matched.is_verbatim else tuple(_placed(each, matched) for each in sections)


def _placed(section: OutlineSection, matched: MatchedText) -> OutlineSection:
    """A section with the offsets of the canonical text; the root covers all of it."""
    if section.parent < 0:
        return replace(section, end=len(matched.verbatim))
    start, end = matched.span(section.start, section.end)
    return replace(section, start=start, end=end, body_start=min(matched.start(section.body_start), end))


def matched_outline(source: SourceText) -> tuple[OutlineSection, ...]:
    """The sections of a document in the form in which :func:`read_as_text` gives it; see :func:`outline`."""
    builder = OpenSections(source.text, [Node("root", 0)], [0])
    events = read_events(source)
    for position, event in enumerate(events):
        if event.kind == "block" and event.block is not None:
            open_block(builder, event.block, events, position)
        elif event.kind == "term":
            return_to_terms(builder, event)
        elif event.kind == "capitals":
            open_capitals(builder, event, events, position)
        elif event.candidate is not None:
            open_clause(builder, events, position)
    return _finish(builder)


def _finish(builder: OpenSections) -> tuple[OutlineSection, ...]:
    text, nodes = builder.text, builder.nodes
    ends = _ends(text, nodes)
    used: dict[str, int] = {}
    done: list[OutlineSection] = []
    for index, node in enumerate(nodes):
        if index == 0:
            done.append(OutlineSection("sec_root", "", "", 0, 0, len(text), 0, -1, ()))
            used["sec_root"] = 1
            continue
        parent = done[node.parent]
        chain = parent.parent_chain
        if node.parent > 0:
            chain = (*chain, f"{parent.label} {parent.heading}".strip())
        body = min(max(node.body_start, node.start), ends[index])
        done.append(
            OutlineSection(
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


def _ends(text: str, nodes: Sequence[Node]) -> list[int]:
    """Where each section ends: before the next one that is not inside it, without trailing white space."""
    ends = [len(text)] * len(nodes)
    open_nodes = [0]
    for index in range(1, len(nodes) + 1):
        parent = nodes[index].parent if index < len(nodes) else -1
        stop = nodes[index].start if index < len(nodes) else len(text)
        while 0 <= (closed := nodes[open_nodes[-1]].closed) <= stop:
            ends[open_nodes.pop()] = _without_space_before(text, closed, nodes[open_nodes[-1]].start)
        floor = nodes[open_nodes[-1]].start
        while stop > floor and text[stop - 1].isspace():
            stop -= 1
        while open_nodes and open_nodes[-1] != parent:
            ends[open_nodes.pop()] = stop
        open_nodes.append(index)
    ends[0] = len(text)
    return ends


def _without_space_before(text: str, at: int, floor: int) -> int:
    while at > floor and text[at - 1].isspace():
        at -= 1
    return at


def _section_id(nodes: Sequence[Node], done: Sequence[OutlineSection], node: Node) -> str:
    if node.format_label:
        return f"sec_{_slug(node.format_label)}"
    if not node.label:
        return f"sec_{_slug(node.heading)}"
    reading = node.reading
    label = node.label
    if reading is not None and reading.style.split(":")[0] == "section":
        label = label.split(None, 1)[-1]  # "Section 4.2" is cited as 4.2
    is_inserted = reading is not None and reading.style.startswith(INSERTED)
    absolute = reading is not None and not is_inserted and (len(reading.path) > 1 or reading.rank <= 4)
    # Sections without a sign are counted through a whole act.
    absolute = absolute or (reading is not None and reading.style.removeprefix(INSERTED) == BARE)
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
