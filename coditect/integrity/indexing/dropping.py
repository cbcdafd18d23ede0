"""Dropping an index.

An index is *disabled* in one transaction: from then on no writer keeps it and no reader asks it. Then its rows are cleared, a page
in a transaction, each of which looks whether the index is disabled still. A drop that was killed leaves rows that nothing reads;
the next drop, a sweep, or the next building of the index clears them.
"""

from __future__ import annotations

from collections.abc import Callable

from coditect.engine.port import Transaction
from coditect.errors import Conflict, Corrupt
from coditect.keyspace import LAYOUT
from coditect.store.header import header_key
from coditect.store.indexes.definitions import FORMER_INDEXES, INDEXES
from coditect.store.indexes.states import declared, header_in, is_former, state_of, with_states
from coditect.store.store import Store

__all__ = ["Progress", "clear_entries", "drop_index"]

CLEARED_ROWS = 1000
"""Rows that are cleared in one transaction."""

Progress = Callable[[str, int, int], None]


def drop_index(store: Store, name: str, *, progress: Progress = lambda stage, done, total: None) -> int:
    """Disable an optional index, and clear its rows; also one that only another release knows.

    Args:
        store: the tenant's store.
        name: of the index.
        progress: told (stage, done, total) of rows.

    Returns:
        Rows that were cleared; also those that a drop that was killed had left.

    Raises:
        UsageError: no such index, or one that every store has.
        Conflict: the index was added again meanwhile.
    """
    store = store.for_bulk("index")
    tenant = store.keys.tenant
    bounds = _rows_of(store, name)

    def body(transaction: Transaction) -> None:
        header = header_in(transaction, tenant)
        if header is not None and state_of(header, name) is not None:
            rest = (each for each in header.indexes if each.name != name)
            transaction.set(header_key(tenant), with_states(header, rest).payload())
        transaction.clear(store.keys.key("indexing", name))

    store.update(body)
    return clear_entries(store, name, bounds, progress)


def _rows_of(store: Store, name: str) -> tuple[bytes, bytes]:
    """Bounds of the rows of an index, whichever release keeps it.

    Raises:
        UsageError: no such index, or one that every store has.
        Corrupt: the header says that rows of another kind are its rows.
    """
    tenant = store.keys.tenant
    state = state_of(store.engine.read(lambda transaction: header_in(transaction, tenant)), name)
    if name in FORMER_INDEXES:
        return store.keys.bounds(FORMER_INDEXES[name])
    if state is None or name in INDEXES:
        return store.keys.bounds(declared(name).table)
    if any(table.number == state.table for table in LAYOUT.values()):
        raise Corrupt("the header names the table of something else as that of an index", index=name, table=state.table)
    return store.keys.numbered(state.table)


def clear_entries(store: Store, name: str, bounds: tuple[bytes, bytes], progress: Progress) -> int:
    """Clear what is between two keys, a page in a transaction, as long as an index is disabled.

    Args:
        store: the tenant's store.
        name: of the index.
        bounds: of its rows.
        progress: told (stage, done, total) of rows.

    Returns:
        How many rows there were.

    Raises:
        Conflict: it is not any more.
    """
    begin, end = bounds
    tenant = store.keys.tenant
    gone = 0
    while rows := store.engine.read(lambda transaction: transaction.range(begin, end, limit=CLEARED_ROWS)).rows:
        last = rows[-1][0] + b"\x00"

        def body(transaction: Transaction, last: bytes = last) -> bool:
            state = state_of(header_in(transaction, tenant), name)
            if state is not None and not is_former(state):
                return False
            transaction.clear_range(begin, last)
            return True

        if not store.update(body):
            raise Conflict(
                "the index was added again while its rows were cleared",
                index=name,
                hint="'coditect store index list' shows its state.",
            )
        gone += len(rows)
        progress(f"clearing {name}", gone, 0)
    return gone
