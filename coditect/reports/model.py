"""The audit report as data: what the HTML shows and the JSON holds, complete and in reading order.

Every verbatim text comes with its place, so that a reader who has the files can check each one without this program. Places are
stored once, as *passages*; sections and claims name them.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, JsonValue

from coditect.schemas import (
    AbsentTarget,
    BuildSettings,
    ClaimKind,
    DecisionStatus,
    DutyPoint,
    ExtractionKind,
    ExtractionMethod,
    Failure,
    Generation,
    ItemDecision,
    Opinion,
    Profile,
    Record,
    Severity,
    Signal,
    ValidationReport,
)

__all__ = [
    "REPORT_FORMAT",
    "AuditReport",
    "Place",
    "ReportChunk",
    "ReportCitation",
    "ReportClaim",
    "ReportCounts",
    "ReportDocument",
    "ReportExtraction",
    "ReportMethod",
    "ReportPart",
    "ReportPassage",
    "ReportProof",
    "ReportSection",
]

REPORT_FORMAT: Literal["audit-report/1"] = "audit-report/1"


class Place(Record):
    """Where a verbatim text stands."""

    document_id: str = Field(description="Which document; see 'documents' for its file and hashes.")
    document_name: str = Field(description="Its path relative to the folder that was ingested.")
    version_id: str = Field(description="Version of the document.")
    raw_sha256: str = Field(description="SHA-256 of the file's bytes, 64 hex digits.")
    char_start: int = Field(ge=0, description="First code point in the canonical text.")
    char_end: int = Field(ge=1, description="One past the last code point.")
    page: int | None = Field(
        default=None, description="Physical page where it begins, from 1; absent where the format has none."
    )
    page_label: str = Field(default="", description="That page's printed label, if it has one.")
    last_page: int | None = Field(default=None, description="Physical page where it ends.")
    headings: tuple[str, ...] = Field(default=(), description="Printed labels and headings above it, outermost first.")
    locator: str = Field(default="", description="The whole path of numbers that a person would cite it by.")


class ReportExtraction(Record):
    """A Tier 1 item under a passage."""

    extraction_id: str = Field(description="Id, a hash of the whole item.")
    kind: ExtractionKind = Field(description="What it says: an obligation, a definition, …")
    text: str = Field(description="Verbatim: the document's text at the offsets.")
    char_start: int = Field(ge=0, description="First code point in the canonical text.")
    char_end: int = Field(ge=1, description="One past the last code point.")
    data: dict[str, JsonValue] = Field(
        description="What was read from it, as Tier 1 stores it: by kind the fields of a model in the schema of extractions."
    )
    entities: tuple[str, ...] = Field(description="Entities that it mentions, as printed.")
    confidence: float = Field(ge=0.0, le=1.0, description="Of the extractor, in what it read.")
    decided: ItemDecision | None = Field(
        default=None, description="What a person decided of it; of a correction, with what had been read before."
    )


class ReportChunk(Record):
    """The Tier 2 item that selected a passage."""

    chunk_id: str = Field(description="Id, a hash of the whole item.")
    heading: str = Field(description="Printed heading of the smallest section that holds the chunk.")
    char_start: int = Field(ge=0, description="First code point of the chunk.")
    char_end: int = Field(ge=1, description="One past the last code point of the chunk.")
    method: ExtractionMethod = Field(description="How its sentences were ranked.")
    sentence_count: int = Field(ge=1, description="Sentences that the chunk has in all.")
    rank: int = Field(ge=1, description="Rank of this sentence among the selected ones; 1 is the most salient.")
    salience: float = Field(ge=0.0, le=1.0, description="Score of this sentence within the chunk.")


class ReportPassage(Record):
    """A quoted sentence with everything under it, down to the characters of the file."""

    number: int = Field(ge=1, description="In this report.")
    text: str = Field(
        min_length=1, description="Verbatim: the document's text at the offsets, compared when the report was made."
    )
    place: Place = Field(description="Where it stands.")
    before: str = Field(description="The canonical text just before it, up to 200 code points.")
    after: str = Field(description="The canonical text just after it, up to 200 code points.")
    begins_document: bool = Field(description="Whether 'before' reaches back to the document's first code point.")
    ends_document: bool = Field(description="Whether 'after' reaches the document's last code point.")
    chunk: ReportChunk = Field(description="The chunk that selected it.")
    extractions: tuple[ReportExtraction, ...] = Field(description="Tier 1 items inside it, in document order.")


class ReportPart(Record):
    """A quote, or a sentence that the program wrote."""

    type: Literal["extractive", "synthetic"] = Field(
        description="Synthetic: written by the program; it says nothing of a document."
    )
    text: str = Field(min_length=1, description="As it stands in the section.")
    passage: int | None = Field(default=None, description="Number of the quote's passage; absent for synthetic parts.")


class ReportSection(Record):
    """A Tier 3 section."""

    number: int = Field(ge=1, description="In this report.")
    section_id: str = Field(description="Id, a hash of the whole item.")
    kind: str = Field(description="topic, conflict, measure, missing, open or uncovered.")
    topic: str = Field(description="What it is about.")
    document_count: int = Field(ge=1, description="Documents that speak to the topic.")
    quoted_document_count: int = Field(ge=1, description="Documents that it quotes.")
    chunk_count: int = Field(ge=1, description="Chunks that speak to the topic.")
    synthesis_ratio: float = Field(ge=0.0, le=1.0, description="Synthetic characters divided by all characters.")
    max_synthesis_ratio: float = Field(ge=0.0, le=1.0, description="The gate that it passed.")
    parts: tuple[ReportPart, ...] = Field(description="In the order of the section.")


class ReportCitation(Record):
    """A quote that a claim cites."""

    section_id: str = Field(description="Section that it cites.")
    section: int | None = Field(
        default=None, description="Number of that section in this report; absent if there is none."
    )
    part: int = Field(ge=0, description="Index of the quote in the section's parts.")
    passage: int | None = Field(
        default=None, description="Number of the quote's passage; absent if it leads to no quote."
    )


class ReportClaim(Record):
    """A Tier 4 claim with the verdict on it."""

    number: int = Field(ge=1, description="In its list; published, possible and refused claims are numbered apart.")
    claim_id: str = Field(description="Id, a hash of the whole claim.")
    finding_id: str = Field(
        default="", description="What it is known by in every generation, corpus and store; empty in those of 0.1.0."
    )
    rule: str = Field(default="", description="The class of rules that found it.")
    severity: Severity | None = Field(
        default=None, description="How much it asks of somebody: high, medium, low or information."
    )
    verdict_id: str = Field(description="Id, a hash of the whole verdict.")
    kind: ClaimKind = Field(description="What sort of statement it is.")
    text: str = Field(min_length=1, description="The claim.")
    topic: str = Field(description="Topic of the section that it rests on.")
    published: bool = Field(description="Whether it is part of the summary.")
    label: str = Field(description="supported, unsupported or needs_review.")
    support_score: float = Field(
        ge=0.0,
        le=1.0,
        description="The calibrated probability that the evidence supports the claim; 1 where that was established.",
    )
    confidence: float = Field(
        ge=0.0,
        le=1.0,
        description="How often what its class of rules finds was right where people read it; of claims of release 0.1.0 the "
        "support score times the mean confidence of the extractions under it.",
    )
    reason: str = Field(description="Why it was refused; empty for published claims.")
    checker: str = Field(description="Name and version of what gave the verdict.")
    signals: tuple[Signal, ...] = Field(description="Every check with its outcome.")
    opinions: tuple[Opinion, ...] = Field(default=(), description="What judges and reviewers say of it.")
    citations: tuple[ReportCitation, ...] = Field(description="Every quote that it cites, in order.")
    recipe: dict[str, Any] = Field(description="For figures and comparisons: how they were made, and what was counted.")


class ReportDocument(Record):
    """A document of the generation."""

    number: int = Field(ge=1, description="In this report.")
    document_id: str = Field(description="Id; outlives its versions.")
    version_id: str = Field(description="Id of this version, a hash of its record.")
    name: str = Field(description="Path relative to the folder that was ingested.")
    title: str = Field(description="Its own title, or empty.")
    media_type: str = Field(description="IANA media type.")
    page_count: int = Field(ge=0, description="Pages; 0 where the format has none.")
    text_length: int = Field(ge=0, description="Code points of canonical text.")
    raw_bytes: int = Field(ge=0, description="Size of the file in bytes.")
    raw_sha256: str = Field(description="SHA-256 of the file.")
    text_sha256: str = Field(description="SHA-256 of the canonical text in UTF-8.")
    reader: str = Field(description="Name and version of what read the file.")
    warnings: tuple[str, ...] = Field(description="What was lost or replaced in reading.")
    aliases: tuple[str, ...] = Field(description="Other names under which the same bytes were given.")
    extractions: dict[str, int] = Field(description="Tier 1 items by kind, sorted by kind.")
    chunk_count: int = Field(ge=0, description="Tier 2 items.")
    profile: Profile | None = Field(
        default=None,
        description="Role, parties, dates and owner, given or guessed; absent where a former release built it.",
    )
    standing: tuple[str, ...] = Field(
        default=(), description="What its dates say on the day of 'today': superseded, not in force, to be reviewed."
    )


class ReportCounts(Record):
    """The report in numbers."""

    documents: int = Field(ge=0, description="Documents of the generation.")
    pages: int = Field(ge=0, description="Pages of those documents whose format has pages.")
    characters: int = Field(ge=0, description="Code points of canonical text.")
    extractions: int = Field(ge=0, description="Tier 1 items.")
    extractions_by_kind: dict[str, int] = Field(description="The same by kind, sorted by kind.")
    chunks: int = Field(ge=0, description="Tier 2 items.")
    sections: int = Field(ge=0, description="Tier 3 items.")
    published: int = Field(ge=0, description="Claims that were published.")
    possible: int = Field(default=0, ge=0, description="Conflicts and gaps that rules alone do not publish.")
    refused: int = Field(ge=0, description="All other claims that were filtered; they are kept.")
    failures: int = Field(ge=0, description="Files that could not be taken in.")


class ReportMethod(Record):
    """How the generation was made."""

    settings: BuildSettings = Field(description="What the user chose for the build; 'today' stands beside it.")
    dates_since: str = Field(
        default="",
        description="The last day on which one of the documents' own dates came or passed, YYYY-MM-DD: on every day from it up "
        "to the next such day the build is the same. Empty where none did.",
    )
    code_versions: dict[str, str] = Field(description="Version of each step, sorted by step.")
    checkers: tuple[str, ...] = Field(description="Name and version of what gave the verdicts.")
    history: tuple[Generation, ...] = Field(description="Generations up to this one, oldest first.")


class ReportProof(Record):
    """What a reader's browser checks a report with: records as they are stored, and the log's proof of the generation."""

    records: dict[str, str] = Field(
        description="By id, of which each is the hash: the manifest, the summary, and every section and claim that is shown."
    )
    generation: str = Field(description="The record of the generation, which the log's entry is the hash of.")
    entry: str = Field(description="The log's entry that tells of the generation; empty where no checkpoint holds it.")
    log_proof: str = Field(
        description="C2SP tlog-proof of the entry, with the signed checkpoint; empty where there is none."
    )
    key: str = Field(
        description="The log's verifier key, where whoever made the report had it: compare it with your own."
    )


class AuditReport(Record):
    """One generation of one corpus: what is claimed, what was refused, and what everything rests on."""

    format: Literal["audit-report/1"] = Field(default=REPORT_FORMAT, description="Version of this shape.")
    corpus_id: str = Field(description="Of what.")
    corpus_name: str = Field(description="Its name for people, or empty.")
    generation: int = Field(ge=1, description="Which numbered state of the corpus.")
    build_id: str = Field(description="Hash of the manifest that reaches every item of it.")
    built_at: str = Field(description="When the generation was published, RFC 3339, UTC.")
    built_by: str = Field(description="Version of the program that built it.")
    generated_at: str = Field(description="When this report was made, RFC 3339, UTC.")
    today: str = Field(
        default="", description="The day against which 'standing' holds the documents' dates, YYYY-MM-DD."
    )
    generated_by: str = Field(description="Version of the program that made this report.")
    summary_id: str = Field(description="Id of the corpus summary.")
    counts: ReportCounts = Field(description="The report in numbers.")
    validation: ValidationReport | None = Field(
        default=None, description="What validation found, if it ran for this report."
    )
    claims: tuple[ReportClaim, ...] = Field(description="Published claims: the most severe first, then the surest.")
    trivial: dict[str, int] = Field(
        default_factory=dict, description="How many claims were true and not worth telling, by why."
    )
    empty: dict[str, str] = Field(default_factory=dict, description="Why a tier holds nothing, by tier.")
    possible: tuple[ReportClaim, ...] = Field(
        default=(),
        description="Conflicts and gaps that rules alone do not publish, with the reason: to be read by a person.",
    )
    refused: tuple[ReportClaim, ...] = Field(description="All other claims that were filtered, with the reason.")
    sections: tuple[ReportSection, ...] = Field(description="Tier 3, in order.")
    passages: tuple[ReportPassage, ...] = Field(description="Every quoted sentence once, in order of first use.")
    documents: tuple[ReportDocument, ...] = Field(description="By name.")
    absent: tuple[AbsentTarget, ...] = Field(
        default=(), description="What the documents refer to and the corpus does not hold, the most cited first."
    )
    decisions: tuple[DecisionStatus, ...] = Field(
        default=(), description="What persons decided of claims and extractions, by time, and what became of it."
    )
    duties: tuple[DutyPoint, ...] = Field(
        default=(),
        description="What became of the documents' duties from each generation to the next, the oldest first; of the last 20.",
    )
    failures: tuple[Failure, ...] = Field(description="Files that could not be taken in, by name.")
    method: ReportMethod = Field(description="How the generation was made.")
    proof: ReportProof | None = Field(
        default=None, description="What proves the report; absent of generations of release 0.1.0."
    )
