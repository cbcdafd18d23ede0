"""The names of records, for type checkers and editors; written by tools/contracts.py from the table beside it."""

from coditect.schemas.agreement import (
    AGREEMENT_FIELDS as AGREEMENT_FIELDS,
    AgreementField as AgreementField,
    AgreementRow as AgreementRow,
    AgreementTerm as AgreementTerm,
    EndBasis as EndBasis,
)
from coditect.schemas.answer import (
    AnswerCitation as AnswerCitation,
    AnswerPart as AnswerPart,
    AnswerUsage as AnswerUsage,
    Asked as Asked,
    ModelAnswer as ModelAnswer,
    OpenBatch as OpenBatch,
)
from coditect.schemas.archive import (
    ArchiveHeader as ArchiveHeader,
    ArchiveTable as ArchiveTable,
    ArchiveTrailer as ArchiveTrailer,
)
from coditect.schemas.audit import (
    AuditEntry as AuditEntry,
    AuditState as AuditState,
)
from coditect.schemas.build import (
    AgentSettings as AgentSettings,
    BuildSettings as BuildSettings,
    Corpus as Corpus,
    Derivation as Derivation,
    FeedEntry as FeedEntry,
    FeedEvent as FeedEvent,
    Generation as Generation,
    LeftOut as LeftOut,
    Manifest as Manifest,
    OF_BLOBS as OF_BLOBS,
    Stage as Stage,
    Tree as Tree,
    TreeEntry as TreeEntry,
    commitment_to as commitment_to,
    derivation_id_for as derivation_id_for,
    first_derivation_id as first_derivation_id,
    outputs_digest as outputs_digest,
)
from coditect.schemas.calibration import (
    Calibration as Calibration,
    CalibrationPart as CalibrationPart,
    CalibrationReport as CalibrationReport,
    CalibrationState as CalibrationState,
    CalibrationSwitch as CalibrationSwitch,
    FittedPart as FittedPart,
    Interval as Interval,
    MarkChange as MarkChange,
    RelevanceMark as RelevanceMark,
    ReliabilityBin as ReliabilityBin,
    SupportFigures as SupportFigures,
    VerdictChange as VerdictChange,
)
from coditect.schemas.change import (
    AffectedItem as AffectedItem,
    AffectedKind as AffectedKind,
    CarriedProvision as CarriedProvision,
    ChangeKind as ChangeKind,
    ChangedSide as ChangedSide,
    ChangedWords as ChangedWords,
    CorpusChanges as CorpusChanges,
    DocumentChanges as DocumentChanges,
    DutyChange as DutyChange,
    DutyClass as DutyClass,
    DutyField as DutyField,
    DutyHistory as DutyHistory,
    DutyPoint as DutyPoint,
    DutyVerdict as DutyVerdict,
    NamedBy as NamedBy,
    ProvisionChange as ProvisionChange,
    TracedChange as TracedChange,
)
from coditect.schemas.chunk import (
    Chunk as Chunk,
    Duty as Duty,
    EXTRACTION_METHODS as EXTRACTION_METHODS,
    ExtractionMethod as ExtractionMethod,
    Measure as Measure,
    SelectedSentence as SelectedSentence,
)
from coditect.schemas.claim import (
    Claim as Claim,
    ClaimKind as ClaimKind,
    ClaimSource as ClaimSource,
    CorpusSummary as CorpusSummary,
    Restatement as Restatement,
    Severity as Severity,
    finding_id_for as finding_id_for,
)
from coditect.schemas.conflict import (
    ConflictDifference as ConflictDifference,
    ConflictPage as ConflictPage,
    ConflictRow as ConflictRow,
    ConflictSide as ConflictSide,
    DifferenceFamily as DifferenceFamily,
)
from coditect.schemas.crosswalk import (
    AssessedVerdict as AssessedVerdict,
    CheckedClaim as CheckedClaim,
    ClaimVerdict as ClaimVerdict,
    ComparedFile as ComparedFile,
    Crosswalk as Crosswalk,
    CrosswalkEvidence as CrosswalkEvidence,
    CrosswalkLabel as CrosswalkLabel,
    CrosswalkRow as CrosswalkRow,
    EarlierDecision as EarlierDecision,
    FamilyCoverage as FamilyCoverage,
    FrameworkColumns as FrameworkColumns,
    MappingCheck as MappingCheck,
    ReviewedSentence as ReviewedSentence,
    SentenceAssessment as SentenceAssessment,
)
from coditect.schemas.decision import (
    Decision as Decision,
    DecisionState as DecisionState,
    ItemDecision as ItemDecision,
)
from coditect.schemas.document import (
    DocumentVersion as DocumentVersion,
    Failure as Failure,
    Intake as Intake,
    document_id_for as document_id_for,
    document_order as document_order,
)
from coditect.schemas.erasure import (
    CompactionOwed as CompactionOwed,
    ErasedStep as ErasedStep,
    ErasedSummary as ErasedSummary,
    Erasure as Erasure,
    ErasureCertificate as ErasureCertificate,
    ErasureScan as ErasureScan,
    HoldRelease as HoldRelease,
    LegalHold as LegalHold,
    Retention as Retention,
    Tombstone as Tombstone,
)
from coditect.schemas.extraction import (
    Entity as Entity,
    Extraction as Extraction,
)
from coditect.schemas.figures import (
    FusionFigures as FusionFigures,
    GateFigures as GateFigures,
)
from coditect.schemas.grid import (
    ClauseCell as ClauseCell,
    ClauseRow as ClauseRow,
    ClauseStatus as ClauseStatus,
    ContractGrid as ContractGrid,
)
from coditect.schemas.listing import (
    DocumentListing as DocumentListing,
    DrillDown as DrillDown,
    ListedDocument as ListedDocument,
)
from coditect.schemas.log import (
    LogAct as LogAct,
    LogEvent as LogEvent,
    LogEventKind as LogEventKind,
    LogHead as LogHead,
    LogPrincipal as LogPrincipal,
)
from coditect.schemas.page import (
    PageRectangles as PageRectangles,
)
from coditect.schemas.passage import (
    BoundaryMethod as BoundaryMethod,
    ChunkType as ChunkType,
    Passage as Passage,
    PassageSettings as PassageSettings,
)
from coditect.schemas.profile import (
    CorpusManifest as CorpusManifest,
    DOCUMENT_ROLES as DOCUMENT_ROLES,
    DeclaredProfile as DeclaredProfile,
    DocumentRole as DocumentRole,
    ManifestApprovals as ManifestApprovals,
    ManifestEntry as ManifestEntry,
    Profile as Profile,
    ProfileFact as ProfileFact,
    ProfileParty as ProfileParty,
)
from coditect.schemas.query import (
    Expansion as Expansion,
    Fusion as Fusion,
    GRANULARITIES as GRANULARITIES,
    Granularity as Granularity,
    Hit as Hit,
    KnowledgeTier as KnowledgeTier,
    Modality as Modality,
    PartScore as PartScore,
    QueryResult as QueryResult,
    Reference as Reference,
    Relevance as Relevance,
    SEARCH_MODES as SEARCH_MODES,
    SearchFilters as SearchFilters,
    SearchMode as SearchMode,
    SearchOptions as SearchOptions,
    Source as Source,
    TIER_NAMES as TIER_NAMES,
    TierName as TierName,
)
from coditect.schemas.questionnaire import (
    AnsweredQuestion as AnsweredQuestion,
    AnsweredQuestionnaire as AnsweredQuestionnaire,
    AskedQuestion as AskedQuestion,
    QuestionStatus as QuestionStatus,
    QuotedAnswer as QuotedAnswer,
)
from coditect.schemas.record import (
    CorpusItem as CorpusItem,
    DocumentItem as DocumentItem,
    Item as Item,
    Record as Record,
    canonical_json as canonical_json,
    sha256_hex as sha256_hex,
    tag_of as tag_of,
)
from coditect.schemas.register import (
    RegisterKind as RegisterKind,
    RegisterRow as RegisterRow,
)
from coditect.schemas.replay import (
    Drift as Drift,
    DriftCause as DriftCause,
    ReplayReport as ReplayReport,
)
from coditect.schemas.review import (
    DecisionStatus as DecisionStatus,
    PendingReview as PendingReview,
    Review as Review,
    ReviewedExtraction as ReviewedExtraction,
    ReviewedRow as ReviewedRow,
)
from coditect.schemas.section import (
    Citation as Citation,
    Section as Section,
    SectionPart as SectionPart,
    synthesis_ratio as synthesis_ratio,
)
from coditect.schemas.signature import (
    CorpusPolicy as CorpusPolicy,
    PersonSignature as PersonSignature,
    SignatureStatus as SignatureStatus,
    SignerChange as SignerChange,
    SignerKey as SignerKey,
    TENANT as TENANT,
)
from coditect.schemas.standalone import (
    Resolution as Resolution,
    ResolutionKind as ResolutionKind,
    Standalone as Standalone,
)
from coditect.schemas.status import (
    AbsentTarget as AbsentTarget,
    CitedPlace as CitedPlace,
    CorpusStatus as CorpusStatus,
    CorpusSweep as CorpusSweep,
    Finding as Finding,
    ReadingLoss as ReadingLoss,
    SweepReport as SweepReport,
    ValidationReport as ValidationReport,
)
from coditect.schemas.store import (
    IndexCondition as IndexCondition,
    IndexProgress as IndexProgress,
    IndexState as IndexState,
    IndexStatus as IndexStatus,
    RowCount as RowCount,
    StoreHeader as StoreHeader,
    UpgradeProgress as UpgradeProgress,
    Work as Work,
)
from coditect.schemas.text_report import (
    CheckedSentence as CheckedSentence,
    Disagreement as Disagreement,
    Examination as Examination,
    ExaminerReads as ExaminerReads,
    TextEvidence as TextEvidence,
    TextLabel as TextLabel,
    TextReport as TextReport,
    quoted_by_model as quoted_by_model,
)
from coditect.schemas.tier1.data import (
    Clause as Clause,
    CrossReferenceData as CrossReferenceData,
    CustomData as CustomData,
    Deadline as Deadline,
    DefinitionData as DefinitionData,
    DefinitionForm as DefinitionForm,
    ExtractionData as ExtractionData,
    ExtractionKind as ExtractionKind,
    Frequency as Frequency,
    NormData as NormData,
    ObligationData as ObligationData,
    PermissionData as PermissionData,
    Position as Position,
    ProhibitionData as ProhibitionData,
    PropositionData as PropositionData,
    QuantityData as QuantityData,
    QuantityKind as QuantityKind,
    StatedMeasure as StatedMeasure,
    Strength as Strength,
    Tier1Data as Tier1Data,
)
from coditect.schemas.token import (
    AccessToken as AccessToken,
)
from coditect.schemas.verdict import (
    EvidenceSpan as EvidenceSpan,
    Judge as Judge,
    Opinion as Opinion,
    REWRITE as REWRITE,
    Signal as Signal,
    Verdict as Verdict,
    VerdictLabel as VerdictLabel,
    doubt_in as doubt_in,
    hint_of as hint_of,
)
from coditect.schemas.waiver import (
    WaiverDecision as WaiverDecision,
    WaiverEndBasis as WaiverEndBasis,
    WaiverKind as WaiverKind,
    WaiverRow as WaiverRow,
    WaiverStatus as WaiverStatus,
    WaiverTarget as WaiverTarget,
)

__all__: list[str]
