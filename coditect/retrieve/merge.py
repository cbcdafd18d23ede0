"""Exact matches and ranked ones as one list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coditect.retrieve.port import Found, Match, Part

__all__ = ["exact_first"]


def exact_first(exact: Sequence[Match], found: Sequence[Found]) -> list[tuple[Found, bool]]:
    """What a question names outright, then what only sounds like it.

    Args:
        exact: in document order.
        found: best first.
    Returns:
        (unit, whether it is named) pairs; the named ones by how well (a meaning before an abbreviation), then by their score
        in the ranking, else in document order.
    """
    ranked = {each.item_id: each for each in found}
    named: dict[str, Found] = {}
    for match in exact:
        known = ranked.get(match.item_id) or Found(match.item_id, match.document_id, 0.0)
        part = Part("exact", None, match.score, 1.0, match.score)
        named[match.item_id] = replace(known, parts=(part, *known.parts), relevance="correct")
    first = sorted(named.values(), key=lambda each: (-each.parts[0].score, -each.score))
    return [*((each, True) for each in first), *((each, False) for each in found if each.item_id not in named)]
