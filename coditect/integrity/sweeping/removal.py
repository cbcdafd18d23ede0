"""Removing dead rows, a bounded number in a transaction, so that at every moment what is left is whole.

A record goes before what it refers to, above all a derivation before its outputs: whoever finds a derivation finds them, and
whoever finds that of a summary finds those of its sections. An item goes with its index entries, a blob with all its parts. So a
sweep that is stopped or killed has removed less, and harmed nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from coditect.engine.batches import batches
from coditect.engine.port import Transaction
from coditect.errors import Corrupt, NewerRecord
from coditect.integrity.sweeping.claim import SweepClaim
from coditect.integrity.sweeping.inventory import SWEPT, Advance, RowSizes, index_tables
from coditect.keyspace import LAYOUT, Keyspace
from coditect.schemas import OF_BLOBS, Derivation, Record, StoreHeader
from coditect.store.blobs import Row
from coditect.store.indexes.definitions import optional_indexes
from coditect.store.indexes.states import disabled_tables, header_in, require_own
from coditect.store.intake.staging import PAGE_PARTS, corpus_pages
from coditect.store.item_ids import CLASS_OF
from coditect.store.rows import index_rows, open_stored, optional_entries, optional_rows, record_tables
from coditect.store.store import Store

__all__ = ["DeadRows", "Removal"]

BATCH_BYTES = 200_000
"""Keys that one transaction clears, in bytes: a fifth of what it may affect."""

BATCH_ROWS = 500
"""Rows of records that one transaction removes, with their index entries."""

_FIRST = ("summary", *OF_BLOBS)
"""Stages whose derivations go before the others: a build that finds one counts on derivations that it is not an output of."""

DeadRow = tuple[Row, tuple[Row, ...], tuple[Row, ...]]
"""A record's row, and the entries that the record calls for: those of required indexes, and those that optional ones may have."""


