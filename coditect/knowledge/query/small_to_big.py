"""Small-to-big: match small passages, return the larger ones that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from coditect.errors import UsageError
from coditect.knowledge.query.enclosures import Enclosures
from coditect.retrieve.port import Found
from coditect.schemas import Passage
from coditect.schemas.passage import MOST_LEVELS

__all__ = ["Ancestor", "to_level"]


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A passage to be returned.

    Attributes:
        found: the passage as a hit, with the score of the best passage below it.
        passage: its record.
        matched_level: the level that was searched.
        children: ids of the passages below it that matched, best first.
    """

    found: Found
    passage: Passage
    matched_level: int
    children: tuple[str, ...]


def to_level(enclosures: Enclosures, found: Sequence[Found], passages: Sequence[Passage], level: int) -> list[Ancestor]:
    """The ancestors of matched passages at a level, each once, best first: in the order of their best child.

    Args:
        enclosures: reads passages.
        found: matched passages, best first.
        passages: their records, in the same order.
        level: what is returned; not below the level that was searched.
    Raises:
        UsageError: there is no such level, or it is below the level that was searched.
    """
    ancestors: dict[str, Ancestor] = {}
    above = _above(enclosures, passages, level)
    for each, child in zip(found, passages, strict=True):
        passage = above[child.passage_id]
        if passage.level != level:
            top = (
                passage.level
                if passage.level < level
                else _above(enclosures, [child], MOST_LEVELS)[child.passage_id].level
            )
            raise UsageError(
                "no such level of passages",
                level=level,
                hint=f"Level {child.level} is searched; levels {child.level} to {top} can be returned.",
            )
        known = ancestors.get(passage.passage_id)
        if known is None:
            first = replace(each, item_id=passage.passage_id)
            ancestors[passage.passage_id] = Ancestor(first, passage, child.level, (each.item_id,))
        else:
            ancestors[passage.passage_id] = replace(known, children=(*known.children, each.item_id))
    return list(ancestors.values())


def _above(enclosures: Enclosures, passages: Sequence[Passage], level: int) -> dict[str, Passage]:
    """By the id of each passage, what holds it at a level, or at the highest that there is; itself if it is not below."""
    reached = {passage.passage_id: passage for passage in passages}
    while rising := {child: p for child, p in reached.items() if p.level < level and p.parent_id}:
        # All of one level together: one read of the store, however many there are.
        parents = {p.parent_id: p.document_id for p in rising.values()}
        read = enclosures.passages(list(parents), list(parents.values()))
        by_id = {parent.passage_id: parent for parent in read}
        reached.update({child: by_id[p.parent_id] for child, p in rising.items()})
    return reached
