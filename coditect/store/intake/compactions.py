"""Compactions that are owed: pages of a store's file that an erasure freed keep the erased words until the file is written anew.

A mark for each erasure is written in the transaction of its certificate, where the engine keeps what was removed. Who compacts the
file clears the marks that stood there before: an erasure that ends meanwhile keeps its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from coditect.engine.port import Transaction
from coditect.schemas import CompactionOwed
from coditect.store.store import Store

__all__ = ["clear_owed_compactions", "owe_compaction", "owed_compactions"]

_TABLE = "compactions"


def owe_compaction(transaction: Transaction, store: Store, owed: CompactionOwed) -> None:
    """Write a mark inside the caller's transaction; nothing where the engine keeps nothing that was removed.

    Args:
        transaction: the one in which the erasure ends.
        store: the tenant's store.
        owed: the mark.
    """
    if store.engine.keeps_removed:
        store.write_record(transaction, _TABLE, owed, owed.erasure_id)


def owed_compactions(store: Store) -> list[CompactionOwed]:
    """The marks of a tenant, oldest first; a store of before marks were written has none."""
    return sorted((each for _, each in store.scan(_TABLE, CompactionOwed)), key=lambda each: (each.at, each.erasure_id))


def clear_owed_compactions(store: Store, owed: Iterable[CompactionOwed]) -> None:
    """Remove marks, once the file was written anew.

    Args:
        store: the tenant's store.
        owed: those that stood there before it was.
    """
    keys = [store.keys.key(_TABLE, each.erasure_id) for each in owed]

    def body(transaction: Transaction) -> None:
        for key in keys:
            transaction.clear(key)

    if keys:
        store.update(body)
