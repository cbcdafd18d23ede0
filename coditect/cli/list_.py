"""``coditect knowledge list``."""

from __future__ import annotations

from typing import Any

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KINDS, KnowledgeCommand
from coditect.cli.registers import register_options, registered, write_table
from coditect.cli.session import open_session

__all__ = ["list_"]


@click.command("list", cls=KnowledgeCommand)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice((*KINDS, "claim", "possible")),
    multiple=True,
    help="Only of this kind. Repeatable.",
)
@click.option(
    "--severity",
    "severities",
    type=click.Choice(("high", "medium", "low", "information")),
    multiple=True,
    help="Only claims of this severity. Repeatable.",
)
@register_options()
@click.pass_context
def list_(ctx: click.Context, /, kinds: tuple[Any, ...], **given: Any) -> ExitCode:  # noqa: ANN401 - values of options
    """List what the documents say, statement by statement, and the claims about them.

    Each row holds the verbatim words with their place: document, numbered path, page and characters. Fields beside them (who, what,
    by when, how often, under which condition) are what was read from the words. Nothing is ranked or left out; restrict it by
    options. Of kind possible are conflicts and gaps that rules alone do not publish, with the reason as their standing.
    """
    from coditect.knowledge.report.registers.rows import register_rows

    with open_session(ctx, logs=False) as knowledge, registered(knowledge, kinds, given) as (view, filters, today):
        write_table(register_rows(view, filters, today), view, today, given)
    return ExitCode.OK
