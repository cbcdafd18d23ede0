"""``coditect knowledge report``."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from coditect.cli.crosswalk import columns_option, require_framework, tell_columns
from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import (
    TEXT,
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
from coditect.cli.session import check_output, load_settings, open_session
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.knowledge.service import Knowledge
    from coditect.reports.editions.printed import Edition
    from coditect.reports.model import AuditReport
    from coditect.schemas.crosswalk import Crosswalk

EDITIONS = ("executive", "full", "annex")
"""Two of :mod:`coditect.reports.editions.printed`, which is not loaded for the help, and the annex."""

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
    ("html", "pdf", "xlsx", "json", "oscal"),
    None,
    "HTML or PDF for people, a workbook, one JSON document, or OSCAL assessment results (JSON); default: by the file's suffix, "
    "else HTML.",
)
@click.option(
    "--edition",
    type=click.Choice(EDITIONS),
    default="full",
    show_default=True,
    help="Of a PDF: everything, what stands out on at most six pages, or a page for each finding that asks something of "
    "somebody. The data of the whole report is attached to all.",
)
@click.option(
    "--claim",
    "claims",
    multiple=True,
    metavar="ID",
    help="Of the annex: only this claim or finding; also one that was refused. Repeatable.",
)
@click.option(
    "--framework",
    "frameworks",
    multiple=True,
    metavar="NAME",
    help="Of OSCAL: compare with this document of the framework, or those that a pattern with * names. Repeatable.",
)
@click.option(
    "--framework-corpus",
    metavar="ID",
    type=TEXT,
    help="Of OSCAL: the corpus that holds the framework; each part of its requirements becomes a finding.",
)
@columns_option
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
    edition: Literal["executive", "full", "annex"],
    claims: tuple[str, ...],
    frameworks: tuple[str, ...],
    framework_corpus: str | None,
    columns: str | None,
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
    if claims and edition != "annex":
        raise UsageError("only the annex is of single findings", claim=claims[0], hint="Add --edition annex.")
    if columns is not None:
        require_framework(frameworks, framework_corpus)
    if (frameworks or framework_corpus) and chosen != "oscal":
        raise UsageError("only OSCAL assessment results take a framework", format=chosen, hint="Add --format oscal.")
    check_output(ctx, output)
    with open_session(ctx) as knowledge, progress_bars() as progress:
        validation = knowledge.validate(corpus_id, as_of=as_of, progress=progress) if with_validation else None
        collected = knowledge.report(corpus_id, as_of=as_of, validation=validation, today=today)
        compared = None
        if frameworks or framework_corpus:
            cache = load_settings(ctx).cache.expanduser()
            compared = _compared(knowledge, corpus_id, as_of, framework_corpus, frameworks, columns, cache)
            tell_columns(compared.columns)
        if edition == "annex":
            from coditect.reports.editions.pdf import render_annex

            content = render_annex(collected, claims)
        else:
            content = _rendered(collected, chosen, edition, compared)
        if str(output) == STDOUT:
            click.echo(content, nl=False)
        else:
            write_output(output, content)
            click.echo(str(output))
            told = {"file": output.name, "format": chosen, "edition": edition if chosen == "pdf" else ""}
            knowledge.note_file(corpus_id, collected.generation, "report file", content, **told)
    return ExitCode.OK if validation is None or validation.clean else ExitCode.FOUND


def _compared(
    knowledge: Knowledge,
    corpus_id: str,
    as_of: int | None,
    framework_corpus: str | None,
    frameworks: tuple[str, ...],
    columns: str | None,
    cache: Path,
) -> Crosswalk:
    """The crosswalk of a corpus and a framework; the framework's latest generation, where it has a corpus of its own."""
    from coditect.knowledge.report.crosswalk.assembly import compare_with_framework, make_crosswalk
    from coditect.knowledge.report.crosswalk.framework.tables import read_columns

    told = None if columns is None else read_columns(columns)
    view = knowledge.view(corpus_id, as_of)
    own = framework_corpus in (None, corpus_id)
    framework = view if own else knowledge.view(str(framework_corpus))
    embedder = knowledge.models.ranking()
    compared = compare_with_framework(framework, view, embedder, frameworks=frameworks, columns=told, cache=cache)
    return make_crosswalk(compared, knowledge.clock()[:10])


def _rendered(collected: AuditReport, chosen: str, edition: Edition, compared: Crosswalk | None) -> bytes:
    """The file's bytes."""
    if chosen == "oscal":
        import json

        from coditect.reports.editions.assessment import assessment_results

        return json.dumps(assessment_results(collected, compared), indent=2, ensure_ascii=False).encode() + b"\n"
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
