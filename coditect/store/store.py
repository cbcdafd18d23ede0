"""The store of one tenant: items, blobs, corpora, generations, feed. Everything above speaks to this class."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar, cast

from coditect.engine.port import Engine, Page, Transaction
from coditect.errors import Corrupt, NotFound, TooLarge
from coditect.keyspace import FORMAT, Keyspace, Part
from coditect.schemas import Corpus, Derivation, Item, Record
from coditect.store.blobs import Row, blob_rows, get_blob, has_blobs, put_blobs, put_rows
from coditect.store.former import former_ids
from coditect.store.header import FormerFormat, header_key, read_header
from coditect.store.indexes.definitions import INDEXES
from coditect.store.indexes.states import kept_indexes, readable_build
from coditect.store.items import write_items
from coditect.store.rows import (
    ItemRows,
    ReadRows,
    indexed_derivation,
    item_rows,
    open_row,
    payload_of,
    record_rows,
    seal_record,
)
from coditect.transparency.events import NOBODY, Acting

__all__ = ["Store"]

R = TypeVar("R", bound=Record)
T = TypeVar("T")


READ_AT_ONCE = 500
"""Records that are read by their keys in one snapshot: a second's work on a cluster, 50 MB where each is as long as one can be."""

PAGE_ROWS = 1000
"""Rows of one page of a scan: well below a second and a few megabytes on a cluster too."""


