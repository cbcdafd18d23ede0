"""The header of a tenant's store, and what it means for who opens it.

The header stands under ``pack(("coditect", 0, tenant))``, outside every format, as JSON. Stores of release 0.1.0 have none: they
are known by their rows. A store of a format that this release does not know is refused by name, instead of looking empty.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NoReturn, TypeVar

import orjson
from pydantic import ValidationError

import coditect as package
from coditect.engine.port import Engine, Transaction
from coditect.errors import Corrupt, NewerRecord, Unwritable
from coditect.keyspace import FORMAT, FORMATS, Keyspace, key_part
from coditect.keyspace.tuples import pack
from coditect.schemas import StoreHeader

__all__ = [
    "FormerFormat",
    "header_key",
    "new_header",
    "parse_header",
    "raw_header",
    "read_header",
    "require_known",
    "write_header",
]

T = TypeVar("T")

_OLDEST_READER = {1: "0.1.0", 2: "0.2.0"}


def header_key(tenant: str) -> bytes:
    """Where the header of a tenant's store stands."""
    return pack(("coditect", 0, key_part(tenant)))


def read_header(engine: Engine, tenant: str) -> StoreHeader | None:
    """The header of a tenant's store; one without any, of release 0.1.0, gets the header that it would have. None: nothing is
    there.

    Raises:
        NewerRecord: a later release wrote the store.
        Corrupt: the header cannot be read.
    """

    def body(transaction: Transaction) -> StoreHeader | None:
        found = transaction.get(header_key(tenant))
        if found is not None:
            return require_known(parse_header(found, tenant))
        for number in reversed(FORMATS):
            if transaction.range(*Keyspace(tenant, number).space, limit=1).rows:
                return StoreHeader(format=number, oldest_reader=_OLDEST_READER[number])
        return None

    return engine.read(body)


@lru_cache(maxsize=64)
def parse_header(stored: bytes, tenant: str) -> StoreHeader:
    """The header in a stored value. Kept, because every transaction that writes items reads it.

    Raises:
        NewerRecord: a later release wrote it.
        Corrupt: it cannot be read; says of whose store, why, and what can be done.
    """
    try:
        return StoreHeader.parse(stored)
    except Corrupt as error:
        raise Corrupt(
            "the header of the store cannot be read",
            tenant=tenant,
            reason=_reason(error),
            hint="'coditect store info' shows what stands there. It was damaged, or a version between two releases wrote it: "
            "restore a backup, or import an archive, or ingest the documents again, into another store.",
        ) from error


def _reason(error: Corrupt) -> str:
    """What is wrong with a header, in one line."""
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        first = cause.errors()[0]
        return ": ".join(filter(None, (".".join(map(str, first["loc"])), str(first["msg"]))))
    return str(cause or error)


def raw_header(engine: Engine, tenant: str) -> dict[str, object] | None:
    """The header as it is stored, whatever release wrote it; None: nothing is there.

    Raises:
        Corrupt: it is not JSON.
    """
    stored = engine.read(lambda transaction: transaction.get(header_key(tenant)))
    if stored is None:
        header = read_header(engine, tenant)
        return None if header is None else header.model_dump(mode="json")
    try:
        found: dict[str, object] = orjson.loads(stored)
    except ValueError as error:
        raise Corrupt(
            "the header of the store is not JSON",
            tenant=tenant,
            hint="It was damaged: restore a backup, or import an archive, or ingest the documents again, into another store.",
        ) from error
    return found


def require_known(header: StoreHeader) -> StoreHeader:
    """The header, if this release reads what it announces.

    Raises:
        NewerRecord: it does not.
    """
    if header.format not in FORMATS or header.features:
        raise NewerRecord(
            "this store was written by a later release",
            format=header.format,
            features=", ".join(header.features),
            known=", ".join(map(str, FORMATS)),
            hint=f"Releases from {header.oldest_reader} on read it; this is {package.__version__}. Nothing is wrong with it.",
        )
    return header


def new_header(at: str = "") -> StoreHeader:
    """The header of a store that is made now."""
    return StoreHeader(
        format=FORMAT, oldest_reader=_OLDEST_READER[FORMAT], created_by=package.__version__, created_at=at
    )


def write_header(transaction: Transaction, tenant: str, at: str) -> None:
    """Give a store its header in the transaction of its first rows; one that has a header keeps it."""
    key = header_key(tenant)
    if transaction.get(key) is None:
        transaction.set(key, new_header(at).payload())


class FormerFormat:
    """An engine whose tenant has a store of a former format: it is read, and every write is refused with the way out.

    Args:
        engine: the engine beneath.
        found: the format.
    """

    def __init__(self, engine: Engine, found: int) -> None:
        self._engine = engine
        self._found = found

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)

    def bulk(self, tag: str, tenant: str = "") -> FormerFormat:
        """See the port."""
        return FormerFormat(self._engine.bulk(tag, tenant), self._found)

    def run_many(self, bodies: Iterable[object]) -> None:
        """Refused as :meth:`run` is; where there is nothing to do, nothing is done."""
        for body in bodies:
            self.run(body)

    def run(self, body: object) -> NoReturn:
        """Refused.

        Raises:
            Unwritable: always.
        """
        raise Unwritable(
            "the store has the format of a former release, and can only be read",
            format=self._found,
            hint="Run 'coditect store upgrade': what is stored stays as it is, and readers go on meanwhile.",
        )
