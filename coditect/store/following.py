"""Reading the change feed of a corpus from where one stopped, and waiting for what comes.

The feed's keys are given by the engine, so nobody can wait for the next one. A row of the table ``heads`` holds the last event
instead: it changes in the transaction that appends, and is what is watched.
"""

from __future__ import annotations

from collections.abc import Iterator

from coditect.errors import UsageError
from coditect.keyspace.tuples import Stamp
from coditect.schemas import FeedEntry
from coditect.store.events import open_event
from coditect.store.store import Store

__all__ = ["entries_after", "follow"]

LOOK_S = 60.0
"""How long a follower waits before it looks by itself, in seconds: what a program of another release appends may not be told."""

_CURSOR_BYTES = 12


def entries_after(store: Store, corpus_id: str, cursor: str = "") -> Iterator[FeedEntry]:
    """The events of a corpus behind a place in its feed, oldest first, each page a snapshot of its own.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        cursor: of the last entry that is known; empty: none is.

    Raises:
        UsageError: not a cursor.
        Corrupt: an event was changed.
    """
    begin, end = store.keys.bounds("feed", corpus_id)
    if cursor:
        begin = store.keys.feed(corpus_id) + _sequence(cursor) + b"\x00"
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
        NotFound: no such corpus.
    """
    store.corpus(corpus_id)
    head = store.keys.key("heads", corpus_id)
    while True:
        # Before the events are read: what is appended after this look is told of.
        seen = store.engine.read(lambda transaction: transaction.get(head))
        for entry in entries_after(store, corpus_id, cursor):
            cursor = entry.cursor
            yield entry
        store.engine.watch(head, seen, LOOK_S)
