"""Items on their way into a store: many to a transaction, several transactions at once, each item with its index entries.

Which optional indexes a store has may change while items are written. So every transaction looks, and one whose entries are not
those that are wanted now writes nothing: its items are written again, with the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from coditect.engine.batches import batches
from coditect.engine.limits import TRANSACTION_BYTES
from coditect.engine.port import Engine, Transaction
from coditect.errors import ImmutableViolation
from coditect.keyspace import Keyspace, unseal
from coditect.schemas import LogEvent
from coditect.store.blobs import Row, put_blobs
from coditect.store.header import header_key
from coditect.store.indexes.states import maintained_by_writers
from coditect.store.rows import ItemRows, optional_rows
from coditect.transparency.events import append_event

__all__ = ["WrittenItems", "write_items", "write_logged"]

PreparedItem = tuple[ItemRows, tuple[Row, ...]]
"""An item, and its entries in optional indexes."""


@dataclass(frozen=True, slots=True)
class WrittenItems:
    """What became of items.

    Attributes:
        new: how many were not there before.
        known: how many were.
        maintained: the optional indexes that the store had when the last of them was written.
    """

    new: int
    known: int
    maintained: frozenset[str]


def write_items(engine: Engine, keys: Keyspace, rows: Iterable[ItemRows], maintained: frozenset[str]) -> WrittenItems:
    """Write items with their index entries.

    Args:
        engine: where to.
        keys: the tenant's.
        rows: of the items.
        maintained: the optional indexes that the store has, as far as is known.

    Raises:
        ImmutableViolation: a different record stands under the same id; that transaction wrote nothing.
        Unwritable: the store has an index that only a later release can keep.
    """
    new = known = 0
    again: Iterable[ItemRows] | None = rows
    while again is not None:
        # Kept outside the bodies: one that runs again after it has committed finds its own items there.
        writing = _Writing(maintained)
        engine.run_many(_bodies(engine, keys, again, writing))
        new += len(writing.absent)
        # An index was added or dropped meanwhile: these were not written, and want other entries.
        refused = [item for batch in writing.refused.values() for item, _ in batch]
        known += writing.count - len(writing.absent) - len(refused)
        maintained, again = writing.maintained, refused or None
    return WrittenItems(new, known, maintained)


def write_logged(engine: Engine, keys: Keyspace, items: Sequence[tuple[ItemRows, LogEvent]]) -> None:
    """Write items that no optional index covers, each with its event, all in one transaction; what is there already is left.

    Args:
        engine: where to.
        keys: the tenant's.
        items: rows of an item, and the event that tells of it; a few.

    Raises:
        Unwritable: the store has an index that only a later release can keep.
    """
    put_blobs(engine, keys, [row for rows, _ in items for row in rows.blobs])

    def body(transaction: Transaction) -> None:
        maintained_by_writers(transaction, keys.tenant, transaction.get(header_key(keys.tenant)))
        for rows, event in items:
            if transaction.get(rows.record[0]) is None:
                for key, value in (rows.record, *rows.index):
                    transaction.set(key, value)
                append_event(transaction, keys, event)

    engine.run(body)


def _bodies(
    engine: Engine, keys: Keyspace, rows: Iterable[ItemRows], writing: _Writing
) -> Iterator[Callable[[Transaction], None]]:
    """The transactions that write items; the bytes of long records are stored before each."""
    prepared = ((item, _optional_rows(keys, item, writing.prepared)) for item in rows)
    for batch in batches(prepared, _size_bytes, TRANSACTION_BYTES * 9 // 10):
        writing.count += len(batch)
        put_blobs(engine, keys, [row for item, _ in batch for row in item.blobs])
        yield partial(_put_items, keys, batch, writing)


def _optional_rows(keys: Keyspace, item: ItemRows, names: frozenset[str]) -> tuple[Row, ...]:
    return tuple(optional_rows(keys, item.record[0], item.optional, names)) if names else ()


def _size_bytes(prepared: PreparedItem) -> int:
    item, optional = prepared
    return item.size_bytes + sum(len(key) + len(value) for key, value in optional)


@dataclass(slots=True)
class _Writing:
    """What the transactions that write some items have in common.

    Attributes:
        prepared: the optional indexes whose entries are written with the items.
        maintained: those whose entries must be, as the last transaction saw it.
        count: how many items there are.
        absent: the keys of items that are new.
        refused: the batches of transactions that wrote nothing, because these two were not the same, by their identity.
    """

    prepared: frozenset[str]
    maintained: frozenset[str] = field(init=False)
    count: int = 0
    absent: set[bytes] = field(default_factory=set)
    refused: dict[int, list[PreparedItem]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.maintained = self.prepared


def _put_items(keys: Keyspace, batch: list[PreparedItem], writing: _Writing, transaction: Transaction) -> None:
    """Write items with their index entries."""
    # Read with a conflict: a change of an index' state and this transaction do not miss each other.
    header = transaction.get(header_key(keys.tenant))
    writing.maintained = maintained_by_writers(transaction, keys.tenant, header)
    if writing.maintained != writing.prepared:
        writing.refused[id(batch)] = batch
        writing.absent.difference_update(item.record[0] for item, _ in batch)  # of a run that was not committed
        return
    writing.refused.pop(id(batch), None)
    # Without conflicts: whoever else writes an item under its id writes the same one, so neither has to wait for the other. That
    # what is there stays there until it is named is ensured by the registration of work, which is read with one (ADR 40).
    stored = transaction.get_many([item.record[0] for item, _ in batch], snapshot=True)
    seen: dict[bytes, bytes] = {}
    for (item, optional), found in zip(batch, stored, strict=True):
        key, wanted = item.record
        value = seen.get(key, found)
        if value is None:
            transaction.set(key, wanted)
            for index_key, index_value in (*item.index, *optional):
                transaction.set(index_key, index_value)
            seen[key] = wanted
            writing.absent.add(key)
        elif value != wanted and unseal(keys.relative(key), value) != unseal(keys.relative(key), wanted):
            raise ImmutableViolation(
                "a different record stands under this id",
                item_id=item.item_id,
                hint="Items never change; store the new content as a new item, or run 'coditect knowledge validate'.",
            )
