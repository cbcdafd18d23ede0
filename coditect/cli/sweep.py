"""``coditect store sweep``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import open_session

if TYPE_CHECKING:
    from coditect.cli.console import Screen
    from coditect.schemas import CorpusSweep, RowCount, SweepReport

__all__ = ["sweep"]


@click.command("sweep", cls=KnowledgeCommand)
@corpus_option("Sweep this corpus; default: every corpus of the tenant.", required=False)
@click.option("--apply", "--yes", "apply", is_flag=True, help="Remove what is dead; without it, it is only counted.")
@format_option()
@run_options
@click.pass_context
def sweep(ctx: click.Context, corpus_id: str | None, apply: bool, output_format: str) -> ExitCode:
    """Find rows that nothing refers to, and remove them.

    Dead are items, derivations and files that killed builds and ingests left, and documents that were replaced before any
    build took them in. Every generation stays whole, and so do the intake, answers that were paid for, and what persons
    decided. Without --apply nothing is written. A corpus that somebody is building, or taking documents into, is left
    alone (exit code 3), and so is one whose rows are damaged (exit code 1). Space in the file is used again; 'store
    compact' gives it back to the disk.
    """
    with open_session(ctx) as knowledge, progress_bars() as progress:
        report = knowledge.sweep(corpus_id, apply=apply, progress=progress)
    if output_format == "json":
        write_json(report.model_dump(mode="json"))
    else:
        _write_text(report)
    if any(corpus.state == "damaged" for corpus in report.corpora):
        return ExitCode.FOUND
    return ExitCode.OK if report.complete else ExitCode.PARTIAL


def _write_text(report: SweepReport) -> None:
    from coditect.cli.console import Screen

    page = Screen()
    if not report.corpora:
        page.line("No corpus yet.")
    for corpus in report.corpora:
        _write_corpus(page, corpus)
    dead = any(corpus.dead for corpus in report.corpora)
    if dead and not report.applied:
        page.line("Nothing was removed. Next: the same command with --apply")
    page.line(f"{report.seconds:.2f} s")


def _write_corpus(page: Screen, corpus: CorpusSweep) -> None:
    from coditect.cli.console import BAD, GOOD, TITLE, WARN

    states = {
        "found": ("looked through", GOOD),
        "swept": ("swept", GOOD),
        "held": ("not swept: a legal hold keeps all of it", WARN),
        "at work": ("not swept: somebody is at work on it", WARN),
        "damaged": ("not swept: rows that it needs are damaged; see 'coditect knowledge validate'", BAD),
    }
    page.line((f"Corpus {corpus.corpus_id}", TITLE), ": ", states[corpus.state])
    if corpus.reason:
        page.block(2, corpus.reason)
    tables = [table for table in corpus.live | corpus.dead if corpus.dead.get(table) or corpus.removed.get(table)]
    if tables:
        page.line()
        rows = [
            (
                table,
                *(
                    f"{number:,}"
                    for counts in (corpus.live, corpus.dead, corpus.removed)
                    for number in _numbers(counts, table)
                ),
            )
            for table in tables
        ]
        totals = [
            f"{sum(numbers):,}"
            for counts in (corpus.live, corpus.dead, corpus.removed)
            for numbers in zip(*(_numbers(counts, table) for table in corpus.live | corpus.dead), strict=True)
        ]
        columns = ("table", "live rows", "bytes", "dead rows", "bytes", "removed rows", "bytes")
        page.table(columns, [*rows, ("all tables", *totals)], numbers=tuple(range(1, len(columns))))
    elif corpus.state in ("found", "swept"):
        page.line("  Nothing in it is dead.")
    page.line()


def _numbers(counts: dict[str, RowCount], table: str) -> tuple[int, int]:
    found = counts.get(table)
    return (0, 0) if found is None else (found.rows, found.size_bytes)
