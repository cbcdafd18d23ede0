"""What an edition of the audit report prints: titles instead of file names, quotes with their pages, ids only where they prove.

The executive edition has what stands out, for who reads six pages at most; the full edition has every claim and section. Both count
what they leave out, so that the figures of all editions are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from coditect.reports.claims import HOW_TO_SETTLE, WHAT_IS_POSSIBLE, doubt_told, groups_of, possible_counted, refusal_of
from coditect.reports.editions.decided import decisions_told, signed_as
from coditect.reports.editions.frame import day, figure_table, frame, place_of, stands_out
from coditect.reports.model import AuditReport, Place, ReportClaim, ReportDocument
from coditect.reports.plots import DUTY_NAMES, duty_bars
from coditect.reports.wording import EXTRACTION_NAMES, SECTION_NAMES, counted
from coditect.schemas import Review, Severity
from coditect.tiers.claims.alike import alike, document_of
from coditect.tiers.claims.phrases import listed

__all__ = ["EDITIONS", "Edition", "printed"]

Edition = Literal["executive", "full"]
"""Who it is for: "executive" prints at most six pages, "full" everything that the report says; see also the room's annex."""

EDITIONS: tuple[Edition, ...] = ("executive", "full")

_QUOTES = {"executive": 2, "full": 6}
"""Quotes under a claim, at most."""

_MOST = {"executive": 14, "full": 1 << 30}
"""Claims, at most."""

_ROWS = {"executive": 12, "full": 1 << 30}
"""Rows of a table, at most."""

_QUOTE = {"executive": 320, "full": 4_000}
"""Characters of a quote, at most; what is cut is marked."""

SEVERITIES: tuple[Severity, ...] = ("high", "medium", "low", "information")


def printed(report: AuditReport, edition: Edition) -> dict[str, Any]:
    """What a template lays out, as JSON values.

    Args:
        report: the report.
        edition: which part of it.
    """
    titles = {each.document_id: each.title or each.name for each in report.documents}
    chosen = _chosen(report.claims, edition)
    told = {each.claim_id: [document_of(other) for other in others] for each, *others in chosen}
    return {
        "edition": edition,
        **frame(report),
        "figures": _figures(report),
        "severities": _severities(report.claims),
        "kinds": [[heading, len(claims)] for _, heading, _, claims in groups_of(report.claims)],
        "coverage": [[each.topic, each.document_count, report.counts.documents] for each in _topics(report)],
        "groups": [
            {
                "heading": heading,
                "meaning": meaning,
                "claims": [
                    _claim(report, each, titles, edition, told[each.claim_id])
                    for each in claims
                    if each.claim_id in told
                ],
            }
            for _, heading, meaning, claims in groups_of(report.claims)
            if any(each.claim_id in told for each in claims)
        ],
        "claims_left": len(report.claims) - sum(map(len, chosen)),
        "possible": [[each.text, doubt_told(each)] for each in report.possible][: _ROWS[edition]],
        "possible_left": max(0, len(report.possible) - _ROWS[edition]),
        "possible_count": possible_counted([each.kind for each in report.possible]),
        "how_to_read": f"{WHAT_IS_POSSIBLE} {HOW_TO_SETTLE}",
        "refused": [[each.text, refusal_of(each)] for each in report.refused] if edition == "full" else [],
        "refused_count": len(report.refused),
        "sections": _sections(report, titles) if edition == "full" else [],
        "documents": [_document(each, edition) for each in _listed(report, edition)][: _ROWS[edition]],
        "documents_left": max(0, len(report.documents) - _ROWS[edition]),
        "absent": [[each.name, each.references, len(each.documents)] for each in report.absent][: _ROWS[edition]],
        "absent_left": max(0, len(report.absent) - _ROWS[edition]),
        "failures": [[each.name, each.message, each.hint or ""] for each in report.failures][: _ROWS[edition]],
        "failures_left": max(0, len(report.failures) - _ROWS[edition]),
        "duties": [
            [each.day, each.name, str(each.documents), *(f"{count:,}" for count in each.counts)]
            for each in duty_bars(report.duties)
        ],
        "duty_names": list(DUTY_NAMES.values()),
        "decisions": [
            [
                f"{each.review.decision.replace('_', ' ')} ({each.state})",
                _decided_of(each.review),
                f"{each.review.by} ({signed_as(each)})" if not each.signatures else signed_as(each),
                day(each.review.at),
                each.review.meaning,
            ]
            for each in report.decisions
        ][: _ROWS[edition]],
        "decisions_told": decisions_told(report.decisions),
        "decisions_left": max(0, len(report.decisions) - _ROWS[edition]),
        "proof": {
            "build": report.build_id,
            "summary": report.summary_id,
            "minimum_support": report.method.settings.minimum_support,
        },
    }


def _listed(report: AuditReport, edition: Edition) -> Sequence[ReportDocument]:
    """The documents; where not all are printed, those first of which there is something to say on the day."""
    if len(report.documents) <= _ROWS[edition]:
        return report.documents
    return sorted(report.documents, key=lambda each: not each.standing)


