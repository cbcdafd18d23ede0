"""What may open a section: headings and labels of the format, labels of clauses, lines in capitals, terms on lines of their own."""

from __future__ import annotations

from bisect import bisect_right

from coditect.documents.source import Block, SourceText
from coditect.documents.structure.bare_numbers import bare_numbers
from coditect.documents.structure.headings import (
    capital_lines,
    contents_regions,
    ends_in_page_number,
    is_contents_entry,
    may_start,
    term_lines,
)
from coditect.documents.structure.labels import candidates
from coditect.documents.structure.sequence import Event

__all__ = ["read_events"]


def read_events(source: SourceText) -> list[Event]:
    """What may open a section of a document, in order: headings and labels of the format, labels, lines in capitals, terms.

    Args:
        source: canonical text with whatever layout its format gave.
    """
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
