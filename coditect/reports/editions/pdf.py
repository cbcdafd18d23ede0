"""An edition of the audit report as PDF/A-3b with the report's JSON attached, laid out by the library ``typst``."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from datetime import datetime
from importlib.resources import files
from typing import Any

from coditect.errors import UsageError
from coditect.reports.editions.annex import annexed
from coditect.reports.editions.printed import Edition, printed
from coditect.reports.model import AuditReport

__all__ = ["render_annex", "render_pdf"]


def render_pdf(report: AuditReport, edition: Edition) -> bytes:
    """The PDF of an edition; the same report gives the same bytes, with fonts of the library's own.

    Args:
        report: the report.
        edition: which part of it is printed; all of it is attached.

    Raises:
        UsageError: ``typst`` is not installed.
    """
    return _rendered("report.typ", printed(report, edition), report)


def render_annex(report: AuditReport, claims: Collection[str] = ()) -> bytes:
    """The PDF of the annex, a page or more for each finding.

    Args:
        report: the report.
        claims: ids of claims or findings; none: all published ones that ask something of somebody.

    Raises:
        UsageError: ``typst`` is not installed, or the report has no such finding.
    """
    return _rendered("annex.typ", annexed(report, claims), report)


def _rendered(template: str, told: dict[str, Any], report: AuditReport) -> bytes:
    try:
        import typst
    except ImportError as error:
        raise UsageError(
            "PDF needs the library typst", hint="Install it: pip install 'coditect-knowledge[pdf]'; or print the HTML."
        ) from error
    folder = files("coditect.reports").joinpath("templates")
    given = {
        "main": folder.joinpath(template).read_bytes(),
        "style.typ": folder.joinpath("style.typ").read_bytes(),
        "printed.json": json.dumps(told, ensure_ascii=False, sort_keys=True).encode(),
        "report.json": report.model_dump_json(indent=2).encode(),
    }
    compile_files: Callable[..., bytes] = typst.compile  # its stub does not know of several files
    return compile_files(
        given,
        format="pdf",
        pdf_standards=["a-3b"],
        ignore_system_fonts=True,
        timestamp=datetime.fromisoformat(report.generated_at),
    )
