"""What is in a store, and what is wrong with it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coditect.schemas.build import BuildSettings, Generation
from coditect.schemas.document import Failure
from coditect.schemas.record import Record

__all__ = ["CorpusStatus", "Finding", "ValidationReport"]


class CorpusStatus(Record):
    """The state of one corpus."""

    corpus_id: str
    name: str
    created_at: str
    generation: int
    build_id: str
    built_at: str
    settings: BuildSettings | None = None
    counts: dict[str, int] = Field(default_factory=dict)
    pending: int = Field(default=0, ge=0, description="Documents that changed since the last build.")
    failures: tuple[Failure, ...] = ()
    history: tuple[Generation, ...] = ()


class Finding(Record):
    """Something that validation found wrong."""

    check: Literal[
        "bytes", "hash", "newer", "offsets", "verbatim", "citations", "synthesis", "figures", "index", "completeness"
    ]
    record: str = Field(
        description="The record's table and place, e.g. 'extractions/policies/document_…/extraction_…'."
    )
    message: str


class ValidationReport(Record):
    """What validation read and what it found."""

    corpus_id: str
    generation: int
    build_id: str
    checked: dict[str, int] = Field(description="Records and index entries read, by table; characters compared.")
    findings: tuple[Finding, ...]
    seconds: float

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings
