"""What a tier shows where none of its items answers by itself and passages do: what rests on these, and says how.

Nothing here says that an item answers. Each is marked by what it has to do with the passage that answers, and leads to that
passage (ADR 92).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from coditect.knowledge.query.items import Ranked, items_of
from coditect.knowledge.query.opened import Opened
from coditect.knowledge.query.resting import Stretch
from coditect.retrieve.port import Filter, Found
from coditect.schemas import Granularity, Hit, Item

__all__ = ["Beside", "ShownAs", "beside", "told_of"]

SHOWN = 3
"""Items at most; they are no answers."""

Rests = Callable[[Stretch], Iterable[str]]

QUOTES = "quotes words of the passage that answers"
DRAWS = "draws on the passage that answers, and quotes other sentences"
SAME_DOCUMENT = "quotes other sentences of the document that answers"
RESTS = "rests on words of the passage that answers, and says something else of them"
INSIDE = "stands in the passage that answers"
INSTEAD = "a passage that answers"

NAMES: dict[Granularity, str] = {
    "corpus": "claim",
    "section": "section",
    "chunk": "chunk",
    "extraction": "statement",
    "proposition": "statement",
    "passage": "passage",
}


@dataclass(frozen=True, slots=True)
class ShownAs:
    """What an item has to do with an answer that it does not hold.

    Attributes:
        words: that say it.
        passage: which answers.
    """

    words: str
    passage: Hit


@dataclass(frozen=True, slots=True)
class Beside:
    """Items in the place of answers.

    Attributes:
        tier: which items they are.
        ranked: they, in the order of the passages that they rest on.
        items: of these, in order.
        marks: by item id.
    """

    tier: Granularity
    ranked: Ranked
    items: list[Item]
    marks: dict[str, ShownAs]


def beside(
    opened: Opened, tier: Granularity, passages: Sequence[Hit], found: Sequence[Found], only: Filter | None, limit: int
) -> Beside:
    """What of a tier rests on the passages that answer; these themselves where nothing does.

    Args:
        opened: the generation.
        tier: that was asked.
        passages: that answer, best first; at least one.
        found: of the tier by its own words, best first.
        only: the tier's filter.
        limit: so many at most.
    """
    most = min(limit, SHOWN)
    order = {each.item_id: at for at, each in enumerate(found)}
    if tier not in ("corpus", "section"):
        return _inside(opened, tier, passages, found, most) or _instead(opened, passages, most)
    rests = opened.resting
    ways: list[tuple[Granularity, tuple[tuple[str, Rests], ...]]] = [
        ("section", ((QUOTES, rests.quoting), (DRAWS, rests.drawing)))
    ]
    if tier == "corpus":
        ways.insert(0, ("corpus", ((RESTS, rests.claiming),)))
    else:
        ways.append(("section", ((SAME_DOCUMENT, rests.quoting_document),)))
    for shown, way in ways:
        allowed = only.items if only is not None and shown == tier else None
        if chosen := _chosen(passages, way, order, allowed, most):
            return _made(opened, shown, chosen)
    return _instead(opened, passages, most)


def told_of(tier: Granularity, shown: Beside) -> str:
    """The sentence that says of an answer that it is none of the tier's own.

    Args:
        tier: that was asked.
        shown: in the place of its answers.
    """
    if shown.tier == tier:
        return f"no {NAMES[tier]} answers by itself; shown is what has to do with the passages that answer"
    return f"no {NAMES[tier]} is about it; shown are {NAMES[shown.tier]}s, a tier below"


def _chosen(
    passages: Sequence[Hit],
    ways: Sequence[tuple[str, Rests]],
    order: dict[str, int],
    allowed: frozenset[str] | None,
    most: int,
) -> list[tuple[str, ShownAs]]:
    """(id, what it has to do with which passage) of what rests on passages, by passage, then by how, then as it was found."""
    chosen: dict[str, ShownAs] = {}
    for hit in passages:
        for words, rests in ways:
            own = {each for each in rests(Stretch.of(hit.item)) if allowed is None or each in allowed}
            for each in sorted(own - chosen.keys(), key=lambda item_id: (order.get(item_id, len(order)), item_id)):
                chosen[each] = ShownAs(words, hit)
    return list(chosen.items())[:most]


def _made(opened: Opened, tier: Granularity, chosen: Sequence[tuple[str, ShownAs]]) -> Beside:
    ranked = [(Found(item_id, "", mark.passage.score, relevance="ambiguous"), False) for item_id, mark in chosen]
    return Beside(tier, ranked, items_of(opened.view, tier, [found for found, _ in ranked]), dict(chosen))


def _inside(
    opened: Opened, tier: Granularity, passages: Sequence[Hit], found: Sequence[Found], most: int
) -> Beside | None:
    """Statements or chunks that were found and stand in the passages; None where none does."""
    rows = []
    for at, (each, item) in enumerate(zip(found, items_of(opened.view, tier, list(found)), strict=True)):
        start, end = getattr(item, "char_offset_start", 0), getattr(item, "char_offset_end", 0)
        for rank, hit in enumerate(passages):
            place = Stretch.of(hit.item)
            if place.document_id == each.document_id and place.meets(start, end):
                rows.append((rank, at, each, item, hit))
                break
    rows.sort(key=lambda row: row[:2])
    ranked: Ranked = []
    for _, _, each, _, hit in rows[:most]:
        ranked.append((Found(each.item_id, each.document_id, hit.score, each.parts, relevance="ambiguous"), False))
    marks = {each.item_id: ShownAs(INSIDE, hit) for _, _, each, _, hit in rows[:most]}
    return Beside(tier, ranked, [item for _, _, _, item, _ in rows[:most]], marks) if rows else None


def _instead(opened: Opened, passages: Sequence[Hit], most: int) -> Beside:
    """The passages themselves."""
    shown = passages[:most]
    ranked = [
        (
            Found(
                hit.item.item_id,
                hit.item.document_id,
                hit.score,
                probability=hit.probability,
                relevance=hit.relevance,
            ),
            hit.matched_by == "exact",
        )
        for hit in shown
    ]
    items = items_of(opened.view, "passage", [found for found, _ in ranked])
    return Beside("passage", ranked, items, {hit.item.item_id: ShownAs(INSTEAD, hit) for hit in shown})
