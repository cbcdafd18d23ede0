"""``coditect knowledge obligations``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand
from coditect.cli.registers import register_options, registered, write_table
from coditect.cli.session import open_session

if TYPE_CHECKING:
    from coditect.schemas import RegisterKind

__all__ = ["obligations"]


@click.command("obligations", cls=KnowledgeCommand)
@click.option("--permissions", is_flag=True, help="List what is permitted and exempt as well.")
@register_options()
@click.pass_context
def obligations(ctx: click.Context, /, permissions: bool, **given: Any) -> ExitCode:  # noqa: ANN401 - values of options
    """List who must do what, and who must not, by when and how often, with the exact rule.

    Each row is a duty or a prohibition in the document's own words. A list item is a row of its own, read with its lead-in.
    """
    from coditect.knowledge.report.registers.rows import register_rows

    kinds: list[RegisterKind] = ["obligation", "prohibition"]
    if permissions:
        kinds.append("permission")
    with open_session(ctx, logs=False) as knowledge, registered(knowledge, kinds, given) as (view, filters, today):
        write_table(register_rows(view, filters, today), view, today, given)
    return ExitCode.OK
