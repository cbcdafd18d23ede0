"""What stands in the transparency log: events, as commitments to the records that they tell of."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["LogEvent", "LogEventKind", "LogHead"]

LogEventKind = Literal[
    # What goes, and what must stay.
    "erasure",
    "erased",
    "hold",
    "release",
    "retention",
    # What comes.
    "corpus",
    "document",
    "withdrawal",
    "failure",
    "failure cleared",
    "generation",
    "review",
    "export",
    "import",
]


class LogEvent(Record):
    """Something that happened to a corpus. It holds hashes and ids, never a name, a person's data or a document's words."""

    record_kind: ClassVar[str] = "log_event"
    schema_version: ClassVar[int] = 1

    kind: LogEventKind
    corpus: str = Field(description="Tag of the corpus: the beginning of a hash of its id.")
    at: str = Field(
        default="", description="RFC 3339, UTC, by the clock of who wrote it; empty where nobody looked at one."
    )
    subject: str = Field(default="", description="Id of what it is about: a document, a build, a review.")
    sha256: str = Field(default="", description="Of the stored bytes of the record that it tells of.")
    generation: int = Field(default=0, ge=0, description="Of a generation.")
    release: str = Field(description="That wrote it.")


class LogHead(Record):
    """How long the log is."""

    record_kind: ClassVar[str] = "log_head"
    schema_version: ClassVar[int] = 1

    size: int = Field(ge=0, description="Entries.")
    root: str = Field(description="Root of the Merkle tree over them, 64 hex digits.")
