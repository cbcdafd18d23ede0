"""Items of lists, and the list stems that they complete: "The Supplier shall:" above "(a) deliver the goods"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from coditect.documents.structure.lists import marker_styles
from coditect.documents.structure.outline import OutlineSection
from coditect.language.coreference import LABEL
from coditect.language.finite_verbs import has_finite_verb
from coditect.language.tables import read_table
from coditect.tiers.propositions.wording import LEADS_ON

__all__ = ["ListStems", "StemmedItem"]

MOST_LEAD = 320
"""Characters of a list stem, all levels together: a longer one buries its item."""

MOST_GAP = 4_000
"""Characters between two items of a list with numbers or letters, at most."""

BULLET_GAP = 400
"""Characters between two bullets of running text, at most: nothing else tells that they are of one list."""

_MARKER = re.compile(
    r"[\s*]*(?:(?P<open>\()?(?P<mark>[a-z]{1,2}|[ivxl]{1,5}|[A-Z]|\d{1,2})(?P<close>[).])|(?P<decimal>\d{1,3}(?:\.\d{1,3})+)\.?|(?P<bullet>[•·*-]))(?=\s)\s*(?=[^\s\W_]|[\"“'(\[{$€£])"
)
_BULLETS = frozenset("•·*-")
_QUOTED = re.compile(r"[\"“']")
_MODAL_END = re.compile(rf"\b(?:{read_table('coreference').pattern('ends_open')})[\s:]*\Z")
_JUNK = re.compile(r"_{3}|\.{4}|\|")


@dataclass(frozen=True, slots=True)
class StemmedItem:
    """A list item that is no list stem itself.

    Attributes:
        item: where its own words begin, behind its marker.
        leads: the spans of the list stems that it hangs on, outermost first.
    """

    item: int
    leads: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _OpenList:
    """An open list: its list stems and the last item; without a style until its first item.

    Attributes:
        leads: the spans of the list stems that its items hang on, outermost first.
        section: index of the section in which its list stem and its items stand.
        label: the list stem's printed label.
        not_styles: the styles that the list stem itself may have as an item: items of these styles are beside it, not below.
        depth: how deep the format nests the list stem or, once there are any, its items; 0 outside of the format's lists.
        style: how its items are marked; "" until the first one.
        ordinal: the place of the last item in its sequence; 0 where its marker has none.
        last: where the last item ends.
    """

    leads: tuple[tuple[int, int], ...]
    section: int
    label: str
    not_styles: tuple[str, ...]
    depth: int
    style: str
    ordinal: int
    last: int


class ListStems:
    """The lists that are open at a place of a document; sentences are shown to it in order."""

    def __init__(self, text: str, sections: Sequence[OutlineSection], items: Mapping[int, tuple[int, int]]) -> None:
        """Start at the beginning of a document.

        Args:
            text: the canonical text.
            sections: the outline of the document.
            items: end and level of the format's own list items, by their start.
        """
        self._text = text
        self._sections = sections
        self._items = items
        self._open: list[_OpenList] = []
        self._fresh = False
        self._item_end = -1
        self._level = 0

    def interrupt(self) -> None:
        """Take note of a heading or a table: bullets behind it are of another list."""
        self._open = [each for each in self._open if not _is_bare(each.style)]
        self._fresh = False

    def see(self, start: int, end: int, section: int) -> StemmedItem | None:
        """Take in the next sentence of the document.

        Args:
            start: its first code point.
            end: one past its last.
            section: index of the smallest section that it begins in.

        Returns:
            What leads it when it is an item of an open list; None for every other sentence.
        """
        item = self._items.get(start)
        if item is not None:
            self._item_end, self._level = item
        elif start >= self._item_end:
            self._level = 0
        last = self._text[end - 1]
        leads_on = last == ":" or (last in "*—–" and _ends_open(self._text, start, end))
        if not leads_on and not self._open:
            return None
        # A list stem whose next sentence was no item leads nothing.
        self._open = [each for each in self._open if (each.style or self._fresh) and self._reaches(each, start)]
        led = self._item(start, end) if self._open else None
        self._fresh = False
        if leads_on:
            self._begin(start, end, section, led)
        return None if leads_on else led

    def _reaches(self, each: _OpenList, start: int) -> bool:
        """Whether a list is still open at a place."""
        if start >= self._sections[each.section].end or (each.style.startswith("block") and self._level < each.depth):
            return False
        return start - each.last < (BULLET_GAP if each.style in _BULLETS else MOST_GAP)

    def _begin(self, start: int, end: int, section: int, led: StemmedItem | None) -> None:
        label = LABEL.match(self._text, start, end)
        own = led.item if led else label.end() if label else start
        if end - own < 6 or _JUNK.search(self._text, own, end):
            return
        outer = led.leads if led and self.wants(led, end) else ()
        printed = self._text[start : label.end()].strip(" .:)*\t") if label else ""
        styles = tuple(style for style, _ in self._styles(start, _MARKER.match(self._text, start, end)))
        self._open.append(_OpenList((*outer, (own, end)), section, printed, styles, self._level, "", 0, end))
        self._fresh = True

    def _item(self, start: int, end: int) -> StemmedItem | None:
        marker = _MARKER.match(self._text, start, end)
        styles = self._styles(start, marker)
        for depth in range(len(self._open) - 1, -1, -1):
            each = self._open[depth]
            if each.style == "" and not (self._fresh and depth == len(self._open) - 1):
                continue
            for style, ordinal in styles:
                if self._continues(each, style, ordinal):
                    del self._open[depth + 1 :]
                    self._open[depth] = replace(each, depth=self._level, style=style, ordinal=ordinal, last=end)
                    return StemmedItem(marker.end() if marker else start, each.leads)
        return None

    def _continues(self, each: _OpenList, style: str, ordinal: int) -> bool:
        """Whether an item of this style and place in its sequence is the next of a list, or its first."""
        if style.startswith("decimal") and style != f"decimal {each.label}":
            return False
        if each.style:
            return style == each.style and (ordinal == 0 or ordinal == each.ordinal + 1)
        return ordinal <= 1 and style not in each.not_styles and self._level >= each.depth

    def _styles(self, start: int, marker: re.Match[str] | None) -> list[tuple[str, int]]:
        """What an item that begins here may be, by its marker and by the format's own lists."""
        styles = marker_styles(marker)
        if start in self._items:
            styles.append((f"block {self._level} {'plain' if marker is None else 'marked'}", 0))
        return styles

    def wants(self, led: StemmedItem, end: int) -> bool:
        """Whether an item says too little without its list stem.

        Args:
            led: an item of a list with its list stems.
            end: one past its last code point.
        """
        first = self._text[led.item : led.item + 1]
        if not first or _QUOTED.match(first) or sum(b - a for a, b in led.leads) > MOST_LEAD:
            return False
        if first.islower():
            return True
        innermost = self._text[slice(*led.leads[-1])].rstrip(" :*—–\t\n")
        if has_finite_verb(self._text, led.item, end):
            return False
        return LEADS_ON.search(innermost) is not None or self._text[end - 1] != "."


def _is_bare(style: str) -> bool:
    """Whether the items of a list have no order that would show where they belong."""
    return style.startswith("block") or style in _BULLETS


def _ends_open(text: str, start: int, end: int) -> bool:
    return _MODAL_END.search(text[max(start, end - 40) : end].rstrip("*—– ")) is not None
