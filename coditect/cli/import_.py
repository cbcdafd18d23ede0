"""``coditect knowledge import``."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, StorablePath, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import open_session
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.knowledge.archive.importing import ImportReport

__all__ = ["import_"]

STDIN = "-"


@click.command("import", cls=KnowledgeCommand)
@format_option()
@run_options
@click.argument("file", metavar="FILE", type=StorablePath())
@click.pass_context
def import_(ctx: click.Context, file: Path, output_format: str) -> ExitCode:
    """Read an archive into the store; the corpus appears whole or not at all.

    FILE was written by 'export', from any engine and for any tenant; '-' is the standard input. It is checked to its last
    byte before anything is written, and what was written is read back and compared before it becomes visible. If the
    same corpus is there already, nothing is done; another corpus of this id is never touched.
    """
    with _opened(file) as stream, progress_bars() as progress:
        from coditect.knowledge.archive.format import open_archive

        archive = open_archive(stream, lambda done, total: progress("checking the archive", done, total))
        # Only now: a store that is not there is made, and not for a broken archive.
        with open_session(ctx, must_exist=False) as knowledge:
            from coditect.knowledge.archive.importing import import_archive
            from coditect.knowledge.service import erasure_desk

            listed = erasure_desk(knowledge).listed()
            report = import_archive(knowledge.store, archive, progress=progress, erasures=listed)
            erasure_desk(knowledge).finish(report.corpus_id, progress=progress)
    if output_format == "json":
        from dataclasses import asdict

        write_json(asdict(report))
    else:
        _write_text(report)
    return ExitCode.OK


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """The archive, to be read more than once: what comes through a pipe is kept in a temporary file.

    Raises:
        UsageError: it cannot be read, or there is no room for the temporary file.
    """
    try:
        if str(path) != STDIN:
            with path.open("rb") as file:
                if file.seekable():
                    yield file
                    return
                with _spooled(file) as kept:
                    yield kept
        else:
            with _spooled(sys.stdin.buffer) as kept:
                yield kept
    except OSError as error:
        raise UsageError(
            "the archive cannot be read",
            file=str(path),
            reason=error.strerror or type(error).__name__,
            hint="Give a file that may be read; what comes through a pipe needs room in the folder for temporary files (TMPDIR).",
        ) from error


@contextlib.contextmanager
def _spooled(source: BinaryIO) -> Iterator[BinaryIO]:
    with tempfile.TemporaryFile() as kept:
        shutil.copyfileobj(source, kept, 1 << 20)
        kept.seek(0)
        yield kept


def _write_text(report: ImportReport) -> None:
    from coditect.cli.console import GOOD, ID, TITLE, Screen

    page = Screen()
    outcome = ("imported", GOOD) if report.imported else ("the same corpus is here already; nothing was done", GOOD)
    page.line((f"Corpus {report.corpus_id}", TITLE), f", generation {report.generation}: ", outcome)
    if report.imported:
        page.line()
        rows = [*report.rows.items(), ("index entries", report.index_entries)]
        page.table(("table", "rows"), [(name, str(number)) for name, number in rows], numbers=(1,))
    page.line()
    page.line("Digest  ", (report.corpus_digest, ID), "  computed from the store")
