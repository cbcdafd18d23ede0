"""The audit report as a workbook: findings, quotes, refusals, sections and documents on sheets with filters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from coditect.reports.claims import doubt_told, refusal_of
from coditect.reports.model import AuditReport, Place, ReportClaim
from coditect.reports.plots import DUTY_NAMES
from coditect.reports.registers.workbooks import Cell, Sheet, workbook_of_sheets
from coditect.reports.wording import SECTION_NAMES

__all__ = ["write_workbook"]


def write_workbook(report: AuditReport, file: BinaryIO) -> None:
    """Write the workbook; all texts are texts, never formulas.

    Args:
        report: the report.
        file: open for writing bytes.
    """
    workbook_of_sheets(_sheets(report), file)


def _sheets(report: AuditReport) -> Iterator[Sheet]:
    yield "report", ("what", "value"), _summary(report)
    columns = ("number", "kind", "severity", "finding", "confidence", "support", "quotes", "claim id")
    yield "findings", columns, [_finding(each) for each in report.claims]
    place = ("document", "place", "page", "characters from", "characters to", "SHA-256")
    yield (
        "evidence",
        ("finding number", "quote", *place),
        [
            (claim.number, passage.text, *_place(passage.place))
            for claim in report.claims
            for cited in claim.citations
            if cited.passage is not None
            for passage in (report.passages[cited.passage - 1],)
        ],
    )
    yield (
        "possible",
        (*columns[:-1], "why it is not published", columns[-1]),
        [(*_finding(each)[:-1], doubt_told(each), each.claim_id) for each in report.possible],
    )
    yield (
        "refused",
        ("number", "finding", "reason"),
        [(each.number, each.text, refusal_of(each)) for each in report.refused],
    )
    yield (
        "sections",
        ("number", "kind", "topic", "quote", *place),
        [
            (
                section.number,
                SECTION_NAMES.get(section.kind, section.kind),
                section.topic,
                part.text,
                *_of_part(report, part.passage),
            )
            for section in report.sections
            for part in section.parts
        ],
    )
    yield (
        "documents",
        ("title", "file", "role", "edition", "owner", "standing", "characters", "statements", "SHA-256"),
        _documents(report),
    )
    yield (
        "duties over time",
        ("at", "generation", "documents that differ", *DUTY_NAMES.values()),
        [
            (each.at, each.state, len(each.documents), *(each.duties.get(name, 0) for name in DUTY_NAMES))
            for each in report.duties
        ],
    )
    yield (
        "not here",
        ("document", "references", "referred to by"),
        [(each.name, each.references, "; ".join(each.documents)) for each in report.absent],
    )
    yield "failures", ("file", "what", "way out"), [(each.name, each.message, each.hint) for each in report.failures]


def _finding(claim: ReportClaim) -> tuple[Cell, ...]:
    quotes, scores = len(claim.citations), (claim.confidence, claim.support_score)
    return (claim.number, claim.kind, claim.severity, claim.text, *scores, quotes, claim.claim_id)


def _summary(report: AuditReport) -> list[tuple[str, str | int]]:
    counts = report.counts
    found = report.validation
    return [
        ("corpus", report.corpus_name or report.corpus_id),
        ("generation", report.generation),
        ("built at", report.built_at),
        ("report made at", report.generated_at),
        ("documents", counts.documents),
        ("statements read", counts.extractions),
        ("sections", counts.sections),
        ("findings published", counts.published),
        ("possible findings, not published", counts.possible),
        ("sentences refused", counts.refused),
        ("files that failed", counts.failures),
        (
            "validation",
            "not run" if found is None else "nothing found" if found.clean else f"{len(found.findings)} findings",
        ),
        ("build", report.build_id),
    ]


def _place(place: Place) -> tuple[str, str, int | None, int, int, str]:
    where = place.locator or " > ".join(place.headings)
    return place.document_name, where, place.page, place.char_start, place.char_end, place.raw_sha256


def _of_part(report: AuditReport, passage: int | None) -> tuple[str | int | None, ...]:
    return ("", "", None, None, None, "") if passage is None else _place(report.passages[passage - 1].place)


def _documents(report: AuditReport) -> Iterator[tuple[str | int | None, ...]]:
    for each in report.documents:
        facts = {} if each.profile is None else {name: fact.value for name, fact in each.profile.facts}
        edition = ", ".join(facts[name] for name in ("edition", "date") if name in facts)
        told = (facts.get("role", ""), edition, facts.get("owner", ""), "; ".join(each.standing))
        yield each.title, each.name, *told, each.text_length, sum(each.extractions.values()), each.raw_sha256
