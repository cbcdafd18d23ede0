"""``coditect knowledge report``."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, StorablePath, as_of_option, corpus_option, format_option, run_options
from coditect.cli.progress import progress_bars
from coditect.cli.session import open_session
from coditect.errors import UsageError

__all__ = ["report", "write_atomically"]

STDOUT = "-"


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
@as_of_option()
@run_options
@click.pass_context
def report(
    ctx: click.Context,
    corpus_id: str,
    output: Path,
    output_format: str | None,
    with_validation: bool,
    as_of: int | None,
) -> ExitCode:
    """Write the audit report of a corpus.

    One file that needs no network: claims with their verdicts, what was refused and why, sections with their quotes, and
    for every quotation its document, page, characters and file hash. It is written whole or not at all.
    """
    chosen = output_format or _format_of(output)
    if str(output) != STDOUT:
        _require_folder(output)
    with open_session(ctx) as knowledge, progress_bars() as progress:
        from coditect.knowledge.audit import collect_report

        validation = knowledge.validate(corpus_id, as_of=as_of, progress=progress) if with_validation else None
        view = knowledge.view(corpus_id, as_of)
        collected = collect_report(knowledge.store, view, generated_at=knowledge.clock(), validation=validation)
    if chosen == "json":
        content = collected.model_dump_json(indent=2).encode() + b"\n"
    else:
        from coditect.reports.html import render_html

        content = render_html(collected).encode()
    if str(output) == STDOUT:
        click.echo(content, nl=False)
    else:
        write_atomically(output, content)
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


def _require_folder(output: Path) -> None:
    """Refuse a place that cannot be written before the work is done, not after."""
    if output.is_dir():
        raise UsageError("the output is a folder", output=str(output), hint="Name a file in it.")
    if not output.parent.is_dir():
        raise UsageError(
            "the folder of the output does not exist", folder=str(output.parent), hint="Make it, or name another."
        )


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: readers see the old content or the new one.

    Raises:
        UsageError: it cannot be written there.
    """
    temporary = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name[:100]}.", delete=False) as file:
            temporary = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode_of_new_files())
        temporary.replace(path)
    except OSError as error:
        raise UsageError(
            "the report cannot be written",
            output=str(path),
            reason=error.strerror or type(error).__name__,
            hint="Name a file in a folder where you may write, or '-' for the standard output.",
        ) from error
    finally:
        if temporary is not None and sys.exc_info()[0] is not None:
            temporary.unlink(missing_ok=True)


def _mode_of_new_files() -> int:
    """What the user's umask leaves; a temporary file is for its owner alone."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
