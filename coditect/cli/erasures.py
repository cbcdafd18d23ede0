"""``coditect knowledge erasures``."""

from __future__ import annotations

from pathlib import Path

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, StorablePath, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.output_files import opened_output
from coditect.cli.session import check_output, open_session

__all__ = ["erasures"]


@click.command("erasures", cls=KnowledgeCommand)
@corpus_option("Of this corpus; default: of every corpus of the tenant.", required=False)
@click.option(
    "--output",
    type=StorablePath(),
    metavar="FILE",
    help="Write the list that is kept beside backups: CODITECT_ERASURES names it when a restored store is opened.",
)
@format_option()
@run_options
@click.pass_context
def erasures(ctx: click.Context, corpus_id: str | None, output: Path | None, output_format: str) -> ExitCode:
    """List erasures with their certificates: who, why, when, and what went.

    Also what the search looked for, and the index of the entry of the log that tells of it.
    """
    if output is not None:
        check_output(ctx, output)
    from coditect.knowledge.cases.base import erasure_desk

    with open_session(ctx) as knowledge:
        entries = erasure_desk(knowledge).entries(corpus_id)
        places = erasure_desk(knowledge).logged([each.erasure for each in entries])
        if output is not None:
            lines = erasure_desk(knowledge).lines(corpus_id)
            with opened_output(output, "the list of erasures cannot be written") as file:
                file.write(lines)
    if output_format == "json":
        from coditect.knowledge.report.shapes import erasures_shape

        write_json(erasures_shape(entries, places))
        return ExitCode.OK
    from coditect.cli.console import ID, TITLE, Screen

    page = Screen()
    if not entries:
        page.line("Nothing was erased.")
    for each in entries:
        found = each.certificate
        state = "waits" if found is None else f"done {found.at}, {sum(c.rows for c in found.removed.values()):,} rows"
        page.line((each.erasure.corpus_id, TITLE), "  ", (each.erasure.erasure_id, ID), f"  {state}")
        page.block(2, f"asked by {each.erasure.by} at {each.erasure.at}: {each.erasure.reason}")
        page.block(2, f"log entry {places.get(each.erasure.erasure_id, 'of another store')}")
    return ExitCode.OK
