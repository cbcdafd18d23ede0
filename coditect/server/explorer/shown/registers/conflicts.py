"""Possible conflicts: two sentences beside each other, and in what they differ."""

from __future__ import annotations

from dataclasses import dataclass

from coditect.knowledge.progress import Progress
from coditect.knowledge.report.registers.conflicts import conflict_rows
from coditect.reports.registers.conflicts import differences_told, place_of_side
from coditect.schemas import ConflictRow, ConflictSide
from coditect.server.explorer.visit import Visit

__all__ = ["SHOWN_PAIRS", "ShownPair", "ShownSide", "possible_conflicts", "shown_pairs"]

SHOWN_PAIRS = 30
"""Pairs of the page: behind these few are conflicts; the command line lists more."""


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A sentence with where it stands: its words in the document, and its own page."""

    text: str
    role: str
    where: str
    href: str
    item_href: str


@dataclass(frozen=True, slots=True)
class ShownPair:
    """Two sentences, and in what they differ, in words."""

    differs: str
    first: ShownSide
    second: ShownSide


def possible_conflicts(visit: Visit, progress: Progress) -> tuple[ConflictRow, ...]:
    """The pairs that the page shows.

    Args:
        visit: who asks, and of what.
        progress: told as documents are read and sentences compared.

    Raises:
        UsageError: no embedder is configured.
    """
    embedder = visit.knowledge.models.ranking()
    return tuple(conflict_rows(visit.view, embedder, visit.today, most=SHOWN_PAIRS, progress=progress))


def shown_pairs(visit: Visit, rows: tuple[ConflictRow, ...]) -> tuple[ShownPair, ...]:
    """The same with their links."""
    return tuple(ShownPair(differences_told(row), _side(visit, row.first), _side(visit, row.second)) for row in rows)


def _side(visit: Visit, side: ConflictSide) -> ShownSide:
    version = visit.view.documents[side.document_id].version_id
    return ShownSide(
        side.text,
        side.role,
        place_of_side(side),
        visit.links.place(version, side.char_start, side.char_end, item=side.item_id),
        visit.links.item(side.item_id),
    )
