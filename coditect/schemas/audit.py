"""The audit trail: one line for each entry of the log, joined with the records that are still there. Only sent, never stored."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from coditect.schemas.record import Record

__all__ = ["AuditEntry", "AuditState"]

AuditState = Literal["present", "replaced", "gone", "erased", "differs", "none"]
"""The record that an entry tells of: it is there, and has the hash that was logged; a later state took its place; it is not there
any more; an erasure or retention took it, by right; it is there with another hash; the entry tells of none.
"""


class AuditEntry(Record):
    """Who did what, when, what was before and is after, and for which reason. 21 CFR 11.10(e)."""

    index: int = Field(
        ge=0, description="Of the entry in the log; also the cursor that the next page is asked for with."
    )
    at: str = Field(description="When, RFC 3339, UTC, as the entry or its record says; empty where neither does.")
    who: str = Field(
        description="Name of the person or program; empty where none was configured, or the name was erased."
    )
    role: str = Field(default="", description="Of a signature: as what.")
    kind: str = Field(description="Of the event.")
    what: str = Field(description="In words.")
    corpus_id: str = Field(description="Empty: of the tenant, or of a corpus that is not here any more.")
    subject: str = Field(description="Id of what it is about.")
    document: str = Field(default="", description="Name of the document, where it is about one that is known.")
    before: dict[str, JsonValue] | None = Field(default=None, description="Values before; null where there were none.")
    after: dict[str, JsonValue] | None = Field(default=None, description="Values after.")
    reason: str = Field(default="", description="As it was given.")
    state: AuditState
    note: str = Field(default="", description="What is wrong, or not known, in words.")
    sha256: str = Field(description="Of the record's bytes, as the entry commits to it; empty where it tells of none.")
    release: str = Field(description="That wrote the entry.")
