"""What stands in the transparency log: events, as commitments to the records that they tell of."""

from __future__ import annotations

import hashlib
from typing import ClassVar, Literal

from pydantic import Field, JsonValue

from coditect.schemas.record import Record, canonical_json

__all__ = ["LogAct", "LogEvent", "LogEventKind", "LogHead", "LogPrincipal"]

PSEUDONYM_DIGITS = 32
"""Hex digits: enough that no other name can be found that fits."""

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
    "report",
    "export",
    "import",
    # of the audit trail, and of persons who sign (ADR 52)
    "signature",
    "key",
    "log key",
    "policy",
    "token",
    "mark",
    "calibration",
    "switch",
    "answer",
    "sweep",
    "compaction",
    "index",
    "upgrade",
    "access",
    # what follows from a corpus, and what a build ran with (ADR 58)
    "ingested",
    "vectors",
    "settings",
]


class LogEvent(Record):
    """Something that happened to a corpus. It holds hashes and ids, never a name, a person's data or a document's words."""

    record_kind: ClassVar[str] = "log_event"
    # 2: digest; and the log tells of vectors and of the feed's events, too, if its beginning is of this version.
    schema_version: ClassVar[int] = 2

    kind: LogEventKind
    corpus: str = Field(description="Tag of the corpus: the beginning of a hash of its id; empty: of the whole store.")
    at: str = Field(
        default="", description="RFC 3339, UTC, by the clock of who wrote it; empty where nobody looked at one."
    )
    subject: str = Field(default="", description="Id of what it is about: a document, a build, a review.")
    sha256: str = Field(default="", description="Of the stored bytes of the record that it tells of.")
    generation: int = Field(default=0, ge=0, description="Of a generation.")
    by: str = Field(
        default="", description="Pseudonym of who did it, where a principal is configured; the name is not here."
    )
    key: str = Field(
        default="", description="Of a key: its public part, name+id+key. Public parts alone are in the log."
    )
    digest: str = Field(
        default="", description="Of an import: the archive's corpus digest, 64 hex digits, as its export said it."
    )
    release: str = Field(description="That wrote it.")


class LogAct(Record):
    """What only the log tells of, since no other record does: an export, a sweep, a batch of reads. Stands under its hash."""

    record_kind: ClassVar[str] = "act"
    schema_version: ClassVar[int] = 1

    kind: LogEventKind
    corpus_id: str = Field(default="", description="Empty: of the tenant's whole store.")
    at: str = Field(description="RFC 3339, UTC; empty where nobody looked at a clock.")
    details: dict[str, JsonValue] = Field(default_factory=dict, description="What was done, by name.")
    salt: str = Field(
        default="", description="32 random hex digits: nobody can guess the details from the hash in the log."
    )


class LogPrincipal(Record):
    """Who stands behind a pseudonym of the log. Without this row nobody can tell, and no other name fits the pseudonym."""

    record_kind: ClassVar[str] = "principal"
    schema_version: ClassVar[int] = 1

    pseudonym: str = Field(description="The beginning of a hash of salt and name: entries commit to the name by it.")
    name: str
    salt: str = Field(default="", description="32 random hex digits, so that nobody can guess the name.")

    @staticmethod
    def pseudonym_for(name: str, salt: str) -> str:
        """The pseudonym of a name under a salt."""
        return hashlib.sha256(canonical_json([salt, name])).hexdigest()[:PSEUDONYM_DIGITS]

    @property
    def holds(self) -> bool:
        """Whether the name is the one that the pseudonym commits to."""
        return self.pseudonym == self.pseudonym_for(self.name, self.salt)


class LogHead(Record):
    """How long the log is."""

    record_kind: ClassVar[str] = "log_head"
    schema_version: ClassVar[int] = 1

    size: int = Field(ge=0, description="Entries.")
    root: str = Field(description="Root of the Merkle tree over them, 64 hex digits.")
