"""The place of a clause label in the sequence of clauses before it.

One stack of open sections is kept. A label closes the sections that it cannot be inside of; the style of a label and
the successor that a sequence expects decide between its readings, and refuse what only looks like a label.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.documents.structure.labels import BARE, INSERTED, LETTERED, NUMBERED_RANK, LabelCandidate, LabelReading
from coditect.documents.structure.open_sections import Event, OpenSections, holds_next, is_in_chain, is_left_out
from coditect.documents.structure.series.codes import depth_of_code
from coditect.documents.structure.steps import base, follows, is_first

__all__ = ["place"]

_LARGEST_GAP = 3  # labels that may be missing in a sequence (deleted or unrecognised clauses)
_LARGEST_GAP_OF_ROWS = 20  # the same where a row of numbers was found as a whole, before any of them is placed
_LEAD_IN_CHARS = 150  # text between a heading in capitals and the clauses that it groups
_LEAST_PARTS = 4  # parts of a number with a letter that needs no appendix around it: "A4.3.2"
_LOOKAHEAD = 40  # events that are looked at to tell "(i)" the letter from "(i)" the numeral
_RECITAL_LOOKAHEAD = 400  # events in which "E." must come for the "1." after "D." to be inside of D
_GOES_ON = re.compile(r"[ \t\xa0]+(?!(?:to|of|for|on)\b)[a-z]{2}")
# What stands before the next item of a list: a stop, or what joins it to the one before, "the keys; and".
_ENDED = re.compile(r"(?:[.;:]|[;,]\s+(?:and|or|and/or))[ \t\xa0\n]*\Z")
_LONGEST_JOINT = 16
_LONGEST_TITLE = 120  # of an appendix, behind its label
_SHORTEST_HEADER = 20  # a line that is printed again above each page of an appendix has more than its label
_SECTIONS = ("§", "section", "article", "dotted")
_NUMBERS = ("1.", "dotted:2", "dotted:3", "dotted:4")


def place(sections: OpenSections, events: Sequence[Event], position: int) -> tuple[LabelReading, int] | None:
    """Where the clause at ``events[position]`` would open.

    Returns:
        the reading of its label and its depth in the stack, or None if it is no clause.
    """
    candidate = events[position].candidate
    if candidate is None:
        return None
    if (nested := _in_item(sections, events[position])) is not None:
        return nested
    choices = []
    for reading in candidate.readings:
        score, depth = _fit(sections, reading, events, position)
        is_good = events[position].strength == "good" or reading.rank == 0
        if score > 0 and (is_good or _is_confirmed(sections, score, reading, events, position)):
            choices.append((score, depth, reading))
    if not choices:
        return None
    best = max(range(len(choices)), key=lambda i: choices[i][0])
    if len(choices) > 1 and min(c[0] for c in choices) >= 3:
        best = _by_lookahead([c[2] for c in choices], events, position)
    return choices[best][2], choices[best][1]


def _in_item(sections: OpenSections, event: Event) -> tuple[LabelReading, int] | None:
    """The place of a clause that begins an item of the format's own inside of another numbered item, where it is the first there.

    Items that the format puts deeper end where one of a smaller depth begins.
    """
    if event.level == 0 or event.candidate is None:
        return None
    floor = sections.floor()
    while len(sections.stack) > floor + 1 and sections.top().level > event.level:
        del sections.stack[-1]
    first = next((reading for reading in event.candidate.readings if is_first(reading)), None)
    is_inside = 0 < sections.top().level < event.level and len(sections.stack) > floor + 1
    return (first, len(sections.stack)) if first is not None and is_inside and first.rank > 4 else None


def _is_confirmed(
    sections: OpenSections, score: int, reading: LabelReading, events: Sequence[Event], position: int
) -> bool:
    """Whether a label in a doubtful place is borne out by its sequence: by the one before it, or by the one after."""
    start = events[position].start
    after_sentence = _ENDED.search(sections.text[max(0, start - _LONGEST_JOINT) : start]) is not None
    if score >= 4:
        return after_sentence or reading.style in _NUMBERS or _is_enclosed_alone(sections, reading, events[position])
    if score == 2:
        return after_sentence and reading.style in _NUMBERS
    if score != 3 or not is_first(reading):
        return False
    for event in events[position + 1 : position + 1 + _LOOKAHEAD]:
        for other in event.candidate.readings if event.candidate is not None else ():
            if follows(reading, other) == 1 or (other.path[:-1] == reading.path and is_first(other)):
                return True
            if other.style == reading.style and event.candidate is not None and len(event.candidate.readings) == 1:
                return False
    return False


def _is_enclosed_alone(sections: OpenSections, reading: LabelReading, event: Event) -> bool:
    """Whether the next label of a row, in brackets, stands on a line of its own: "the keys," above "(b)" above "the doors"."""
    if event.candidate is None or event.candidate.place != "line" or not reading.style.startswith("("):
        return False
    return sections.text[event.candidate.end : event.candidate.end + 4].lstrip(" \t\xa0").startswith("\n")


def _by_lookahead(readings: Sequence[LabelReading], events: Sequence[Event], position: int) -> int:
    """Which reading's successor comes first among the next labels; the first reading if none does."""
    again: set[int] = set()  # what begins anew before its second is not what this label begins
    for event in events[position + 1 : position + 1 + _LOOKAHEAD]:
        if event.candidate is None:
            continue
        for index, reading in enumerate(readings):
            if index not in again and any(follows(reading, other) == 1 for other in event.candidate.readings):
                return index
        again.update(
            i
            for i, each in enumerate(readings)
            if each.rank > NUMBERED_RANK and is_first(each) and each in event.candidate.readings
        )
    return 0


