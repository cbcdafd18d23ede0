"""Small-to-big: match small passages, return the larger ones that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from coditect.errors import UsageError
from coditect.knowledge.context import Surroundings
from coditect.retrieve.port import Found
from coditect.schemas import Passage

__all__ = ["Ancestor", "to_level"]


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A passage to be returned.

    Attributes:
        found: it, with the score of the best passage below it.
        passage: the record.
        matched_level: the level that was searched.
        children: ids of the passages below it that matched, best first.
    """

    found: Found
    passage: Passage
    matched_level: int
    children: tuple[str, ...]


def to_level(surroundings: Surroundings, found: Sequence[Found], level: int) -> list[Ancestor]:
    """The ancestors of matched passages at a level, each once, best first: in the order of their best child.

    Args:
        surroundings: knows the passages.
        found: matched passages, best first.
        level: what is returned; not below the level that was searched.
    Raises:
        UsageError: there is no such level, or it is below the level that was searched.
    """
    ancestors: dict[str, Ancestor] = {}
    for each in found:
        tree = surroundings.tree(each.document_id)
        child = tree.by_id[each.item_id]
        if not child.level <= level < tree.level_count:
            raise UsageError(
                "no such level of passages",
                level=level,
                hint=f"Level {child.level} is searched; levels {child.level} to {tree.level_count - 1} can be returned.",
            )
        passage = tree.ancestor(child, level)
        known = ancestors.get(passage.passage_id)
        if known is None:
            first = replace(each, item_id=passage.passage_id)
            ancestors[passage.passage_id] = Ancestor(first, passage, child.level, (each.item_id,))
        else:
            ancestors[passage.passage_id] = replace(known, children=(*known.children, each.item_id))
    return list(ancestors.values())
