"""``coditect store check``."""

from __future__ import annotations

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import open_session
from coditect.cli.validate import write_owed

__all__ = ["check"]


@click.command("check", cls=KnowledgeCommand)
@format_option()
@run_options
@click.pass_context
def check(ctx: click.Context, output_format: str) -> ExitCode:
    """Read every row of every corpus, of all generations: checksums, ids, places, index entries, and what they point to.

    'coditect knowledge validate' compares one corpus' tiers with the documents' text besides. Exit code 1 if something
    is found. Erasures after which the store's file is still to be compacted are named, and are no finding.
    """
    with open_session(ctx) as knowledge, progress_bars() as progress:
        reports = knowledge.check_rows(progress=progress)
        owed = knowledge.owed_compactions()
    found = sum(len(report.findings) for report in reports)
    if output_format == "json":
        write_json(
            {
                "clean": not found,
                "compaction_owed": list(owed),
                "corpora": [report.model_dump(mode="json") for report in reports],
            }
        )
        return ExitCode.FOUND if found else ExitCode.OK
    from coditect.cli.console import BAD, GOOD, TITLE, Screen, counted

    page = Screen()
    page.line(("Store", TITLE), ": ", ("nothing found", GOOD) if not found else (counted(found, "finding"), BAD))
    page.table(
        ("corpus", "rows", "findings"),
        [(each.corpus_id, f"{sum(each.checked.values()):,}", str(len(each.findings))) for each in reports],
        numbers=(1, 2),
    )
    for report in reports:
        for number, finding in enumerate(report.findings, 1):
            page.line(f"{number:>4}. ", (finding.check, BAD), f"  {finding.record}")
            page.block(6, finding.message)
    write_owed(page, owed)
    return ExitCode.FOUND if found else ExitCode.OK