def _fit(sections: OpenSections, reading: LabelReading, events: Sequence[Event], position: int) -> tuple[int, int]:
    """How well a label fits the open sections, and the depth at which it would open.

    Returns:
        score 0 (does not fit) to 5 (the expected successor), and a stack depth.
    """
    floor = sections.floor()
    candidate = events[position].candidate
    if reading.rank == 0 and candidate is not None:
        return _fit_container(sections, candidate)
    if reading.style.startswith("code "):
        return 5, depth_of_code(sections, reading, floor, events[position].start)
    if reading.style.startswith(INSERTED):
        return _fit_inserted(sections, reading, floor, candidate)
    if reading.style.startswith(LETTERED) and len(reading.path) < _LEAST_PARTS and not _is_in_part(sections, floor):
        return 0, floor + 1  # "V1.2" is a version
    if len(reading.path) > 1 and (fit := _fit_under_prefix(sections, reading, floor)) is not None:
        other = sections.nodes[sections.stack[fit[1]]].reading if fit[1] < len(sections.stack) else None
        is_far = fit[0] == 0 and other is not None and _is_later(base(other), reading)
        return (2, fit[1]) if is_far and _stands_alone(sections, reading, candidate) else fit
    nearest, after = 0, (_largest_gap(reading) + 1, 0)
    for depth in range(len(sections.stack) - 1, floor, -1):
        other = sections.nodes[sections.stack[depth]].reading
        if other is None or other.style != reading.style:
            continue
        steps = follows(other, reading)
        if steps == 1:
            return 5, depth
        if 1 < steps < after[0]:  # of a list and one inside of it that both miss labels, the one that misses fewer
            after = steps, depth
        nearest = nearest or depth
    if after[1]:
        return 2, after[1]
    last = sections.nodes[sections.stack[nearest]].reading if nearest else None
    is_of_other_part = reading.style.startswith("dotted")
    is_far = last is not None and not is_of_other_part and _is_later(last, reading)
    if is_far and (_stands_alone(sections, reading, candidate) or is_left_out(sections, reading, events, position)):
        return 2, nearest
    if nearest:
        return _fit_restart(sections, reading, nearest, events, position)
    return _fit_new_style(sections, reading, floor, events, position)


