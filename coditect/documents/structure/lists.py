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

from coditect.documents.structure.outline import OutlineSection, section_around
from coditect.language.marks import SpanLike

__all__ = ["NOWHERE", "Connective", "ItemList", "Lists", "SentencePlace", "marker_styles", "read_lists"]

Connective = Literal["and", "or", "mixed", "none"]

NOWHERE = -1
"""The index of no list and no sentence."""

_MOST_GAP = 4_000
"""Code points between two items of a list whose items have numbers or letters, at most."""

_BULLET_GAP = 400
"""Code points between two bullets of running text, at most: nothing else tells that they are of one list."""

_MARKER = re.compile(
    r"[\s*]*(?:(?P<open>\()?(?P<mark>(?:[a-z]{1,2}|[ivxl]{1,5}|[A-Z]|\d{1,2})(?P<between>(?<=\d)[A-Z]{1,2}(?=\))|(?<=[a-z])[A-Z](?=\))|(?<=\([a-z\d])[.-]\d{1,2}(?=\)))?)(?P<close>[).])"
    r"|(?P<decimal>\d{1,3}(?:\.\d{1,3})+)\.?|(?P<bullet>[•·▪●*–-]))(?=\s)\s*(?=[^\s\W_]|[\"“'(\[{$€£])"
)
# A label with its whole path ("4.2.1", "PART 5.13.2.1.(2)", "§ 12(b)"): it numbers a provision, and is none of its words.
_PATH = re.compile(
    r"[\s*]*(?:(?:(?:part|rule|section|article|chapter|schedule|clause|annex|appendix|app|step)\s+|§+\s*)?[A-Z]{0,4}\d{1,4}[A-Z]{0,2}(?:[.-](?:chapter\s+)?\d{1,4}[A-Z]{0,2})*(?:\.[a-z]{1,2}(?:\.\d{1,2})?)?\.?"
    r"(?:\s?\(\w{1,5}\))*[.:)]?|\((?:[a-z]{1,2}|[ivxl]{1,5}|[A-Z]|\d{1,3})\)|[a-z]\))[\s\u200e]+(?=[^\s\d])",
    re.IGNORECASE,
)
# A provision that a sentence speaks of: "Rule 12.5.1 requires a report" is no sentence of that rule.
_NAMED = re.compile(
    r"[\s*]*(?:part|rule|section|article|chapter|schedule|clause|annex|appendix|app|step|§+)\s*"
    r"[A-Z]{0,4}\d[\w.-]*(?:\s?\(\w{1,5}\))*[ \xa0]+(?-i:[a-z]{2})",
    re.IGNORECASE,
)
# The label of an item that the format tells to be one: "a Prevent access" prints it without a sign behind it.
_BARE_LABEL = re.compile(r"(?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})[ \t\xa0]+(?=[A-Z])")
# The code of a requirement: "SR-03.01.02", "PR.AC-1:", "A.5.1.1"; a name with a number ("AES-256") goes on in a small letter.
_CODE = re.compile(
    r"[\s*]*(?:[A-Z]{1,5}[.-]){1,3}\d{1,3}(?:[.-][A-Z\d]{1,3}|[.-][a-z]{1,2}(?![a-z]))*(?:\(\w{1,3}\))*[.:)]?"
    r"[ \t\xa0]+(?=[A-Z\[({“\"])"
)
# Of an item that the format tells to be one, a label with several parts is one whatever stands behind it: "03.01.e.01 24 hours".
_PARTED = re.compile(
    r"(?:(?:[A-Z]{1,6}[.-])*\d{1,3}(?:[.-][A-Za-z\d]{1,3}){2,}(?:\(\w{1,3}\))*"
    r"|(?:[A-Z]{1,6}[.-])+\d{1,3}(?:[.-][A-Za-z\d]{1,3})+)[.:)]?[ \t\xa0]+(?=\S)"
)
# What stands before the tab that sets a number apart: "PART 5.13A.4.1", "9.15.3.Guidance.1", "Part 2.Chapter 1.5A.(2)".
_TABBED = re.compile(r"(?=[^\t\n]{0,120}\d)[^\t\n;!?]{1,120}\t\s*(?=\S)")
_PAGE = re.compile(r"[\s–-]*(?:[Pp]age\s+)?\d{1,4}[\s–-]*")
_NUMERALS = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"
_ROMAN = {numeral: place for place, numeral in enumerate(_NUMERALS.split(), 1)}
_BULLETS = frozenset("•·▪●*–-")
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
        self._last_end = 0
        self._stops = False

    def see(self, index: int, start: int, end: int, *, is_apart: bool) -> None:
        """Take in the next sentence."""
        if self._fresh and not is_apart and _PAGE.fullmatch(self._text, start, end):
            self._places.append(SentencePlace(start))
            return  # the number of a page between a lead-in and its items
        section = section_around(self._sections, self._starts, start, start + 1)
        marker = _MARKER.match(self._text, start, end)
        is_heading = is_apart or (self._is_heading(section, start, end) and not self._goes_on(marker))
        if is_heading and not (start in self._blocks and _OPEN.search(self._text, max(start, end - 40), end)):
            self._stack = [each for each in self._stack if each.style and not _is_bare(each.style)]
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
            path = self._label(start, end, is_block=block is not None)
            own = path.end() if path else own
        elif marker and marker["decimal"]:
            path = _PATH.match(self._text, start, end)  # "4.5.1 (1) The keeper": both numbers stand before its words
            own = max(own, path.end()) if path else own
        place = SentencePlace(own)
        if found is not None:
            place = SentencePlace(own, item_of=found.number)
        elif marker is None and (tail := self._tail(index, start)):
            place = SentencePlace(start, tail_of=tail.number)
        elif (
            self._last_item != NOWHERE and marker is None and own == start and self._sections[self._inside].end > start
        ):
            place = SentencePlace(own, within=self._last_item)
        self._last_item = place.item_of if found is not None else place.within
        if found is not None:
            self._inside = section if self._sections[section].start == start else 0
        self._last_end = end
        self._stops = _FULL_STOP.search(self._text, max(start, end - 8), end) is not None
        self._begin(index, (start, own, end), section, found)
        self._places.append(place)

    def _label(self, start: int, end: int, *, is_block: bool) -> re.Match[str] | None:
        """The number of a provision with which a sentence begins, and which is none of its words."""
        named = _NAMED.match(self._text, start, end)
        if named is not None:
            return None
        patterns = (_TABBED, _PATH, _CODE, *((_PARTED, _BARE_LABEL) if is_block else ()))
        return next((found for each in patterns if (found := each.match(self._text, start, end))), None)

    def finish(self, sentences: Sequence[SpanLike]) -> Lists:
        """The lists that came to have items."""
        places = list(self._places)
        done = []
        for number, each in enumerate(self._kept):
            places[each.lead] = _leading(places[each.lead], number)
            done.append(
                ItemList(each.lead, tuple(each.items), each.tail, self._connective(each, sentences), each.parent)
            )
        return Lists(tuple(done), tuple(places))

    def _is_heading(self, index: int, start: int, end: int) -> bool:
        section = self._sections[index]
        return bool(section.heading) and section.start <= start and end <= section.body_start

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
        return start - each.end < (_BULLET_GAP if each.style in _BULLETS else _MOST_GAP)

    def _item(self, index: int, start: int, end: int, marker: re.Match[str] | None) -> _Open | None:
        """The list of which the sentence is the next item, or the first; the lists inside its last item are closed."""
        styles = marker_styles(marker)
        own = marker.end() if marker else start
        if start in self._blocks:
            styles.append((f"block {self._level} {'plain' if marker is None else 'marked'}", 0))
        for depth in range(len(self._stack) - 1, -1, -1):
            each = self._stack[depth]
            for style, ordinal in styles:
                if (
                    self._continues(each, style, ordinal)
                    and self._holds(each, start)
                    and not (each.weak and not each.items and not self._text[own : own + 1].islower())
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

    def _holds(self, each: _Open, start: int) -> bool:
        """Whether a numbered provision that begins here is inside of the one that the list's lead stands in."""
        section = section_around(self._sections, self._starts, start, start + 1)
        own, lead = self._sections[section], self._sections[each.section]
        if not each.items or self._goes_through(each):
            return True  # what stands right before is the lead, or of this list
        if start in self._blocks or own.start != start or own.label[:1] != "(" or not lead.label:
            return True
        section = own.parent
        while section > 0 and section != each.section:
            above = self._sections[section]
            if above.start > lead.start and above.label[:1] not in ("", "("):
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
        return ordinal <= 1 and style not in each.own_styles and self._level >= each.level

    def _tail(self, index: int, start: int) -> _Open | None:
        """The list that a sentence ends: it goes on in a small letter on a line of its own, behind an item."""
        if self._last_item == NOWHERE or _TAIL.match(self._text, start) is None:
            return None
        if self._stops or "\n" not in self._text[self._last_end : start]:
            return None
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
        self._fresh = len(words) > 3 and not (weak and _STOPPED.search(words))
        if self._fresh:
            styles = frozenset(style for style, _ in marker_styles(_MARKER.match(self._text, start, end)))
            parent = found.number if found else NOWHERE
            placed = self._sections[section].start == start
            self._stack.append(_Open(index, parent, section, styles, self._level, end, weak=weak, placed=placed))

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


def _is_bare(style: str) -> bool:
    """Whether the items of a list have no order that would show where they belong."""
    return style.startswith("block") or style in _BULLETS


def marker_styles(marker: re.Match[str] | None) -> list[tuple[str, float]]:
    """What a marker may be: its style and its place in a sequence; 0 where the style does not count."""
    if marker is None:
        return []
    if marker["bullet"]:
        return [(marker["bullet"], 0)]
    if marker["decimal"]:
        head, _, tail = marker["decimal"].rpartition(".")
        return [(f"decimal {head}", int(tail))]
    mark, frame = marker["mark"], f"{marker['open'] or ''}x{marker['close']}"
    if between := marker["between"]:
        # "(1A)", "(d.1)": of the list of "(1)" and "(d)", in whose row it takes no place
        mark = mark.removesuffix(between)
        place = ord(between[-1]) - ord("A") + 1 if between[-1].isalpha() else int(between[1:])
        return [(style, ordinal + place / 100) for style, ordinal in _ordered(mark, frame)]
    return _ordered(mark, frame)


def _ordered(mark: str, frame: str) -> list[tuple[str, float]]:
    """The styles of a letter, numeral or number between its signs, with its place in each."""
    if mark.isdigit():
        return [(f"number {frame}", int(mark))]
    found: list[tuple[str, float]] = []
    if mark in _ROMAN:
        found.append((f"roman {frame}", _ROMAN[mark]))
    if len(mark) == 1:
        found.append((f"letter {frame} {mark.isupper()}", ord(mark.lower()) - ord("a") + 1))
    elif mark[0] == mark[1:2]:
        found.append((f"letter {frame} False", ord(mark[0]) - ord("a") + 27))
    return found
