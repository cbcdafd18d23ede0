"""What is in a store, and what is wrong with it."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from coditect.schemas.build import BuildSettings, Generation
from coditect.schemas.document import Failure
from coditect.schemas.record import Record
from coditect.schemas.store import RowCount

__all__ = [
    "AbsentTarget",
    "CitedPlace",
    "CorpusStatus",
    "CorpusSweep",
    "Finding",
    "ReadingLoss",
    "SweepReport",
    "ValidationReport",
]


class CitedPlace(Record):
    """A reference to something outside the corpus, as an example."""

    document: str = Field(description="The name of the document that refers to it.")
    text: str = Field(description="The reference, verbatim.")
    sentence: str = Field(description="The sentence or line around it.")
    char_start: int = Field(ge=0, description="First code point of the reference in the document's text.")
    extraction_id: str


class AbsentTarget(Record):
    """A law, rulebook, standard or other document that is referred to, and is not in the corpus."""

    name: str
    references: int = Field(ge=1, description="All references to it, or to a place in it.")
    documents: tuple[str, ...] = Field(description="Names of the documents that refer to it, most references first.")
    sections: tuple[tuple[str, int], ...] = Field(
        description="(place in it, how often it is cited), the most cited first."
    )
    examples: tuple[CitedPlace, ...] = Field(description="References of different documents, at most three.")


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
    trivial: dict[str, int] = Field(
        default_factory=dict, description="Claims of the last build that were true and not worth telling, by why."
    )
    empty: dict[str, str] = Field(default_factory=dict, description="Why a tier of the last build is empty, by tier.")
    pending: int = Field(default=0, ge=0, description="Documents that changed since the last build.")
    failures: tuple[Failure, ...] = ()
    history: tuple[Generation, ...] = ()


class Finding(Record):
    """Something that validation found wrong."""

    check: Literal[
        "bytes",
        "hash",
        "newer",
        "offsets",
        "verbatim",
        "citations",
        "synthesis",
        "figures",
        "index",
        "completeness",
        "recomputed",
        "signature",
        "log",
    ]
    record: str = Field(
        description="The record's table and place, e.g. 'extractions/policies/document_…/extraction_…'."
    )
    message: str


class ReadingLoss(Record):
    """What a document's text does not hold of its file, or holds in another form; told when it was ingested, and nothing wrong."""

    name: str = Field(description="The document's name in the corpus.")
    message: str = Field(description="What was left out, replaced or read through, with its length and beginning.")


class ValidationReport(Record):
    """What validation read and what it found."""

    clean: bool = Field(description="Whether nothing was found.")
    corpus_id: str
    generation: int
    build_id: str
    checked: dict[str, int] = Field(description="Records and index entries read, by table; characters compared.")
    findings: tuple[Finding, ...]
    losses: tuple[ReadingLoss, ...] = Field(
        default=(), description="What the documents' texts do not hold of their files; nothing that validation found."
    )
    not_recomputed: tuple[str, ...] = Field(
        default=(), description="What a deep validation could not compute again, and why; nothing that it found."
    )
    not_logged: tuple[str, ...] = Field(
        default=(),
        description="What the log does not tell of, and why, where the corpus was held against it; no finding.",
    )
    compaction_owed: tuple[str, ...] = Field(
        default=(),
        description="Erasures after which the store's file is still to be compacted; nothing that validation found.",
    )
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


class CorpusSweep(Record):
    """What a sweep found in a corpus, and what it removed."""

    corpus_id: str
    state: Literal["found", "swept", "at work", "damaged", "held"] = Field(
        description="Of a dry run: found. Else everything dead was removed, or the reason why not all of it was."
    )
    reason: str = Field(default="", description="Why not everything was removed, or why the figures may be off.")
    live: dict[str, RowCount] = Field(
        description="By table: what a generation, the intake or a person's decision needs."
    )
    dead: dict[str, RowCount] = Field(description="By table: what nothing refers to.")
    removed: dict[str, RowCount] = Field(description="By table; empty in a dry run.")


class SweepReport(Record):
    """What a sweep found and removed."""

    applied: bool = Field(description="False for a dry run, which removes nothing.")
    corpora: tuple[CorpusSweep, ...]
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether no corpus was left alone."""
        return all(corpus.state in ("found", "swept") for corpus in self.corpora)

    @property
    def live_bytes(self) -> int:
        """Keys and values of all live rows."""
        return sum(count.size_bytes for corpus in self.corpora for count in corpus.live.values())

    @property
    def dead_bytes(self) -> int:
        """Keys and values of all dead rows, removed or not."""
        return sum(count.size_bytes for corpus in self.corpora for count in corpus.dead.values())
