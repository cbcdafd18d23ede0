"""The outline of a document: headings that its format marks, and numbered clauses in running text.

A clause is recognised by its label *and* its place in a sequence: "(c)" follows "(b)" or nothing. One stack of open
sections is kept; a label closes the sections that it cannot be inside of. The style of a label and the successor
that a sequence expects decide between readings, and refuse what only looks like a label.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coditect.documents.matched import matched_source
from coditect.documents.source import Block, SourceText
from coditect.documents.structure.bare_numbers import bare_numbers
from coditect.documents.structure.headings import (
    HEADING_CHARS,
    after_space,
    capital_lines,
    contents_regions,
    ends_in_page_number,
    heading_after,
    is_contents_entry,
    may_start,
    term_lines,
)
from coditect.documents.structure.labels import CONTAINERS, INSERTED, LabelCandidate, candidates, parse_label
from coditect.documents.structure.sequence import Event, Node, OpenSections, follows, place
from coditect.language.matched import MatchedText
from coditect.language.tables import read_table

__all__ = ["OutlineSection", "bare_sections", "matched_outline", "outline", "printed", "root_alone", "section_around"]

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


_RULES = " \t\r\n-=_*~#|"


def bare_sections(text: str, sections: Sequence[OutlineSection]) -> frozenset[int]:
    """Where the numbered sections begin that have a heading and nothing below it, neither text nor sections of their own.

    Sections beside them have text: where many have none, their headings are what they say. The last section of a document is none
    of them, since what belongs to it may stand in a file beside it; nor is a sentence, or a step that says what to do.

    Args:
        text: the canonical text.
        sections: its outline, in document order.
    """
    parents = {section.parent for section in sections}
    empty = [
        index
        for index, section in enumerate(sections[:-1])
        if index not in parents and not text[section.body_start : section.end].strip(_RULES)
    ]
    written = Counter(section.parent for index, section in enumerate(sections) if section.label and index not in empty)
    bare = Counter(sections[index].parent for index in empty)
    return frozenset(
        section.start
        for index in empty
        if (section := sections[index]).label[:1].isdigit()
        and _is_name(section.heading)
        and written[section.parent] >= MOST_BESIDE * bare[section.parent]
    )


MOST_BESIDE = 3
"""How many sections have text, for each beside them that has none."""

_LEFT_EMPTY = re.compile(rf"\b(?:{read_table('open_points').pattern('left_empty')})\b", re.IGNORECASE)
_VERBS = frozenset(read_table("base_verbs").words("verbs"))
_STEPS = _VERBS - frozenset(read_table("base_verbs").words("also_nouns"))
_STEP = re.compile(r"(?P<verb>[a-z]+)(?:/|\s+(?:to|an?|the|all|any|each|every|your|that|whether|if)\b)", re.IGNORECASE)
"""How a step begins whose verb may be a noun, too: "Move to the next phase"."""


def _is_name(heading: str) -> bool:
    """Whether a heading names what a section is about, and neither says it nor says that there is nothing."""
    if not heading or heading.endswith((".", ":", ";", ",")) or _LEFT_EMPTY.search(heading):
        return False
    step = _STEP.match(heading)
    if step is not None and step["verb"].casefold() in _VERBS:
        return False
    return re.split(r"\W", heading, maxsplit=1)[0].casefold() not in _STEPS


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
    shown, matched = matched_source(source)
    sections = matched_outline(shown)
    return sections if matched.is_verbatim else tuple(_placed(each, matched) for each in sections)


def _placed(section: OutlineSection, matched: MatchedText) -> OutlineSection:
    """A section with the offsets of the canonical text; the root covers all of it."""
    if section.parent < 0:
        return replace(section, end=len(matched.verbatim))
    start, end = matched.span(section.start, section.end)
    return replace(section, start=start, end=end, body_start=min(matched.start(section.body_start), end))


def matched_outline(source: SourceText) -> tuple[OutlineSection, ...]:
    """The sections of a document that :func:`coditect.documents.matched.matched_source` has given; see :func:`outline`."""
    builder = OpenSections(source.text, [Node("root", 0)], [0])
    events = _events(source)
    for position, event in enumerate(events):
        if event.kind == "block" and event.block is not None:
            _open_block(builder, event.block, events, position)
        elif event.kind == "term":
            _return_to_terms(builder, event)
        elif event.kind == "capitals":
            _open_capitals(builder, event, events, position)
        elif event.candidate is not None:
            _open_clause(builder, events, position)
    return _finish(builder)


def _events(source: SourceText) -> list[Event]:
    text = source.text
    contents = contents_regions(text)
    contents_starts = [a for a, _ in contents]
    is_plain = not any(block.kind == "heading" for block in source.blocks)
    events: list[Event] = []
    stretches = _stretches(source)
    bare = bare_numbers(text, [(start, end) for start, end, block in stretches if block is None])
    for start, end, block in stretches:
        if block is not None:
            events.append(Event(start, "block", block=block))
            continue  # what a format marks is not searched for clauses
        found: list[Event] = []
        for candidate in candidates(text, start, end):
            strength = may_start(text, candidate, start)
            if strength != "no" and not is_contents_entry(text, candidate.end, end):
                found.append(Event(candidate.start, "clause", candidate, strength=strength))
        found = _without_page_lists(text, found)
        labels = [each for each in bare if start <= each.start < end]
        places = {each.start for each in labels}
        found = [e for e in found if e.start not in places] + [Event(e.start, "clause", e) for e in labels]
        labelled = {e.start for e in found}
        if is_plain:
            lines = capital_lines(text, start, end)
            found += [Event(a, "capitals", end=b) for a, b in lines if a not in labelled]
        terms = term_lines(text, start, end)
        found += [
            Event(at, "term", strength="good" if defines else "weak") for at, defines in terms if at not in labelled
        ]
        found.sort(key=lambda e: e.start)
        for event in found:
            at = bisect_right(contents_starts, event.start) - 1
            if at < 0 or event.start >= contents[at][1]:
                events.append(event)
    return events


def _without_page_lists(text: str, events: list[Event]) -> list[Event]:
    """Drop neighbouring labels whose short lines all end in a number: a table of contents that has no title."""
    paged = [e.candidate is not None and ends_in_page_number(text, e.candidate.end) for e in events]
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


def _open_block(builder: OpenSections, block: Block, events: Sequence[Event], position: int) -> None:
    """A heading of the format, or a paragraph to which it gives a label.

    Right behind a heading that is a label alone ("Article 5") another one of its level is its title; one inside of a section whose
    items go on behind it is a note in the margin, which closes nothing.
    """
    text = builder.text[block.start : min(block.end, block.start + 4 * HEADING_CHARS)]
    candidate = parse_label(text)
    if candidate is not None and block.kind == "heading" and not _is_heading_label(candidate, text):
        candidate = None
    node = Node("block", block.start, format_label=block.label)
    rest = 0
    if candidate is not None:
        node.label, node.reading, rest = candidate.label, candidate.readings[0], candidate.end
    elif block.kind == "heading" and (_is_title(builder, block, text) or _is_note(builder, block, events, position)):
        return
    if block.kind == "heading":
        node.block_level = block.level
        node.heading = " ".join(text[rest:].split()).lstrip(" .:–—-")[:HEADING_CHARS].rstrip()
        node.body_start = after_space(builder.text, block.end)
    elif candidate is not None:
        node.heading, body = heading_after(builder.text, block.start + rest, block.end, next_line=False)
        node.body_start = after_space(builder.text, body)
    else:
        node.body_start = block.start
    builder.open(node, _block_depth(builder, node))


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
    return any(follows(each.reading, reading) == 1 for each in closed[labelled + 1 :] for reading in readings)


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
            inside = other.block_level > 0 or node.format_label.startswith(other.format_label + "-")
        else:
            inside = 0 < other.block_level < node.block_level
        if inside:
            return depth + 1
    return 1


def _open_capitals(builder: OpenSections, event: Event, events: Sequence[Event], position: int) -> None:
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
    line = " ".join(builder.text[event.start : event.end].split()).rstrip(".")
    _, body = heading_after(builder.text, event.end, len(builder.text), next_line=False)
    builder.open(Node("capitals", event.start, heading=line[:HEADING_CHARS], body_start=body), depth)


def _return_to_terms(builder: OpenSections, event: Event) -> None:
    """Close what was opened inside of the definition before: all terms of a list of definitions stand beside each other."""
    if builder.terms and builder.stack[: len(builder.terms)] == builder.terms:
        for closed in builder.stack[len(builder.terms) :]:
            builder.nodes[closed].closed = event.start
        del builder.stack[len(builder.terms) :]
    elif event.strength == "good":
        builder.terms = list(builder.stack)


def _open_clause(builder: OpenSections, events: Sequence[Event], position: int) -> None:
    event = events[position]
    candidate = event.candidate
    if candidate is None or (found := place(builder, events, position)) is None:
        return
    reading, depth = found
    following = next((e.start for e in events[position + 1 : position + 6] if e.kind != "capitals"), len(builder.text))
    node = Node("clause", event.start, candidate.label, reading=reading)
    node.heading, node.body_start = heading_after(
        builder.text, candidate.end, max(candidate.end, following), next_line=reading.rank <= 4
    )
    builder.open(node, depth)


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
