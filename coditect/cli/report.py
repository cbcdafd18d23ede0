"""``coditect knowledge report``."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import (
    KnowledgeCommand,
    StorablePath,
    as_of_option,
    corpus_option,
    format_option,
    run_options,
    today_option,
)
from coditect.cli.output_files import STDOUT, write_output
from coditect.cli.progress import progress_bars
from coditect.cli.session import check_output, open_session
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.reports.editions.printed import Edition
    from coditect.reports.model import AuditReport

EDITIONS = ("executive", "full")
"""As in :mod:`coditect.reports.editions.printed`, which is not loaded for the help."""

__all__ = ["report"]


@click.command("report", cls=KnowledgeCommand)
@corpus_option("The corpus to report on.")
@click.option(
    "--output",
    type=StorablePath(),
    required=True,
    metavar="FILE",
    help="Where to write it; '-' is the standard output.",
)
@format_option(
    ("html", "pdf", "xlsx", "json"),
    None,
    "HTML or PDF for people, a workbook, or one JSON document; default: by the file's suffix, else HTML.",
)
@click.option(
    "--edition",
    type=click.Choice(EDITIONS),
    default="full",
    show_default=True,
    help="Of a PDF: everything, or what stands out on at most six pages. The data of the whole report is attached to both.",
)
@click.option(
    "--validate",
    "with_validation",
    is_flag=True,
    help="Validate the corpus first, and print the outcome in the report.",
)
@today_option("Hold the documents' dates against this day in the list of documents.")
@as_of_option()
@run_options
@click.pass_context
def report(
    ctx: click.Context,
    corpus_id: str,
    output: Path,
    output_format: str | None,
    edition: Edition,
    with_validation: bool,
    today: str | None,
    as_of: int | None,
) -> ExitCode:
    """Write the audit report of a corpus.

    One file that needs no network: claims with their verdicts, what was refused and why, sections with their quotes, and
    for every quotation its document, page, characters and file hash. A PDF is PDF/A-3 and needs the extra "pdf". It is
    written whole or not at all.
    """
    chosen = output_format or _format_of(output)
    if edition != "full" and chosen != "pdf":
        raise UsageError("only a PDF has editions", edition=edition, output=str(output), hint="Name the output .pdf.")
    check_output(ctx, output)
    with open_session(ctx) as knowledge, progress_bars() as progress:
        validation = knowledge.validate(corpus_id, as_of=as_of, progress=progress) if with_validation else None
        collected = knowledge.report(corpus_id, as_of=as_of, validation=validation, today=today)
    content = _rendered(collected, chosen, edition)
    if str(output) == STDOUT:
        click.echo(content, nl=False)
    else:
        write_output(output, content)
        click.echo(str(output))
    return ExitCode.OK if validation is None or validation.clean else ExitCode.FOUND


def _rendered(collected: AuditReport, chosen: str, edition: Edition) -> bytes:
    """The file's bytes."""
    if chosen == "json":
        return collected.model_dump_json(indent=2).encode() + b"\n"
    if chosen == "pdf":
        from coditect.reports.editions.pdf import render_pdf

        return render_pdf(collected, edition)
    if chosen == "xlsx":
        from coditect.reports.editions.workbook import write_workbook

        file = BytesIO()
        write_workbook(collected, file)
        return file.getvalue()
    from coditect.reports.html import render_html

    return render_html(collected).encode()


_FORMATS = {"": "html", ".html": "html", ".htm": "html", ".pdf": "pdf", ".xlsx": "xlsx", ".json": "json"}


def _format_of(output: Path) -> str:
    chosen = _FORMATS.get(output.suffix.lower())
    if str(output) == STDOUT:
        return chosen or "html"
    if chosen is None:
        raise UsageError(
            "a report is HTML, PDF, a workbook or JSON",
            output=str(output),
            hint="Name it .html, .pdf, .xlsx or .json, or say which with --format.",
        )
    return chosen
