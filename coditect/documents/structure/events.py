"""What may open a section: headings and labels of the format, labels of clauses, lines in capitals, terms on lines of their own."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from operator import attrgetter, itemgetter

from coditect.documents.source import Block, SourceText
from coditect.documents.structure.headings import (
    capital_lines,
    contents_regions,
    ends_in_page_number,
    is_contents_entry,
    may_start,
    term_lines,
)
from coditect.documents.structure.labels import LabelCandidate, candidates
from coditect.documents.structure.open_sections import Event
from coditect.documents.structure.series.bare_numbers import bare_headings, bare_numbers
from coditect.documents.structure.series.coded_headings import coded_headings
from coditect.documents.structure.series.first_paragraphs import first_paragraphs
from coditect.documents.structure.series.whole_paths import whole_headings, whole_paths
from coditect.documents.structure.steps import follows

__all__ = ["read_events"]


def read_events(source: SourceText) -> list[Event]:
    """What may open a section of a document, in order: headings and labels of the format, labels, lines in capitals, terms.

    Args:
        source: canonical text with whatever layout its format gave.
    """
    text = source.text
    contents = contents_regions(text)
    contents_starts = [a for a, _ in contents]
    marked = {block.start for block in source.blocks if block.kind in ("paragraph", "list_item")}
    levels = {block.start: block.level for block in source.blocks if block.kind == "list_item"}
    is_plain = not any(block.marks_section for block in source.blocks)
    events: list[Event] = []
    stretches = _stretches(source)
    searched = [(start, end) for start, end, block in stretches if block is None]
    readers = (bare_numbers, coded_headings, first_paragraphs, whole_paths)
    series = [each for read in readers for each in read(text, searched)]
    numbered = {**bare_headings(text, source.blocks), **whole_headings(text, source.blocks)}
    for start, end, block in stretches:
        if block is not None:
            events.append(Event(start, "block", numbered.get(start), block=block))
            continue  # what a format marks is not searched for clauses
        found: list[Event] = []
        for candidate in candidates(text, start, end):
            strength = may_start(text, candidate, start, is_marked=candidate.start in marked)
            if strength != "no" and not is_contents_entry(text, candidate.end, end):
                level = levels.get(candidate.start, 0)
                found.append(Event(candidate.start, "clause", candidate, strength=strength, level=level))
        found = _without_file_names(found)
        found = _without_lists_of_sections(text, _without_lists_of_parts(text, _without_page_lists(text, found)))
        labels = sorted((each for each in series if start <= each.start < end), key=attrgetter("start"))
        taken = [(each.start, each.end) for each in labels]
        found = [e for e in found if not _is_inside(e.start, taken)] + [Event(e.start, "clause", e) for e in labels]
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
    return _of_one_module(events)


def _is_inside(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether one of the spans, in order and apart, holds a code point."""
    position = bisect_right(spans, at, key=itemgetter(0)) - 1
    return position >= 0 and at < spans[position][1]


def _of_one_module(events: list[Event]) -> list[Event]:
    """Drop rules that are cited with the name of a rulebook ("AML 4.5.1") where the document is not that rulebook.

    A rulebook names itself before each of its rules; what names several, or one a few times, speaks of others.
    """
    named = [_module(each) for each in events]
    counts = Counter(name for name in named if name)
    own = {name for name, count in counts.items() if count >= LEAST_RULES and count * 5 >= sum(counts.values()) * 4}
    return [each for each, name in zip(events, named, strict=True) if not name or name in own]


LEAST_RULES = 5
"""How many rules with the name of their rulebook a document must have to be that rulebook."""


def _module(event: Event) -> str:
    """The name of the rulebook in a rule's label, or the empty text."""
    candidate = event.candidate
    if candidate is None or not candidate.readings[0].style.startswith("dotted"):
        return ""
    name = candidate.label.partition(" ")[0]
    return name if name.isalpha() else ""


def _without_file_names(events: list[Event]) -> list[Event]:
    """Drop the number under which a contract was filed ("Exhibit 10.38"), at its head and at the head of its pages."""
    names = {
        each.candidate.label.casefold() for each in events if each.candidate is not None and _is_filed(each.candidate)
    }
    return [e for e in events if e.candidate is None or e.candidate.label.casefold() not in names]


