"""What is in a store, and what is wrong with it."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

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

    check: Literal["bytes", "hash", "offsets", "verbatim", "citations", "synthesis", "figures", "index", "completeness"]
    record: str = Field(
        description="The record's table and place, e.g. 'extractions/policies/document_…/extraction_…'."
    )
    message: str


class ValidationReport(Record):
    """What validation read and what it found."""

    clean: bool = Field(description="Whether nothing was found.")
    corpus_id: str
    generation: int
    build_id: str
    checked: dict[str, int] = Field(description="Records and index entries read, by table; characters compared.")
    findings: tuple[Finding, ...]
    seconds: float

    @model_validator(mode="before")
    @classmethod
    def _stated(cls, values: Any) -> Any:  # noqa: ANN401 - whatever is to be validated
        """Reports of 0.1.0 inside audit reports do not say whether they are clean; their findings do."""
        return {"clean": not values.get("findings"), **values} if isinstance(values, dict) else values

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.clean == bool(self.findings):
            raise ValueError("a report is clean if, and only if, nothing was found")
        return self
