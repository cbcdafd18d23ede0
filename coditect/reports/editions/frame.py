"""What all editions share: the frame of their pages, where a quote stands, and which findings stand out."""

from __future__ import annotations

from typing import Any

from coditect.reports.figures import figure_of
from coditect.reports.model import AuditReport, Place, ReportClaim
from coditect.reports.wording import counted

__all__ = ["day", "figure_table", "frame", "place_of", "stands_out"]

_STANDS_OUT = ("conflict", "stricter", "standing", "gap", "grid", "synthesis")
"""Kinds of claims that ask something of somebody; the others count and describe."""

_COUNTED = ("statistic", "grid")
"""Kinds of claims whose figures are printed as a table; how others were compared stands in the attached data."""


def frame(report: AuditReport) -> dict[str, Any]:
    """What stands on the first page and at the foot of every edition, as JSON values."""
    return {
        "title": report.corpus_name or report.corpus_id,
        "corpus": report.corpus_id,
        "generation": report.generation,
        "built": day(report.built_at),
        "made": day(report.generated_at),
        "today": report.today,
        "program": f"coditect knowledge {report.generated_by}",
        "validation": _validation(report),
        "log": _logged(report),
    }


def stands_out(claim: ReportClaim) -> bool:
    """Whether a finding asks something of somebody."""
    return claim.kind in _STANDS_OUT


def figure_table(claim: ReportClaim) -> dict[str, Any] | None:
    """How the figure of a finding was counted, as a table; None where it has none that a person would read."""
    figure = figure_of(claim.recipe) if claim.kind in _COUNTED else None
    if figure is None:
        return None
    return {
        "caption": figure.caption,
        "columns": list(figure.columns),
        "rows": [list(row) for row in figure.rows],
        "notes": list(figure.notes),
    }


def place_of(place: Place) -> str:
    """Where a quote stands in its document, as a person would cite it: locator or heading, and page; may be empty."""
    parts = []
    if place.locator:
        parts.append(place.locator)
    elif place.headings:
        parts.append(place.headings[-1])
    if place.page is not None:
        parts.append(f"page {place.page_label or place.page}")
    return ", ".join(parts)


def day(time: str) -> str:
    """The day of an RFC 3339 time."""
    return time[:10]


def _validation(report: AuditReport) -> str:
    found = report.validation
    if found is None:
        return "Validation was not run for this report."
    if found.clean:
        return f"Validated: {sum(found.checked.values()):,} records were read again, and nothing is wrong with them."
    told = counted(len(found.findings), "finding", "findings")
    return f"Validation has {told}. Do not rely on this report before they are explained."


def _logged(report: AuditReport) -> str:
    if report.proof is None or not report.proof.log_proof:
        return "No signed checkpoint of the log holds this generation."
    return "The log holds this generation, and a signed checkpoint proves it; the attached JSON has the proof."
