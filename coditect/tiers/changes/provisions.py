"""Provisions: the smallest pieces of a document that a person amends, each with the place that it is cited by.

A provision is a paragraph, an item of a list, a heading or a row of a table. Its place is the whole path of printed numbers; where
the format itself gives ids (RegML, OSCAL), the id stands for the place, since that is what amendments cite.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import Literal

from coditect.documents.source import Block
from coditect.documents.structure.lists import NOWHERE, Lists
from coditect.documents.structure.locators import find_locators
from coditect.language.terms import terms
from coditect.tiers.extractions.document import DocumentReading, document_lists

__all__ = ["NO_PARENT", "Provision", "ProvisionKind", "provisions_of"]

ProvisionKind = Literal["heading", "text", "row"]

NO_PARENT = -1

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_NUMBERED = re.compile(r"[\s#*]*(?:\d+[A-Z]?(?:\.\d+)*\.?|[IVXLC]+\.|[A-Z]\.)\s+(?=\S)")
"""The number that a heading begins with."""
_EDGES = re.compile(r"^[\s*_#>•·▪●-]+|[\s*_]+$")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"})


@dataclass(frozen=True, slots=True)
class Provision:
    """A piece of a document.

    Attributes:
        index: its number in the document.
        kind: what it is.
        place: the path that a person cites, "§ 4.2(a)", or the id that the format gives; "" where nothing is numbered.
        cited: where the place is the format's own id, the path that a person cites; "" otherwise, or where nothing is numbered.
        marker: the label that it begins with itself, as printed: "(a)", "4.2"; or "".
        heading: of the section around it.
        text: its own words, without the marker, white space collapsed.
        start: first code point in the text as it is read.
        end: one past the last.
        parent: index of the provision that it stands under; -1 for none.
        words: its content words, stemmed.
    """

    index: int
    kind: ProvisionKind
    place: str
    cited: str
    marker: str
    heading: str
    text: str
    start: int
    end: int
    parent: int
    words: tuple[str, ...]

    @property
    def wording(self) -> str:
        """Its words as they are compared: in one case, with plain quotes and dashes."""
        return self.text.translate(_QUOTES).casefold()


@dataclass(frozen=True, slots=True)
class _Cut:
    start: int
    end: int
    block: Block | None


def provisions_of(reading: DocumentReading) -> tuple[Provision, ...]:
    """The provisions of a document, in order; together they hold every word of it.

    Args:
        reading: its text, outline and sentences.
    """
    lists = document_lists(reading)
    locators = find_locators(reading.source.text, reading.sections, reading.sentences, lists)
    starts = [each.start for each in reading.sentences]
    found: list[Provision] = []
    open_: list[tuple[int, int]] = []  # (depth, index) of what further provisions may stand under
    for cut in _cuts(reading, lists):
        provision, depth = _provision(reading, lists, locators, starts, cut, len(found))
        while open_ and open_[-1][0] >= depth:
            open_.pop()
        parent = open_[-1][1] if open_ else NO_PARENT
        found.append(replace(provision, parent=parent))
        open_.append((depth, provision.index))
    return tuple(found)


def _cuts(reading: DocumentReading, lists: Lists) -> list[_Cut]:
    """Where provisions begin: at blocks or paragraphs, at headings of sections, and at items inside of them."""
    text = reading.source.text
    frames = [(block.start, block.end, block) for block in reading.source.blocks] or _paragraphs(text)
    points = {section.start for section in reading.sections[1:]}
    points |= {section.body_start for section in reading.sections[1:] if section.heading}
    places = zip(reading.sentences, lists.places, strict=True)
    points |= {sentence.start for sentence, place in places if place.item_of != NOWHERE}
    ordered = sorted(points)
    cuts: list[_Cut] = []
    for start, end, block in frames:
        inner = ordered[bisect_right(ordered, start) : bisect_right(ordered, end - 1)]
        edges = [start, *inner, end]
        for first, last in itertools.pairwise(edges):
            if text[first:last].strip():
                cuts.append(_Cut(first, last, block))
    return cuts


def _paragraphs(text: str) -> list[tuple[int, int, Block | None]]:
    """The paragraphs of a text without layout."""
    edges = [0, *(match.end() for match in _PARAGRAPH.finditer(text)), len(text)]
    return [(first, last, None) for first, last in itertools.pairwise(edges) if text[first:last].strip()]


def _provision(
    reading: DocumentReading, lists: Lists, locators: list[str], starts: list[int], cut: _Cut, index: int
) -> tuple[Provision, int]:
    """A provision that stands under nothing yet, and how deep it lies."""
    text = reading.source.text
    at = reading.section_at(cut.start, cut.start + 1)
    section = reading.sections[at]
    number = _sentence_at(starts, cut)
    is_heading = (cut.block is not None and cut.block.kind == "heading") or (
        section.start == cut.start and bool(section.heading) and cut.end <= section.body_start + 1
    )
    if is_heading:
        own = cut.start + _label_end(text[cut.start : cut.end], section.label)
    elif number != NOWHERE:
        own = min(lists.places[number].own, cut.end)
    else:
        own = section.body_start if section.label and section.start == cut.start else cut.start
    marker = " ".join(text[cut.start : own].split()).strip("#*• ")
    path = section.label or marker if is_heading or number == NOWHERE else locators[number]
    place = path
    if cut.block is not None and cut.block.label:
        is_item = number != NOWHERE and lists.places[number].item_of != NOWHERE
        place = cut.block.label if cut.start == cut.block.start or not is_item else path
    words = " ".join(_EDGES.sub("", text[own : cut.end]).split())
    provision = Provision(
        index=index,
        kind="heading" if is_heading else "row" if cut.block and cut.block.kind == "table_row" else "text",
        place=place,
        cited="" if place == path else path,
        marker=marker,
        heading=f"{section.label} {section.heading}".strip(),
        text=words,
        start=cut.start,
        end=cut.end,
        parent=NO_PARENT,
        words=terms(words),
    )
    return provision, _depth(reading, lists, number, at, is_heading, cut)


def _sentence_at(starts: list[int], cut: _Cut) -> int:
    """The number of the first sentence that begins inside; NOWHERE for none."""
    first = bisect_left(starts, cut.start)
    return first if first < len(starts) and starts[first] < cut.end else NOWHERE


def _label_end(heading: str, label: str) -> int:
    """Where a heading's own words begin: behind the label that the outline knows, or behind a number."""
    if label and heading.lstrip("#* \t").startswith(label):
        return heading.index(label) + len(label)
    numbered = _NUMBERED.match(heading)
    return numbered.end() if numbered else 0


def _depth(reading: DocumentReading, lists: Lists, number: int, section: int, is_heading: bool, cut: _Cut) -> int:
    """How deep a provision lies: headings by their section, items below their lead-in, text below its heading."""
    level = reading.sections[section].level * 100
    if is_heading:
        return level
    if cut.block is not None and cut.block.kind == "list_item":
        return level + 10 + cut.block.level
    if number == NOWHERE:
        return level + 10
    depth, item = 10, lists.places[number].item_of
    while item != NOWHERE:
        depth, item = depth + 1, lists.lists[item].parent
    return level + depth