class Store:
    """A handle on one tenant's data; no method reaches another tenant's.

    Args:
        engine: the opened storage engine.
        tenant: the tenant whose data it reaches.
        acting: on whose behalf it is written to; stands in the log.

    Attributes:
        acting: as given; whoever learns later who it is may set it.
        header: what the store says of itself; None while nothing is stored.
        keys: of the format that the store has.
        engine: the engine; of a store of a former format, one that reads only.

    Raises:
        NewerRecord: a later release wrote the store.
    """

    def __init__(self, engine: Engine, tenant: str = "default", acting: Acting = NOBODY) -> None:
        self.acting = acting
        self.own_tag = False
        self.keys = Keyspace(tenant)
        self.header = read_header(engine, tenant)
        if self.header is not None and self.header.format != FORMAT:
            self.keys = Keyspace(tenant, self.header.format)
        self.engine = engine if self.keys.format == FORMAT else cast(Engine, FormerFormat(engine, self.keys.format))
        # As far as is known: every transaction that writes items looks again.
        self._maintained = kept_indexes(self.header)

    def for_bulk(self, tag: str) -> Store:
        """The same store for work that nobody waits for: see :meth:`coditect.engine.port.Engine.bulk`."""
        other = copy.copy(self)
        other.engine = self.engine.bulk(tag, self.keys.tenant if self.own_tag else "")
        return other

    # items

    def put_items(self, items: Iterable[Item]) -> tuple[int, int]:
        """Store items with their index entries. See :meth:`put_item_rows`."""
        return self.put_item_rows(item_rows(self.keys, item) for item in items)

    def put_item_rows(self, rows: Iterable[ItemRows]) -> tuple[int, int]:
        """Store items, each with its index entries in one transaction, many to a transaction, and several of these at once.

        Returns:
            (new, already there).

        Raises:
            ImmutableViolation: a different record stands under the same id; that transaction wrote nothing.
            Unwritable: the store has an index that only a later release can keep.
        """
        written = write_items(self.engine, self.keys, rows, self._maintained)
        self._maintained = written.maintained
        return written.new, written.known

    def get_many(self, table: str, cls: type[R], places: Sequence[tuple[Part, ...]]) -> list[R | None]:
        """Records by place, in order, None where there is none; a place starts with the corpus id.

        Read in groups, each a snapshot of its own, and parsed outside of it: no number of records outlives one.

        Raises:
            Corrupt: a stored record was changed; names it.
        """
        wanted = self.keys.keys_of(table, places)
        return [
            None if value is None else open_row(self.engine, self.keys, table, place, key, value, cls)
            for place, key, value in zip(places, wanted, self._values(wanted), strict=True)
        ]

    def get_holding(
        self, table: str, cls: type[R], places: Sequence[tuple[Part, ...]], holding: Sequence[Sequence[bytes]]
    ) -> list[R]:
        """Of records by place those whose stored bytes hold some; the others are not parsed, which is what costs most.

        Args:
            table: the records'.
            cls: the class of the records.
            places: where they stand; a place starts with the corpus id.
            holding: pieces of canonical JSON, as they stand in a record: of each group at least one.
        Raises:
            Corrupt: a stored record was changed, or is missing; names it.
        """
        wanted = [self.keys.key(table, *place) for place in places]
        found = []
        for place, key, value in zip(places, wanted, self._values(wanted), strict=True):
            if value is None:
                raise Corrupt("a record that the manifest reaches is missing", table=table, place=place)
            payload = payload_of(self.engine, self.keys, place, key, value)
            if all(any(piece in payload for piece in group) for group in holding):
                found.append(open_row(self.engine, self.keys, table, place, key, value, cls))
        return found

    def holds_all(self, table: str, places: Sequence[tuple[Part, ...]]) -> bool:
        """Whether there is a row at each of some places; what stands in it nobody looks at."""
        return all(self.held(table, places))

    def held(self, table: str, places: Sequence[tuple[Part, ...]]) -> list[bool]:
        """Whether there is a row at each of some places, in order; what stands in it nobody looks at."""
        return [each is not None for each in self._values(self.keys.keys_of(table, places))]

    def _values(self, wanted: Sequence[bytes]) -> list[bytes | None]:
        """Stored values by key, read in groups, each a snapshot of its own."""
        values: list[bytes | None] = []
        for begin in range(0, len(wanted), READ_AT_ONCE):
            some = wanted[begin : begin + READ_AT_ONCE]
            values += self.engine.read(lambda transaction, some=some: transaction.get_many(some))  # type: ignore[misc]
        return values

    def get(self, table: str, cls: type[R], *place: Part) -> R | None:
        """One record, or None."""
        return self.get_many(table, cls, [place])[0]

    def put(self, table: str, record: Record, *place: Part) -> None:
        """Store a record that may change (intake, failures). Items go through :meth:`put_items`."""
        row, blobs = seal_record(self.keys, table, place, record.payload())
        put_blobs(self.engine, self.keys, blobs)
        put_rows(self.engine, [row])

    def remove(self, table: str, *place: Part) -> None:
        """Remove a record that may change."""
        key = self.keys.key(table, *place)
        self.engine.run(lambda transaction: transaction.clear(key))

    def scan(self, table: str, cls: type[R], *parts: Part) -> Iterator[tuple[tuple[Part, ...], R]]:
        """(place, record) of every row whose leading fields are ``parts``, by continuation: each page is a snapshot."""
        for rows in self._pages(table, *parts):
            for key, value in rows:
                place = self.keys.parts(table, key)
                yield place, open_row(self.engine, self.keys, table, place, key, value, cls)

    def records(
        self,
        table: str,
        cls: type[R],
        corpus_id: str,
        *,
        but: Sequence[tuple[Part, ...]] = (),
        read: ReadRows[R] | None = None,
    ) -> Iterator[R]:
        """The records of a corpus in a table, as :meth:`scan`, where nobody asks at which place each of them stands.

        Args:
            table: the records'.
            cls: the class of the records.
            corpus_id: the corpus.
            but: places whose records are passed over unread.
            read: keeps what is read for the next reading, and gives what was read before.
        """
        passed = frozenset(self.keys.keys_of(table, but))

        def opened(key: bytes, value: bytes) -> R:
            return open_row(self.engine, self.keys, table, (corpus_id,), key, value, cls)

        for rows in self._pages(table, corpus_id):
            for key, value in rows:
                if key not in passed:
                    yield opened(key, value) if read is None else read.given(key, value, opened)

    def scan_index(self, table: str, *parts: Part) -> Iterator[tuple[tuple[Part, ...], str]]:
        """(place, derivation id) of index entries whose leading fields are ``parts``."""
        for rows in self._pages(table, *parts):
            for key, value in rows:
                yield self.keys.parts(table, key), indexed_derivation(self.keys, key, value)

    def scan_optional(self, name: str, *parts: Part) -> list[tuple[tuple[Part, ...], str]] | None:
        """(place, derivation id) of the entries of an optional index whose leading fields are ``parts``.

        Returns:
            None where the index cannot be relied on: it is disabled, or still being built, or was dropped meanwhile.
        """
        table, tenant = INDEXES[name].table, self.keys.tenant
        begin, end = self.keys.bounds(table, *parts)
        found: list[Row] = []
        continuation: bytes | None = None
        build = ""
        while True:

            def body(transaction: Transaction, after: bytes | None = continuation) -> tuple[str, Page]:
                readable = readable_build(transaction.get(header_key(tenant)), tenant, name)
                return readable, transaction.range(begin, end, limit=PAGE_ROWS, continuation=after)

            readable, page = self.engine.read(body)
            if not readable or build not in ("", readable):
                return None
            build = readable
            found += page.rows
            continuation = page.continuation
            if continuation is None:
                return [
                    (self.keys.parts(table, key), indexed_derivation(self.keys, key, value)) for key, value in found
                ]

    def _pages(self, table: str, *parts: Part) -> Iterator[tuple[Row, ...]]:
        begin, end = self.keys.bounds(table, *parts)
        yield from self.pages(begin, end)

    def pages(self, begin: bytes, end: bytes, *, limit: int = PAGE_ROWS) -> Iterator[tuple[Row, ...]]:
        """Raw rows of the tenant between two keys, at most ``limit`` at a time, each page its own snapshot; resumes by last key.

        Bounds outside the tenant's space are moved to its edge.
        """
        first, last = self.keys.space
        begin, end = max(begin, first), min(end, last)
        continuation: bytes | None = None
        while True:
            page: Page = self.engine.read(
                lambda transaction, after=continuation: transaction.range(begin, end, limit=limit, continuation=after)  # type: ignore[misc]
            )
            yield page.rows
            continuation = page.continuation
            if continuation is None:
                return

    # blobs

    def put_blob(self, corpus_id: str, data: bytes) -> str:
        """Store bytes, and return their SHA-256; nothing is written where they are there already."""
        return self.put_several_blobs(corpus_id, [data])[0]

    def put_several_blobs(self, corpus_id: str, every: Sequence[bytes]) -> list[str]:
        """The same of several, written together; their hashes in order."""
        made = [(len(data), *blob_rows(self.keys, corpus_id, data)) for data in every]
        there = has_blobs(self.engine, self.keys, [(corpus_id, digest, size) for size, digest, _ in made])
        fresh = {digest: rows for (_, digest, rows), known in zip(made, there, strict=True) if not known}
        put_blobs(self.engine, self.keys, [row for rows in fresh.values() for row in rows])
        return [digest for _, digest, _ in made]

    def get_blob(self, corpus_id: str, digest: str, size_bytes: int) -> bytes:
        """The bytes with this SHA-256.

        Raises:
            Corrupt: missing or changed.
        """
        return get_blob(self.engine, self.keys, corpus_id, digest, size_bytes)

    # derivations

    def derivations(self, corpus_id: str, ids: Sequence[str]) -> dict[str, Derivation]:
        """Those of ``ids`` that are finished; one that a former release finished has its former id in the record."""
        found = self.get_many("derivations", Derivation, [(corpus_id, each) for each in ids])
        known = {derivation.derivation_id: derivation for derivation in found if derivation is not None}
        missing = [each for each in ids if each not in known]
        return known | self._finished_before(corpus_id, missing) if missing else known

    def _finished_before(self, corpus_id: str, ids: Sequence[str]) -> dict[str, Derivation]:
        """Those of ``ids`` that release 0.1.0 finished, under the ids of today; the records have their former ones."""
        former = former_ids(self.engine, self.keys, corpus_id, ids)
        found = self.get_many("derivations", Derivation, [(corpus_id, each) for each in former.values()])
        return {own_id: step for own_id, step in zip(former, found, strict=True) if step is not None}

    def put_derivations(self, derivations: Iterable[Derivation]) -> None:
        """Say that steps are finished; all their outputs must be stored."""
        sealed = [record_rows(self.keys, "derivations", derivation) for derivation in derivations]
        put_blobs(self.engine, self.keys, [row for _, blobs in sealed for row in blobs])
        put_rows(self.engine, [row for row, _ in sealed])

    def finish(self, step: Derivation, outputs: Sequence[Item]) -> Derivation:
        """Store what a step gave, then the step, whose record is the promise that its outputs are there.

        Args:
            step: the derivation, without its outputs.
            outputs: the items that came of it, in order.
        Returns:
            The derivation with the ids of its outputs.

        Raises:
            ImmutableViolation: a different record stands under the id of an output; the step is not finished.
        """
        self.put_items(outputs)
        done = step.giving(outputs)
        self.put_derivations([done])
        return done

    # corpora

    def corpus(self, corpus_id: str) -> Corpus:
        """The corpus record.

        Raises:
            NotFound: no such corpus; the hint names those that there are.
        """
        found = self.get("corpus", Corpus, corpus_id)
        if found is None:
            names = ", ".join(corpus.corpus_id for corpus in self.corpora()) or "none yet"
            raise NotFound("unknown corpus", corpus_id=corpus_id, hint=f"Corpora in this store: {names}.")
        return found

    def corpora(self) -> list[Corpus]:
        """Every corpus of the tenant, by id."""
        return [corpus for _, corpus in self.scan("corpus", Corpus)]

    def update(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` in a transaction; for the few writes that read first (see ``coditect.store.generations``)."""
        return self.engine.run(fn)

    def read_record(self, transaction: Transaction, table: str, cls: type[R], *place: Part) -> R | None:
        """A record inside the caller's transaction."""
        key = self.keys.key(table, *place)
        value = transaction.get(key)
        return None if value is None else open_row(transaction, self.keys, table, place, key, value, cls)

    def write_record(self, transaction: Transaction, table: str, record: Record, *place: Part) -> None:
        """Store a short record inside the caller's transaction.

        Args:
            transaction: the caller's.
            table: its name in the layout.
            record: what is stored.
            place: the fields of its key.

        Raises:
            TooLarge: it does not fit into a value of the store.
        """
        row, blobs = seal_record(self.keys, table, place, record.payload())
        if blobs:
            raise TooLarge("a record that changes with others is longer than a value", table=table)
        transaction.set(*row)
