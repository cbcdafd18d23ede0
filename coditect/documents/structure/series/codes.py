"""Where the code of a requirement or of a section of a code stands among the open sections: "AC-2(7)", "204.7303-2", "1361.07"."""

from __future__ import annotations

from coditect.documents.structure.labels import LabelReading
from coditect.documents.structure.open_sections import OpenSections

__all__ = ["depth_of_code"]


def depth_of_code(sections: OpenSections, reading: LabelReading, floor: int, start: int) -> int:
    """The depth in the stack at which a code opens.

    Args:
        sections: open so far.
        reading: of the code.
        floor: depth of the deepest section that it cannot close.
        start: first code point of its label.
    """
    return _beside_family(sections, reading, floor, start) or _beside_any(sections, reading, floor)


def _beside_family(sections: OpenSections, reading: LabelReading, floor: int, start: int) -> int:
    """The depth beside the open code of the same family, or inside of the one that it extends; 0 where none is open.

    Between them may stand the title of a clause in capitals, which that code holds; the title right above the label groups codes.
    """
    top = sections.top()
    if top.kind == "capitals" and not sections.text[top.body_start : start].strip():
        return 0
    found = 0
    for depth in range(len(sections.stack) - 1, floor, -1):
        other = sections.nodes[sections.stack[depth]].reading
        if other is None or other.style.partition(":")[0] != reading.style.partition(":")[0]:
            continue
        if other.path == reading.path[:-1]:
            return depth + 1
        found = depth
    return found


def _beside_any(sections: OpenSections, reading: LabelReading, floor: int) -> int:
    """Requirements stand beside each other, enhancements ("AC-2(7)") below the requirement that they extend."""
    depth = len(sections.stack)
    while depth > floor + 1:
        other = sections.nodes[sections.stack[depth - 1]].reading
        if other is None or other.rank < reading.rank:
            break
        if other.rank == reading.rank and other.path == reading.path[:-1] and other.style != reading.style:
            break
        depth -= 1
    return depth
