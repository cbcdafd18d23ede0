"""Lists in running text: which sentence leads into which items, what joins them, and what follows that belongs to all of them.

A list begins behind a sentence that is open (it ends with a colon or a dash, or with no stop at all) with an item that is the first
of its kind, and goes on as long as labels follow each other, bullets are alike, or the format says that an item is of its list. A
sentence behind the last item that goes on in the lead's sentence (small letter, no marker) is the list's tail.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from coditect.documents.structure.markers import BULLETS, PATH, is_bullet, item_marker, marker_styles, printed_label
from coditect.documents.structure.outline import OutlineSection, section_around
from coditect.language.marks import SpanLike

__all__ = ["NOWHERE", "Connective", "ItemList", "Lists", "SentencePlace", "read_lists"]

Connective = Literal["and", "or", "mixed", "none"]

NOWHERE = -1
"""The index of no list and no sentence."""

_MOST_GAP = 4_000
"""Code points between two items of a list whose items have numbers or letters, at most."""

_BULLET_GAP = 400
"""Code points between two bullets of running text, at most: nothing else tells that they are of one list."""

_PAGE_HEAD = 200
"""Code points between the number of a page and what goes on behind it, at most: the head of the next page may stand there."""

_PAGE = re.compile(r"[\s–-]*(?:[Pp]age\s+)?\d{1,4}[\s–-]*")
_OPEN = re.compile(r"[:—–-]\s*(?:and|or|either|both)?\s*\Z|[:—–]\W*\Z")
_STOPPED = re.compile(r"(?:[.!?;,][\"”’')\]]*|[;,]\s*(?:and/or|and|or|but))\s*\Z", re.IGNORECASE)
_FULL_STOP = re.compile(r"[.!?][\"”’')\]]*\s*\Z")
_TAIL = re.compile(r"[a-z]\S*(?:\s+\S+){2}")
_JOINED = re.compile(r"(?:[;,]\s*|\s)(?P<word>and/or|and|or)\s*[,;:]?\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ItemList:
    """A list of a document.

    Attributes:
        lead: index of the sentence that leads into it.
        items: indexes of the sentences that begin its items, in order.
        tail: index of the sentence behind it that belongs to all items, or :data:`NOWHERE`.
        connective: what joins the items; "none" where they are only put in a row.
        parent: index of the list of which the lead is an item, or :data:`NOWHERE`.
    """

    lead: int
    items: tuple[int, ...]
    tail: int
    connective: Connective
    parent: int


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """What a sentence is to the lists around it; each index of a list is :data:`NOWHERE` where there is none.

    Attributes:
        own: where its own words begin, behind its marker.
        item_of: index of the list of which it begins an item.
        leads: index of the list that it leads into.
        tail_of: index of the list that it ends.
        within: index of the list inside whose item it stands without beginning one.
    """

    own: int
    item_of: int = NOWHERE
    leads: int = NOWHERE
    tail_of: int = NOWHERE
    within: int = NOWHERE


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists of a document, and the place of each of its sentences."""

    lists: tuple[ItemList, ...]
    places: tuple[SentencePlace, ...]


@dataclass(slots=True, eq=False)
class _Open:
    """A list that may go on."""

    lead: int
    parent: int
    section: int
    own_styles: frozenset[str]
    level: int
    end: int
    style: str = ""
    ordinal: float = 0
    items: list[int] = field(default_factory=list)
    tail: int = NOWHERE
    number: int = NOWHERE
    comma: bool = (
        False  # the lead ends with a comma, as an item of a list may: then its items begin on lines of their own
    )
    weak: bool = False  # the lead is open only because it has no stop: then its items go on with its sentence
    placed: bool = False  # the lead begins a section of the outline
    stopped: bool = False  # an item before the last one ends its sentence
    last: bool = (
        False  # "and" or "or" stands before the last item, so that its full stop and other words behind it end the list
    )


