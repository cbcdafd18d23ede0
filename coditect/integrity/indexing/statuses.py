"""What indexes a tenant's store has, and in which state each of them is."""

from __future__ import annotations

from coditect.engine.port import Transaction
from coditect.keyspace import FORMAT
from coditect.schemas import IndexProgress, IndexState, IndexStatus
from coditect.store.indexes.definitions import INDEXES, Index
from coditect.store.indexes.states import header_in, is_foreign, is_former, state_of
from coditect.store.rows import open_stored
from coditect.store.store import Store

__all__ = ["index_statuses"]


def index_statuses(store: Store) -> list[IndexStatus]:
    """Every index of a tenant, the required ones first; also those of other releases that the header names."""

    def body(transaction: Transaction) -> list[IndexStatus]:
        header = header_in(transaction, store.keys.tenant)
        known = sorted(INDEXES.values(), key=lambda index: not index.required)
        found = [_status(store, transaction, index, state_of(header, index.name)) for index in known]
        others = [state for state in (header.indexes if header is not None else ()) if state.name not in INDEXES]
        return [*found, *(_status_elsewhere(state) for state in others)]

    return store.engine.read(body)


def _status(store: Store, transaction: Transaction, index: Index, state: IndexState | None) -> IndexStatus:
    if index.required:
        return IndexStatus(name=index.name, version=index.version, table=index.table, required=True, state="readable")
    if state is None or is_former(state):
        left = store.keys.format == FORMAT and transaction.range(*store.keys.bounds(index.table), limit=1).rows
        return IndexStatus(
            name=index.name,
            version=index.version,
            table=index.table,
            required=False,
            state="disabled",
            leftovers=bool(left),
        )
    key = store.keys.key("indexing", index.name)
    stored = transaction.get(key)
    done = None if stored is None else open_stored(transaction, store.keys, (key, stored), IndexProgress)
    return IndexStatus(
        name=index.name,
        version=state.version,
        table=index.table,
        required=False,
        known=not is_foreign(state),
        state=state.state,
        at=state.at,
        records=done.records if done is not None else 0,
        entries=done.entries if done is not None else 0,
    )


def _status_elsewhere(state: IndexState) -> IndexStatus:
    return IndexStatus(
        name=state.name,
        version=state.version,
        table=str(state.table),
        required=False,
        known=False,
        state=state.state,
        at=state.at,
    )
