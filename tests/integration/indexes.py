"""Statements that mention entities, and what their index must hold, for the tests of optional indexes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from coditect.engine.port import Engine, Transaction
from coditect.engine.sequential import SequentialEngine
from coditect.integrity.indexing.statuses import index_statuses
from coditect.schemas import Entity, Extraction
from coditect.store.rows import open_stored, optional_entries, optional_rows, record_key
from coditect.store.store import Store
from tests.corpora import table_rows
from tests.unit.store.items import extraction

__all__ = [
    "Meddled",
    "called_for",
    "entries",
    "remove",
    "require_complete",
    "state",
    "statement",
    "statements",
]

T = TypeVar("T")


def statement(number: int, *names: str, times: int = 1) -> Extraction:
    """A statement, said so many times over, that mentions two entities, or those of these names."""
    mentioned = names or (f"clerk {number % 5}", "acme inc")
    entities = tuple(
        Entity(text=name, name=name, kind="organization", char_offset_start=0, char_offset_end=len(name))
        for name in mentioned
    )
    return extraction(f"Clerk {number} shall sign for Acme Inc. " * times, start=100 * number, entities=entities)


def statements(numbers: Iterable[int]) -> list[Extraction]:
    """Several."""
    return [statement(number) for number in numbers]


def entries(store: Store) -> dict[bytes, bytes]:
    """The rows of the index of entities."""
    return table_rows(store.engine, store, "idx/entity")


def called_for(store: Store) -> dict[bytes, bytes]:
    """The rows that the stored statements call for in it."""
    found: dict[bytes, bytes] = {}
    for row in table_rows(store.engine, store, "extractions").items():
        item = open_stored(store.engine, store.keys, row, Extraction)
        found.update(optional_rows(store.keys, row[0], optional_entries(item), ("entity",)))
    return found


def state(store: Store) -> str:
    """The state of the index of entities."""
    return next(status.state for status in index_statuses(store) if status.name == "entity")


def require_complete(store: Store) -> None:
    """The index is readable, and holds what the statements call for, to the last byte.

    Raises:
        AssertionError: it is not, or does not.
    """
    wanted = called_for(store)
    if not wanted:
        raise AssertionError("there is nothing to be indexed")
    if state(store) != "readable":
        raise AssertionError(f"the index is {state(store)}")
    if entries(store) != wanted:
        raise AssertionError(f"{len(entries(store))} entries, {len(wanted)} are called for")


def remove(store: Store, item: Extraction) -> None:
    """Remove an item with its entries, as a sweep does."""
    key = record_key(store.keys, item)
    wanted = [entry for entry, _ in optional_rows(store.keys, key, optional_entries(item), ("entity",))]

    def body(transaction: Transaction) -> None:
        for entry, found in zip(wanted, transaction.get_many(wanted), strict=True):
            if found is not None:
                transaction.clear(entry)
        transaction.clear(key)

    store.engine.run(body)


class Meddled(SequentialEngine):
    """An engine beside which something else happens: once, after the body of its n-th transaction and before its commit.

    Args:
        engine: on a cluster that tells conflicts.
        at: the number of the transaction; 0 is none.
        meddle: what happens, through another engine.
    """

    def __init__(self, engine: Engine, at: int = 0, meddle: Callable[[], object] = lambda: None) -> None:
        self.engine = engine
        self.at = at
        self.meddle = meddle
        self.runs = 0
        self.meddled = False

    @property
    def url(self) -> str:
        """The engine's."""
        return self.engine.url

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """The engine's, with what happens in it."""
        self.runs += 1
        now = self.runs == self.at

        def body(transaction: Transaction) -> T:
            result = fn(transaction)
            if now and not self.meddled:
                self.meddled = True
                self.meddle()
            return result

        return self.engine.run(body)

    def read(self, fn: Callable[[Transaction], T]) -> T:
        """The engine's."""
        return self.engine.read(fn)

    def close(self) -> None:
        """The engine's."""