def read_lists(
    text: str,
    sections: Sequence[OutlineSection],
    sentences: Sequence[SpanLike],
    blocks: Mapping[int, tuple[int, int]],
    apart: frozenset[int],
) -> Lists:
    """Find the lists of a document.

    Args:
        text: the text as it is read.
        sections: its outline, the root first.
        sentences: its sentences, in order.
        blocks: end and level of the format's own list items, by their start.
        apart: first code points of headings and table rows, which are of no list and end those of bullets.

    Returns:
        Every list with at least one item. Time is linear in the text.
    """
    reader = _Reader(text, sections, blocks)
    for index, sentence in enumerate(sentences):
        reader.see(index, sentence.start, sentence.end, is_apart=sentence.start in apart)
    return reader.finish(sentences)


class _Reader:
    """Reads the sentences of a document from front to back."""

    def __init__(self, text: str, sections: Sequence[OutlineSection], blocks: Mapping[int, tuple[int, int]]) -> None:
        self._text, self._sections, self._blocks = text, sections, blocks
        self._starts = [section.start for section in sections]
        self._stack: list[_Open] = []
        self._kept: list[_Open] = []
        self._places: list[SentencePlace] = []
        self._fresh = False
        self._block_end, self._level = -1, 0
        self._inside = 0  # the section that the last item begins, or the root
        self._last_item = NOWHERE  # index of the list of the sentence before, if that was an item
        self._last_start, self._last_end = 0, 0
        self._page_end = -_PAGE_HEAD  # one past the last number of a page
        self._stops = False
        self._outside: set[int] = set()  # paragraphs behind an item of the format, outside of it

    def see(self, index: int, start: int, end: int, *, is_apart: bool) -> None:
        """Take in the next sentence."""
        if not is_apart and (self._fresh or self._last_item != NOWHERE) and _PAGE.fullmatch(self._text, start, end):
            self._page_end = end
            if self._fresh:
                self._places.append(SentencePlace(start))
                return  # the number of a page between a lead-in and its items
        section = section_around(self._sections, self._starts, start, start + 1)
        marker = item_marker(self._text, start, end)
        is_heading = is_apart or (self._is_heading(section, start, end) and not self._goes_on(marker))
        if is_heading and not (start in self._blocks and _OPEN.search(self._text, max(start, end - 40), end)):
            self._stack = [each for each in self._stack if each.style and not is_bullet(each.style)]
            self._places.append(SentencePlace(start))
            self._fresh, self._last_item = False, NOWHERE
            return
        block = self._blocks.get(start)
        if block is not None:
            self._block_end, self._level = block
        elif start >= self._block_end:
            self._level = 0
        self._stack = [each for position, each in enumerate(self._stack) if self._reaches(each, position, start)]
        found = self._item(index, start, end, marker)
        own = marker.end() if marker and (found or not marker["bullet"]) else start
        if own == start:
            path = printed_label(
                self._text, start, end, is_block=block is not None, is_section=self._starts_at(section, start)
            )
            own = path.end() if path else own
        elif marker and marker["decimal"]:
            path = PATH.match(self._text, start, end)  # "4.5.1 (1) The keeper": both numbers stand before its words
            own = max(own, path.end()) if path else own
        place = SentencePlace(own)
        if found is not None:
            place = SentencePlace(own, item_of=found.number)
        elif marker is None and (tail := self._tail(index, start)):
            place = SentencePlace(start, tail_of=tail.number)
        elif self._is_behind(start):
            place = SentencePlace(own)
        elif (
            self._last_item != NOWHERE and marker is None and own == start and self._sections[self._inside].end > start
        ):
            place = SentencePlace(own, within=self._last_item)
            apart = "\n" in self._text[self._last_end : start]
            if 0 <= self._block_end <= start and (apart or index - 1 in self._outside):
                self._outside.add(index)
        self._last_item = place.item_of if found is not None else place.within
        if found is not None:
            self._inside = section if self._sections[section].start == start else 0
        self._last_start, self._last_end = start, end
        self._stops = _FULL_STOP.search(self._text, max(start, end - 8), end) is not None
        self._begin(index, (start, own, end), section, found)
        self._places.append(place)

    def finish(self, sentences: Sequence[SpanLike]) -> Lists:
        """The lists that came to have items."""
        places = list(self._places)
        done = []
        self._put_outside(places)
        for number, each in enumerate(self._kept):
            places[each.lead] = _leading(places[each.lead], number)
            done.append(
                ItemList(each.lead, tuple(each.items), each.tail, self._connective(each, sentences), each.parent)
            )
        return Lists(tuple(done), tuple(places))

    def _put_outside(self, places: list[SentencePlace]) -> None:
        """Paragraphs behind the last item of one of the format's own lists are of none, unless other items have some, too."""
        inner = {places[index].within for index in self._outside if index < self._kept[places[index].within].items[-1]}
        for index in self._outside:
            each = self._kept[places[index].within]
            if places[index].within not in inner and len(each.items) > 1:
                places[index] = SentencePlace(places[index].own, leads=places[index].leads)

    def _is_heading(self, index: int, start: int, end: int) -> bool:
        section = self._sections[index]
        return bool(section.heading) and section.start <= start and end <= section.body_start

    def _starts_at(self, section: int, start: int) -> bool:
        return self._sections[section].start == start

    def _goes_on(self, marker: re.Match[str] | None) -> bool:
        """Whether a marker is the next of an open list, or the first behind a lead: then even a heading's words are an item."""
        styles = marker_styles(marker)
        fresh = self._stack[-1:] if self._fresh else []
        return any(
            self._continues(each, style, ordinal)
            for each in [*fresh, *(each for each in self._stack if each.style)]
            for style, ordinal in styles
        )

    def _reaches(self, each: _Open, position: int, start: int) -> bool:
        """Whether a list is still open at a place."""
        if not each.style and not (self._fresh and position == len(self._stack) - 1):
            return False  # what was taken for a lead leads nothing
        if each.style.startswith("block") and self._level < each.level:
            return False
        return start - each.end < (_BULLET_GAP if each.style in BULLETS else _MOST_GAP)

    def _item(self, index: int, start: int, end: int, marker: re.Match[str] | None) -> _Open | None:
        """The list of which the sentence is the next item, or the first; the lists inside its last item are closed."""
        styles = marker_styles(marker)
        own = marker.end() if marker else start
        if start in self._blocks:
            styles.append((self._block_style(marker), 0))
        for depth in range(len(self._stack) - 1, -1, -1):
            each = self._stack[depth]
            for style, ordinal in styles:
                if (
                    self._continues(each, style, ordinal)
                    and self._holds(each, start)
                    and not (each.weak and not each.items and not self._text[own : own + 1].islower())
                    and not (each.comma and not each.items and not self._is_led_by_comma(depth, start, styles))
                ):
                    del self._stack[depth + 1 :]
                    if each.number == NOWHERE:
                        each.number = len(self._kept)
                        self._kept.append(each)
                    each.stopped = each.stopped or (bool(each.items) and self._stops)
                    each.last = _JOINED.search(self._text, max(0, self._last_end - 12), self._last_end) is not None
                    each.style, each.ordinal, each.end, each.level = style, ordinal, end, self._level
                    each.items.append(index)
                    return each
        return None

    def _block_style(self, marker: re.Match[str] | None) -> str:
        """How the format's own items of this level are told apart from other lists."""
        return f"block {self._level} {'plain' if marker is None else 'marked'}"

    def _is_behind(self, start: int) -> bool:
        """Whether a paragraph stands behind a list that is complete: its items are one sentence, which the last of them ends.

        A line is a paragraph where the last item is one line, too.
        """
        if self._last_item == NOWHERE or not self._stops:
            return False
        between, last = self._text[self._last_end : start], self._text[self._last_start : self._last_end]
        if "\n\n" not in between and ("\n" not in between or "\n" in last.strip()):
            return False
        each = self._kept[self._last_item]
        return len(each.items) > 1 and not each.stopped

    def _is_led_by_comma(self, depth: int, start: int, styles: Sequence[tuple[str, float]]) -> bool:
        """Whether a label behind a comma is the first of a list: on a line of its own, and of no list that is open."""
        if not styles or is_bullet(styles[0][0]) or self._text[max(0, start - 1) : start] != "\n":
            return False
        around = [each for each in self._stack[:depth] if each.style]
        return not any(self._continues(each, style, ordinal) for each in around for style, ordinal in styles)

    def _holds(self, each: _Open, start: int) -> bool:
        """Whether a numbered provision that begins here is inside of the one that the list's lead stands in."""
        section = section_around(self._sections, self._starts, start, start + 1)
        own, lead = self._sections[section], self._sections[each.section]
        is_beside = own.start == start and own.label and lead.label and own.parent == lead.parent
        if each.placed and is_beside and self._level <= each.level:
            return False  # "(b)" stands beside "(a)", which is open only since its line ends
        if not each.items or self._goes_through(each):
            return True  # what stands right before is the lead, or of this list
        is_counted = not (start in self._blocks and is_bullet(each.style))
        if not is_counted or own.start != start or not own.label:
            return True
        section = own.parent
        while section > 0 and section != each.section:
            above = self._sections[section]
            if above.start > lead.start and above.label:
                return False  # another section has begun
            section = above.parent
        return section == each.section or not each.placed

    def _goes_through(self, each: _Open) -> bool:
        """Whether the sentence before is of a list, or of one inside of it."""
        number = self._last_item
        while number not in (NOWHERE, each.number):
            number = self._kept[number].parent
        return number == each.number

    def _continues(self, each: _Open, style: str, ordinal: float) -> bool:
        if each.style:
            if each.last and self._stops and self._level == 0 and self._last_item == NOWHERE:
                return False  # "(1) the rooms; and (2) the doors." is complete, and other words stand behind it
            between = each.ordinal < ordinal < int(each.ordinal) + 1
            return style == each.style and (ordinal == 0 or ordinal == int(each.ordinal) + 1 or between)
        # Letters in paragraphs of their own below an item of the format: "1. The clerk must:", "a. lock the door".
        lettered = ordinal == 1 and not (each.weak or each.comma or is_bullet(style))
        return ordinal <= 1 and style not in each.own_styles and (self._level >= each.level or lettered)

    def _tail(self, index: int, start: int) -> _Open | None:
        """The list that a sentence ends: it goes on in a small letter on a line of its own, behind an item."""
        if self._last_item == NOWHERE or _TAIL.match(self._text, start) is None:
            return None
        if self._stops or "\n" not in self._text[self._last_end : start]:
            return None
        if start - self._page_end < _PAGE_HEAD:
            return None  # behind the number of a page an item goes on
        each = self._kept[self._last_item]
        while each.parent != NOWHERE and not self._kept[each.parent].stopped:
            each = self._kept[each.parent]
        if each.tail != NOWHERE or each.stopped or each not in self._stack:
            return None
        each.tail = index
        del self._stack[self._stack.index(each) :]
        return each

    def _begin(self, index: int, place: tuple[int, int, int], section: int, found: _Open | None) -> None:
        """Take the sentence for a lead if it is open; whether it is one, the next sentence tells."""
        start, own, end = place
        words = self._text[own:end]
        weak = _OPEN.search(words[-40:]) is None
        comma = weak and words.endswith(",")
        self._fresh = len(words) > 3 and not (weak and not comma and _STOPPED.search(words))
        if self._fresh:
            marker = item_marker(self._text, start, end)
            styles = frozenset(style for style, _ in marker_styles(marker))
            if weak and start in self._blocks:
                styles |= {self._block_style(marker)}  # the format's own items of one level stand beside each other
            parent = found.number if found else NOWHERE
            placed = self._sections[section].start == start
            self._stack.append(
                _Open(index, parent, section, styles, self._level, end, weak=weak, placed=placed, comma=comma)
            )

    def _connective(self, each: _Open, sentences: Sequence[SpanLike]) -> Connective:
        words = set()
        behind = [*each.items[1:], *(() if each.tail == NOWHERE else (each.tail,))]
        for item in (
            behind
        ):  # the word that joins stands before the next item, perhaps at the end of a list inside the last one
            before = sentences[item - 1]
            joined = _JOINED.search(self._text, before.start, before.end)
            if joined:
                words.add(joined["word"].lower())
        if not words:
            return "none"
        if len(words) > 1:
            return "mixed"
        return "and" if words == {"and"} else "or"


def _leading(place: SentencePlace, number: int) -> SentencePlace:
    return SentencePlace(place.own, place.item_of, number, place.tail_of, place.within)