def _largest_gap(reading: LabelReading) -> int:
    """How many steps may lie between a label and the one before it."""
    return _LARGEST_GAP_OF_ROWS if reading.style == BARE else _LARGEST_GAP


def _is_in_part(sections: OpenSections, floor: int) -> bool:
    """Whether an appendix or the like is open."""
    reading = sections.nodes[sections.stack[floor]].reading
    return reading is not None and reading.rank == 0


def _fit_inserted(
    sections: OpenSections, reading: LabelReading, floor: int, candidate: LabelCandidate | None
) -> tuple[int, int]:
    """A label that an amendment put between two others stands beside them: "(1A)", "29.4A" behind "(1)", "29.4"."""
    own = base(reading)
    for depth in range(len(sections.stack) - 1, floor, -1):
        other = sections.nodes[sections.stack[depth]].reading
        if other is None:
            continue
        if other.style == own.style and other.path == own.path:
            return 5, depth
        if other.style == reading.style and follows(other, reading):
            return 5, depth
        if base(other).style == own.style and _is_later(base(other), own) and _stands_alone(sections, own, candidate):
            return 2, depth  # "29.6B" behind "29.5", where "29.6" was repealed
        if own.style == BARE and 0 < follows(base(other), own) <= _LARGEST_GAP_OF_ROWS:
            return 2, depth  # "21A" behind "20"
    last = sections.memory.get(BARE, 0) if own.style == BARE else 0
    before = sections.nodes[last].reading
    if before is not None and (base(before).path == own.path or follows(base(before), own)):
        return 4, _beside(sections, last, floor + 1)  # "3A" behind "3" and the name of a part
    is_first_below = own.style.startswith("dotted") and _stands_alone(sections, own, candidate)
    return (1 if is_first_below else 0), floor + 1


def _leads_in(sections: OpenSections, start: int) -> bool:
    """Whether a number is the first behind the colon of an open letter or numeral."""
    reading = sections.top().reading
    before = sections.text[max(0, start - 40) : start].rstrip()
    return reading is not None and reading.rank > NUMBERED_RANK and reading.style.endswith(".") and before.endswith(":")


def _is_later(before: LabelReading, reading: LabelReading) -> bool:
    """Whether a label comes anywhere behind another one of its style: "§ 12-301" behind "§ 12-104", "67" behind "66A"."""
    if before.style != reading.style or not isinstance(reading.path[0], int):
        return False
    first, second = ([(isinstance(part, str), part) for part in each.path] for each in (before, reading))
    return first < second


def _stands_alone(sections: OpenSections, reading: LabelReading, candidate: LabelCandidate | None) -> bool:
    """Whether a section's label with its word or sign begins a line behind a sentence that has ended, with a title behind it.

    Sections of codes are repealed, reserved or left out by the dozen; such a label needs no neighbour to be one.
    """
    if candidate is None or candidate.place != "line" or reading.style.split(":")[0] not in _SECTIONS:
        return False
    before = sections.text[max(0, candidate.start - 80) : candidate.start]
    head = before.rstrip()
    # No figure has a letter in it: "29C.20", "AML 4.5".
    is_coded = candidate.label[0].isalpha() or any(isinstance(part, str) for part in reading.path)
    is_apart = before[len(head) :].count("\n") >= 2 or head[-1:] in ".;:)]" or is_coded
    behind = sections.text[candidate.end : candidate.end + 4].lstrip(" \t\xa0")
    is_alone = behind[:1] == "\n" and candidate.label[0].isalpha()  # "Article 17" above its title
    return is_apart and (is_alone or behind[:1].isupper() or behind[:1] in '["“(')


