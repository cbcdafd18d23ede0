"""``coditect knowledge ingest``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import TEXT, KnowledgeCommand, StorablePath, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import open_session

if TYPE_CHECKING:
    from coditect.knowledge.ingest.intake import IngestReport

__all__ = ["ingest"]


@click.command("ingest", cls=KnowledgeCommand)
@corpus_option("The corpus; made if it is not there.")
@click.option("--name", type=TEXT, metavar="TEXT", help="Name of a new corpus, for people.")
@click.option("--sync", is_flag=True, help="Withdraw documents that are not among the files.")
@click.option(
    "--follow-links",
    is_flag=True,
    help="Also read what symbolic links name outside of the folder; else such a link is a failure.",
)
@click.option(
    "--manifest",
    type=StorablePath(dir_okay=False),
    metavar="FILE",
    help="What each document is, whom it binds and since when; default: corpus.yaml at the root of a folder given.",
)
@format_option()
@run_options
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=StorablePath())
@click.pass_context
def ingest(
    ctx: click.Context,
    corpus_id: str,
    name: str | None,
    sync: bool,
    follow_links: bool,
    manifest: Path | None,
    output_format: str,
    paths: tuple[Path, ...],
) -> ExitCode:
    """Take files and folders into a corpus.

    PATH is a file or a folder; a document is named by its path inside the folder. Files that did not change are passed
    over. A file that cannot be read costs that file alone: it is listed, and the exit code is 3. The next build makes
    the documents visible.

    A manifest says of documents by name or pattern what they are (law, rule, guidance, standard, policy, procedure, contract or
    record), their parties, dates and owners; what it leaves out is guessed, and 'documents' shows which is which.
    """
    with open_session(ctx, must_exist=False, logs=False) as knowledge, progress_bars() as progress:
        report = knowledge.ingest(
            corpus_id,
            paths,
            name=name or "",
            sync=sync,
            follow_links=follow_links,
            manifest=manifest,
            progress=progress,
        )
    if output_format == "json":
        from coditect.knowledge.report.shapes import ingest_shape

        write_json(ingest_shape(report))
    else:
        _write_text(report)
    return ExitCode.PARTIAL if report.partial else ExitCode.OK


_NAMED = 8
"""Hidden files and folders that are named, at most; of the others there is their number."""


def _write_text(report: IngestReport) -> None:
    from coditect.cli.console import BAD, GOOD, TITLE, WARN, Screen, counted

    page = Screen()
    page.line((f"Corpus {report.corpus_id}", TITLE), f": {counted(len(report.outcomes), 'file')}")
    styles = {"added": GOOD, "updated": GOOD, "described": GOOD, "duplicate": WARN, "withdrawn": WARN, "failed": BAD}
    from coditect.knowledge.report.shapes import STATUSES

    for status in STATUSES:
        if number := report.count(status):
            page.line(f"  {number:>6}  ", (status, styles.get(status, "")))
    if report.passed_over:
        named = ", ".join(report.passed_over[:_NAMED])
        more = f" and {len(report.passed_over) - _NAMED:,} more" if len(report.passed_over) > _NAMED else ""
        page.block(0, (f"passed over, since their names begin with a dot: {named}{more}", WARN))
    left_out = [outcome for outcome in report.outcomes if outcome.status in ("failed", "duplicate")]
    if left_out:
        page.line()
        page.line(("Not taken in as documents of their own", TITLE))
        rows = [(o.name, (o.status, styles[o.status]), o.message, o.hint) for o in left_out]
        page.table(("file", "status", "reason", "what to do"), rows)
    lossy = [o for o in report.outcomes if o.status in ("added", "updated") and o.message]
    if lossy:
        page.line()
        page.line(("Read with loss", TITLE))
        page.table(("file", "what was lost"), [(o.name, (o.message, WARN)) for o in lossy])
    page.line()
    if report.count("added", "updated", "described", "withdrawn"):
        page.line(f"Next: coditect knowledge build --corpus-id {shlex.quote(report.corpus_id)}")
    else:
        page.line("Nothing changed; there is nothing to build.")
