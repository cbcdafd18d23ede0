"""JSON of use cases for programs: what the command line prints and the HTTP API answers, from one place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from coditect.schemas import (
    AbsentTarget,
    AgreementRow,
    AuditEntry,
    Claim,
    ConflictRow,
    ListedDocument,
    RegisterRow,
    WaiverRow,
)
from coditect.store.view import View

if TYPE_CHECKING:
    from coditect.knowledge.derivation.report import BuildReport
    from coditect.knowledge.erasure.desk import ErasureEntry
    from coditect.knowledge.ingest.report import FileStatus, IngestReport

__all__ = [
    "STATUSES",
    "absent_shape",
    "agreements_shape",
    "audit_shape",
    "build_shape",
    "conflicts_shape",
    "documents_shape",
    "erasures_shape",
    "finding_shape",
    "ingest_shape",
    "listed_documents",
    "register_shape",
    "waivers_shape",
]

STATUSES: tuple[FileStatus, ...] = ("added", "updated", "described", "unchanged", "withdrawn", "duplicate", "failed")
"""What became of a file, in the order in which it is told."""


def listed_documents(view: View, standing: Mapping[str, tuple[str, ...]]) -> tuple[ListedDocument, ...]:
    """The documents of a generation, by name, with their profiles and what their dates say.

    Args:
        view: the generation.
        standing: what there is to say of each, by document id.
    """
    return tuple(
        ListedDocument(
            name=version.name,
            document_id=version.document_id,
            version_id=version.version_id,
            standing=standing.get(version.document_id, ()),
            profile=view.profiles.get(version.document_id),
        )
        for version in sorted(view.documents.values(), key=lambda each: each.name)
    )


def documents_shape(view: View, standing: Mapping[str, tuple[str, ...]], today: str) -> dict[str, Any]:
    """The documents of a generation, by name, with their profiles and what their dates say on a day."""
    listed = [dict(each) for each in listed_documents(view, standing)]
    erased = {"erased_documents": len(view.erased_entries)} if view.erased_entries else {}
    return {"corpus_id": view.corpus_id, "generation": view.generation, "today": today, "documents": listed, **erased}


def register_shape(rows: Iterable[RegisterRow], view: View, today: str) -> dict[str, Any]:
    """A register with the generation and the day that it is of."""
    listed = [each.model_dump(mode="json") for each in rows]
    return {"corpus_id": view.corpus_id, "generation": view.generation, "today": today, "rows": listed}


def agreements_shape(rows: Iterable[AgreementRow], view: View, today: str) -> dict[str, Any]:
    """The register of agreements with the generation and the day that it is of."""
    listed = [each.model_dump(mode="json") for each in rows]
    return {"corpus_id": view.corpus_id, "generation": view.generation, "today": today, "agreements": listed}


def waivers_shape(rows: Iterable[WaiverRow], view: View, today: str) -> dict[str, Any]:
    """The register of exceptions with the generation and the day that it is of."""
    listed = [each.model_dump(mode="json") for each in rows]
    return {"corpus_id": view.corpus_id, "generation": view.generation, "today": today, "waivers": listed}


def conflicts_shape(rows: Iterable[ConflictRow], view: View, today: str, total: int) -> dict[str, Any]:
    """Possible conflicts with the generation and the day that they are of, and how many there are in all."""
    listed = [each.model_dump(mode="json") for each in rows]
    told = {"corpus_id": view.corpus_id, "generation": view.generation, "today": today, "conflicts": listed}
    return {**told, "total": total}


def absent_shape(targets: Iterable[AbsentTarget], view: View) -> dict[str, Any]:
    """What the documents refer to and the corpus does not hold."""
    listed = [each.model_dump(mode="json") for each in targets]
    return {"corpus_id": view.corpus_id, "generation": view.generation, "absent": listed}


def audit_shape(entries: Sequence[AuditEntry], more: bool) -> dict[str, Any]:
    """A page of the audit trail; ``next_after`` asks for the next one, where there is one."""
    cursor = entries[-1].index if entries and more else None
    return {"entries": [each.model_dump(mode="json") for each in entries], "next_after": cursor}


def erasures_shape(entries: Iterable[ErasureEntry], places: Mapping[str, int]) -> list[dict[str, Any]]:
    """Erasures with their certificates.

    Args:
        entries: the erasures.
        places: the index of the log's entry that tells of each, by its id; of another store there is none.
    """
    return [
        {
            "log_index": places.get(each.erasure.erasure_id),
            "erasure": each.erasure.model_dump(mode="json"),
            "certificate": None if each.certificate is None else each.certificate.model_dump(mode="json"),
        }
        for each in entries
    ]


def ingest_shape(report: IngestReport) -> dict[str, Any]:
    """What became of files that were taken in."""
    return {
        "corpus_id": report.corpus_id,
        "partial": report.partial,
        "counts": {status: report.count(status) for status in STATUSES},
        "files": [asdict(outcome) for outcome in report.outcomes],
        "seconds": report.seconds,
        **({"passed_over": report.passed_over} if report.passed_over else {}),
    }


def finding_shape(claim: Claim) -> dict[str, object]:
    """A finding: what it is known by, what it weighs, and its sentence."""
    names = ("finding_id", "claim_id", "claim_kind", "rule", "severity", "confidence", "text")
    return {name: getattr(claim, name) for name in names}


def build_shape(report: BuildReport) -> dict[str, Any]:
    """What a build made and what it left out."""
    return {
        "corpus_id": report.corpus_id,
        "generation": report.generation,
        "build_id": report.build_id,
        "changed": report.changed,
        "partial": report.partial,
        "counts": report.counts,
        "derived": report.derived,
        "reused": report.reused,
        "topics_without_section": report.topics_without_section,
        "findings": [finding_shape(claim) for claim in report.findings],
        **({"possible": [finding_shape(claim) for claim in report.possible]} if report.possible else {}),
        "trivial": report.trivial,
        "empty": report.empty,
        "failures": [failure.model_dump(mode="json") for failure in report.failures],
        "read_by_rules": [failure.model_dump(mode="json") for failure in report.unread],
        "unanswered": report.unanswered,
        "suspicious": report.suspicious,
        "agents": report.agents,
        **({"read_by_model": report.read_by_model} if report.read_by_model else {}),
        "seconds": report.seconds,
    }
