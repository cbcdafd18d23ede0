"""What is measured: anything that indexes documents and finds spans of them."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Protocol

from coditect_benchmarks.retrieval.formats import Document

__all__ = ["Span", "System", "optional"]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a document that a system found.

    Attributes:
        document: its id.
        start: code points into the document's text, half-open.
        end: > start.
        score: higher is better, in the system's own unit.
    """

    document: str
    start: int
    end: int
    score: float = 0.0


class System(Protocol):
    """A way to search."""

    @property
    def name(self) -> str:
        """For the table."""
        ...

    @property
    def most_queries(self) -> int | None:
        """How many questions it is asked at most, because it is slow; None for all."""
        ...

    def index(self, documents: Sequence[Document]) -> float | None:
        """Take documents in; called once, before any search.

        Returns:
            seconds, where several systems share an index; None: however long the call takes.
        """
        ...

    def search(self, query: str, k: int, within: str | None = None) -> list[Span]:
        """The best passages.

        Args:
            query: as asked.
            k: how many at most.
            within: the id of the only document to search.
        Returns:
            best first, at most ``k``.
        """
        ...


def optional(name: str) -> ModuleType | None:
    """A module that need not be installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
