"""The stored items of what a searcher found, and their words."""

from __future__ import annotations

from collections.abc import Sequence

from coditect.errors import Corrupt
from coditect.knowledge.query.opened import Opened
from coditect.retrieve.port import Found
from coditect.retrieve.units import asked_as
from coditect.schemas import Chunk, Claim, Extraction, Granularity, Item, Passage, Section
from coditect.store.view import View

__all__ = ["Ranked", "heading_of", "items_of", "text_of"]

Ranked = list[tuple[Found, bool]]
"""Units, best first, each with whether the question names it outright."""

_TABLES: dict[Granularity, tuple[str, type[Item]]] = {
    "chunk": ("chunks", Chunk),
    "extraction": ("extractions", Extraction),
    "proposition": ("extractions", Extraction),
    "passage": ("passages", Passage),
}


def items_of(view: View, tier: Granularity, found: list[Found]) -> list[Item]:
    """The stored items of what a searcher found, in order.

    Raises:
        Corrupt: search named what this generation does not hold. Its words are not repeated: they may be another tenant's, if
            that one's replica was put in the place of this one's.
    """
    items = [item for item in _stored(view, tier, found) if item is not None and view.holds(item)]
    if len(items) != len(found):
        raise Corrupt(
            "the search replica does not fit the store",
            corpus_id=view.corpus_id,
            generation=view.generation,
            hint="Delete the folder of --cache: it is made again from the store. If this stays, run 'coditect knowledge validate'.",
        )
    return items


def _stored(view: View, tier: Granularity, found: list[Found]) -> Sequence[Item | None]:
    if tier == "section":
        return [view.section_by_id.get(each.item_id) for each in found]
    if tier == "corpus":
        return [view.claims.get(each.item_id) for each in found]
    table, cls = _TABLES[tier]
    places = [(view.corpus_id, each.document_id, each.item_id) for each in found]
    return view.store.get_many(table, cls, places) if places else []


def text_of(opened: Opened, item: Item) -> str:
    """What an item says, verbatim."""
    match item:
        case Extraction():
            return item.source_text
        case Chunk():
            return " ".join(sentence.text for sentence in item.selected_sentences)
        case Passage():
            return opened.sources.text_of(item)
        case Section():
            return " ".join(part.content for part in item.content)
        case Claim():
            return item.text
    return ""


def heading_of(item: Item) -> str:
    """What stands above an item."""
    match item:
        case Extraction() | Chunk() | Passage():
            return item.heading
        case Section():
            return item.topic
        case Claim():
            return f"{item.topic} {asked_as(item)}"
    return ""
