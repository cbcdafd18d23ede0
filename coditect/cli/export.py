"""``coditect knowledge export``."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, StorablePath, corpus_option, format_option, run_options
from coditect.cli.progress import progress_bars
from coditect.cli.session import open_session
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.knowledge.archive import ExportReport

__all__ = ["export", "opened_atomically"]

STDOUT = "-"


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
    if not to_stdout:
        _require_folder(output)
    with open_session(ctx) as knowledge, progress_bars() as progress:
        from coditect.knowledge.archive import export_corpus

        with _standard_output() if to_stdout else opened_atomically(output) as file:
            report = export_corpus(knowledge.store, corpus_id, file, progress=progress)
    if output_format == "json":
        _write_json(report, to_stdout)
    else:
        _write_text(report, output, to_stdout)
    return ExitCode.OK


def _require_folder(output: Path) -> None:
    """Refuse a place that cannot be written before the work is done, not after."""
    if output.is_dir():
        raise UsageError("the output is a folder", output=str(output), hint="Name a file in it.")
    if not output.parent.is_dir():
        raise UsageError(
            "the folder of the output does not exist", folder=str(output.parent), hint="Make it, or name another."
        )


@contextlib.contextmanager
def _standard_output() -> Iterator[BinaryIO]:
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


@contextlib.contextmanager
def opened_atomically(path: Path) -> Iterator[BinaryIO]:
    """A file to be written, which has its name only when the block has ended well and its bytes are on disk.

    Raises:
        UsageError: it cannot be written there.
    """
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}")
    try:
        # Made with what the user's umask leaves, as any new file is.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with os.fdopen(descriptor, "wb", buffering=1 << 20) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(
            "the archive cannot be written",
            output=str(path),
            reason=error.strerror or type(error).__name__,
            hint="Name a file in a folder where you may write and there is room, or '-' for the standard output.",
        ) from error


def _write_json(report: ExportReport, to_stdout: bool) -> None:
    from dataclasses import asdict

    import orjson

    click.echo(orjson.dumps(asdict(report), option=orjson.OPT_INDENT_2), err=to_stdout)


def _write_text(report: ExportReport, output: Path, to_stdout: bool) -> None:
    from coditect.cli.console import GOOD, ID, TITLE, WARN, Page, counted

    page = Page(sys.stderr if to_stdout else None)
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
