"""Guesses from heads and cells which column of a framework's table holds what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

__all__ = ["guess_columns"]

_OF = r"(?:(?:control|requirement|req|provision|obligation|rule|clause|standard|framework)s?[ _-]*)"

# Each list is from the plainest head to one that can mean other things, too; what the cells hold decides of these.
_HEADS: Mapping[str, tuple[re.Pattern[str], ...]] = {
    field: tuple(re.compile(rf"\W*(?:{each})\W*", re.IGNORECASE) for each in patterns)
    for field, patterns in {
        "statement": (
            rf"{_OF}?(?:statement|text|specification|wording)s?",
            r"(?:control )?requirements?",
            rf"{_OF}?descriptions?",
            r"(?:control|obligation|provision|rule|clause|standard)s?",
        ),
        "id": (
            rf"{_OF}?(?:id|identifier|ref|reference|no|number|nr|code)",
            r"#",
            r".*[ _-](?:id|identifier|ref|#)",
            r"control|requirement|clause|article|section|paragraph|provision|rule|item",
        ),
        "title": (rf"{_OF}?(?:title|name|heading|topic)",),
        "family": (rf"{_OF}?(?:family|domain|category|theme|chapter|area|group|function)",),
    }.items()
}

_STATEMENT_WORDS = 3
_ID_WORDS = 3


def guess_columns(columns: Mapping[str, Sequence[str]]) -> dict[str, str] | None:
    """Guess the columns of a table's requirements.

    Args:
        columns: filled cells by head, in the order of the table.
    Returns:
        Field ("id", "statement", "title", "family") to head; None where no column of ids or none of statements can be told.
    """
    found: dict[str, str] = {}
    for field in _HEADS:
        head = next(
            (
                head
                for pattern in _HEADS[field]
                for head, cells in columns.items()
                if head not in found.values() and pattern.fullmatch(head) and _fits(field, cells)
            ),
            None,
        )
        if head is not None:
            found[field] = head
        elif field in ("statement", "id"):
            return None
    return found


def _fits(field: str, cells: Sequence[str]) -> bool:
    """Whether cells hold what the field does: statements are sentences; ids are short, and hardly any comes twice."""
    if not cells:
        return False
    if field == "statement":
        return 2 * sum(len(each.split()) >= _STATEMENT_WORDS for each in cells) > len(cells)
    if field == "id":
        short = sum(len(each.split()) <= _ID_WORDS for each in cells)
        return 2 * short > len(cells) and 2 * len(set(cells)) > len(cells)
    return True
