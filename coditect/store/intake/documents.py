"""The intake of a corpus: the newest version of each document, and which of them the next build takes in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from coditect.schemas import DocumentVersion, Intake
from coditect.store.blobs import Row, blob_rows, put_blobs, put_rows
from coditect.store.rows import ItemRows, item_rows, record_rows
from coditect.store.store import Store

__all__ = ["IntakeWriter", "iter_present"]

FLUSH_BYTES = 8_000_000
"""Bytes of raw files and texts that wait to be written together."""


class IntakeWriter:
    """Writes document versions and the intake records that point to them, many at a time.

    Args:
        store: the tenant's store.
        corpus_id: the corpus that takes them in.
    """

    def __init__(self, store: Store, corpus_id: str) -> None:
        self._store = store
        self._corpus_id = corpus_id
        self._items: list[ItemRows] = []
        self._blobs: list[Row] = []
        self._rows: list[Row] = []
        self._size_bytes = 0

    def put_version(self, version: DocumentVersion, raw: bytes, text: bytes, layout: bytes) -> Intake:
        """Queue a document version with its bytes, and the intake record that makes it the newest of its name.

        Args:
            version: the document version.
            raw: the bytes of its file.
            text: its canonical text in UTF-8.
            layout: its encoded layout.
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
        self._rows.append(row)

    def flush(self) -> None:
        """Write what waits: blobs and items first, then the intake that points to them."""
        self._store.put_item_rows(self._items)
        put_blobs(self._store.engine, self._store.keys, self._blobs)
        put_rows(self._store.engine, self._rows)
        self._items, self._blobs, self._rows, self._size_bytes = [], [], [], 0


def iter_present(store: Store, corpus_id: str) -> Iterator[Intake]:
    """What the next build takes in, ordered by document id: of several names for the same bytes, the first by name."""
    first: dict[str, Intake] = {}
    for _, record in store.scan("intake", Intake, corpus_id):
        if record.status == "present":
            known = first.get(record.raw_sha256)
            first[record.raw_sha256] = record if known is None or record.name < known.name else known
    yield from sorted(first.values(), key=lambda record: record.document_id)
