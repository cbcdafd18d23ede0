"""``coditect knowledge export``."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, StorablePath, corpus_option, format_option, run_options
from coditect.cli.output_files import STDOUT, opened_output
from coditect.cli.progress import progress_bars
from coditect.cli.session import check_output, open_session

if TYPE_CHECKING:
    from coditect.knowledge.archive.export import ExportReport

__all__ = ["export"]


@click.command("export", cls=KnowledgeCommand)
@corpus_option("The corpus to export.")
@click.option(
    "--output",
    type=StorablePath(),
    required=True,
    metavar="FILE",
    help="Where to write it; '-' is the standard output, and what is said goes to stderr.",
)
@format_option(note="What is said about it: text for people, or one JSON document.")
@run_options
@click.pass_context
def export(ctx: click.Context, corpus_id: str, output: Path, output_format: str) -> ExitCode:
    """Write a corpus, with all its generations, as one archive.

    An archive is a backup, and the way to another store, engine or tenant. The same corpus has the same archive, byte for
    byte. It is JSON lines with checksums; compress it with any tool. Nothing may ingest into or build the corpus meanwhile.
    The digest that is printed is the same wherever the corpus is imported.
    """
    to_stdout = str(output) == STDOUT
    check_output(ctx, output)
    with (
        open_session(ctx) as knowledge,
        progress_bars() as progress,
        _standard_output() if to_stdout else opened_output(output, "the archive cannot be written") as file,
    ):
        report = knowledge.export(corpus_id, file, progress=progress)
    if output_format == "json":
        _write_json(report, to_stdout)
    else:
        _write_text(report, output, to_stdout)
    return ExitCode.OK


@contextlib.contextmanager
def _standard_output() -> Iterator[BinaryIO]:
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


def _write_json(report: ExportReport, to_stdout: bool) -> None:
    from dataclasses import asdict

    import orjson

    click.echo(orjson.dumps(asdict(report), option=orjson.OPT_INDENT_2), err=to_stdout)


def _write_text(report: ExportReport, output: Path, to_stdout: bool) -> None:
    from coditect.cli.console import GOOD, ID, TITLE, WARN, Screen, counted

    page = Screen(sys.stderr if to_stdout else None)
    title = (f"Corpus {report.corpus_id}", TITLE)
    page.line(title, f", generation {report.generation}: ", ("exported", GOOD), f", {report.size_bytes:,} bytes")
    if not to_stdout:
        page.line(f"  {output}")
    page.line()
    page.table(("table", "rows"), [(name, str(rows)) for name, rows in report.rows.items()], numbers=(1,))
    if report.incomplete:
        left = counted(len(report.incomplete), "half-written file")
        page.line((f"  {left} of a killed ingest left out; nothing needs it.", WARN))
    page.line()
    page.line("Digest  ", (report.corpus_digest, ID))
