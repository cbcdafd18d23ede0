"""``coditect knowledge definitions``."""

from __future__ import annotations

from typing import Any

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand
from coditect.cli.registers import register_options, registered, write_table
from coditect.cli.session import open_session

__all__ = ["definitions"]


@click.command("definitions", cls=KnowledgeCommand)
@click.option(
    "--several", is_flag=True, help="Only terms that are defined more than once, in one document or in several."
)
@register_options()
@click.pass_context
def definitions(ctx: click.Context, /, several: bool, **given: Any) -> ExitCode:  # noqa: ANN401 - values of options
    """List the defined terms with their meanings, and where each is defined."""
    from coditect.knowledge.report.registers.rows import defined_often, register_rows

    with (
        open_session(ctx, logs=False) as knowledge,
        registered(knowledge, ("definition",), given) as (view, filters, today),
    ):
        rows = register_rows(view, filters, today)
        write_table(defined_often(rows) if several else rows, view, today, given)
    return ExitCode.OK
