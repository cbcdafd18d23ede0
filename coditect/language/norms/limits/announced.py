"""What a lead-in says of its items without being part of the act: "do the following", "but not limited to"."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["behind_announcement", "without_aside"]

_I = re.IGNORECASE
_ANNOUNCED = re.compile(
    r"\s*(?:do|take|perform|carry\s+out)\s+(?:(?:any|all|one|each|both|either)(?:\s+or\s+more)?\s+of\s+)?the\s+following"
    r"(?:\s+(?:things|actions|steps|measures|tasks))?\W*",
    _I,
)
_NOT_LIMITED = re.compile(
    r",?\s+but\s+(?:(?:is|are|shall|need|must|may)\s+)?not\s+(?:necessarily\s+)?(?:be\s+)?limited\s+to,?(?:\s+the\s+following)?\W*\Z",
    _I,
)


def behind_announcement(text: str, at: int, hi: int, edges: Sequence[int]) -> int:
    """Where the act begins that a lead-in only announces: "must do the following: (a) close the gate".

    Args:
        text: the text.
        at: where the predicate begins.
        hi: one past its last.
        edges: where items begin, in order.

    Returns:
        The place of the first item, or ``at``.
    """
    edge = _edge(at, hi, edges)
    return edge if edge is not None and _ANNOUNCED.fullmatch(text, at, edge) else at


def without_aside(text: str, lo: int, hi: int, edges: Sequence[int]) -> list[tuple[int, int]]:
    """A piece of an act without the words before an item that only say that there may be more: "include, but is not limited to".

    Args:
        text: the text.
        lo: where the piece begins.
        hi: one past its last.
        edges: where items begin, in order.
    """
    edge = _edge(lo, hi, edges)
    aside = _NOT_LIMITED.search(text, lo, edge) if edge is not None else None
    return [(lo, hi)] if edge is None or aside is None else [(lo, aside.start()), (edge, hi)]


def _edge(lo: int, hi: int, edges: Sequence[int]) -> int | None:
    """The first item inside of a span."""
    return next((each for each in edges if lo < each < hi), None)
