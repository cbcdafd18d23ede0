"""The norms of a text as tests look at them."""

from __future__ import annotations

from typing import Any

from coditect.language.norms.binding import read_norms
from coditect.language.quantities.meaning import find_quantities

__all__ = ["only_clause", "read_clauses"]


def read_clauses(text: str, names: frozenset[str] = frozenset()) -> list[tuple[str, dict[str, Any]]]:
    """The kind and the data of each norm, in order.

    Args:
        text: all of it is read.
        names: of who acts, that the text defines.
    """
    readings = read_norms(text, 0, len(text), find_quantities(text, 0, len(text)), names)
    return [(each.mark.kind, dict(each.mark.data)) for each in readings]


def only_clause(text: str) -> dict[str, Any]:
    """The data of the only norm."""
    ((_, data),) = read_clauses(text)
    return data
