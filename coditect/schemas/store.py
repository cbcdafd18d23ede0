"""What a store says of itself, before anything else of it is read; who is at work in it, and how much there is."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from coditect.schemas.record import Record

__all__ = [
    "IndexCondition",
    "IndexProgress",
    "IndexState",
    "IndexStatus",
    "RowCount",
    "StoreHeader",
    "UpgradeProgress",
    "Work",
]

IndexCondition = Literal["readable", "write only", "disabled"]
"""Readable: complete, and asked by queries. Write only: every writer keeps it, and nobody reads it, because older items may be
missing. Disabled: nobody keeps it, and what is left of it is dead."""


class UpgradeProgress(Record):
    """An upgrade that is under way."""

    to_format: int = Field(ge=2)
    table: str = Field(default="", description="The table that is copied at the moment; those before it are done.")
    after: str = Field(
        default="", description="The last key that was copied, hex digits; empty at a table's beginning."
    )
    rows: int = Field(default=0, ge=0, description="Rows that were copied.")


class IndexState(Record):
    """An optional index that writers must keep up to date; one that is disabled is not in the header."""

    name: str
    version: int = Field(ge=1, description="Of what it holds; a release keeps the version that it knows.")
    table: int = Field(
        ge=1, description="The number of its table, so that a release that does not know it can drop it."
    )
    state: Literal["readable", "write only"]
    build: str = Field(description="An id of this building of it: one that is dropped and built again has another.")
    at: str = Field(default="", description="Since when it has this state. RFC 3339, UTC.")


class IndexProgress(Record):
    """How far the building of an index is. Written with the entries of each page, in a row of its own."""

    record_kind: ClassVar[str] = "indexing"
    schema_version: ClassVar[int] = 1

    name: str
    build: str = Field(description="The id of the building in the header.")
    table: str = Field(description="The table whose records are read at the moment; those before it are done.")
    after: str = Field(default="", description="The last key that was read, hex digits; empty at a table's beginning.")
    records: int = Field(default=0, ge=0, description="Records that were read.")
    entries: int = Field(default=0, ge=0, description="Entries that were written for them.")


class IndexStatus(Record):
    """An index of a tenant's store, as it is told to people and programs."""

    name: str
    version: int
    table: str = Field(description="Its table, or the table's number where this release does not know it.")
    required: bool = Field(description="Part of the store's format: always there, and never dropped.")
    known: bool = Field(default=True, description="Whether this release keeps it up to date.")
    state: IndexCondition
    at: str = Field(default="", description="Since when it has this state. RFC 3339, UTC; empty where nobody said.")
    records: int = Field(default=0, ge=0, description="Of an index that is being built: records read until now.")
    entries: int = Field(default=0, ge=0, description="Of an index that is being built: entries written until now.")
    leftovers: bool = Field(default=False, description="Disabled, and rows of it are still there.")


class StoreHeader(Record):
    """The header of a tenant's store: JSON that every release can read, under a key that no format moves."""

    record_kind: ClassVar[str] = "store"
    schema_version: ClassVar[int] = 1

    format: int = Field(ge=1, description="Of keys and values.")
    features: tuple[str, ...] = Field(
        default=(), description="What a reader must know of besides the format; one that it does not know, it refuses."
    )
    oldest_reader: str = Field(description="The first release that reads this format.")
    created_by: str = Field(default="", description="The release that made the store.")
    created_at: str = Field(default="", description="RFC 3339, UTC; empty where nobody said.")
    upgraded_by: str = Field(default="", description="The release that brought it to this format; empty if none did.")
    upgraded_at: str = Field(default="", description="RFC 3339, UTC.")
    former_format: int = Field(
        default=0,
        ge=0,
        description="The format whose rows are still there beside, for who opened the store before; or 0.",
    )
    indexes: tuple[IndexState, ...] = Field(
        default=(), description="The optional indexes that are not disabled, by name."
    )
    upgrade: UpgradeProgress | None = Field(default=None, description="None if no upgrade is under way.")


class Work(Record):
    """A program that is at work on a corpus at the moment, and that a sweep therefore leaves alone."""

    record_kind: ClassVar[str] = "work"
    schema_version: ClassVar[int] = 1

    corpus_id: str
    what: str = Field(description="build, ingest, publication, storing, embedding; or sweep.")
    owner: str = Field(description="Unique to this piece of work: machine, process, and an id.")
    since: float = Field(description="Seconds since 1970.")
    expires_at: float = Field(description="Seconds since 1970; moved on while the program lives.")


class RowCount(Record):
    """Rows of one table."""

    rows: int = Field(ge=0)
    size_bytes: int = Field(ge=0, description="Their keys and values.")
