"""The states of optional indexes, as the header of a tenant's store tells them, and what they oblige readers and writers to.

============  ==========================================  ===================================================
state         who writes an item                          who asks a question
============  ==========================================  ===================================================
disabled      writes no entry                             reads the items themselves
write only    writes the item's entries beside it         reads the items themselves: older ones may be missing
readable      the same                                    reads the index
============  ==========================================  ===================================================

Every transaction that writes an item reads the header, so a change of state conflicts with the writers under way, and whoever
commits after it has seen it: no entry is ever missed. The header changes with states alone; how far a building is stands elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from coditect.engine.port import Transaction
from coditect.errors import Unwritable, UsageError
from coditect.schemas import IndexState, StoreHeader
from coditect.store.header import header_key, new_header, parse_header, require_known
from coditect.store.indexes.definitions import FORMER_INDEXES, INDEXES, Index, optional_indexes

__all__ = [
    "declared",
    "disabled_tables",
    "header_in",
    "header_of",
    "is_foreign",
    "is_former",
    "kept_indexes",
    "maintained_by_writers",
    "readable_build",
    "require_own",
    "state_of",
    "with_states",
]


def declared(name: str) -> Index:
    """The optional index of this name.

    Raises:
        UsageError: there is none; the hint names those that there are.
    """
    found = INDEXES.get(name)
    if found is not None and found.required:
        raise UsageError("this index is part of the format, and always there", index=name)
    if found is None:
        raise UsageError("unknown index", index=name, hint=f"Optional indexes: {', '.join(optional_indexes())}.")
    return found


def state_of(header: StoreHeader | None, name: str) -> IndexState | None:
    """The state of an index; None where it is disabled."""
    return next((state for state in header.indexes if state.name == name), None) if header is not None else None


def is_former(state: IndexState) -> bool:
    """Whether a release before this one kept the index, and this one does not: given up, or of a former version."""
    known = optional_indexes().get(state.name)
    return state.name in FORMER_INDEXES if known is None else state.version < known.version


def is_foreign(state: IndexState) -> bool:
    """Whether only another release can keep the index: one that this release has never known, or a later version."""
    known = optional_indexes().get(state.name)
    return state.name not in FORMER_INDEXES if known is None else state.version > known.version


def kept_indexes(header: StoreHeader | None) -> frozenset[str]:
    """The optional indexes of a store that this release keeps up to date, by name."""
    states = header.indexes if header is not None else ()
    return frozenset(state.name for state in states if not is_foreign(state) and not is_former(state))


def disabled_tables(header: StoreHeader | None, layout: int) -> tuple[str, ...]:
    """The tables of optional indexes, also of those that were given up, that nobody reads: what is in them is dead.

    Args:
        header: of the store.
        layout: the format of its keys.
    """
    if layout == 1:  # its index of entities was no optional one
        return ()
    tables = {name: index.table for name, index in optional_indexes().items()} | FORMER_INDEXES
    states = {name: state_of(header, name) for name in tables}
    return tuple(table for name, table in tables.items() if (state := states[name]) is None or is_former(state))


def header_of(stored: bytes | None, tenant: str) -> StoreHeader | None:
    """The header in a stored value, if this release knows what it announces.

    Raises:
        NewerRecord: it does not.
        Corrupt: it cannot be read.
    """
    return None if stored is None else require_known(parse_header(stored, tenant))


def header_in(transaction: Transaction, tenant: str) -> StoreHeader | None:
    """The header of a tenant's store as a transaction reads it. Raises as :func:`header_of`."""
    return header_of(transaction.get(header_key(tenant)), tenant)


def with_states(header: StoreHeader | None, states: Iterable[IndexState]) -> StoreHeader:
    """A header with other states, by name."""
    ordered = tuple(sorted(states, key=lambda state: state.name))
    return (header or new_header()).model_copy(update={"indexes": ordered})


def maintained_by_writers(transaction: Transaction, tenant: str, stored: bytes | None) -> frozenset[str]:
    """The optional indexes whose entries a transaction that writes items must write.

    An index that this release has given up is disabled in the same transaction: whoever still knows it is not to read what is
    incomplete from now on.

    Args:
        transaction: the one that writes.
        tenant: whose store.
        stored: the header's value as this transaction reads it, with a read conflict.

    Raises:
        Unwritable: the store has an index that only another release can keep.
        NewerRecord: a later release has upgraded the store meanwhile.
        Corrupt: the header cannot be read.
    """
    header = header_of(stored, tenant)
    if header is None or not header.indexes:
        return frozenset()
    require_own(header, tenant)
    if any(map(is_former, header.indexes)):
        kept = [state for state in header.indexes if not is_former(state)]
        transaction.set(header_key(tenant), with_states(header, kept).payload())
    return kept_indexes(header)


def require_own(header: StoreHeader | None, tenant: str) -> None:
    """Refuse to write items, or to remove any, where the store has an index of whose entries nobody here knows.

    Raises:
        Unwritable: it has.
    """
    foreign = [state for state in header.indexes if is_foreign(state)] if header is not None else []
    if foreign:
        raise Unwritable(
            "the store has an index that this release does not keep up to date",
            tenant=tenant,
            index=f"{foreign[0].name}/{foreign[0].version}",
            hint="Write with the release that made it, or a later one; or drop it: "
            f"'coditect store index drop {foreign[0].name}'. Reading goes on, and nothing is wrong.",
        )


def readable_build(stored: bytes | None, tenant: str, name: str) -> str:
    """The building of an index that readers may rely on in the snapshot in which the header was read; "" where there is none."""
    state = state_of(header_of(stored, tenant), name)
    known = optional_indexes().get(name)
    if state is None or known is None or state.state != "readable" or state.version != known.version:
        return ""
    return state.build
