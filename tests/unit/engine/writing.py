"""Short ways to write to an engine in one transaction."""

from __future__ import annotations

from collections.abc import Iterable

from coditect.engine.port import Engine, Transaction

__all__ = ["append_all", "clear_all", "set_all"]


def set_all(engine: Engine, rows: Iterable[tuple[bytes, bytes]]) -> None:
    """Store rows, in one transaction that is run once."""
    some = list(rows)

    def body(transaction: Transaction) -> None:
        for key, value in some:
            transaction.set(key, value)

    engine.run(body)


def clear_all(engine: Engine, keys: Iterable[bytes]) -> None:
    """Remove keys, in one transaction."""
    some = list(keys)

    def body(transaction: Transaction) -> None:
        for key in some:
            transaction.clear(key)

    engine.run(body)


def append_all(engine: Engine, rows: Iterable[tuple[bytes, bytes]]) -> None:
    """Append values under prefixes, in one transaction."""
    some = list(rows)

    def body(transaction: Transaction) -> None:
        for prefix, value in some:
            transaction.append(prefix, value)

    engine.run(body)
