"""The intake of a corpus: the newest version of each document, and which of them the next build takes in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from coditect.engine.batches import batches
from coditect.engine.limits import TRANSACTION_BYTES
from coditect.engine.port import Transaction
from coditect.schemas import (
    DeclaredProfile,
    DocumentVersion,
    Failure,
    Intake,
    LogEventKind,
    TreeEntry,
    document_id_for,
)
from coditect.store.blobs import Row, blob_rows, put_blobs
from coditect.store.rows import ItemRows, ReadRows, item_rows, record_rows
from coditect.store.store import Store
from coditect.transparency.events import append_event, event_of

__all__ = ["IntakeWriter", "clear_failure", "declared_of", "iter_present", "put_failure"]

EVENT_BYTES = 700
"""Of a transaction, for an event: 500 bytes of entry, its key, and room."""

FLUSH_BYTES = 8_000_000
"""Bytes of raw files and texts that wait to be written together."""


class IntakeWriter:
    """Writes document versions and the intake records that point to them, many at a time.

    Args:
        store: the tenant's store.
        corpus_id: the corpus that takes them in.
        at: the time now, RFC 3339, for the log.
    """

    def __init__(self, store: Store, corpus_id: str, at: str = "") -> None:
        self._store = store
        self._at = at
        self._corpus_id = corpus_id
        self._items: list[ItemRows] = []
        self._blobs: list[Row] = []
        self._rows: list[tuple[Row, Intake]] = []
        self._size_bytes = 0

    def put_version(
        self,
        version: DocumentVersion,
        raw: bytes,
        text: bytes,
        layout: bytes,
        declared: DeclaredProfile | None = None,
    ) -> Intake:
        """Queue a document version with its bytes, and the intake record that makes it the newest of its name.

        Args:
            version: the document version.
            raw: the bytes of its file.
            text: its canonical text in UTF-8.
            layout: its encoded layout.
            declared: what a corpus manifest states of the document.
        """
        keys = self._store.keys
        blobs = [row for data in (raw, text, layout) for row in blob_rows(keys, self._corpus_id, data)[1]]
        rows = item_rows(keys, version)
        self._items.append(replace(rows, blobs=(*blobs, *rows.blobs)))
        record = Intake(
            corpus_id=self._corpus_id,
            document_id=version.document_id,
            name=version.name,
            version_id=version.version_id,
            raw_sha256=version.raw_sha256,
            declared=declared,
        )
        self.put(record)
        self._size_bytes += len(raw) + len(text)
        if self._size_bytes > FLUSH_BYTES:
            self.flush()
        return record

    def put(self, record: Intake) -> None:
        """Queue an intake record behind the version that it points to."""
        row, blobs = record_rows(self._store.keys, "intake", record)
        self._blobs += blobs
        self._rows.append((row, record))

    def flush(self) -> None:
        """Write what waits: blobs and items first, then the intake that points to them."""
        self._store.put_item_rows(self._items)
        put_blobs(self._store.engine, self._store.keys, self._blobs)
        for batch in batches(self._rows, _size_bytes, TRANSACTION_BYTES // 2):
            self._store.update(partial(self._put_logged, batch))
        self._items, self._blobs, self._rows, self._size_bytes = [], [], [], 0

    def _put_logged(self, batch: Sequence[tuple[Row, Intake]], transaction: Transaction) -> None:
        """Write intake records with their events; one that is there already, as when this body runs again, says nothing."""
        held = transaction.get_many([row[0] for row, _ in batch])
        for ((key, value), record), before in zip(batch, held, strict=True):
            if value != before:
                kind: LogEventKind = "document" if record.status == "present" else "withdrawal"
                transaction.set(key, value)
                said = {"at": self._at, "by": self._store.acting.by}
                event = event_of(kind, self._corpus_id, record, subject=record.version_id, **said)
                append_event(transaction, self._store.keys, event)


def _size_bytes(queued: tuple[Row, Intake]) -> int:
    """What a record takes of a transaction, with its event."""
    (key, value), _ = queued
    return 2 * (len(key) + len(value)) + EVENT_BYTES


def put_failure(store: Store, failure: Failure, at: str = "") -> None:
    """Store that a file could not be taken in, salted, with its event; nothing where that is said already.

    Args:
        store: the tenant's store.
        failure: without a salt.
        at: the time now, RFC 3339, for the log.
    """
    place = (failure.corpus_id, failure.name)
    fresh = failure.model_copy(update={"salt": store.acting.salts()})
    event = event_of("failure", failure.corpus_id, fresh, subject=document_id_for(*place), at=at, by=store.acting.by)

    def body(transaction: Transaction) -> None:
        held = store.read_record(transaction, "failures", Failure, *place)
        if held is None or not held.says_the_same(failure):
            store.write_record(transaction, "failures", fresh, *place)
            append_event(transaction, store.keys, event)

    store.update(body)


def clear_failure(store: Store, corpus_id: str, name: str, at: str = "") -> None:
    """Forget that a file could not be taken in, with an event: that it had failed stays in the log.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        name: of the file.
        at: the time now, RFC 3339, for the log.
    """
    key = store.keys.key("failures", corpus_id, name)
    subject = document_id_for(corpus_id, name)
    event = event_of("failure cleared", corpus_id, subject=subject, at=at, by=store.acting.by)

    def body(transaction: Transaction) -> None:
        if transaction.get(key) is not None:
            transaction.clear(key)
            append_event(transaction, store.keys, event)

    store.update(body)


def iter_present(store: Store, corpus_id: str, read: ReadRows[Intake] | None = None) -> Iterator[Intake]:
    """What the next build takes in, ordered by document id: of several names for the same bytes, the first by name.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        read: what an earlier call read; keeps what this one reads.
    """
    present = [record for record in store.records("intake", Intake, corpus_id, read=read) if record.status == "present"]
    present.sort(key=lambda record: record.name, reverse=True)
    yield from sorted({record.raw_sha256: record for record in present}.values(), key=lambda each: each.document_id)


def declared_of(store: Store, corpus_id: str, entries: Iterable[TreeEntry]) -> dict[str, DeclaredProfile | None]:
    """What was declared of the documents of a generation when it was built, by document id."""
    steps = {each: entry.document_id for entry in entries for each in entry.profile}
    found = store.derivations(corpus_id, list(steps))
    stated = {steps[each]: step.parameters.get("declared") for each, step in found.items()}
    return {
        document_id: None if each is None else DeclaredProfile.model_validate(each)
        for document_id, each in stated.items()
    }
