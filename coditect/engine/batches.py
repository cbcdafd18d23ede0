"""Batches of what is written, each small enough for a transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

__all__ = ["batches"]

T = TypeVar("T")


def batches(
    items: Iterable[T], size_bytes: Callable[[T], int], most_bytes: int, most: int | None = None
) -> Iterator[list[T]]:
    """Cut what is written into batches, in order.

    Args:
        items: what is written together, each in one transaction.
        size_bytes: what an item adds to a transaction.
        most_bytes: of a batch; an item that is longer has one of its own.
        most: items of a batch; None: any number.
    Yields:
        lists, none of them empty.
    """
    batch: list[T] = []
    total = 0
    for item in items:
        size = size_bytes(item)
        if batch and (total + size > most_bytes or len(batch) == most):
            yield batch
            batch, total = [], 0
        batch.append(item)
        total += size
    if batch:
        yield batch
