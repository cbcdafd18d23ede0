"""``coditect knowledge deadlines``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand
from coditect.cli.registers import FORMATS, register_options, registered, write_dates, write_table
from coditect.cli.session import open_session

if TYPE_CHECKING:
    from coditect.schemas import RegisterKind

__all__ = ["deadlines"]


@click.command("deadlines", cls=KnowledgeCommand)
@register_options(*FORMATS, "ical")
@click.pass_context
def deadlines(ctx: click.Context, /, **given: Any) -> ExitCode:  # noqa: ANN401 - values of options
    """List duties that are due by a time or a date, or again and again.

    As a calendar (--format ical): duties that recur, from --today on, since no text says when the first one was due; duties with a
    calendar date; and the dates on which documents begin, end and are to be reviewed. A time that runs from an event stands in no
    calendar before the event: list those with --due-within.
    """
    from coditect.knowledge.report.registers.rows import dates_of_documents, register_rows

    kinds: tuple[RegisterKind, ...] = ("obligation", "prohibition", "permission")
    with (
        open_session(ctx, logs=False) as knowledge,
        registered(knowledge, kinds, given, timed=True) as (view, filters, today),
    ):
        rows = register_rows(view, filters, today)
        if given["output_format"] != "ical":
            write_table(rows, view, today, given)
            return ExitCode.OK
        write_dates(rows, dates_of_documents(view, filters), view, knowledge, given["output"], today)
    return ExitCode.OK
