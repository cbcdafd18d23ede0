"""Records as rows, and back: one row for the record, one for each index entry, written in one transaction.

What is read is held against its place: the id of an item is the hash of the bytes that are stored, and every record says itself
under which key it stands, so that a row that was changed, swapped or copied does not open.

Index entries name the derivation that their item belongs to. They are written with the item and never changed; whether
an item is part of a generation is told by the generation's manifest (ADR 0004).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Generic, TypeVar

from coditect import schemas
from coditect.engine.limits import VALUE_BYTES
from coditect.engine.port import Engine, Transaction
from coditect.errors import CoditectError, Conflict, Corrupt, NewerRecord, Unavailable
from coditect.keyspace import (
    ENVELOPE_BYTES,
    LAYOUT,
    POINTER,
    WHOLE,
    Keyspace,
    Part,
    part_text,
    seal,
    seal_compressed,
    unpacked_id,
    unseal,
)
from coditect.keyspace.compression import DICTIONARY_OF
from coditect.schemas import Item, Record
from coditect.store.blobs import Row, blob_rows, get_blob
from coditect.store.indexes.definitions import INDEXES, Index, entry_rows, required_indexes

__all__ = [
    "ItemRows",
    "OptionalEntries",
    "ReadRows",
    "index_rows",
    "indexed_derivation",
    "item_rows",
    "item_tables",
    "open_row",
    "open_stored",
    "optional_entries",
    "optional_rows",
    "payload_of",
    "place_of",
    "record_key",
    "record_rows",
    "record_tables",
    "row_name",
    "seal_record",
]

_POINTER = re.compile(rb"([0-9a-f]{64}):([0-9]{1,15})")

R = TypeVar("R", bound=Record)

_IN_ORDER = (
    "documents",
    "extractions",
    "chunks",
    "passages",
    "profiles",
    "sections",
    "claims",
    "verdicts",
    "reviews",
    "marks",
    "calibrations",
    "switches",
    "signers",
    "policies",
    "signatures",
    "summaries",
    "answers",
    "derivations",
    "intake",
    "failures",
    "erasures",
    "tombstones",
    "certificates",
    "holds",
    "releases",
    "retentions",
    "trees",
    "manifests",
    "generations",
    "corpus",
)
"""The tables of records, each after those that its own point to."""


@cache
def record_tables() -> dict[str, type[Record]]:
    """The record of each table, each after those that it points to: the order in which they are validated and archived.

    Who asks needs all classes, which are loaded then: a question opens rows of few.
    """
    return {table: getattr(schemas, LAYOUT[table].value) for table in _IN_ORDER}


@cache
def item_tables() -> dict[type[Item], str]:
    """Where items of a class stand."""
    return {cls: table for table, cls in record_tables().items() if issubclass(cls, Item)}


@cache
def _covering(cls: type[Record]) -> tuple[Index, ...]:
    """The required indexes of a class."""
    return tuple(index for index in required_indexes().values() if cls in index.covers)


OptionalEntries = tuple[tuple[str, tuple[str, ...], str], ...]
"""By optional index: its name, the terms under which an item is entered, and the derivation that the entries name."""


@dataclass(frozen=True, slots=True)
class ItemRows:
    """What storing an item writes.

    Attributes:
        item_id: for messages.
        record: the item's own row.
        index: its index entries, in the same transaction.
        blobs: written before, where the record is too long for one value.
        optional: what it calls for in optional indexes; becomes rows of the same transaction as far as the store has them.
        sha256: of the record's bytes.
    """

    item_id: str
    record: Row
    index: tuple[Row, ...]
    blobs: tuple[Row, ...] = ()
    optional: OptionalEntries = ()
    sha256: bytes = b""

    @property
    def size_bytes(self) -> int:
        """Keys and values of record and index."""
        return sum(len(key) + len(value) for key, value in (self.record, *self.index))


def item_rows(keys: Keyspace, item: Item) -> ItemRows:
    """The rows of an item: record, index entries, and blobs where it is long."""
    table, payload = item_tables()[type(item)], item.payload()
    record, blobs = seal_record(keys, table, place_of(table, item), payload)
    sha256 = hashlib.sha256(payload).digest()
    return ItemRows(item.item_id, record, index_rows(keys, item), blobs, optional_entries(item), sha256)


_FIELD_OF = {"generation": "generation", "name": "name", "request": "request_sha256"}
"""The fields of records that are not called after the element of the key that they are."""

_PLACES = {table: tuple(_FIELD_OF.get(field, f"{field}_id") for field in LAYOUT[table].fields) for table in _IN_ORDER}


def place_of(table: str, record: Record) -> tuple[Part, ...]:
    """The elements of the key under which a record says that it stands."""
    return tuple([getattr(record, field) for field in _PLACES[table]])


def record_key(keys: Keyspace, item: Item) -> bytes:
    """The key under which an item stands."""
    table = item_tables()[type(item)]
    return keys.key(table, *place_of(table, item))


def record_rows(keys: Keyspace, table: str, record: Record) -> tuple[Row, tuple[Row, ...]]:
    """(row, blob rows) of a record."""
    return seal_record(keys, table, place_of(table, record), record.payload())


def seal_record(keys: Keyspace, table: str, place: Sequence[Part], payload: bytes) -> tuple[Row, tuple[Row, ...]]:
    """(row, blob rows) of a record's bytes; long ones become a blob and a pointer to it.

    Args:
        keys: of the tenant.
        table: the record's.
        place: the elements of its key; the corpus is the first.
        payload: its bytes.
    """
    key = keys.key(table, *place)
    relative = keys.relative(key)
    if len(payload) + ENVELOPE_BYTES <= VALUE_BYTES:
        if keys.format == 1:
            return (key, seal(relative, payload, WHOLE)), ()
        return (key, seal_compressed(relative, payload, DICTIONARY_OF.get(table))), ()
    digest, blobs = blob_rows(keys, _own(place[0]), payload)
    return (key, seal(relative, f"{digest}:{len(payload)}".encode(), POINTER)), tuple(blobs)


def open_row(
    source: Engine | Transaction,
    keys: Keyspace,
    table: str,
    place: Sequence[Part],
    key: bytes,
    value: bytes,
    cls: type[R],
) -> R:
    """The record in a stored value.

    Args:
        source: reads the blob of a record that is longer than a value.
        keys: of the tenant.
        table: the row's.
        place: the elements of its key.
        key: of the row.
        value: of the row.
        cls: the class of its record.

    Raises:
        Corrupt: changed bytes, not a record of this class, or one that belongs elsewhere; names the record's key.
        NewerRecord: a later release wrote it.
        Unavailable: the engine did not answer while the blob was read.
    """
    try:
        payload = payload_of(source, keys, place, key, value)
        item_id = str(place[-1]) if issubclass(cls, Item) else ""
        record = cls.parse(payload, item_id)
        if table in _PLACES and not _stands_at(keys, table, record, place, key):
            raise Corrupt("the record stands under another record's key", check="hash")
    except (Conflict, Unavailable):  # of a store that does not answer while a blob is read: the row may be sound
        raise
    except CoditectError as error:
        kind = NewerRecord if isinstance(error, NewerRecord) else Corrupt
        context = {"record": cls.__name__, **error.context, "key": row_name(keys, key)}
        raise kind(error.message, hint=error.hint, **context) from error
    return record


def open_stored(source: Engine | Transaction, keys: Keyspace, row: Row, cls: type[R]) -> R:
    """The record in a row, whose table and place its key says. Raises as :func:`open_row`; Corrupt for a key of no table, too."""
    key, value = row
    table = keys.table_of(key)
    if table is None:
        raise Corrupt("a key is of no table of the tenant", key=key)
    return open_row(source, keys, table, keys.parts(table, key), key, value, cls)


class ReadRows(Generic[R]):
    """Records of one class by the keys of their rows, for whoever reads all of them again and again.

    Args:
        before: what an earlier reading kept, by key: the row's value, and the record in it.

    Attributes:
        now: the same of all rows that were asked for since.
    """

    def __init__(self, before: Mapping[bytes, tuple[bytes, R]] = MappingProxyType({})) -> None:
        self._before = before
        self.now: dict[bytes, tuple[bytes, R]] = {}

    def given(self, key: bytes, value: bytes, read: Callable[[bytes, bytes], R]) -> R:
        """The record of a row.

        Args:
            key: of the row.
            value: of the row, as it is stored now.
            read: gives the record of a key and a value, where it is not known.
        """
        own = self._before.get(key)
        if own is None or own[0] != value:
            own = (value, read(key, value))
        self.now[key] = own
        return own[1]


def payload_of(source: Engine | Transaction, keys: Keyspace, place: Sequence[Part], key: bytes, value: bytes) -> bytes:
    """The bytes of a stored record, wherever they are.

    Raises:
        Corrupt: they are not what was stored.
    """
    form, payload = unseal(keys.relative(key), value)
    if form == POINTER:
        return get_blob(source, keys, _own(place[0]), *_pointed(payload))
    return payload


def _stands_at(keys: Keyspace, table: str, record: Record, place: Sequence[Part], key: bytes) -> bool:
    own = place_of(table, record)
    return own == tuple(place) or keys.key(table, *own) == key  # texts that were cut are equal as keys only


def _own(corpus: Part) -> str | bytes:
    return corpus if isinstance(corpus, bytes) else str(corpus)


def _pointed(payload: bytes) -> tuple[str, int]:
    """(SHA-256, size) that a pointer names."""
    found = _POINTER.fullmatch(payload)
    if found is None:
        raise Corrupt("a pointer does not name a blob")
    return found[1].decode(), int(found[2])


def row_name(keys: Keyspace, key: bytes) -> str:
    """A row for people: its table and place, e.g. 'extractions/policies/document_…/extraction_…'."""
    table = keys.table_of(key)
    if table is None:
        return repr(key)
    try:
        return "/".join((table, *map(part_text, keys.parts(table, key))))
    except Corrupt:
        return f"{table}/{key!r}"


def index_rows(keys: Keyspace, record: Record) -> tuple[Row, ...]:
    """The entries of required indexes that a record calls for."""
    rows: list[Row] = []
    for index in _covering(type(record)):
        rows += entry_rows(keys, [keys.key(index.table, *place) for place in index.places(record)], _derivation(record))
    return tuple(rows)


def optional_entries(record: Record) -> OptionalEntries:
    """What a record calls for in the optional indexes of this release."""
    derivation = _derivation(record)
    return tuple(
        (index.name, tuple(place[0] for place in index.places(record)), derivation)
        for index in INDEXES.values()
        if not index.required and type(record) in index.covers
    )


def optional_rows(keys: Keyspace, key: bytes, entries: OptionalEntries, names: Collection[str]) -> list[Row]:
    """Entries of optional indexes as rows.

    Args:
        keys: of the tenant.
        key: of their item's row.
        entries: of :func:`optional_entries`.
        names: of the indexes whose entries are wanted.
    """
    wanted = [entry for entry in entries if entry[0] in names]
    if not wanted:
        return []
    # An item's place stands in the keys of its entries as it does in its own.
    place = key[len(keys.key(keys.table_of(key) or "")) :]
    rows: list[Row] = []
    for name, terms, derivation in wanted:
        rows += entry_rows(keys, [keys.key(INDEXES[name].table, term) + place for term in terms], derivation)
    return rows


def _derivation(record: Record) -> str:
    return str(getattr(record, "derivation_id", ""))


def indexed_derivation(keys: Keyspace, key: bytes, value: bytes) -> str:
    """The derivation that an index entry names.

    Raises:
        Corrupt: changed bytes.
    """
    named = unseal(keys.relative(key), value)[1]
    return unpacked_id(named) or named.decode("utf-8", "replace")
