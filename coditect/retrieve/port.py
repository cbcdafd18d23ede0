"""The seam between a question and whatever finds items by text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from coditect.schemas import TierName
from coditect.store.view import View

__all__ = ["Match", "Searcher"]


@dataclass(frozen=True, slots=True)
class Match:
    """An item that a search found.

    Attributes:
        item_id: the item.
        document_id: its document for tiers 1 and 2, else "".
        score: higher is better; comparable within one search.
    """

    item_id: str
    document_id: str
    score: float


class Searcher(Protocol):
    """Finds items of one generation by what they say."""

    def search(self, view: View, query: str, tier: TierName, limit: int) -> list[Match]:
        """The best items of a tier for a query, best first; equal scores in the order of their ids.

        Args:
            view: the generation; the searcher catches up to it first.
            query: words, and phrases in quotation marks.
            tier: which items.
            limit: how many, at least 1.
        """
        ...

    def refresh(self, view: View) -> None:
        """Catch up to a generation now, so that the first question does not wait."""
        ...
