"""The public names, for type checkers and editors; written by tools/contracts.py from the table beside it."""

from coditect.compose import (
    open_knowledge as open_knowledge,
)
from coditect.errors import (
    BudgetExceeded as BudgetExceeded,
    CoditectError as CoditectError,
    Conflict as Conflict,
    Corrupt as Corrupt,
    EvidenceError as EvidenceError,
    ImmutableViolation as ImmutableViolation,
    InvalidProof as InvalidProof,
    Malformed as Malformed,
    ModelError as ModelError,
    NewerRecord as NewerRecord,
    NotConfigured as NotConfigured,
    NotExtractive as NotExtractive,
    NotFound as NotFound,
    OverQuota as OverQuota,
    QuoteNotFound as QuoteNotFound,
    RateLimited as RateLimited,
    ReadError as ReadError,
    Refused as Refused,
    SchemaError as SchemaError,
    StoreError as StoreError,
    SynthesisRatioExceeded as SynthesisRatioExceeded,
    TooLarge as TooLarge,
    Unavailable as Unavailable,
    Unreachable as Unreachable,
    Unsupported as Unsupported,
    Unwritable as Unwritable,
    UsageError as UsageError,
)
from coditect.knowledge.archive.export import (
    ExportReport as ExportReport,
)
from coditect.knowledge.archive.importing import (
    ImportReport as ImportReport,
)
from coditect.knowledge.async_store import (
    HierarchicalKnowledgeStore as HierarchicalKnowledgeStore,
    ValidationAgent as ValidationAgent,
)
from coditect.knowledge.building.publication import (
    Validator as Validator,
)
from coditect.knowledge.building.recomputation import (
    RecomputationForecast as RecomputationForecast,
)
from coditect.knowledge.derivation.report import (
    BuildReport as BuildReport,
)
from coditect.knowledge.erasure.desk import (
    ErasureEntry as ErasureEntry,
)
from coditect.knowledge.erasure.execution import (
    ErasureOutcome as ErasureOutcome,
)
from coditect.knowledge.erasure.outlook import (
    RemovalOutlook as RemovalOutlook,
)
from coditect.knowledge.erasure.request import (
    ErasureForecast as ErasureForecast,
)
from coditect.knowledge.erasure.retention import (
    RetentionForecast as RetentionForecast,
)
from coditect.knowledge.ingest.intake import (
    FileOutcome as FileOutcome,
    FileStatus as FileStatus,
    IngestReport as IngestReport,
)
from coditect.knowledge.model_roles.on_request.examiner import (
    Examiner as Examiner,
)
from coditect.knowledge.progress import (
    Progress as Progress,
)
from coditect.knowledge.report.audit.trail import (
    AuditFilters as AuditFilters,
)
from coditect.knowledge.report.bundles.collection import (
    BundleReport as BundleReport,
    BundleSubject as BundleSubject,
)
from coditect.knowledge.report.registers.selection import (
    RegisterFilters as RegisterFilters,
)
from coditect.knowledge.service import (
    Knowledge as Knowledge,
)
from coditect.reports.html import (
    render_html as render_html,
)
from coditect.reports.model import (
    AuditReport as AuditReport,
    Place as Place,
    ReportChunk as ReportChunk,
    ReportCitation as ReportCitation,
    ReportClaim as ReportClaim,
    ReportCounts as ReportCounts,
    ReportDocument as ReportDocument,
    ReportExtraction as ReportExtraction,
    ReportMethod as ReportMethod,
    ReportPart as ReportPart,
    ReportPassage as ReportPassage,
    ReportProof as ReportProof,
    ReportSection as ReportSection,
)
from coditect.reports.verify import (
    render_text_report as render_text_report,
)
from coditect.schemas import (
    AbsentTarget as AbsentTarget,
    AffectedItem as AffectedItem,
    AffectedKind as AffectedKind,
    AgentSettings as AgentSettings,
    AgreementField as AgreementField,
    AgreementRow as AgreementRow,
    AgreementTerm as AgreementTerm,
    AssessedVerdict as AssessedVerdict,
    AuditEntry as AuditEntry,
    AuditState as AuditState,
    BoundaryMethod as BoundaryMethod,
    BuildSettings as BuildSettings,
    Calibration as Calibration,
    CalibrationPart as CalibrationPart,
    CalibrationReport as CalibrationReport,
    CalibrationState as CalibrationState,
    CalibrationSwitch as CalibrationSwitch,
    CarriedProvision as CarriedProvision,
    ChangeKind as ChangeKind,
    ChangedSide as ChangedSide,
    ChangedWords as ChangedWords,
    CheckedSentence as CheckedSentence,
    Chunk as Chunk,
    ChunkType as ChunkType,
    Citation as Citation,
    CitedPlace as CitedPlace,
    Claim as Claim,
    ClaimKind as ClaimKind,
    ClaimSource as ClaimSource,
    Clause as Clause,
    ConflictDifference as ConflictDifference,
    ConflictRow as ConflictRow,
    ConflictSide as ConflictSide,
    CorpusChanges as CorpusChanges,
    CorpusStatus as CorpusStatus,
    CorpusSummary as CorpusSummary,
    CorpusSweep as CorpusSweep,
    CrossReferenceData as CrossReferenceData,
    CrosswalkEvidence as CrosswalkEvidence,
    CrosswalkLabel as CrosswalkLabel,
    CrosswalkRow as CrosswalkRow,
    CustomData as CustomData,
    Deadline as Deadline,
    Decision as Decision,
    DecisionState as DecisionState,
    DecisionStatus as DecisionStatus,
    DefinitionData as DefinitionData,
    DefinitionForm as DefinitionForm,
    DifferenceFamily as DifferenceFamily,
    Disagreement as Disagreement,
    DocumentChanges as DocumentChanges,
    DocumentRole as DocumentRole,
    DocumentVersion as DocumentVersion,
    Drift as Drift,
    DriftCause as DriftCause,
    Duty as Duty,
    DutyChange as DutyChange,
    DutyClass as DutyClass,
    DutyField as DutyField,
    DutyHistory as DutyHistory,
    DutyPoint as DutyPoint,
    DutyVerdict as DutyVerdict,
    EarlierDecision as EarlierDecision,
    EndBasis as EndBasis,
    Entity as Entity,
    Erasure as Erasure,
    ErasureCertificate as ErasureCertificate,
    ErasureScan as ErasureScan,
    EvidenceSpan as EvidenceSpan,
    Examination as Examination,
    ExaminerReads as ExaminerReads,
    Expansion as Expansion,
    Extraction as Extraction,
    ExtractionData as ExtractionData,
    ExtractionKind as ExtractionKind,
    ExtractionMethod as ExtractionMethod,
    Failure as Failure,
    FeedEntry as FeedEntry,
    FeedEvent as FeedEvent,
    Finding as Finding,
    FittedPart as FittedPart,
    Frequency as Frequency,
    Fusion as Fusion,
    FusionFigures as FusionFigures,
    GateFigures as GateFigures,
    Generation as Generation,
    Granularity as Granularity,
    Hit as Hit,
    HoldRelease as HoldRelease,
    IndexCondition as IndexCondition,
    IndexStatus as IndexStatus,
    Interval as Interval,
    Item as Item,
    ItemDecision as ItemDecision,
    Judge as Judge,
    KnowledgeTier as KnowledgeTier,
    LegalHold as LegalHold,
    LogHead as LogHead,
    MarkChange as MarkChange,
    Measure as Measure,
    Modality as Modality,
    NamedBy as NamedBy,
    NormData as NormData,
    ObligationData as ObligationData,
    Opinion as Opinion,
    PageRectangles as PageRectangles,
    PartScore as PartScore,
    Passage as Passage,
    PassageSettings as PassageSettings,
    PendingReview as PendingReview,
    PermissionData as PermissionData,
    PersonSignature as PersonSignature,
    Position as Position,
    Profile as Profile,
    ProfileFact as ProfileFact,
    ProfileParty as ProfileParty,
    ProhibitionData as ProhibitionData,
    PropositionData as PropositionData,
    ProvisionChange as ProvisionChange,
    QuantityData as QuantityData,
    QuantityKind as QuantityKind,
    QueryResult as QueryResult,
    ReadingLoss as ReadingLoss,
    Reference as Reference,
    RegisterKind as RegisterKind,
    RegisterRow as RegisterRow,
    Relevance as Relevance,
    RelevanceMark as RelevanceMark,
    ReliabilityBin as ReliabilityBin,
    ReplayReport as ReplayReport,
    Resolution as Resolution,
    ResolutionKind as ResolutionKind,
    Restatement as Restatement,
    Review as Review,
    ReviewedExtraction as ReviewedExtraction,
    ReviewedRow as ReviewedRow,
    ReviewedSentence as ReviewedSentence,
    RowCount as RowCount,
    SearchFilters as SearchFilters,
    SearchMode as SearchMode,
    SearchOptions as SearchOptions,
    Section as Section,
    SectionPart as SectionPart,
    SelectedSentence as SelectedSentence,
    SentenceAssessment as SentenceAssessment,
    Severity as Severity,
    Signal as Signal,
    SignatureStatus as SignatureStatus,
    SignerChange as SignerChange,
    SignerKey as SignerKey,
    Source as Source,
    Standalone as Standalone,
    StatedMeasure as StatedMeasure,
    Strength as Strength,
    SupportFigures as SupportFigures,
    SweepReport as SweepReport,
    TextEvidence as TextEvidence,
    TextLabel as TextLabel,
    TextReport as TextReport,
    Tier1Data as Tier1Data,
    TracedChange as TracedChange,
    TreeEntry as TreeEntry,
    ValidationReport as ValidationReport,
    Verdict as Verdict,
    VerdictChange as VerdictChange,
    VerdictLabel as VerdictLabel,
    WaiverDecision as WaiverDecision,
    WaiverEndBasis as WaiverEndBasis,
    WaiverKind as WaiverKind,
    WaiverRow as WaiverRow,
    WaiverStatus as WaiverStatus,
    WaiverTarget as WaiverTarget,
)
from coditect.schemas.quota import (
    Quota as Quota,
    QuotaReport as QuotaReport,
    TenantUsage as TenantUsage,
)
from coditect.settings import (
    Settings as Settings,
)
from coditect.store.view import (
    View as View,
)
from coditect.transparency.notes import (
    Signer as Signer,
    VerifierKey as VerifierKey,
)
from coditect.verify.checker import (
    Evidence as Evidence,
)

__all__: list[str]
__version__: str
