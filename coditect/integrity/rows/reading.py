"""Rows and records of a corpus as they are read to be checked: what cannot be read is a finding, and reading goes on."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator

from coditect.engine.port import Engine, Transaction
from coditect.errors import Corrupt, NewerRecord
from coditect.keyspace import LAYOUT
from coditect.schemas import Record
from coditect.store.blobs import Row
from coditect.store.rows import open_stored, payload_of, row_name
from coditect.store.store import PAGE_ROWS, Store

__all__ = ["PAGE_PARTS", "Advance", "RowReader", "Say", "mark"]

PAGE_PARTS = 8
"""Parts of blobs in one page: they are long, so that it is under a megabyte, as a page of a thousand short rows is."""

Say = Callable[[str, str, str], None]
"""(check, record, message)."""

Advance = Callable[[str], None]
"""Told of each page, with its table's name."""


HASHED_TABLES = frozenset({"extractions", "chunks", "passages", "profiles", "sections"})
"""Whose items derivations commit to, each to its own."""


class RowReader:
    """Reads the tables of a corpus.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        counts: rows read, by table, are added to it.
        say: told of each thing that is wrong.
        advance: told of each page.

    Attributes:
        outputs: by derivation, hashes over the ids and over the SHA-256 of each of its items of these tables, by key.
    """

    def __init__(self, store: Store, corpus_id: str, counts: Counter[str], say: Say, advance: Advance) -> None:
        self.store = store
        self.keys = store.keys
        self.corpus_id = corpus_id
        self.counts = counts
        self.say = say
        self.advance = advance
        self.outputs: dict[str, tuple[hashlib._Hash, hashlib._Hash]] = {}

    def pages(self, table: str) -> Iterator[list[Row]]:
        """A table's rows in the corpus, by pages; rows whose keys cannot be read are findings."""
        position = LAYOUT[table].corpus_field
        begin, end = self.keys.bounds(table, self.corpus_id) if position == 0 else self.keys.bounds(table)
        if table == "corpus":  # its whole key is the corpus
            begin = self.keys.key(table, self.corpus_id)
            end = begin + b"\x00"
        own = self.keys.own_part(self.corpus_id)
        for page in self.store.pages(begin, end, limit=PAGE_PARTS if table == "blobs" else PAGE_ROWS):
            self.advance(table)
            rows = []
            for key, value in page:
                try:
                    if self.keys.parts(table, key)[position] == own:
                        rows.append((key, value))
                except Corrupt as error:
                    self.say("bytes", row_name(self.keys, key), error.message)
            self.counts[table] += len(rows)
            yield rows

    def records(self, table: str, cls: type[Record]) -> Iterator[tuple[bytes, Record | None]]:
        """A table's records by key; those that cannot be read are findings, and None."""
        for rows in self.pages(table):
            for key, value in rows:
                found = self._open(self.store.engine, (key, value), cls)
                if isinstance(found, Record):
                    if table in HASHED_TABLES:
                        self._hash((key, value), str(getattr(found, "derivation_id", "")))
                    yield key, found
                    continue
                check = "newer" if isinstance(found, NewerRecord) else str(found.context.get("check", "bytes"))
                self.say(check, row_name(self.keys, key), str(found))
                yield key, None

    def _hash(self, row: Row, derivation_id: str) -> None:
        place = self.keys.parts(self.keys.table_of(row[0]) or "", row[0])
        payload = payload_of(self.store.engine, self.keys, place, *row)
        ids, hashes = self.outputs.setdefault(derivation_id, (hashlib.sha256(), hashlib.sha256()))
        ids.update(str(place[-1]).encode())
        hashes.update(hashlib.sha256(payload).digest())

    def again(self, key: bytes, cls: type[Record]) -> Record | None:
        """The record under a key as it is now; None where there is none, or none that can be read."""

        def body(transaction: Transaction) -> Record | Corrupt | NewerRecord | None:
            value = transaction.get(key)
            return None if value is None else self._open(transaction, (key, value), cls)

        found = self.store.engine.read(body)
        return found if isinstance(found, Record) else None

    def _open(self, source: Engine | Transaction, row: Row, cls: type[Record]) -> Record | Corrupt | NewerRecord:
        try:
            return open_stored(source, self.keys, row, cls)
        except (Corrupt, NewerRecord) as error:
            return error


def mark(*parts: bytes) -> bytes:
    """A hash by which a row, or what it is called for by, is remembered in little room."""
    return hashlib.blake2b(b"\x00".join(parts), digest_size=16).digest()
