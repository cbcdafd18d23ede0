"""What answers look like that are no record by themselves: pages of records and jobs, for the API's description."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, JsonValue, WithJsonSchema

from coditect.schemas import (
    AbsentTarget,
    AgreementRow,
    AuditEntry,
    Chunk,
    Claim,
    ConflictRow,
    CorpusChanges,
    CorpusStatus,
    CorpusSummary,
    Crosswalk,
    DecisionStatus,
    DocumentListing,
    DocumentVersion,
    Erasure,
    ErasureCertificate,
    ExtractionKind,
    LegalHold,
    Passage,
    PendingReview,
    Profile,
    RegisterRow,
    Section,
    Verdict,
    WaiverRow,
)
from coditect.server.jobs.records import Download, JobKind, JobState

__all__ = [
    "JOB",
    "AbsentList",
    "AgreementPage",
    "AuditPage",
    "ChangesPage",
    "ConflictPairs",
    "ConsistencyProof",
    "CorporaList",
    "CrosswalkPage",
    "DocumentPage",
    "ErasurePage",
    "HoldPage",
    "JobList",
    "JobTold",
    "PendingPage",
    "RegisterPage",
    "ReviewsPage",
    "StatusList",
    "StoredItem",
    "WaiverPage",
]

_EXTRACTION = {
    "title": "Extraction",
    "description": "As schemas/extraction.json has it: 'tier1_data' is of the kind that 'extraction_kind' names.",
    "type": "object",
    "required": ["extraction_id", "corpus_id", "document_id", "extraction_kind", "source_text", "tier1_data"],
    "properties": {
        **{name: {"type": "string"} for name in ("extraction_id", "corpus_id", "document_id", "source_text")},
        "extraction_kind": {"enum": list(get_args(ExtractionKind))},
        "tier1_data": {"type": "object"},
    },
}
ExtractionTold = Annotated[dict[str, Any], WithJsonSchema(_EXTRACTION)]
"""An extraction, whose own schema is a union inside of one class, which no description can hold beside others."""

StoredItem = ExtractionTold | Chunk | Section | Claim | Passage | DocumentVersion | Profile | Verdict | CorpusSummary
"""An item of any kind as it is stored."""


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Page(_Answer):
    corpus_id: str
    generation: int = Field(description="That the rows are of; ask for the pages behind with it as 'as_of'.")
    today: str = Field(description="The day that dates were held against, ISO 8601.")
    total: int = Field(ge=0, description="Rows of all pages.")
    next: str = Field(description="The cursor of the page behind; empty at the last.")


class DocumentPage(DocumentListing):
    """A page of documents."""

    total: int = Field(ge=0, description="Documents of all pages.")
    next: str = Field(description="The cursor of the page behind; empty at the last.")


class RegisterPage(_Page):
    """A page of a register."""

    rows: tuple[RegisterRow, ...]


class AgreementPage(_Page):
    """A page of contracts."""

    agreements: tuple[AgreementRow, ...]


class WaiverPage(_Page):
    """A page of exceptions."""

    waivers: tuple[WaiverRow, ...]


class ConflictPairs(_Page):
    """A page of possible conflicts."""

    conflicts: tuple[ConflictRow, ...]


class CrosswalkPage(Crosswalk):
    """A page of a crosswalk; what is told beside the rows is of all of them."""

    orphans: tuple[str, ...] = Field(
        default=(),
        description="Ids of binding statements that answer no part of a requirement: on the first page, absent on the others.",
    )
    total: int = Field(ge=0, description="Rows of all pages.")
    next: str = Field(description="The cursor of the page behind; empty at the last.")


class ChangesPage(CorpusChanges):
    """A page of changes: of 'documents' with their changes first, and of 'affected' behind them; the figures are of all."""

    total: int = Field(
        ge=0, description="Of all pages: changes, documents of which no change is told, and what rests on the changes."
    )
    next: str = Field(description="The cursor of the page behind; empty at the last.")


class _Listed(_Answer):
    corpus_id: str
    generation: int = Field(description="That the list is of; ask for the pages behind with it as 'as_of'.")
    total: int = Field(ge=0, description="Of all pages.")
    next: str = Field(description="The cursor of the page behind; empty at the last.")


class PendingPage(_Listed):
    """A page of what is left to a person."""

    pending: tuple[PendingReview, ...]


class ReviewsPage(_Listed):
    """A page of what persons decided."""

    reviews: tuple[DecisionStatus, ...]


class _Kept(_Answer):
    corpus_id: str
    total: int = Field(ge=0, description="Of all pages.")
    next: str = Field(description="The cursor of the page behind; empty at the last.")


class HoldPage(_Kept):
    """A page of legal holds."""

    holds: tuple[LegalHold, ...]


class ErasureListed(_Answer):
    """An erasure of the list."""

    log_index: int | None = Field(description="Of the log's entry that tells of it; null of one of another store.")
    erasure: Erasure
    certificate: ErasureCertificate | None = Field(description="Null while it waits.")


class ErasurePage(_Kept):
    """A page of erasures."""

    erasures: tuple[ErasureListed, ...]


class AbsentList(_Answer):
    """What documents refer to and the corpus does not hold."""

    corpus_id: str
    generation: int
    absent: tuple[AbsentTarget, ...]


class CorpusListed(_Answer):
    """A corpus of the list."""

    corpus_id: str
    name: str
    generation: int


class CorporaList(_Answer):
    """The corpora that the caller may know of."""

    corpora: tuple[CorpusListed, ...]


class StatusList(_Answer):
    """What is in each corpus."""

    tenant: str
    corpora: tuple[CorpusStatus, ...]


class AuditPage(_Answer):
    """A page of the audit trail."""

    entries: tuple[AuditEntry, ...]
    next_after: int | None = Field(description="What 'after' takes for the page behind; null at the last.")


class ConsistencyProof(_Answer):
    """That the log at one size is the beginning of what it is at another."""

    first: int
    second: int
    proof: tuple[str, ...] = Field(description="Hashes, base64, RFC 9162.")


class JobTold(_Answer):
    """A job as its caller is told of it."""

    format: Literal["job/1"]
    job_id: str
    kind: JobKind
    corpus_id: str
    caller: str = Field(description="Name of who asked.")
    state: JobState
    asked_at: str = Field(description="RFC 3339, UTC.")
    ended_at: str
    step: str = Field(description="What it is at.")
    done: int = Field(description="Pieces of the step that are done.")
    total: int = Field(description="Pieces that the step has; 0 where nobody knows.")
    result: JsonValue = Field(description="What the command line would have printed as JSON; null until it is done.")
    problem: dict[str, JsonValue] | None = Field(description="Why it failed.")
    download: Download | None = Field(description="The file that came of it, while it is kept.")


class JobList(_Answer):
    """The caller's jobs."""

    jobs: tuple[JobTold, ...]


JOB: dict[int | str, dict[str, Any]] = {202: {"model": JobTold}}
"""What is answered where a job was made."""
