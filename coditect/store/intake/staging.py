"""Staged corpora: rows that are written where they belong, and are not seen before the corpus record is there.

Who stages a corpus holds its *import lease*: an event at the head of the corpus' feed, with a token that no other has. It is there
before the first staged row and goes in the transaction that publishes the corpus record, so that

* rows without a corpus record are always behind a lease, and whoever comes next finds them by it;
* every transaction looks at the lease first, and whoever lost it writes nothing more.

What a killed import left is swept by the next import of the corpus, or by the ingest that makes it. A sweep that is killed is
begun again by the one after: nothing that is swept was ever seen, so it does not matter in which order it goes.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress

from coditect.engine.port import Transaction
from coditect.errors import Conflict, Corrupt
from coditect.keyspace import LAYOUT, Keyspace, seal
from coditect.schemas import Corpus, FeedEvent, LogEventKind, tag_of
from coditect.store.acts.events import head_row, seal_event
from coditect.store.blobs import Row
from coditect.store.header import header_key, write_header
from coditect.store.indexes.states import maintained_by_writers
from coditect.store.rows import seal_record
from coditect.store.store import Store
from coditect.transparency.events import append_event, event_of

__all__ = ["ImportLease", "corpus_pages", "published_rows"]

PAGE_ROWS = 250
"""Rows of one page: 25 MB where every record is as long as one can be, a quarter of a megabyte as a rule."""

PAGE_PARTS = 8
"""Parts of blobs in one page: 0.8 MB."""

_NO_OTHER = "Let nothing else write this corpus, and run the import again."


def corpus_pages(store: Store, corpus_id: str, table: str) -> Iterator[list[Row]]:
    """The rows of a corpus in a table, in key order; each page is a snapshot of its own.

    Where the corpus is not the first field of the keys, the rows of all corpora of the tenant are read for it.
    """
    place = LAYOUT[table].corpus_field
    begin, end = store.keys.bounds(table, corpus_id) if place == 0 else store.keys.bounds(table)
    if LAYOUT[table].fields == ("corpus",):  # its whole key is the corpus
        begin = store.keys.key(table, corpus_id)
        end = begin + b"\x00"
    own = store.keys.own_part(corpus_id)
    for page in store.pages(begin, end, limit=PAGE_PARTS if table == "blobs" else PAGE_ROWS):
        yield [row for row in page if place == 0 or _part(store.keys, table, row[0], place) == own]


def _part(keys: Keyspace, table: str, key: bytes, place: int) -> object:
    """An element of a key; None where it cannot be read, which is no key that was written for a corpus."""
    with suppress(Corrupt):
        return keys.parts(table, key)[place]
    return None


def published_rows(keys: Keyspace, corpus_id: str, payload: bytes) -> tuple[Row, Row]:
    """The rows that make a corpus visible: its record, of these bytes, and the index entry that it has as such."""
    record, _ = seal_record(keys, "corpus", (corpus_id,), payload)
    locator = keys.key("idx/locator", tag_of(corpus_id), corpus_id, "")
    return record, (locator, seal(keys.relative(locator), b""))


class ImportLease:
    """The right to stage a corpus. Every method raises Conflict where it was lost; then nothing is written.

    Args:
        store: the store that the corpus is to be in.
        corpus_id: the corpus; must not be there.

    Attributes:
        value: the event, as it is stored.
    """

    def __init__(self, store: Store, corpus_id: str) -> None:
        self._store = store
        self._corpus_id = corpus_id
        self._corpus_key = store.keys.key("corpus", corpus_id)
        self._feed = store.keys.feed(corpus_id)
        self._begin, self._end = store.keys.bounds("feed", corpus_id)
        # Unlike everything that stays, this is new each time.
        token = FeedEvent(corpus_id=corpus_id, event="ingested", build_id=f"import:{uuid.uuid4().hex}", at="")
        self.value = seal_event(store.keys, token)
        self._last_event = b""

    def take(self) -> None:
        """Become the one who stages the corpus, in the place of whoever did before; what that one left is swept."""

        def body(transaction: Transaction) -> bool:
            self._require_absent(transaction)
            write_header(transaction, self._store.keys.tenant, "")
            head = transaction.range(self._begin, self._end, limit=1).rows
            if head:
                transaction.set(head[0][0], self.value)
            else:
                transaction.append(self._feed, self.value)
            return bool(head)

        if self._store.update(body):
            self._sweep()
        self._last_event = self._end_of_feed()

    def _sweep(self) -> None:
        """Remove every row of the corpus but the lease, a page in a transaction."""
        for table in LAYOUT.values():
            if table.transient or table.name in ("corpus", "feed"):
                continue
            for page in corpus_pages(self._store, self._corpus_id, table.name):
                self._clear([key for key, _ in page])

        def body(transaction: Transaction) -> None:
            transaction.clear_range(self._require(transaction) + b"\x00", self._end)

        self._store.update(body)

    def _clear(self, keys: Sequence[bytes]) -> None:
        def body(transaction: Transaction) -> None:
            self._require(transaction)
            for key in keys:
                transaction.clear(key)

        if keys:
            self._store.update(body)

    def write(self, rows: Sequence[Row], prepared: frozenset[str] = frozenset()) -> frozenset[str]:
        """Write rows in one transaction; those with the feed's prefix for a key are appended to it.

        Args:
            rows: what is written.
            prepared: the optional indexes whose entries for the items among the rows are among them, too.

        Returns:
            The optional indexes whose entries must be. Where these are not the prepared ones, nothing was written.
        """
        tenant = self._store.keys.tenant

        def body(transaction: Transaction) -> frozenset[str]:
            self._require(transaction)
            if self._last(transaction) != self._last_event:
                return prepared  # this body runs again after it has committed
            maintained = maintained_by_writers(transaction, tenant, transaction.get(header_key(tenant)))
            if maintained != prepared:
                return maintained
            for key, value in rows:
                if key == self._feed:
                    transaction.append(key, value)
                else:
                    transaction.set(key, value)
            return prepared

        maintained = self._store.update(body) if rows else prepared
        if maintained == prepared and any(key == self._feed for key, _ in rows):
            self._last_event = self._end_of_feed()
        return maintained

    def publish(self, payload: bytes, at: str = "", digest: str = "") -> None:
        """Write the corpus record, which makes the corpus visible, and give the lease up, in one transaction.

        Args:
            payload: the bytes of the record.
            at: the time now, RFC 3339.
            digest: of all that was imported, for the log; empty: nothing was, and a corpus is made where an import had begun.
        """
        rows = published_rows(self._store.keys, self._corpus_id, payload)
        by = self._store.acting.by
        kind: LogEventKind = "import" if digest else "corpus"
        logged = event_of(kind, self._corpus_id, Corpus.parse(payload), at=at, by=by, digest=digest)

        def body(transaction: Transaction) -> None:
            if transaction.get(self._corpus_key) == rows[0][1]:
                return  # this body runs again after it has committed
            lease = self._require(transaction)
            last, event = transaction.range(self._begin, self._end, limit=1, reverse=True).rows[0]
            if last != lease:
                transaction.set(*head_row(self._store.keys, self._corpus_id, event))
            transaction.clear(lease)
            for key, value in rows:
                transaction.set(key, value)
            append_event(transaction, self._store.keys, logged)

        self._store.update(body)

    def _require_absent(self, transaction: Transaction) -> None:
        if transaction.get(self._corpus_key) is not None:
            raise Conflict("the corpus was made while it was imported", corpus_id=self._corpus_id, hint=_NO_OTHER)

    def _require(self, transaction: Transaction) -> bytes:
        """The lease's key."""
        self._require_absent(transaction)
        head = transaction.range(self._begin, self._end, limit=1).rows
        if not head or head[0][1] != self.value:
            raise Conflict("another import of this corpus began", corpus_id=self._corpus_id, hint=_NO_OTHER)
        return head[0][0]

    def _last(self, transaction: Transaction) -> bytes:
        return transaction.range(self._begin, self._end, limit=1, reverse=True).rows[0][0]

    def _end_of_feed(self) -> bytes:
        return self._store.engine.read(self._last)
