"""Pages of lists: a cursor says after how many rows the next one begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from coditect.errors import UsageError

__all__ = ["MOST_ROWS", "page_after"]

T = TypeVar("T")

MOST_ROWS = 50
"""Rows of a page, at most."""

_DIGITS = 12


def page_after(rows: Sequence[T], cursor: str, limit: int) -> tuple[Sequence[T], str]:
    """(rows, the cursor for those that follow or "").

    Args:
        rows: all of them, in an order that stays.
        cursor: of the page before; empty for the first page.
        limit: rows of a page.

    Raises:
        UsageError: the cursor is none.
    """
    begin = 0
    if cursor:
        if not (cursor.isascii() and cursor.isdigit()) or len(cursor) > _DIGITS:
            raise UsageError("not a cursor", cursor=cursor[:40], hint="Send next_cursor of the page before, unchanged.")
        begin = int(cursor)
    end = begin + min(max(1, limit), MOST_ROWS)
    return rows[begin:end], str(end) if end < len(rows) else ""
