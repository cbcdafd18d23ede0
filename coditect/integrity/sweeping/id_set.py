"""Sets of ids that are too many to be held as text: eight bytes each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, cast

import numpy as np

__all__ = ["IdSet"]

_HASH_BYTES = 8

Hashes = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]


class IdSet:
    """Ids that were marked, as hashes. Two ids with one hash are marked together, which keeps a dead row: never the reverse.

    Ids are added first, then :meth:`settle` is called, then it is asked which ids are marked.
    """

    def __init__(self) -> None:
        self._added = bytearray()
        self._needed_added = bytearray()
        self._marked = _none()
        self._needed = _none()
        self._met = np.zeros(0, dtype=np.bool_)

    def add(self, item_id: str, *, needed: bool = True) -> None:
        """Mark an id.

        Args:
            item_id: the id.
            needed: whether its row must be there.
        """
        (self._needed_added if needed else self._added).extend(_hash(item_id))

    def settle(self) -> None:
        """Take in what was added."""
        added = np.frombuffer(bytes(self._added), dtype=np.uint64)
        needed = np.frombuffer(bytes(self._needed_added), dtype=np.uint64)
        self._added, self._needed_added = bytearray(), bytearray()
        self._needed = cast(Hashes, np.unique(np.concatenate([self._needed, needed])))
        self._marked = cast(Hashes, np.unique(np.concatenate([self._marked, self._needed, added])))
        self._met = np.zeros(len(self._marked), dtype=np.bool_)

    def follow(self, links: bytes) -> None:
        """Mark whatever links lead to from what is marked, over any number of links.

        Args:
            links: of :func:`link`, one after the other.
        """
        pairs = np.frombuffer(links, dtype=np.uint64).reshape(-1, 2)
        self.settle()
        while True:
            reached = pairs[np.isin(pairs[:, 0], self._marked), 1]
            marked = np.unique(np.concatenate([self._marked, reached]))
            if len(marked) == len(self._marked):
                return
            self._marked = cast(Hashes, marked)
            self._met = np.zeros(len(marked), dtype=np.bool_)

    def holds(self, ids: Sequence[str]) -> list[bool]:
        """Which of these ids are marked; those that are count as met from now on."""
        if not len(self._marked):
            return [False] * len(ids)
        wanted = np.frombuffer(b"".join(map(_hash, ids)), dtype=np.uint64)
        places = np.minimum(np.searchsorted(self._marked, wanted), len(self._marked) - 1)
        found = self._marked[places] == wanted
        self._met[places[found]] = True
        return cast("list[bool]", found.tolist())

    @property
    def missing(self) -> int:
        """How many of the ids that are needed were not met."""
        places = np.searchsorted(self._marked, self._needed)
        return int(np.count_nonzero(~self._met[places]))

    @staticmethod
    def link(first: str, seconds: Iterable[str]) -> bytes:
        """Links from one id to others, for :meth:`follow`."""
        return b"".join(_hash(first) + _hash(second) for second in seconds)


def _hash(item_id: str) -> bytes:
    return blake2b(item_id.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).digest()


def _none() -> Hashes:
    empty: Any = np.zeros(0, dtype=np.uint64)
    return cast(Hashes, empty)