def _fit_restart(
    sections: OpenSections, reading: LabelReading, depth: int, events: Sequence[Event], position: int
) -> tuple[int, int]:
    """A sequence that starts again while one of its style is open: a list inside a list, or a part without heading.

    It is inside if the outer sequence goes on after it: its next label comes when the inner one expects another.
    """
    other = sections.nodes[sections.stack[depth]].reading
    if other is None:
        return 0, depth
    if not is_first(reading):
        is_next_part = len(reading.path) > 1 and isinstance(reading.path[0], int) and isinstance(other.path[0], int)
        if not is_next_part or reading.path[:-1] == other.path[:-1]:
            return 0, depth
        steps = int(reading.path[0]) - int(other.path[0])
        is_near = 0 <= steps <= _LARGEST_GAP
        return (1 if is_near or (steps > 0 and holds_next(reading, events, position)) else 0), depth
    if depth < len(sections.stack) - 1 and len(reading.path) == 1:
        holders = [sections.nodes[i].reading for i in sections.stack[depth + 1 :]]
        if _goes_on_outside(reading, other, holders, events[position + 1 : position + 1 + _LOOKAHEAD]):
            return 3, len(sections.stack)
    return 2, depth


def _goes_on_outside(
    inner: LabelReading, outer: LabelReading, holders: Sequence[LabelReading | None], events: Sequence[Event]
) -> bool:
    """Whether ``outer`` has a successor in ``events`` that is not the successor of ``inner``'s own list."""
    last: LabelReading | None = inner
    for event in events:
        for following in event.candidate.readings if event.candidate is not None else ():
            if last is not None and follows(last, following) == 1:
                last = following
            elif follows(outer, following) == 1:
                return True
            elif any(follows(holder, following) == 1 for holder in holders):
                last = None  # the list ended with the clause that held it
    return False


def _fit_container(sections: OpenSections, candidate: LabelCandidate) -> tuple[int, int]:
    """Exhibits and annexes stand on a line of their own, beside each other, below format headings only."""
    line = sections.text[candidate.end : candidate.end + 2 * _LONGEST_TITLE + 10].split("\n", 1)[0]
    longest = (
        2 * _LONGEST_TITLE if line.startswith(" to ") else _LONGEST_TITLE
    )  # "Appendix C to Part 7—Independent ..."
    is_exhibit = candidate.readings[0].style.startswith("exhibit")
    is_file_name = is_exhibit and not sections.text[: candidate.start].strip()  # "Exhibit 10.1" as the first words
    is_sentence = _GOES_ON.match(line) is not None  # "Appendix 2 lists the keys"
    alone = not (is_file_name or is_sentence or len(line) > longest or line.rstrip().endswith((",", ";")))
    alone = alone and candidate.place == "line"
    depth = sections.floor()
    node = sections.nodes[sections.stack[depth]]
    if node.reading is not None and node.reading.rank == 0 and node.kind == "clause":
        is_header = node.label == candidate.label and sections.text.startswith(candidate.label + line, node.start)
        alone = alone and not (is_header and len(candidate.label + line) > _SHORTEST_HEADER)
        depth -= 1
    return (3 if alone else 0), depth + 1


def _fit_under_prefix(sections: OpenSections, reading: LabelReading, floor: int) -> tuple[int, int] | None:
    """A dotted number belongs below the number that it extends, "2.1" below "2.", "Article II" or "Section 2"."""
    for depth in range(len(sections.stack) - 1, floor, -1):
        other = sections.nodes[sections.stack[depth]].reading
        if other is not None and follows(other, reading) == 1:
            return 5, depth  # "3.2" behind "3.1" and the items "1." to "3." inside of it
    for depth in range(len(sections.stack) - 1, floor, -1):
        other = sections.nodes[sections.stack[depth]].reading
        if other is None:
            continue
        other = base(other) if base(other).path != reading.path[: len(base(other).path)] else other
        if other.style == reading.style and other.path[:-1] == reading.path[:-1]:
            steps = follows(other, reading)
            return (5 if steps == 1 else 2 if 1 < steps <= _LARGEST_GAP else 0), depth
        for cut in range(len(reading.path) - 1, 0, -1):
            if other.path == reading.path[:cut] and other.rank <= _rank_of_numbers(reading):
                return (4 if is_first(reading) else 2), depth + 1
    return None


def _rank_of_numbers(reading: LabelReading) -> int:
    return max(reading.rank, NUMBERED_RANK)


