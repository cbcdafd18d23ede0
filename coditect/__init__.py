"""coditect knowledge: a compliance knowledge store whose every sentence can be traced, proven and re-checked.

    from coditect import HierarchicalKnowledgeStore, Settings, open_knowledge

    with open_knowledge(Settings()) as knowledge:
        store = HierarchicalKnowledgeStore(knowledge)
        result = await store.query("policies", "incident reporting")

What can be imported from here is the public interface, with :mod:`coditect.testing` beside it; every other module may change
without notice (ADR 0027). Names are loaded when they are first used: importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coditect.compose import open_knowledge
    from coditect.errors import (
        BudgetExceeded,
        CoditectError,
        Conflict,
        Corrupt,
        EvidenceError,
        ImmutableViolation,
        Malformed,
        ModelError,
        NotExtractive,
        NotFound,
        QuoteNotFound,
        RateLimited,
        ReadError,
        Refused,
        SchemaError,
        StoreError,
        SynthesisRatioExceeded,
        TooLarge,
        Unavailable,
        Unreachable,
        Unsupported,
        UsageError,
    )
    from coditect.knowledge.archive.export import ExportReport
    from coditect.knowledge.archive.importing import ImportReport
    from coditect.knowledge.async_store import HierarchicalKnowledgeStore, ValidationAgent
    from coditect.knowledge.derivation.report import BuildReport
    from coditect.knowledge.ingest.intake import FileOutcome, FileStatus, IngestReport
    from coditect.knowledge.progress import Progress
    from coditect.knowledge.service import Knowledge
    from coditect.reports.html import render_html
    from coditect.reports.model import (
        AuditReport,
        Place,
        ReportChunk,
        ReportCitation,
        ReportClaim,
        ReportCounts,
        ReportDocument,
        ReportExtraction,
        ReportMethod,
        ReportPart,
        ReportPassage,
        ReportSection,
    )
    from coditect.reports.verify import render_text_report
    from coditect.schemas import (
        AgentSettings,
        BoundaryMethod,
        BuildSettings,
        CheckedSentence,
        Chunk,
        ChunkType,
        Citation,
        Claim,
        ClaimKind,
        ClaimSource,
        CorpusStatus,
        CorpusSummary,
        Decision,
        DocumentVersion,
        Drift,
        DriftCause,
        Duty,
        Entity,
        EvidenceSpan,
        Expansion,
        Extraction,
        ExtractionKind,
        ExtractionMethod,
        Failure,
        Finding,
        Fusion,
        Generation,
        Granularity,
        Hit,
        Item,
        Judge,
        KnowledgeTier,
        Measure,
        Modality,
        Opinion,
        PartScore,
        Passage,
        PassageSettings,
        PendingReview,
        QueryResult,
        Reference,
        Relevance,
        ReplayReport,
        Resolution,
        ResolutionKind,
        Review,
        SearchFilters,
        SearchMode,
        SearchOptions,
        Section,
        SectionPart,
        SelectedSentence,
        Signal,
        Source,
        Standalone,
        TextEvidence,
        TextReport,
        TreeEntry,
        ValidationReport,
        Verdict,
        VerdictLabel,
    )
    from coditect.settings import Settings
    from coditect.store.view import View
    from coditect.verify.checker import Evidence

__all__ = [
    "AgentSettings",
    "AuditReport",
    "BoundaryMethod",
    "BudgetExceeded",
    "BuildReport",
    "BuildSettings",
    "CheckedSentence",
    "Chunk",
    "ChunkType",
    "Citation",
    "Claim",
    "ClaimKind",
    "ClaimSource",
    "CoditectError",
    "Conflict",
    "CorpusStatus",
    "CorpusSummary",
    "Corrupt",
    "Decision",
    "DocumentVersion",
    "Drift",
    "DriftCause",
    "Duty",
    "Entity",
    "Evidence",
    "EvidenceError",
    "EvidenceSpan",
    "Expansion",
    "ExportReport",
    "Extraction",
    "ExtractionKind",
    "ExtractionMethod",
    "Failure",
    "FileOutcome",
    "FileStatus",
    "Finding",
    "Fusion",
    "Generation",
    "Granularity",
    "HierarchicalKnowledgeStore",
    "Hit",
    "ImmutableViolation",
    "ImportReport",
    "IngestReport",
    "Item",
    "Judge",
    "Knowledge",
    "KnowledgeTier",
    "Malformed",
    "Measure",
    "Modality",
    "ModelError",
    "NotExtractive",
    "NotFound",
    "Opinion",
    "PartScore",
    "Passage",
    "PassageSettings",
    "PendingReview",
    "Place",
    "Progress",
    "QueryResult",
    "QuoteNotFound",
    "RateLimited",
    "ReadError",
    "Reference",
    "Refused",
    "Relevance",
    "ReplayReport",
    "ReportChunk",
    "ReportCitation",
    "ReportClaim",
    "ReportCounts",
    "ReportDocument",
    "ReportExtraction",
    "ReportMethod",
    "ReportPart",
    "ReportPassage",
    "ReportSection",
    "Resolution",
    "ResolutionKind",
    "Review",
    "SchemaError",
    "SearchFilters",
    "SearchMode",
    "SearchOptions",
    "Section",
    "SectionPart",
    "SelectedSentence",
    "Settings",
    "Signal",
    "Source",
    "Standalone",
    "StoreError",
    "SynthesisRatioExceeded",
    "TextEvidence",
    "TextReport",
    "TooLarge",
    "TreeEntry",
    "Unavailable",
    "Unreachable",
    "Unsupported",
    "UsageError",
    "ValidationAgent",
    "ValidationReport",
    "Verdict",
    "VerdictLabel",
    "View",
    "__version__",
    "open_knowledge",
    "render_html",
    "render_text_report",
]

__version__ = "0.1.0"

_ELSEWHERE = {
    "coditect.compose": ("open_knowledge",),
    "coditect.errors": (
        "BudgetExceeded",
        "CoditectError",
        "Conflict",
        "Corrupt",
        "EvidenceError",
        "ImmutableViolation",
        "Malformed",
        "ModelError",
        "NotExtractive",
        "NotFound",
        "QuoteNotFound",
        "RateLimited",
        "ReadError",
        "Refused",
        "SchemaError",
        "StoreError",
        "SynthesisRatioExceeded",
        "TooLarge",
        "Unavailable",
        "Unreachable",
        "Unsupported",
        "UsageError",
    ),
    "coditect.knowledge.archive.export": ("ExportReport",),
    "coditect.knowledge.archive.importing": ("ImportReport",),
    "coditect.knowledge.async_store": ("HierarchicalKnowledgeStore", "ValidationAgent"),
    "coditect.knowledge.derivation.report": ("BuildReport",),
    "coditect.knowledge.ingest.intake": ("FileOutcome", "FileStatus", "IngestReport"),
    "coditect.knowledge.progress": ("Progress",),
    "coditect.knowledge.service": ("Knowledge",),
    "coditect.reports.html": ("render_html",),
    "coditect.reports.model": (
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
        "ReportSection",
    ),
    "coditect.reports.verify": ("render_text_report",),
    "coditect.settings": ("Settings",),
    "coditect.store.view": ("View",),
    "coditect.verify.checker": ("Evidence",),
}
"""Names that are not records, by the module that holds them; all others are in ``coditect.schemas``."""

_HOMES = dict.fromkeys(__all__, "coditect.schemas") | {
    name: module for module, names in _ELSEWHERE.items() for name in names
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name is
    """Load a public name."""
    if name not in _HOMES:
        raise AttributeError(f"module 'coditect' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return __all__
