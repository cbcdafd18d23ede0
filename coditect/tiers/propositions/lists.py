"""Items of lists with the list stems that they complete: "The Supplier shall:" above "(a) deliver the goods"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from coditect.documents.structure.lists import NOWHERE, Lists
from coditect.language.finite_verbs import has_finite_verb
from coditect.language.marks import SpanLike
from coditect.tiers.propositions.wording import LEADS_ON

__all__ = ["StemmedItem", "stemmed_item", "wants_lead"]

MOST_LEAD = 320
"""Characters of a list stem, all levels together: a longer one buries its item."""

SHORTEST_LEAD = 6
"""Characters of a list stem, at least."""

_QUOTED = re.compile(r"[\"“']")
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


def stemmed_item(text: str, sentences: Sequence[SpanLike], lists: Lists, index: int) -> StemmedItem | None:
    """What leads a sentence when it is an item of a list, and no list stem itself; None for every other sentence.

    Args:
        text: the text as it is read.
        sentences: the sentences of the document.
        lists: its lists.
        index: of the sentence.
    """
    place = lists.places[index]
    if place.item_of == NOWHERE or place.leads != NOWHERE:
        return None
    leads = _leads(text, sentences, lists, place.item_of)
    return StemmedItem(place.own, leads) if leads else None


def _leads(text: str, sentences: Sequence[SpanLike], lists: Lists, number: int) -> tuple[tuple[int, int], ...]:
    """The list stems of a list, outermost first; an outer one only where the inner says too little without it."""
    found = lists.lists[number]
    own, end = lists.places[found.lead].own, sentences[found.lead].end
    if end - own < SHORTEST_LEAD or _JUNK.search(text, own, end):
        return ()
    outer = _leads(text, sentences, lists, found.parent) if found.parent != NOWHERE else ()
    if outer and wants_lead(text, StemmedItem(own, outer), end):
        return (*outer, (own, end))
    return ((own, end),)


def wants_lead(text: str, led: StemmedItem, end: int) -> bool:
    """Whether an item says too little without its list stem.

    Args:
        text: the text as it is read.
        led: an item of a list with its list stems.
        end: one past its last code point.
    """
    first = text[led.item : led.item + 1]
    if not first or _QUOTED.match(first) or sum(b - a for a, b in led.leads) > MOST_LEAD:
        return False
    if first.islower():
        return True
    innermost = text[slice(*led.leads[-1])].rstrip(" :*—–\t\n")
    if has_finite_verb(text, led.item, end):
        return False
    return LEADS_ON.search(innermost) is not None or text[end - 1] != "."