def _ends_recitals(sections: OpenSections, reading: LabelReading, events: Sequence[Event], position: int) -> bool:
    """Whether the first "1." comes after lettered recitals: no letter follows, and none held numbers before."""
    letter = sections.top().reading
    if reading.style != "1." or letter is None or letter.style != "A." or is_first(letter):
        return False
    if sections.top().kind == "block":
        return False  # a heading of the format holds what stands below it
    ahead = events[position + 1 : position + 1 + _RECITAL_LOOKAHEAD]
    goes_on = any(follows(letter, r) == 1 for e in ahead if e.candidate is not None for r in e.candidate.readings)
    return not goes_on and "1." not in sections.memory


def _beside(sections: OpenSections, last: int, depth: int) -> int:
    """The depth of a closed section whose sequence goes on, where what held it is open; else the one given."""
    parent = sections.nodes[last].parent
    if sections.nodes[parent].kind != "capitals" and parent in sections.stack:
        return sections.stack.index(parent) + 1
    return depth


def _begins_excerpt(sections: OpenSections, reading: LabelReading, events: Sequence[Event], position: int) -> bool:
    """Whether a text begins in the middle of a provision: its first label is "(b)", alone at a line's start, and "(c)" comes."""
    event = events[position]
    if event.strength != "good" or event.candidate is None or event.candidate.place != "line":
        return False
    if any(node.reading is not None for node in sections.nodes) or not reading.style.startswith("("):
        return False
    ahead = [each.candidate for each in events[position + 1 : position + 1 + _LOOKAHEAD] if each.candidate is not None]
    return any(follows(reading, other) == 1 for each in ahead for other in each.readings if each.place == "line")


def _fit_new_style(
    sections: OpenSections, reading: LabelReading, floor: int, events: Sequence[Event], position: int
) -> tuple[int, int]:
    """A style that no open section has: the first of a list, or a sequence that goes on after an interruption."""
    depth = len(sections.stack)
    top = sections.top()
    start = events[position].start
    if reading.style == "1." and is_first(reading) and _leads_in(sections, start):
        return 3, depth  # "a. Decide: 1. who; and 2. when; b. Tell"
    if top.kind == "capitals" and reading.rank <= NUMBERED_RANK and start - top.body_start > _LEAD_IN_CHARS:
        depth -= 1  # a title or the recitals with a text of their own, not the heading of a group of clauses
    elif is_first(reading) and _ends_recitals(sections, reading, events, position):
        return 3, depth - 1
    has_numbers = any((r := sections.nodes[i].reading) is not None and 0 < r.rank <= 5 for i in sections.stack[floor:])
    limit = reading.rank if reading.rank <= 4 or not has_numbers else 6
    while depth > floor + 1:
        other = sections.nodes[sections.stack[depth - 1]].reading
        if other is None or other.rank <= limit:
            break
        depth -= 1
    last = sections.memory.get(reading.style)
    before = None if last is None else sections.nodes[last].reading
    steps = follows(before and base(before), reading)
    if last is not None and (steps == 1 or (reading.style == BARE and 1 < steps <= _largest_gap(reading))):
        return 4, _beside(sections, last, depth)
    if is_first(reading):
        return 3, depth
    if last is None and (is_in_chain(events, position) or holds_next(reading, events, position)):
        return 2, depth
    if _begins_excerpt(sections, reading, events, position):
        return 2, depth
    if before is not None and (len(reading.path) == 1 or base(before).path[:-1] == reading.path[:-1]):
        # "432.180" behind "432.178" and a title, or the name of a part; "Article 17" behind "Article 6" and a chapter
        is_far = _is_later(base(before), reading) and _stands_alone(sections, reading, events[position].candidate)
        return (2 if is_far else 0), depth
    is_lettered = reading.style.startswith(LETTERED)
    is_counted = isinstance(reading.path[0], int) and isinstance(reading.path[-1], int)
    if last is None and len(reading.path) > 1 and (is_lettered or is_counted):
        return 1, depth
    if last is None and reading.rank <= 4:
        return 1, depth
    return 0, depth
