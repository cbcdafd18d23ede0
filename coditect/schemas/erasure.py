"""Erasure, legal hold and retention: who asked for what to go or to stay, what went, and what stands in its place."""

from __future__ import annotations

import hashlib
import hmac
from typing import ClassVar

from pydantic import Field

from coditect.schemas.build import Stage
from coditect.schemas.record import CorpusItem, Record
from coditect.schemas.store import RowCount

__all__ = [
    "CompactionOwed",
    "ErasedStep",
    "ErasedSummary",
    "Erasure",
    "ErasureCertificate",
    "ErasureScan",
    "HoldRelease",
    "LegalHold",
    "Retention",
    "Tombstone",
]


class Erasure(CorpusItem):
    """What somebody asked to be erased: written before anything goes, and never removed. It holds no word of the documents."""

    record_kind: ClassVar[str] = "erasure"
    id_field: ClassVar[str] = "erasure_id"
    schema_version: ClassVar[int] = 1

    erasure_id: str
    document_ids: tuple[str, ...] = Field(min_length=1, description="Every version of each is meant.")
    reason: str = Field(
        min_length=1, max_length=2000, description="Why, e.g. the request and the article of law that it rests on."
    )
    by: str = Field(min_length=1, max_length=200, description="Who asked.")
    at: str = Field(description="When, RFC 3339, UTC.")
    salt: str = Field(pattern=r"^[0-9a-f]{32}$", description="Random; a file cannot be told from ``files`` without it.")
    files: tuple[str, ...] = Field(
        description="By which the same bytes are known when they come again, and which name nothing to who has them not: "
        "HMAC-SHA256 of the SHA-256 of each file, keyed with the salt."
    )

    @staticmethod
    def file_mark(salt: str, raw_sha256: str) -> str:
        """What stands in ``files`` for the file with this SHA-256."""
        return hmac.new(bytes.fromhex(salt), bytes.fromhex(raw_sha256), hashlib.sha256).hexdigest()

    def knows(self, raw_sha256: str) -> bool:
        """Whether the file with this SHA-256 was erased."""
        return self.file_mark(self.salt, raw_sha256) in self.files


class ErasedStep(Record):
    """A derivation that is gone: what generations commit to of it, and how much it gave."""

    stage: Stage
    outputs: int = Field(ge=0)
    commitment: str = Field(pattern=r"^[0-9a-f]{64}$", description="By which trees and manifests still verify.")


class ErasedSummary(Record):
    """Tier 4 of a generation that told of what is gone: what of it is still there."""

    claims: tuple[str, ...]
    filtered: tuple[str, ...]
    verdicts: dict[str, str] = Field(description="Verdict id by claim id.")
    source_sections: tuple[str, ...]
    erased_claims: int = Field(ge=0)
    erased_filtered: int = Field(ge=0)


class Tombstone(CorpusItem):
    """Exactly the rows that an erasure takes: a row that is missing and stands in no tombstone is damage."""

    record_kind: ClassVar[str] = "tombstone"
    id_field: ClassVar[str] = "tombstone_id"
    schema_version: ClassVar[int] = 1

    tombstone_id: str
    erasure_id: str
    rows: dict[str, tuple[str, ...]] = Field(description="Ids by table, of every row that another one may name.")
    steps: dict[str, ErasedStep] = Field(description="By derivation id.")
    summaries: dict[str, ErasedSummary] = Field(description="By summary id.")


class ErasureScan(Record):
    """The search for what is left of the words."""

    words: int = Field(ge=1, description="A run of how many words is looked for.")
    runs: int = Field(
        ge=0, description="Different runs of the erased texts that stand in no other document of the corpus."
    )
    rows: int = Field(ge=0, description="Rows that were read, of every table of the tenant.")
    size_bytes: int = Field(ge=0, description="Keys and unpacked values of these.")
    files: int = Field(ge=0, description="Files of caches, spools and folders named that were read.")
    unread: tuple[str, ...] = Field(
        default=(), description="Files that are packed and were not looked into, or not readable."
    )
    elsewhere: tuple[str, ...] = Field(
        default=(), description="Other corpora of the tenant in which the same runs stand: each is erased for itself."
    )
    found: tuple[str, ...] = Field(
        description="Where runs were found, at most twenty places; empty is what it is about."
    )


class ErasureCertificate(CorpusItem):
    """That an erasure is done: what went, and that a search found nothing of it."""

    record_kind: ClassVar[str] = "certificate"
    id_field: ClassVar[str] = "certificate_id"
    schema_version: ClassVar[int] = 1

    certificate_id: str
    erasure_id: str
    tombstone_id: str
    at: str = Field(description="When it was done, RFC 3339, UTC.")
    removed: dict[str, RowCount] = Field(description="By table.")
    stays: tuple[str, ...] = Field(description="What is left, and why.")
    scan: ErasureScan
    release: str = Field(description="That did it.")


class LegalHold(CorpusItem):
    """That documents, or a whole corpus, must be kept: nothing of them is erased or swept until the hold is released."""

    record_kind: ClassVar[str] = "hold"
    id_field: ClassVar[str] = "hold_id"
    schema_version: ClassVar[int] = 1

    hold_id: str
    document_ids: tuple[str, ...] = Field(default=(), description="Empty: the whole corpus.")
    matter: str = Field(min_length=1, max_length=200, description="The case that it serves.")
    reason: str = Field(min_length=1, max_length=2000)
    by: str = Field(min_length=1, max_length=200, description="Who ordered it.")
    at: str = Field(description="When, RFC 3339, UTC.")


class HoldRelease(CorpusItem):
    """That a hold has ended."""

    record_kind: ClassVar[str] = "release"
    id_field: ClassVar[str] = "release_id"
    schema_version: ClassVar[int] = 1

    release_id: str
    hold_id: str
    reason: str = Field(min_length=1, max_length=2000)
    by: str = Field(min_length=1, max_length=200, description="Who ended it.")
    at: str = Field(description="When, RFC 3339, UTC.")


class Retention(CorpusItem):
    """Generations that went by policy. Their numbers are not given again."""

    record_kind: ClassVar[str] = "retention"
    id_field: ClassVar[str] = "retention_id"
    schema_version: ClassVar[int] = 1

    retention_id: str
    generations: tuple[int, ...] = Field(min_length=1)
    build_ids: tuple[str, ...] = Field(description="Theirs, in the same order.")
    policy: str = Field(description="As it was asked for, e.g. 'keep 12m'.")
    at: str = Field(description="When, RFC 3339, UTC.")


class CompactionOwed(Record):
    """That a store's file is still to be compacted after an erasure: written with the certificate, removed after the compaction."""

    record_kind: ClassVar[str] = "compaction_owed"
    schema_version: ClassVar[int] = 1

    corpus_id: str
    erasure_id: str
    at: str = Field(description="Since when, RFC 3339, UTC: the time of the certificate.")
