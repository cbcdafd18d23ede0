"""Records as the bytes that are stored: what ids and entries of the log are hashes of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coditect.errors import Corrupt
from coditect.keyspace import Part
from coditect.store.rows import payload_of
from coditect.store.store import READ_AT_ONCE, Store

__all__ = ["stored_payloads"]


def stored_payloads(store: Store, table: str, places: Sequence[tuple[Part, ...]]) -> Iterator[bytes]:
    """The stored bytes of records, in order.

    Args:
        store: the tenant's store.
        table: theirs.
        places: the elements of their keys; the corpus is the first.

    Raises:
        Corrupt: one is not there, or its bytes were changed.
    """
    for begin in range(0, len(places), READ_AT_ONCE):
        some = places[begin : begin + READ_AT_ONCE]
        keys = [store.keys.key(table, *place) for place in some]
        values = store.engine.read(lambda transaction, keys=keys: transaction.get_many(keys))  # type: ignore[misc]
        for place, key, value in zip(some, keys, values, strict=True):
            if value is None:
                raise Corrupt("a record that is referred to is missing", table=table, place=place)
            yield payload_of(store.engine, store.keys, place, key, value)
