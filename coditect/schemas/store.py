"""What a store says of itself, before anything else of it is read."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["StoreHeader", "UpgradeProgress"]


class UpgradeProgress(Record):
    """An upgrade that is under way."""

    to_format: int = Field(ge=2)
    table: str = Field(default="", description="The table that is copied at the moment; those before it are done.")
    after: str = Field(
        default="", description="The last key that was copied, hex digits; empty at a table's beginning."
    )
    rows: int = Field(default=0, ge=0, description="Rows that were copied.")


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
    upgrade: UpgradeProgress | None = Field(default=None, description="None if no upgrade is under way.")
