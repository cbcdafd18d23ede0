"""Every record that is stored or sent, as pydantic models. JSON Schemas of them lie in the folder ``schemas/``."""

from coditect.schemas.archive import ArchiveHeader, ArchiveTable, ArchiveTrailer
from coditect.schemas.build import (
    BuildSettings,
    Corpus,
    Derivation,
    FeedEvent,
    Generation,
    Manifest,
    Stage,
    Tree,
    TreeEntry,
    derivation_id_for,
)
from coditect.schemas.chunk import EXTRACTION_METHODS, Chunk, Duty, ExtractionMethod, Measure, SelectedSentence
from coditect.schemas.claim import Claim, ClaimKind, ClaimSource, CorpusSummary, Signal, Verdict
from coditect.schemas.document import DocumentVersion, Failure, Intake, document_id_for
from coditect.schemas.extraction import Entity, Extraction, ExtractionKind
from coditect.schemas.query import TIER_NAMES, Hit, KnowledgeTier, QueryResult, Source, TierName
from coditect.schemas.record import CorpusItem, DocumentItem, Item, Record, canonical_json, sha256_hex, tag_of
from coditect.schemas.section import Citation, Section, SectionPart, synthesis_ratio
from coditect.schemas.status import CorpusStatus, Finding, ValidationReport

__all__ = [
    "EXTRACTION_METHODS",
    "TIER_NAMES",
    "ArchiveHeader",
    "ArchiveTable",
    "ArchiveTrailer",
    "BuildSettings",
    "Chunk",
    "Citation",
    "Claim",
    "ClaimKind",
    "ClaimSource",
    "Corpus",
    "CorpusItem",
    "CorpusStatus",
    "CorpusSummary",
    "Derivation",
    "DocumentItem",
    "DocumentVersion",
    "Duty",
    "Entity",
    "Extraction",
    "ExtractionKind",
    "ExtractionMethod",
    "Failure",
    "FeedEvent",
    "Finding",
    "Generation",
    "Hit",
    "Intake",
    "Item",
    "KnowledgeTier",
    "Manifest",
    "Measure",
    "QueryResult",
    "Record",
    "Section",
    "SectionPart",
    "SelectedSentence",
    "Signal",
    "Source",
    "Stage",
    "TierName",
    "Tree",
    "TreeEntry",
    "ValidationReport",
    "Verdict",
    "canonical_json",
    "derivation_id_for",
    "document_id_for",
    "sha256_hex",
    "synthesis_ratio",
    "tag_of",
]
