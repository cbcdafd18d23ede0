"""Long lists, a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

__all__ = ["PAGE_ROWS", "ListPage", "page_number", "page_of", "streamed"]

PAGE_ROWS = 25
"""Rows of a page."""

MOST_PAGES = 1_000_000
"""A number beyond it is a mistake, and read as this."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ListPage(Generic[T]):
    """Some rows of a list.

    Attributes:
        rows: of this page.
        number: from 1.
        first: number of the first row in the whole list, from 1; 0 where the page is empty.
        total: rows of the whole list; None where nobody counted.
        previous: address of the page before; "" if this is the first.
        next: address of the page behind; "" if this is the last.
    """

    rows: tuple[T, ...]
    number: int = 1
    first: int = 1
    total: int | None = None
    previous: str = ""
    next: str = ""

    @property
    def last(self) -> int:
        """Number of the last row in the whole list."""
        return self.first + len(self.rows) - 1 if self.rows else 0

    @property
    def is_all(self) -> bool:
        """Whether this page is the whole list."""
        return not self.previous and not self.next


def page_number(given: str) -> int:
    """The page that a visitor asks for; what is no number is the first."""
    return min(max(int(given), 1), MOST_PAGES) if given.isascii() and given.isdigit() and len(given) < 8 else 1


def page_of(rows: Sequence[T], number: int, link: Callable[[int], str], size: int = PAGE_ROWS) -> ListPage[T]:
    """A page of a list that is known whole; a number behind the last page is the last page.

    Args:
        rows: all of them.
        number: of the page, from 1.
        link: the address of a page by its number.
        size: rows of a page.
    """
    pages = max(1, -(-len(rows) // size))
    number = min(number, pages)
    begin = (number - 1) * size
    return ListPage(
        rows=tuple(rows[begin : begin + size]),
        number=number,
        first=begin + 1 if rows else 0,
        total=len(rows),
        previous=link(number - 1) if number > 1 else "",
        next=link(number + 1) if number < pages else "",
    )


def streamed(
    rows: Iterable[tuple[str, T]], link: Callable[[str], str], *, first: int, previous: str = "", size: int = PAGE_ROWS
) -> ListPage[T]:
    """A page of a list that is read only as far as it is shown.

    Args:
        rows: (cursor that asks for what stands behind it, row), from the first row of this page on.
        link: the address of the page behind a cursor.
        first: number of the first row in the whole list.
        previous: address of the page before.
        size: rows of a page.
    """
    found = list(islice(rows, size + 1))
    shown = found[:size]
    return ListPage(
        rows=tuple(row for _, row in shown),
        number=(first - 1) // size + 1,
        first=first if shown else 0,
        previous=previous,
        next=link(shown[-1][0]) if len(found) > size else "",
    )
