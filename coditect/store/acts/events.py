"""Events of the change feed as values, read from where one stopped, and waited for.

The engine gives their keys, so they are sealed over what a corpus' keys begin with, and nobody can wait for the next key. A row
of the table ``heads`` holds the last event instead: it changes in the transaction that appends, and is what is watched.
"""

from __future__ import annotations

from collections.abc import Iterator

from coditect.errors import UsageError
from coditect.keyspace import Keyspace, seal, unseal
from coditect.keyspace.tuples import Stamp
from coditect.schemas import FeedEntry, FeedEvent
from coditect.store.blobs import Row
from coditect.store.store import Store

__all__ = [
    "entries_after",
    "event_payload",
    "follow",
    "head_row",
    "open_event",
    "seal_event",
    "seal_event_payload",
]

LOOK_S = 60.0
"""How long a follower waits before it looks by itself, in seconds: what a program of another release appends may not be told."""

_CURSOR_BYTES = 12


def seal_event(keys: Keyspace, event: FeedEvent) -> bytes:
    """The value of an event."""
    return seal_event_payload(keys, event.corpus_id, event.payload())


def seal_event_payload(keys: Keyspace, corpus_id: str | bytes, payload: bytes) -> bytes:
    """The value of an event of these bytes."""
    return seal(keys.relative(keys.key("feed", corpus_id)), payload)


def event_payload(keys: Keyspace, corpus_id: str | bytes, value: bytes) -> bytes:
    """The bytes of an event.

    Raises:
        Corrupt: changed bytes.
    """
    return unseal(keys.relative(keys.key("feed", corpus_id)), value)[1]


def open_event(keys: Keyspace, corpus_id: str, value: bytes) -> FeedEvent:
    """The event in a stored value.

    Raises:
        Corrupt: changed bytes, or not an event.
        NewerRecord: a later release wrote it.
    """
    return FeedEvent.parse(event_payload(keys, corpus_id, value))


def head_row(keys: Keyspace, corpus_id: str, value: bytes) -> Row:
    """The row that says which event is the last of a feed.

    Args:
        keys: of the tenant.
        corpus_id: the corpus.
        value: of that event.

    Raises:
        Corrupt: changed bytes.
    """
    key = keys.key("heads", corpus_id)
    return key, seal(keys.relative(key), event_payload(keys, corpus_id, value))


def entries_after(store: Store, corpus_id: str, cursor: str = "") -> Iterator[FeedEntry]:
    """The events of a corpus behind a place in its feed, oldest first, each page a snapshot of its own.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        cursor: of the last entry that is known; empty: none is.

    Raises:
        UsageError: not a cursor; at the call.
        Corrupt: an event was changed.
    """
    begin, end = store.keys.bounds("feed", corpus_id)
    if cursor:
        begin = store.keys.feed(corpus_id) + _sequence(cursor) + b"\x00"
    return _entries(store, corpus_id, begin, end)


def _entries(store: Store, corpus_id: str, begin: bytes, end: bytes) -> Iterator[FeedEntry]:
    for rows in store.pages(begin, end):
        for key, value in rows:
            place = store.keys.parts("feed", key)[1]
            shown = place.hex() if isinstance(place, bytes) else str(place)
            yield FeedEntry(cursor=shown, event=open_event(store.keys, corpus_id, value))


def _sequence(cursor: str) -> bytes:
    try:
        sequence = Stamp(bytes.fromhex(cursor))
    except ValueError:
        sequence = Stamp()
    if len(sequence) != _CURSOR_BYTES:
        raise UsageError(
            "not a place in a feed", cursor=cursor, hint="Give the cursor of an event, as 'feed' shows it."
        )
    return sequence


def follow(store: Store, corpus_id: str, cursor: str = "") -> Iterator[FeedEntry]:
    """The events of a corpus behind a place in its feed, and then those that come, as they come; without end.

    An event may come twice, where a commit's outcome was not known to who appended it. Arguments and errors as for
    :func:`entries_after`.

    Raises:
        NotFound: no such corpus; at the call, as a cursor that is none.
    """
    store.corpus(corpus_id)
    entries_after(store, corpus_id, cursor)  # refuses what is no cursor
    return _followed(store, corpus_id, cursor)


def _followed(store: Store, corpus_id: str, cursor: str) -> Iterator[FeedEntry]:
    head = store.keys.key("heads", corpus_id)
    while True:
        # Before the events are read: what is appended after this look is told of.
        seen = store.engine.read(lambda transaction: transaction.get(head))
        for entry in entries_after(store, corpus_id, cursor):
            cursor = entry.cursor
            yield entry
        store.engine.watch(head, seen, LOOK_S)