def _is_filed(candidate: LabelCandidate) -> bool:
    reading = candidate.readings[0]
    number = reading.path[0] if reading.style in ("exhibit", "exhibit:2") else 0
    return isinstance(number, int) and number >= _LEAST_FILED and candidate.start < _HEAD and candidate.place == "line"


_LEAST_FILED = 10
"""The least number of exhibits that are contracts: 17 CFR 229.601(b)(10)."""

_HEAD = 1_000


def _without_lists_of_parts(text: str, events: list[Event]) -> list[Event]:
    """Drop appendices, schedules and the like that stand line below line without anything between: a list of what follows."""
    rows: list[list[int]] = []
    for number, event in enumerate(events):
        if event.candidate is None or event.candidate.readings[0].rank > 0 or event.candidate.place != "line":
            continue
        if rows and rows[-1][-1] == number - 1 and _is_next_below(text, events[number - 1], event):
            rows[-1].append(number)
        else:
            rows.append([number])
    times = Counter(each.candidate.label for each in events if each.candidate is not None)
    listed = {n for row in rows if len(row) >= LEAST_LISTED or _recurs(events, row, times) for n in row}
    return [event for number, event in enumerate(events) if number not in listed]


def _recurs(events: Sequence[Event], row: Sequence[int], times: Mapping[str, int]) -> bool:
    """Whether a part of a row of two or more stands elsewhere, too."""
    candidates = [candidate for number in row if (candidate := events[number].candidate) is not None]
    return len(row) > 1 and any(times[each.label] > 1 for each in candidates)


def _without_lists_of_sections(text: str, events: list[Event]) -> list[Event]:
    """Drop sections with several parts in their number that stand line below line, where those lines come again: a list of them."""
    rows: list[list[int]] = []
    seen: set[str] = set()
    times = Counter(each.candidate.label for each in events if each.candidate is not None)
    for number, event in enumerate(events):
        candidate = event.candidate
        if candidate is None or len(candidate.readings[0].path) < MANY_PARTS or candidate.place != "line":
            continue
        above = events[rows[-1][-1]].candidate if rows else None
        is_next = above is not None and candidate.label not in seen and event.start - above.end < _LONGEST_ENTRY
        if above is not None and is_next and text.count("\n", above.end, event.start) <= 2:
            rows[-1].append(number)
        else:
            rows.append([number])
            seen.clear()
        seen.add(candidate.label)
    listed = {n for row in rows if len(row) >= LEAST_SECTIONS and _comes_again(events, row, times) for n in row}
    return [event for number, event in enumerate(events) if number not in listed]


def _comes_again(events: Sequence[Event], row: Sequence[int], times: Mapping[str, int]) -> bool:
    """Whether the sections of a row all differ, and nearly each stands once elsewhere, too."""
    labels = [candidate.label for number in row if (candidate := events[number].candidate) is not None]
    return len(set(labels)) == len(labels) and sum(times[label] == 2 for label in labels) * 5 >= len(labels) * 4


MANY_PARTS = 2
"""Parts that the number of a section in a list of sections has at least."""

LEAST_SECTIONS = 5
"""How many sections line below line are a list of them."""


def _is_next_below(text: str, above: Event, event: Event) -> bool:
    """Whether an event's label is the next of the one above, and no words stand between their lines."""
    if above.candidate is None or event.candidate is None or event.start - above.start > _LONGEST_ENTRY:
        return False
    pairs = [(a, b) for a in above.candidate.readings for b in event.candidate.readings if a.style == b.style]
    is_next = any(follows(a, b) == 1 if len(b.path) == 1 else _is_later(a.path[0], b.path[0]) for a, b in pairs)
    line, _, between = text[above.candidate.end : event.start].partition("\n")
    return is_next and _WORD.search(between) is None and _SENTENCE_END.search(line) is None


def _is_later(first: int | str, second: int | str) -> bool:
    return isinstance(first, int) and isinstance(second, int) and first < second


_LONGEST_ENTRY = 200
_SENTENCE_END = re.compile(r"\w[.!?](?:\s|\Z)")
_WORD = re.compile(r"[^\W\d_]{2}")

LEAST_LISTED = 3
"""How many appendices without anything between them are a list of them, though none of them stands elsewhere."""


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
        opens = block.marks_section or (block.label != "" and block.kind in ("paragraph", "list_item", "quote"))
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
