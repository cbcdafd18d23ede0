"""The index entries of one corpus: where they are, and a sum by which those of a store are compared with those due."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress

from coditect.errors import Corrupt
from coditect.keyspace import LAYOUT, Keyspace, seal
from coditect.schemas import tag_of
from coditect.store.blobs import Row
from coditect.store.store import Store

__all__ = ["INDEX_TABLES", "IndexSum", "index_pages", "locator_row"]

INDEX_TABLES = tuple(name for name in LAYOUT if name.startswith("idx/"))

_MODULUS = 1 << 256


def index_pages(store: Store, corpus_id: str) -> Iterator[list[Row]]:
    """The index entries of a corpus. Where the corpus is not the first field, the entries of all corpora are read."""
    own = store.keys.own_part(corpus_id)
    for table in INDEX_TABLES:
        place = LAYOUT[table].corpus_field
        for page in store.pages(*(store.keys.bounds(table, corpus_id) if place == 0 else store.keys.bounds(table))):
            yield [row for row in page if place == 0 or _part(store.keys, table, row[0], place) == own]


def _part(keys: Keyspace, table: str, key: bytes, place: int) -> object:
    """An element of a key; None where it cannot be read, which is no key that was written for this corpus."""
    with suppress(Corrupt):
        return keys.parts(table, key)[place]
    return None


def locator_row(keys: Keyspace, corpus_id: str) -> Row:
    """The index entry that a corpus as such has; it comes and goes with the corpus record."""
    key = keys.key("idx/locator", tag_of(corpus_id), corpus_id, "")
    return key, seal(keys.relative(key), b"")


class IndexSum:
    """A sum of rows that does not depend on their order.

    The sum of the rows' SHA-256 modulo 2**256: it tells rows that are lost, changed or left over; an adversary who can
    choose millions of rows could forge it.

    Attributes:
        count: rows added.
    """

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0

    def add(self, key: bytes, value: bytes) -> None:
        """Add a row."""
        self.count += 1
        row = hashlib.sha256(len(key).to_bytes(4, "big") + key + value)
        self._sum = (self._sum + int.from_bytes(row.digest(), "big")) % _MODULUS

    def equals(self, other: IndexSum) -> bool:
        """Whether the same rows were added to both, in whatever order."""
        return (self.count, self._sum) == (other.count, other._sum)
