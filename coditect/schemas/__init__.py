"""Every record that is stored or sent, as pydantic models. JSON Schemas of them lie in the folder ``schemas/``.

A record's module is loaded when one of its names is first used: a process of one question needs a third of them, and making the
classes is a quarter of its time. For type checkers and editors 'make contracts' writes the same names into ``__init__.pyi``.
"""

from __future__ import annotations

from importlib import import_module

_NAMES = {
    "coditect.schemas.agreement": "AGREEMENT_FIELDS AgreementField AgreementRow AgreementTerm EndBasis",
    "coditect.schemas.answer": "AnswerCitation AnswerPart AnswerUsage Asked ModelAnswer OpenBatch",
    "coditect.schemas.archive": "ArchiveHeader ArchiveTable ArchiveTrailer",
    "coditect.schemas.audit": "AuditEntry AuditState",
    "coditect.schemas.build": """
        OF_BLOBS AgentSettings BuildSettings Corpus Derivation FeedEntry FeedEvent Generation LeftOut Manifest Stage
        Tree TreeEntry commitment_to derivation_id_for first_derivation_id outputs_digest
    """,
    "coditect.schemas.calibration": """
        Calibration CalibrationPart CalibrationReport CalibrationState CalibrationSwitch FittedPart Interval MarkChange
        RelevanceMark ReliabilityBin SupportFigures VerdictChange
    """,
    "coditect.schemas.change": """
        AffectedItem AffectedKind CarriedProvision ChangedSide ChangedWords ChangeKind CorpusChanges DocumentChanges
        DutyChange DutyClass DutyField DutyHistory DutyPoint DutyVerdict NamedBy ProvisionChange TracedChange
    """,
    "coditect.schemas.chunk": "EXTRACTION_METHODS Chunk Duty ExtractionMethod Measure SelectedSentence",
    "coditect.schemas.claim": "Claim ClaimKind ClaimSource CorpusSummary Restatement Severity finding_id_for",
    "coditect.schemas.conflict": "ConflictDifference ConflictPage ConflictRow ConflictSide DifferenceFamily",
    "coditect.schemas.crosswalk": """
        AssessedVerdict CheckedClaim ClaimVerdict ComparedFile Crosswalk CrosswalkEvidence CrosswalkLabel CrosswalkRow
        EarlierDecision FamilyCoverage FrameworkColumns MappingCheck ReviewedSentence SentenceAssessment
    """,
    "coditect.schemas.decision": "Decision DecisionState ItemDecision",
    "coditect.schemas.document": "DocumentVersion Failure Intake document_id_for document_order",
    "coditect.schemas.erasure": """
        CompactionOwed ErasedStep ErasedSummary Erasure ErasureCertificate ErasureScan HoldRelease LegalHold Retention
        Tombstone
    """,
    "coditect.schemas.extraction": "Entity Extraction",
    "coditect.schemas.figures": "FusionFigures GateFigures",
    "coditect.schemas.grid": "ClauseCell ClauseRow ClauseStatus ContractGrid",
    "coditect.schemas.listing": "DocumentListing DrillDown ListedDocument",
    "coditect.schemas.log": "LogAct LogEvent LogEventKind LogHead LogPrincipal",
    "coditect.schemas.page": "PageRectangles",
    "coditect.schemas.passage": "BoundaryMethod ChunkType Passage PassageSettings",
    "coditect.schemas.profile": """
        DOCUMENT_ROLES CorpusManifest DeclaredProfile DocumentRole ManifestApprovals ManifestEntry Profile ProfileFact
        ProfileParty
    """,
    "coditect.schemas.query": """
        GRANULARITIES SEARCH_MODES TIER_NAMES Expansion Fusion Granularity Hit KnowledgeTier Modality PartScore
        QueryResult Reference Relevance SearchFilters SearchMode SearchOptions Source TierName
    """,
    "coditect.schemas.questionnaire": "AnsweredQuestion AnsweredQuestionnaire AskedQuestion QuestionStatus QuotedAnswer",
    "coditect.schemas.record": "CorpusItem DocumentItem Item Record canonical_json sha256_hex tag_of",
    "coditect.schemas.register": "RegisterKind RegisterRow",
    "coditect.schemas.replay": "Drift DriftCause ReplayReport",
    "coditect.schemas.review": "DecisionStatus PendingReview Review ReviewedExtraction ReviewedRow",
    "coditect.schemas.section": "Citation Section SectionPart synthesis_ratio",
    "coditect.schemas.signature": "TENANT CorpusPolicy PersonSignature SignatureStatus SignerChange SignerKey",
    "coditect.schemas.standalone": "Resolution ResolutionKind Standalone",
    "coditect.schemas.status": """
        AbsentTarget CitedPlace CorpusStatus CorpusSweep Finding ReadingLoss SweepReport ValidationReport
    """,
    "coditect.schemas.store": """
        IndexCondition IndexProgress IndexState IndexStatus StoreHeader UpgradeProgress RowCount Work
    """,
    "coditect.schemas.text_report": """
        CheckedSentence Disagreement Examination ExaminerReads TextEvidence TextLabel TextReport quoted_by_model
    """,
    "coditect.schemas.tier1.data": """
        Clause CrossReferenceData CustomData Deadline DefinitionData DefinitionForm ExtractionData ExtractionKind
        Frequency NormData ObligationData PermissionData Position ProhibitionData PropositionData QuantityData
        QuantityKind StatedMeasure Strength Tier1Data
    """,
    "coditect.schemas.token": "AccessToken",
    "coditect.schemas.verdict": "REWRITE EvidenceSpan Judge Opinion Signal Verdict VerdictLabel doubt_in hint_of",
    "coditect.schemas.waiver": "WaiverDecision WaiverEndBasis WaiverKind WaiverRow WaiverStatus WaiverTarget",
}
"""The names by the module that holds them."""

_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - a list of what the table says


def __getattr__(name: str) -> object:
    """Load a name; from then on it is a plain one of this module."""
    if name not in _HOMES:
        raise AttributeError(f"module 'coditect.schemas' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    """The names, loaded or not."""
    return __all__
