"""The public names of the package, and what their signatures name."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import contextlib
import importlib
import inspect
import pathlib
import subprocess
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pydantic
import pytest

import coditect
from coditect import errors
from tests.tool_modules import tool_module

ROOT = Path(__file__).resolve().parents[3]

FOREIGN: tuple[ModuleType, ...] = (
    builtins,
    collections.abc,
    contextlib,
    pathlib,
    pydantic,
    typing,
)
"""Modules whose names a signature may use, too."""

MADE = ("Examiner", "Knowledge", "View")
"""Classes that ``open_knowledge`` and methods of ``Knowledge`` make: their constructors are not public (ADR 0027)."""

PINNED = [
    "AbsentTarget",
    "AccessDenied",
    "AffectedItem",
    "AffectedKind",
    "AgentSettings",
    "AgreementField",
    "AgreementRow",
    "AgreementTerm",
    "AnsweredQuestion",
    "AnsweredQuestionnaire",
    "AskedQuestion",
    "AssessedVerdict",
    "AuditEntry",
    "AuditFilters",
    "AuditReport",
    "AuditState",
    "BoundaryMethod",
    "BudgetExceeded",
    "BuildReport",
    "BuildSettings",
    "BundleReport",
    "BundleSubject",
    "Calibration",
    "CalibrationPart",
    "CalibrationReport",
    "CalibrationState",
    "CalibrationSwitch",
    "CarriedProvision",
    "ChangeKind",
    "ChangedSide",
    "ChangedWords",
    "CheckedSentence",
    "Chunk",
    "ChunkType",
    "Citation",
    "CitedPlace",
    "Claim",
    "ClaimKind",
    "ClaimSource",
    "Clause",
    "ClauseCell",
    "ClauseRow",
    "ClauseStatus",
    "CoditectError",
    "ComparedFile",
    "Conflict",
    "ConflictDifference",
    "ConflictPage",
    "ConflictRow",
    "ConflictSide",
    "ContractGrid",
    "CorpusChanges",
    "CorpusStatus",
    "CorpusSummary",
    "CorpusSweep",
    "Corrupt",
    "CrossReferenceData",
    "Crosswalk",
    "CrosswalkEvidence",
    "CrosswalkLabel",
    "CrosswalkRow",
    "CustomData",
    "Deadline",
    "Decision",
    "DecisionState",
    "DecisionStatus",
    "DefinitionData",
    "DefinitionForm",
    "DifferenceFamily",
    "Disagreement",
    "DocumentChanges",
    "DocumentRole",
    "DocumentVersion",
    "Drift",
    "DriftCause",
    "DrillDown",
    "Duty",
    "DutyChange",
    "DutyClass",
    "DutyField",
    "DutyHistory",
    "DutyPoint",
    "DutyVerdict",
    "EarlierDecision",
    "EndBasis",
    "Entity",
    "Erasure",
    "ErasureCertificate",
    "ErasureEntry",
    "ErasureForecast",
    "ErasureOutcome",
    "ErasureScan",
    "Evidence",
    "EvidenceError",
    "EvidenceSpan",
    "Examination",
    "Examiner",
    "ExaminerReads",
    "Expansion",
    "ExportReport",
    "Extraction",
    "ExtractionData",
    "ExtractionKind",
    "ExtractionMethod",
    "Failure",
    "FamilyCoverage",
    "FeedEntry",
    "FeedEvent",
    "FileOutcome",
    "FileStatus",
    "Finding",
    "FittedPart",
    "FrameworkColumns",
    "Frequency",
    "Fusion",
    "FusionFigures",
    "GateFigures",
    "Generation",
    "Granularity",
    "HierarchicalKnowledgeStore",
    "Hit",
    "HoldRelease",
    "ImmutableViolation",
    "ImportReport",
    "IndexCondition",
    "IndexStatus",
    "IngestReport",
    "Interval",
    "InvalidProof",
    "Item",
    "ItemDecision",
    "Judge",
    "Knowledge",
    "KnowledgeTier",
    "LegalHold",
    "ListedDocument",
    "LogHead",
    "Malformed",
    "MarkChange",
    "Measure",
    "Modality",
    "ModelError",
    "NamedBy",
    "NewerRecord",
    "NormData",
    "NotConfigured",
    "NotExtractive",
    "NotFound",
    "ObligationData",
    "Opinion",
    "OverQuota",
    "PageRectangles",
    "PartScore",
    "Passage",
    "PassageSettings",
    "PendingReview",
    "PermissionData",
    "PersonSignature",
    "Place",
    "Position",
    "Profile",
    "ProfileFact",
    "ProfileParty",
    "Progress",
    "ProhibitionData",
    "PropositionData",
    "ProvisionChange",
    "QuantityData",
    "QuantityKind",
    "QueryResult",
    "QuestionStatus",
    "Quota",
    "QuotaReport",
    "QuoteNotFound",
    "QuotedAnswer",
    "RateLimited",
    "ReadError",
    "ReadingLoss",
    "RecomputationForecast",
    "Reference",
    "Refused",
    "RegisterFilters",
    "RegisterKind",
    "RegisterRow",
    "Relevance",
    "RelevanceMark",
    "ReliabilityBin",
    "RemovalOutlook",
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
    "ReportProof",
    "ReportSection",
    "Resolution",
    "ResolutionKind",
    "Restatement",
    "RetentionForecast",
    "Review",
    "ReviewedExtraction",
    "ReviewedRow",
    "ReviewedSentence",
    "RowCount",
    "SchemaError",
    "SearchFilters",
    "SearchMode",
    "SearchOptions",
    "Section",
    "SectionPart",
    "SelectedSentence",
    "SentenceAssessment",
    "Settings",
    "Severity",
    "Signal",
    "SignatureStatus",
    "Signer",
    "SignerChange",
    "SignerKey",
    "Source",
    "Standalone",
    "StatedMeasure",
    "StoreError",
    "Strength",
    "SupportFigures",
    "SweepReport",
    "SynthesisRatioExceeded",
    "TenantUsage",
    "TextEvidence",
    "TextLabel",
    "TextReport",
    "Tier1Data",
    "TooLarge",
    "TracedChange",
    "TreeEntry",
    "Unavailable",
    "Unreachable",
    "Unsupported",
    "Unwritable",
    "UsageError",
    "ValidationAgent",
    "ValidationReport",
    "Validator",
    "Verdict",
    "VerdictChange",
    "VerdictLabel",
    "VerifierKey",
    "View",
    "WaiverDecision",
    "WaiverEndBasis",
    "WaiverKind",
    "WaiverRow",
    "WaiverStatus",
    "WaiverTarget",
    "__version__",
    "open_knowledge",
    "render_html",
    "render_text_report",
]


def test_public_names_are_pinned() -> None:
    """A public name appears or goes only together with this list."""
    assert coditect.__all__ == PINNED
    assert dir(coditect) == sorted(PINNED)


def test_public_names_can_all_be_loaded() -> None:
    """Every public name leads to the object that carries it, and is what a type checker is told."""
    told = [
        (f"{node.module}", alias.name)
        for node in ast.parse(Path(coditect.__file__).with_suffix(".pyi").read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    assert sorted(name for _, name in told) == sorted(set(PINNED) - {"__version__"})
    for module, name in told:
        assert getattr(coditect, name) is getattr(importlib.import_module(module), name)


def test_public_errors_are_the_whole_tree() -> None:
    """Whatever a public call raises on purpose can be caught by a public name."""
    assert set(errors.__all__) <= set(coditect.__all__)


def test_names_outside_the_public_ones_are_refused() -> None:
    """A private name is no attribute of the package; a type checker refuses it, too."""
    with pytest.raises(AttributeError, match="no attribute 'run_query'"):
        _ = coditect.run_query  # type: ignore[attr-defined]


def _named(annotation: str) -> set[str]:
    """The names in an annotation, but for the words of a Literal."""
    found: set[str] = set()

    class Names(ast.NodeVisitor):
        def visit_Subscript(self, node: ast.Subscript) -> None:
            if not (isinstance(node.value, ast.Name) and node.value.id == "Literal"):
                self.generic_visit(node)

        def visit_Name(self, node: ast.Name) -> None:
            found.add(node.id)

    Names().visit(ast.parse(annotation, mode="eval"))
    return found


def _annotations(name: str, public: object) -> Iterator[tuple[str, str, ModuleType]]:
    """(place, annotation, module) of everything that a caller of a public name sees."""
    if inspect.isfunction(public):
        function = inspect.unwrap(public)
        for argument, annotation in inspect.get_annotations(function).items():
            yield f"{name}({argument})", annotation, sys.modules[function.__module__]
    if not inspect.isclass(public):
        return
    for cls in public.__mro__:
        if not cls.__module__.startswith("coditect."):
            continue
        module = sys.modules[cls.__module__]
        for field, annotation in inspect.get_annotations(cls).items():
            if not field.startswith("_"):
                yield f"{name}.{field}", annotation, module
        for key, member in vars(cls).items():
            if key.startswith("_") and (key != "__init__" or name in MADE):
                continue
            unbound = (
                getattr(member, "__func__", None) or getattr(member, "fget", None) or getattr(member, "func", None)
            )
            method = member if inspect.isfunction(member) else unbound
            if inspect.isfunction(method):
                for argument, annotation in inspect.get_annotations(method).items():
                    yield f"{name}.{key}({argument})", annotation, module


def test_everything_that_a_public_signature_names_is_exported() -> None:
    """Whoever holds a public object can name what its methods take, what they give, and what its fields hold."""
    missing = []
    places = 0
    for name in coditect.__all__:
        for place, annotation, module in _annotations(name, getattr(coditect, name)):
            if annotation is None:  # what a dataclass's own __init__ returns
                continue
            assert isinstance(annotation, str), f"{place}: its module lacks 'from __future__ import annotations'"
            places += 1
            for each in _named(annotation):
                found = getattr(module, each, None)
                known = any(hasattr(foreign, each) for foreign in FOREIGN) or isinstance(found, typing.TypeVar)
                exported = each in coditect.__all__ and found in (None, getattr(coditect, each))
                if not known and not exported:
                    missing.append(f"{place}: {each}")
    assert missing == []
    assert places > 500, "too few signatures were looked at to mean anything"


def test_importing_the_package_loads_nothing_heavy() -> None:
    """``import coditect`` brings in no third-party module."""
    code = "import sys, coditect; print([m for m in ('pydantic', 'numpy', 'lmdb', 'tantivy', 'scipy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_api_page_is_in_step_with_the_code() -> None:
    """The committed page is the one that signatures and docstrings give, and has every public name."""
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    api = tool_module("api")
    assert page == api.api_markdown(), "run 'make contracts', and read the difference"
    assert Path(coditect.__file__).with_suffix(".pyi").read_text(encoding="utf-8") == api.stub()
    for name in set(coditect.__all__) - {"__version__"}:
        assert f"\n### {name}\n" in page or f"\n| `{name}` |" in page, name


def test_api_page_describes_every_public_method() -> None:
    """No public method or property is without a sentence."""
    for name in coditect.__all__:
        found = getattr(coditect, name)
        if not inspect.isclass(found) or not found.__module__.startswith("coditect."):
            continue
        assert inspect.getdoc(found), name
        for key, member in vars(found).items():
            if not key.startswith("_") and (inspect.isfunction(member) or isinstance(member, property | classmethod)):
                assert inspect.getdoc(member), f"{name}.{key}"
