"""The claim: what makes one import at a time the writer of a corpus that is not yet to be seen.

It is an event of its own at the head of the corpus' feed, with a token that no other import has. Every transaction looks at
it first; another import that begins puts its own in its place, and this one stops at its next transaction. Publishing
removes it. An ingest that makes the corpus meanwhile ends the import, too.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence

from coditect.engine.port import Transaction
from coditect.errors import Conflict
from coditect.keyspace import seal
from coditect.schemas import FeedEvent
from coditect.store.blobs import Row
from coditect.store.store import Store

__all__ = ["Claim"]

_NO_OTHER = "Let nothing else write this corpus, and run the import again."

Span = tuple[bytes, bytes]


class Claim:
    """One import's right to write a corpus. All methods raise Conflict where it was lost; nothing is written then.

    Args:
        store: where.
        corpus_id: what; must not be there.

    Attributes:
        value: the event, as it is stored.
    """

    def __init__(self, store: Store, corpus_id: str) -> None:
        self._store = store
        self._corpus_id = corpus_id
        self._corpus_key = store.keys.key("corpus", corpus_id)
        self._feed = store.keys.key("feed", corpus_id)
        self._span: Span = store.keys.bounds("feed", corpus_id)
        # Unlike everything that stays, this is new each time.
        token = FeedEvent(corpus_id=corpus_id, event="ingested", build_id=f"import:{uuid.uuid4().hex}", at="")
        self.value = seal(store.keys.relative(self._feed), token.payload())
        self._last_event = b""

    def take(self) -> None:
        """Become the writer; the feed of an import that was killed goes."""

        def body(transaction: Transaction) -> None:
            self._require_absent(transaction)
            transaction.clear_range(*self._span)
            transaction.append(self._feed, self.value)

        self._store.update(body)
        self._last_event = self._end_of_feed()

    def put(self, rows: Sequence[Row]) -> None:
        """Write rows in one transaction; they say the same however often they are written."""

        def body(transaction: Transaction) -> None:
            self._require(transaction)
            for key, value in rows:
                transaction.set(key, value)

        if rows:
            self._store.update(body)

    def clear(self, keys: Sequence[bytes] = (), spans: Iterable[Span] = ()) -> None:
        """Remove rows and ranges of rows in one transaction."""
        ranges = tuple(spans)

        def body(transaction: Transaction) -> None:
            self._require(transaction)
            for key in keys:
                transaction.clear(key)
            for begin, end in ranges:
                transaction.clear_range(begin, end)

        if keys or ranges:
            self._store.update(body)

    def append(self, events: Sequence[bytes]) -> None:
        """Append events to the feed in one transaction, behind those that are known to be there.

        A body that runs again after it has committed takes back what it appended, and appends it again.
        """
        begin, end = self._last_event + b"\x00", self._span[1]

        def body(transaction: Transaction) -> None:
            self._require(transaction)
            transaction.clear_range(begin, end)
            for value in events:
                transaction.append(self._feed, value)

        if events:
            self._store.update(body)
            self._last_event = self._end_of_feed()

    def publish(self, corpus: Row, locator: Row) -> None:
        """Write the corpus record and its locator, and give the claim up, in one transaction."""
        key, value = corpus

        def body(transaction: Transaction) -> None:
            if transaction.get(key) == value:
                return  # this body runs again after it has committed
            transaction.clear(self._require(transaction))
            transaction.set(*locator)
            transaction.set(key, value)

        self._store.update(body)

    def _require_absent(self, transaction: Transaction) -> None:
        if transaction.get(self._corpus_key) is not None:
            raise Conflict("the corpus was made while it was imported", corpus_id=self._corpus_id, hint=_NO_OTHER)

    def _require(self, transaction: Transaction) -> bytes:
        """The claim's key."""
        self._require_absent(transaction)
        first = transaction.range(*self._span, limit=1).rows
        if not first or first[0][1] != self.value:
            raise Conflict("another import of this corpus began", corpus_id=self._corpus_id, hint=_NO_OTHER)
        return first[0][0]

    def _end_of_feed(self) -> bytes:
        """Key of the last event."""
        rows = self._store.engine.read(lambda transaction: transaction.range(*self._span, limit=1, reverse=True).rows)
        return rows[0][0] if rows else b""
