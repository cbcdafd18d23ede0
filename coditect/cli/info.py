"""``coditect store info``."""

from __future__ import annotations

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import load_settings

__all__ = ["info"]


@click.command("info", cls=KnowledgeCommand)
@format_option()
@run_options
@click.pass_context
def info(ctx: click.Context, output_format: str) -> ExitCode:
    """Show what the store says of itself: its format, and which releases made, upgraded and can read it.

    Also of a store that a later release wrote, which no other command opens.
    """
    from coditect.compose import store_header
    from coditect.keyspace import FORMAT

    settings = load_settings(ctx)
    header = store_header(settings)
    if output_format == "json":
        write_json({"store": settings.store, "tenant": settings.tenant, "written_format": FORMAT, **header})
        return ExitCode.OK
    from coditect.cli.console import TITLE, Screen

    page = Screen()
    page.line((f"Store {settings.store}", TITLE), f", tenant {settings.tenant}")
    rows = [
        (name.replace("_", " "), _shown(name, value))
        for name, value in header.items()
        if value not in ("", None, 0, {}, [])
    ]
    page.table(("field", "value"), [*rows, ("this release writes format", str(FORMAT))])
    return ExitCode.OK


def _shown(name: str, value: object) -> str:
    """A field of a header for people; of a later release's, whatever it is."""
    if name == "indexes" and isinstance(value, list):
        return ", ".join(
            f"{each.get('name')} {each.get('state')}" if isinstance(each, dict) else str(each) for each in value
        )
    return str(value)