def _decided_of(review: Review) -> str:
    """What a decision is of: its words; of a row of a crosswalk its number and the framework's document, too."""
    if review.row is None:
        return review.claim_text
    label = (review.changes or {}).get("label")
    changed = "" if label is None else f": {label}"
    return f"{review.row.named_part or review.row.requirement_id}, {review.row.document}{changed}. {review.claim_text}"


def _figures(report: AuditReport) -> list[list[str]]:
    counts = report.counts
    kinds = (
        counted(counts.extractions_by_kind[kind], one, many)
        for kind, (one, many) in EXTRACTION_NAMES.items()
        if counts.extractions_by_kind.get(kind)
    )
    return [
        [f"{counts.documents:,}", "document" if counts.documents == 1 else "documents"],
        [f"{counts.extractions:,}", "statements read: " + ", ".join(kinds)],
        [f"{counts.sections:,}", "sections by topic"],
        [f"{counts.published:,}", "findings that passed every check"],
        *([[f"{counts.possible:,}", "possible findings, not published"]] if counts.possible else []),
        [f"{counts.refused:,}", "sentences refused, since the evidence does not carry them or a person dismissed them"],
        [f"{counts.failures:,}", "files that could not be read"],
    ]


def _severities(claims: Sequence[ReportClaim]) -> list[list[Any]]:
    counts: Counter[Severity] = Counter(each.severity or "information" for each in claims if stands_out(each))
    return [[name, counts[name]] for name in SEVERITIES if counts[name]]


def _topics(report: AuditReport) -> list[Any]:
    return sorted(
        (each for each in report.sections if each.kind == "topic"), key=lambda s: (-s.document_count, s.number)
    )[:12]


def _chosen(claims: Sequence[ReportClaim], edition: Edition) -> list[list[ReportClaim]]:
    """The claims that are printed; those that say the same of several documents are told once where pages are few."""
    if edition == "full":
        return [[each] for each in claims]
    ranked = sorted(
        (each for each in claims if stands_out(each)),
        key=lambda each: (SEVERITIES.index(each.severity or "information"), -each.confidence, each.number),
    )
    return alike(ranked)[: _MOST[edition]]


def _claim(
    report: AuditReport, claim: ReportClaim, titles: dict[str, str], edition: Edition, alike_of: Sequence[str]
) -> dict[str, Any]:
    quotes = list(_quotes(report, claim, titles, edition))
    return {
        "number": claim.number,
        "text": claim.text,
        "alike": f"The same of {len(alike_of)} more: {listed(alike_of)}." if alike_of else "",
        "severity": claim.severity or "",
        "confidence": f"{100 * claim.confidence:.0f} %",
        "quotes": quotes[: _QUOTES[edition]],
        "more": max(0, len(quotes) - _QUOTES[edition]),
        "table": figure_table(claim) if edition == "full" else None,
    }


def _quotes(report: AuditReport, claim: ReportClaim, titles: dict[str, str], edition: Edition) -> Iterator[list[str]]:
    seen: set[int] = set()
    for each in claim.citations:
        if each.passage is not None and each.passage not in seen:
            seen.add(each.passage)
            passage = report.passages[each.passage - 1]
            yield [_cut(passage.text, _QUOTE[edition]), _place(passage.place, titles)]


def _cut(text: str, most: int) -> str:
    """A quote on one line; the mark at its end says that it goes on."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    kept = line[:most]
    return f"{kept.rpartition(' ')[0] or kept} […]"  # a script without blanks is cut where it is


def _place(place: Place, titles: dict[str, str]) -> str:
    return ", ".join(filter(None, (titles.get(place.document_id, place.document_name), place_of(place))))


def _sections(report: AuditReport, titles: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "number": each.number,
            "topic": each.topic,
            "kind": SECTION_NAMES.get(each.kind, each.kind),
            "documents": counted(each.document_count, "document", "documents"),
            "parts": [
                [_cut(part.text, _QUOTE["full"]), ""]
                if part.passage is None
                else [_cut(part.text, _QUOTE["full"]), _place(report.passages[part.passage - 1].place, titles)]
                for part in each.parts
            ],
        }
        for each in report.sections
    ]


def _document(document: ReportDocument, edition: Edition) -> dict[str, Any]:
    facts = {} if document.profile is None else dict(document.profile.facts)
    told = {name: facts[name].value for name in ("role", "edition", "date", "owner") if name in facts}
    return {
        "title": document.title or document.name,
        "name": document.name if edition == "full" or not document.title else "",
        "role": told.get("role", ""),
        "edition": ", ".join(told[name] for name in ("edition", "date") if name in told),
        "owner": told.get("owner", ""),
        "standing": "; ".join(document.standing),
        "sha256": document.raw_sha256,
        "warnings": list(document.warnings),
    }
