"""``coditect store compact``."""

from __future__ import annotations

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import load_settings, open_session

__all__ = ["compact"]


@click.command("compact", cls=KnowledgeCommand)
@format_option()
@run_options
@click.pass_context
def compact(ctx: click.Context, output_format: str) -> ExitCode:
    """Give the free space of a store's file back to the disk.

    A compact copy is made beside the store and takes its place in one step; until then the store is as it was. No other
    program may have the store open: if one has, nothing is done, and the message names it (exit code 4). The disk needs
    room for the copy. For embedded stores; a FoundationDB cluster needs no such thing.
    """
    from coditect.compose import settle_compaction

    settings = load_settings(ctx)
    done = settle_compaction(settings)
    with open_session(ctx) as knowledge:
        knowledge.note_compaction(done.before_bytes, done.after_bytes)
    if output_format == "json":
        write_json({"store": settings.store, "before_bytes": done.before_bytes, "after_bytes": done.after_bytes})
        return ExitCode.OK
    from coditect.cli.console import GOOD, TITLE, Screen

    page = Screen()
    page.line((f"Store {settings.store}", TITLE), ": ", ("compacted", GOOD))
    page.line(f"  {done.before_bytes:,} bytes before, {done.after_bytes:,} after")
    return ExitCode.OK
