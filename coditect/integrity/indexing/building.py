"""The online indexer: an index is built while readers and writers go on, and dropped likewise.

1. *Write only*, in one transaction. From here on every writer writes the entries of its own items.
2. What was there before is read a page at a time. A page is opened outside of transactions; one transaction then looks whether its
   rows are still what was read (a sweep may have removed them), sets their entries, and says how far the building is. It is
   idempotent, and the page after it begins where it says; so a building that was killed goes on there, and two share the work.
3. *Readable*, in the transaction of the last page.

Each building has an id of its own, so one that slept while its index was dropped and built again writes nothing more.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from coditect.engine.port import Transaction
from coditect.errors import Conflict, Corrupt, NewerRecord, Unwritable
from coditect.integrity.indexing.dropping import Progress, clear_entries
from coditect.keyspace import LAYOUT
from coditect.schemas import IndexProgress, IndexState, Item
from coditect.store.blobs import Row
from coditect.store.header import header_key, write_header
from coditect.store.indexes.definitions import Index
from coditect.store.indexes.states import declared, header_in, header_of, is_foreign, is_former, state_of, with_states
from coditect.store.rows import item_tables, open_stored, optional_entries, optional_rows
from coditect.store.store import Store

__all__ = ["build_index"]

PAGE_ROWS = 500
"""Records that are read at once."""

PAGE_BYTES = 2_000_000
"""Keys and values of the records of one transaction, which looks at them again; more only where a single one is."""

ENTRY_BYTES = 500_000
"""Keys and values of the entries that one transaction sets; more only where a single record calls for them."""


def _random_id() -> str:
    """An id that no other building has."""
    return uuid.uuid4().hex


def build_index(
    store: Store,
    name: str,
    clock: Callable[[], str],
    *,
    progress: Progress = lambda stage, done, total: None,
    new_build: Callable[[], str] = _random_id,
) -> bool:
    """Make an optional index of a tenant readable. One that is being built, or whose building was killed, is built on.

    Args:
        store: the tenant's store, of the format that is written.
        name: of the index.
        clock: tells the time, RFC 3339.
        progress: told (stage, done, total) of records, of which the total is not known.
        new_build: gives each building an id of its own.

    Returns:
        False if it was readable already, and nothing was done.

    Raises:
        UsageError: no such index, or one that every store has.
        Unwritable: the store has a later version of it, or the format of a former release.
        Conflict: the index was dropped while it was built.
        Corrupt: a record cannot be read; the index stays write only.
    """
    index = declared(name)
    store = store.for_bulk("index")
    build = _begun(store, index, clock, progress, new_build)
    if build is None:
        return False
    run = _Building(store, index, build, clock)
    while not run.step():
        progress(f"indexing {name}", run.done.records, 0)
    return True


def _begun(
    store: Store, index: Index, clock: Callable[[], str], progress: Progress, new_build: Callable[[], str]
) -> str | None:
    """The building under way, begun if there is none; None where the index is readable."""
    tenant = store.keys.tenant
    fresh = IndexState(
        name=index.name,
        version=index.version,
        table=LAYOUT[index.table].number,
        state="write only",
        build=new_build(),
        at=clock(),
    )
    first = IndexProgress(name=index.name, build=fresh.build, table=next(iter(_covered(index))))

    def look(transaction: Transaction) -> IndexState | None:
        found = state_of(header_in(transaction, tenant), index.name)
        _require_own(found)
        return None if found is not None and is_former(found) else found

    def begin(transaction: Transaction) -> IndexState:
        write_header(transaction, tenant, fresh.at)
        header = header_in(transaction, tenant)
        found = look(transaction)
        if found is not None:
            return found
        others = [state for state in header.indexes if state.name != index.name] if header is not None else []
        transaction.set(header_key(tenant), with_states(header, [*others, fresh]).payload())
        store.write_record(transaction, "indexing", first, index.name)
        return fresh

    found = store.engine.read(look)
    if found is None:
        with suppress(Conflict):  # somebody else has begun
            clear_entries(store, index.name, store.keys.bounds(index.table), progress)
        found = store.update(begin)
    return found.build if found.state == "write only" else None


def _require_own(state: IndexState | None) -> None:
    if state is not None and is_foreign(state):
        raise Unwritable(
            "the store has a version of this index that this release does not know",
            index=f"{state.name}/{state.version}",
            hint=f"Build it with the release that made it, or drop it: 'coditect store index drop {state.name}'.",
        )


def _covered(index: Index) -> dict[str, type[Item]]:
    """The tables that an index covers, in the order in which they are read, and their records."""
    return {item_tables()[cls]: cls for cls in index.covers if issubclass(cls, Item)}


@dataclass(frozen=True, slots=True)
class _Page:
    """Records that are indexed in one transaction.

    Attributes:
        rows: as they were read.
        entries: of each.
        then: how far the building is when they are done; None where that is its end.
    """

    rows: list[Row]
    entries: list[list[Row]]
    then: IndexProgress | None


class _Building:
    """A building that is under way, here and perhaps elsewhere.

    Attributes:
        done: how far it is, as far as this process knows.
    """

    def __init__(self, store: Store, index: Index, build: str, clock: Callable[[], str]) -> None:
        self._store = store
        self._keys = store.keys
        self._index = index
        self._build = build
        self._clock = clock
        self._covered = _covered(index)
        self._progress_key = self._keys.key("indexing", index.name)
        self.done = IndexProgress(name=index.name, build=build, table=next(iter(self._covered)))

    def step(self) -> bool:
        """Go on by a page; whether the index is readable.

        Raises:
            Conflict: the index was dropped.
            Corrupt: a record cannot be read.
        """
        found = self._store.engine.read(self._look)
        if found is None:
            return True
        page = self._read_page(found)
        at = self._clock()
        readable = self._store.update(lambda transaction: self._write(transaction, found, page, at))
        self.done = page.then or found
        return readable

    def _look(self, transaction: Transaction) -> IndexProgress | None:
        """How far the building is; None where the index is readable."""
        keys = [header_key(self._keys.tenant), self._progress_key]
        return self._told(transaction, *transaction.get_many(keys))

    def _told(self, transaction: Transaction, header: bytes | None, progress: bytes | None) -> IndexProgress | None:
        state = state_of(header_of(header, self._keys.tenant), self._index.name)
        if state is None or state.build != self._build:
            raise Conflict(
                "the index was dropped while it was built",
                index=self._index.name,
                hint="Build it again: 'coditect store index build'; what is left of it is cleared first.",
            )
        if state.state == "readable":
            return None
        if progress is None:
            raise Corrupt(
                "nothing says how far the building of the index is",
                index=self._index.name,
                hint=f"Drop it and build it again: 'coditect store index drop {self._index.name}'.",
            )
        return open_stored(transaction, self._keys, (self._progress_key, progress), IndexProgress)

    def _read_page(self, done: IndexProgress) -> _Page:
        """The next records, opened outside of any transaction: a long one is read in parts, and parsing takes time."""
        begin, end = self._keys.bounds(done.table)
        after = bytes.fromhex(done.after) or None
        found = self._store.engine.read(
            lambda transaction: transaction.range(begin, end, limit=PAGE_ROWS, continuation=after)
        )
        rows: list[Row] = []
        entries: list[list[Row]] = []
        size = entry_size = 0
        for row in found.rows:
            made = self._entries(done.table, row)
            size += len(row[0]) + len(row[1])
            entry_size += sum(len(key) + len(value) for key, value in made)
            if rows and (size > PAGE_BYTES or entry_size > ENTRY_BYTES):
                break
            rows.append(row)
            entries.append(made)
        ended = found.continuation is None and len(rows) == len(found.rows)
        return _Page(rows, entries, self._after(done, rows, sum(map(len, entries)), ended=ended))

    def _after(self, done: IndexProgress, rows: list[Row], entries: int, *, ended: bool) -> IndexProgress | None:
        """How far the building is behind a page; None at its end."""
        counted = {"records": done.records + len(rows), "entries": done.entries + entries}
        if not ended:
            return done.model_copy(update={**counted, "after": rows[-1][0].hex()})
        tables = list(self._covered)
        number = tables.index(done.table) + 1
        return (
            None if number == len(tables) else done.model_copy(update={**counted, "table": tables[number], "after": ""})
        )

    def _entries(self, table: str, row: Row) -> list[Row]:
        try:
            record = open_stored(self._store.engine, self._keys, row, self._covered[table])
        except (Corrupt, NewerRecord) as error:
            if self._store.engine.read(lambda transaction: transaction.get(row[0])) is None:
                return []  # a sweep has removed it since, and the bytes of a long record after it
            context = {**error.context, "index": self._index.name, "reason": error.message}
            raise type(error)(
                "a record cannot be indexed; the index stays write only",
                hint="'coditect knowledge validate' lists what is damaged; drop the index, or repair the store and build on.",
                **context,
            ) from error
        return optional_rows(self._keys, row[0], optional_entries(record), (self._index.name,))

    def _write(self, transaction: Transaction, done: IndexProgress, page: _Page, at: str) -> bool:
        """Set the entries of a page if the building is where it was and the rows are what was read.

        Returns:
            Whether the index is readable. If not, it may be further than this page (somebody else builds it, too, or this runs
            again after it was committed), or where it was (a row has changed); whoever goes on looks.
        """
        keys = [header_key(self._keys.tenant), self._progress_key, *(key for key, _ in page.rows)]
        # All of this is read with conflicts: a sweep that removes one of these items, and this transaction, do not miss each other.
        header, progress, *values = transaction.get_many(keys)
        now = self._told(transaction, header, progress)
        if now is None:
            return True
        if now != done or any(
            found is not None and found != value for (_, value), found in zip(page.rows, values, strict=True)
        ):
            return False
        for made, found in zip(page.entries, values, strict=True):
            for entry in made if found is not None else ():
                transaction.set(*entry)
        if page.then is not None:
            self._store.write_record(transaction, "indexing", page.then, self._index.name)
            return False
        known = header_of(header, self._keys.tenant)
        states = [] if known is None else known.indexes
        readable = [
            state.model_copy(update={"state": "readable", "at": at}) if state.name == self._index.name else state
            for state in states
        ]
        transaction.set(header_key(self._keys.tenant), with_states(known, readable).payload())
        transaction.clear(self._progress_key)
        return True