class DeadRows(Protocol):
    """Tells which rows of a corpus go."""

    def split(self, keys: Keyspace, table: str, rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
        """(rows that stay, rows that go) of a table."""
        ...


class Removal:
    """Removes the dead rows of a corpus.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        claim: taken before the inventory was.
        inventory: tells which rows are dead.
        advance: told of each page, with its table's name.
        tables: of records that are looked through, each after all that refer to it.

    Attributes:
        removed: what is gone until now.
    """

    def __init__(
        self,
        store: Store,
        corpus_id: str,
        claim: SweepClaim,
        inventory: DeadRows,
        advance: Advance,
        tables: Sequence[str] = SWEPT,
    ) -> None:
        self._tables = tables
        self._store = store
        self._corpus_id = corpus_id
        self._claim = claim
        self._inventory = inventory
        self._advance = advance
        self.removed = RowSizes()

    def run(self) -> None:
        """Remove them all.

        Raises:
            Conflict: somebody began to work on the corpus; the rest is left.
            Unwritable: the store has an index that only another release can keep.
        """
        require_own(self._store.engine.read(self._header), self._store.keys.tenant)
        for table in self._tables:
            if table == "derivations":
                self._sweep_records(table, lambda record: isinstance(record, Derivation) and record.stage in _FIRST)
            self._sweep_records(table, lambda record: True)
        last = ""
        for dead in self._dead("blobs"):
            for digest in dict.fromkeys(str(self._store.keys.parts("blobs", key)[1]) for key, _ in dead):
                if digest != last:  # a page may end within a blob
                    self._remove_blob(digest)
                last = digest
        for table in index_tables(self._store.keys):
            for dead in self._dead(table):
                self._remove_entries(table, dead)

    def _header(self, transaction: Transaction) -> StoreHeader | None:
        return header_in(transaction, self._store.keys.tenant)

    def _dead(self, table: str) -> Iterator[list[Row]]:
        for page in corpus_pages(self._store, self._corpus_id, table):
            self._advance(table)
            dead = self._inventory.split(self._store.keys, table, page)[1]
            if dead:
                yield dead

    def _sweep_records(self, table: str, wanted: Callable[[Record | None], bool]) -> None:
        """Remove the dead of a table that are wanted; a record that cannot be read is None."""
        for dead in self._dead(table):
            records = [(row, record) for row, record in self._records(table, dead) if wanted(record)]
            # The entries of a record that cannot be read are found in the indexes, at the end.
            whole = [self._with_entries(row, record) for row, record in records]
            for batch in batches(whole, _cleared_bytes, BATCH_BYTES, BATCH_ROWS):
                self._remove_records(table, batch)

    def _with_entries(self, row: Row, record: Record | None) -> DeadRow:
        if record is None:
            return row, (), ()
        keys = self._store.keys
        optional = optional_rows(keys, row[0], optional_entries(record), optional_indexes())
        return row, index_rows(keys, record), tuple(optional)

    def _records(self, table: str, rows: Sequence[Row]) -> list[tuple[Row, Record | None]]:
        return [(row, self._open(table, row)) for row in rows]

    def _open(self, table: str, row: Row) -> Record | None:
        try:
            return open_stored(self._store.engine, self._store.keys, row, record_tables()[table])
        except (Corrupt, NewerRecord):
            return None

    def _remove_records(self, table: str, batch: Sequence[DeadRow]) -> None:
        keys = self._store.keys

        def body(transaction: Transaction) -> list[tuple[str, Row]]:
            self._claim.require(transaction)
            require_own(self._header(transaction), keys.tenant)
            gone: list[tuple[str, Row]] = []
            shared: dict[bytes, Row] = {}
            wanted = [entry for _, _, optional in batch for entry in optional]
            there = transaction.get_many([key for key, _ in wanted]) if wanted else []
            for entry, found in zip(wanted, there, strict=True):
                if found is not None:
                    gone.append((keys.table_of(entry[0]) or table, entry))
            for row, entries, _ in batch:
                gone.append((table, row))
                for entry in entries:
                    name = keys.table_of(entry[0]) or table
                    if name == "idx/locator":  # all versions of a document share it
                        shared[entry[0]] = entry
                    else:
                        gone.append((name, entry))
            for _, (key, _) in gone:
                transaction.clear(key)
            for key, entry in shared.items():
                _, corpus, document = keys.parts("idx/locator", key)
                if not transaction.range(*keys.bounds("documents", corpus, document), limit=1).rows:
                    transaction.clear(key)
                    gone.append(("idx/locator", entry))
            return gone

        for name, (key, value) in self._store.update(body):
            self.removed.add(name, len(key) + len(value))

    def _remove_blob(self, digest: str) -> None:
        """Remove all parts at once: whoever finds the last one counts on the others."""
        bounds = self._store.keys.bounds("blobs", self._corpus_id, digest)
        parts = [len(key) + len(value) for page in self._store.pages(*bounds, limit=PAGE_PARTS) for key, value in page]

        def body(transaction: Transaction) -> None:
            self._claim.require(transaction)
            transaction.clear_range(*bounds)

        self._store.update(body)
        self.removed.add("blobs", sum(parts), len(parts))

    def _remove_entries(self, table: str, rows: Sequence[Row]) -> None:
        """Remove index entries of records that are not there, or of a disabled index; one transaction looks and removes."""
        places = [(row, self._record_of(table, row[0])) for row in rows]

        def body(transaction: Transaction) -> list[Row]:
            self._claim.require(transaction)
            if table in disabled_tables(self._header(transaction), self._store.keys.format):
                gone = list(rows)
            else:
                gone = [row for row, (begin, end) in places if not transaction.range(begin, end, limit=1).rows]
            for key, _ in gone:
                transaction.clear(key)
            return gone

        for key, value in self._store.update(body):
            self.removed.add(table, len(key) + len(value))

    def _record_of(self, table: str, key: bytes) -> tuple[bytes, bytes]:
        """Bounds of the rows of which one must be there for an index entry to be right."""
        keys = self._store.keys
        place = dict(zip(LAYOUT[table].fields, keys.parts(table, key), strict=True))
        if table == "idx/locator":
            return keys.bounds("documents", self._corpus_id, place["document"])
        item = keys.parts(table, key)[-1]
        owner = CLASS_OF[str(item).partition("_")[0]][0]
        between = (place["document"],) if "document" in LAYOUT[owner].fields else ()
        record = keys.key(owner, self._corpus_id, *between, item)
        return record, record + b"\x00"


def _cleared_bytes(dead: DeadRow) -> int:
    row, entries, optional = dead
    return len(row[0]) + sum(len(key) for key, _ in (*entries, *optional))
