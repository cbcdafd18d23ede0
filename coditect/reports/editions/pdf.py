"""An edition of the audit report as PDF/A-3b with the report's JSON attached, laid out by the library ``typst``."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from importlib.resources import files

from coditect.errors import UsageError
from coditect.reports.editions.printed import Edition, printed
from coditect.reports.model import AuditReport

__all__ = ["render_pdf"]


def render_pdf(report: AuditReport, edition: Edition) -> bytes:
    """The PDF; the same report gives the same bytes, with fonts of the library's own.

    Args:
        report: the report.
        edition: which part of it is printed; all of it is attached.

    Raises:
        UsageError: ``typst`` is not installed.
    """
    try:
        import typst
    except ImportError as error:
        raise UsageError(
            "PDF needs the library typst", hint="Install it: pip install 'coditect-knowledge[pdf]'; or print the HTML."
        ) from error
    template = files("coditect.reports").joinpath("templates", "report.typ").read_bytes()
    data = json.dumps(printed(report, edition), ensure_ascii=False, sort_keys=True).encode()
    given = {"main": template, "printed.json": data, "report.json": report.model_dump_json(indent=2).encode()}
    compile_files: Callable[..., bytes] = typst.compile  # its stub does not know of several files
    return compile_files(
        given,
        format="pdf",
        pdf_standards=["a-3b"],
        ignore_system_fonts=True,
        timestamp=datetime.fromisoformat(report.generated_at),
    )
