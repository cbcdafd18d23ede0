"""``coditect knowledge report``."""

from __future__ import annotations

from pathlib import Path

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
    ("html", "json"), None, "HTML for people, or one JSON document; default: by the file's suffix, else HTML."
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
    with_validation: bool,
    today: str | None,
    as_of: int | None,
) -> ExitCode:
    """Write the audit report of a corpus.

    One file that needs no network: claims with their verdicts, what was refused and why, sections with their quotes, and
    for every quotation its document, page, characters and file hash. It is written whole or not at all.
    """
    chosen = output_format or _format_of(output)
    check_output(ctx, output)
    with open_session(ctx) as knowledge, progress_bars() as progress:
        validation = knowledge.validate(corpus_id, as_of=as_of, progress=progress) if with_validation else None
        collected = knowledge.report(corpus_id, as_of=as_of, validation=validation, today=today)
    if chosen == "json":
        content = collected.model_dump_json(indent=2).encode() + b"\n"
    else:
        from coditect.reports.html import render_html

        content = render_html(collected).encode()
    if str(output) == STDOUT:
        click.echo(content, nl=False)
    else:
        write_output(output, content)
        click.echo(str(output))
    return ExitCode.OK if validation is None or validation.clean else ExitCode.FOUND


def _format_of(output: Path) -> str:
    suffix = output.suffix.lower()
    if suffix not in ("", ".html", ".htm", ".json") and str(output) != STDOUT:
        raise UsageError(
            "a report is HTML or JSON",
            output=str(output),
            hint="Name it .html or .json, or say which with --format; browsers print HTML to PDF.",
        )
    return "json" if suffix == ".json" else "html"
