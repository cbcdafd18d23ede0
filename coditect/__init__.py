"""coditect knowledge: a compliance knowledge store whose every sentence can be traced, proven and re-checked.

    from coditect import HierarchicalKnowledgeStore, Settings, open_knowledge

    with open_knowledge(Settings()) as knowledge:
        store = HierarchicalKnowledgeStore(knowledge)
        result = await store.query("policies", "incident reporting")

What can be imported from here is the public interface, with :mod:`coditect.client` and :mod:`coditect.testing` beside it; every
other module may change without notice (ADR 0027). Names are loaded when they are first used: importing the package costs nothing.
For type checkers and editors 'make contracts' writes the same names into ``__init__.pyi``.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.2.0"

_NAMES = {
    "coditect.compose": "open_knowledge",
    "coditect.errors": """
        AccessDenied BudgetExceeded CoditectError Conflict Corrupt EvidenceError ImmutableViolation InvalidProof Malformed
        ModelError NewerRecord NotConfigured NotExtractive NotFound OverQuota QuoteNotFound RateLimited ReadError Refused
        SchemaError StoreError SynthesisRatioExceeded TooLarge Unavailable Unreachable Unsupported Unwritable UsageError
    """,
    "coditect.knowledge.archive.export": "ExportReport",
    "coditect.knowledge.archive.importing": "ImportReport",
    "coditect.knowledge.async_store": "HierarchicalKnowledgeStore ValidationAgent",
    "coditect.knowledge.building.publication": "Validator",
    "coditect.knowledge.building.recomputation": "RecomputationForecast",
    "coditect.knowledge.derivation.report": "BuildReport",
    "coditect.knowledge.erasure.desk": "ErasureEntry",
    "coditect.knowledge.erasure.execution": "ErasureOutcome",
    "coditect.knowledge.erasure.outlook": "RemovalOutlook",
    "coditect.knowledge.erasure.request": "ErasureForecast",
    "coditect.knowledge.erasure.retention": "RetentionForecast",
    "coditect.knowledge.ingest.intake": "FileOutcome FileStatus IngestReport",
    "coditect.knowledge.model_roles.on_request.examiner": "Examiner",
    "coditect.knowledge.progress": "Progress",
    "coditect.knowledge.report.audit.trail": "AuditFilters",
    "coditect.knowledge.report.bundles.collection": "BundleReport BundleSubject",
    "coditect.knowledge.report.registers.selection": "RegisterFilters",
    "coditect.knowledge.service": "Knowledge",
    "coditect.reports.html": "render_html",
    "coditect.reports.model": """
        AuditReport Place ReportChunk ReportCitation ReportClaim ReportCounts ReportDocument ReportExtraction ReportMethod
        ReportPart ReportPassage ReportProof ReportSection
    """,
    "coditect.reports.verify": "render_text_report",
    "coditect.schemas": """
        AbsentTarget AffectedItem AffectedKind AgentSettings AgreementField AgreementRow AgreementTerm AnsweredQuestion
        AnsweredQuestionnaire AskedQuestion AssessedVerdict AuditEntry AuditState BoundaryMethod BuildSettings Calibration
        CalibrationPart CalibrationReport CalibrationState CalibrationSwitch CarriedProvision ChangeKind ChangedSide
        ChangedWords CheckedSentence Chunk ChunkType Citation CitedPlace Claim ClaimKind ClaimSource Clause ClauseCell
        ClauseRow ClauseStatus ComparedFile ContractGrid Crosswalk ConflictDifference ConflictPage ConflictRow ConflictSide
        CorpusChanges CorpusStatus CorpusSummary CorpusSweep CrossReferenceData CrosswalkEvidence CrosswalkLabel CrosswalkRow
        CustomData Deadline Decision DecisionState DecisionStatus DefinitionData DefinitionForm DifferenceFamily Disagreement
        DocumentChanges DocumentRole DocumentVersion DrillDown Drift DriftCause Duty DutyChange DutyClass DutyField
        DutyHistory DutyPoint DutyVerdict EarlierDecision EndBasis Entity Erasure ErasureCertificate ErasureScan
        EvidenceSpan Examination ExaminerReads Expansion Extraction ExtractionData ExtractionKind ExtractionMethod Failure
        FamilyCoverage FeedEntry FeedEvent Finding FittedPart Frequency FrameworkColumns Fusion FusionFigures GateFigures
        Generation Granularity Hit HoldRelease IndexCondition IndexStatus Interval Item ItemDecision Judge KnowledgeTier
        LegalHold ListedDocument LogHead MarkChange Measure Modality NamedBy NormData ObligationData Opinion PageRectangles
        PartScore Passage PassageSettings PendingReview PermissionData PersonSignature Position Profile ProfileFact
        ProfileParty ProhibitionData PropositionData ProvisionChange QuantityData QuantityKind QueryResult QuestionStatus
        QuotedAnswer ReadingLoss Reference RegisterKind RegisterRow Relevance RelevanceMark ReliabilityBin ReplayReport
        Resolution ResolutionKind Restatement Review ReviewedExtraction ReviewedRow ReviewedSentence RowCount SearchFilters
        SearchMode SearchOptions Section SectionPart SelectedSentence SentenceAssessment Severity Signal SignatureStatus
        SignerChange SignerKey Source Standalone StatedMeasure Strength SupportFigures SweepReport TextEvidence TextLabel
        TextReport Tier1Data TracedChange TreeEntry ValidationReport Verdict VerdictChange VerdictLabel WaiverDecision
        WaiverEndBasis WaiverKind WaiverRow WaiverStatus WaiverTarget
    """,
    "coditect.schemas.quota": "Quota QuotaReport TenantUsage",
    "coditect.settings": "Settings",
    "coditect.store.view": "View",
    "coditect.transparency.notes": "Signer VerifierKey",
    "coditect.verify.checker": "Evidence",
}
"""The public names by the module that holds them."""

_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted((*_HOMES, "__version__"))  # noqa: PLE0605 - a list of what the table says


def __getattr__(name: str) -> object:
    """Load a public name."""
    if name not in _HOMES:
        raise AttributeError(f"module 'coditect' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return __all__
