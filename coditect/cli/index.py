"""``coditect store index``: indexes that a store may have, added and dropped while it is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode, exit_codes_epilog
from coditect.cli.options import GROUP_CONTEXT, TEXT, KnowledgeCommand, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import load_settings, open_session

if TYPE_CHECKING:
    from coditect.knowledge.service import Knowledge
    from coditect.schemas import IndexStatus

__all__ = ["index"]


@click.group(
    "index",
    context_settings=GROUP_CONTEXT,
    epilog=exit_codes_epilog(),
)
@run_options
def index() -> None:
    """Add and drop indexes that a store may have, while it is in use.

    Questions have the same answers with an index and without; it changes how long they take, and how large the store is.
    The index 'entity' finds the statements that mention an organisation, a role or a defined term:
    'coditect knowledge query --mode exact --tier extraction --query NAME'.
    """


@index.command("list", cls=KnowledgeCommand)
@format_option()
@run_options
@click.pass_context
def list_indexes(ctx: click.Context, output_format: str) -> ExitCode:
    """Show the indexes of the store and their states.

    Readable: complete, and asked by queries. Write only: it is being built, or its building was killed; whoever writes
    keeps it, and nobody reads it yet. Disabled: the store does not have it.
    """
    settings = load_settings(ctx)
    with open_session(ctx) as knowledge:
        found = knowledge.indexes()
    if output_format == "json":
        indexes = [each.model_dump(mode="json") for each in found]
        write_json({"store": settings.store, "tenant": settings.tenant, "indexes": indexes})
        return ExitCode.OK
    from coditect.cli.console import BAD, FAINT, GOOD, WARN, Screen

    colours = {"readable": GOOD, "write only": WARN, "disabled": FAINT}
    page = Screen()
    page.line((f"Store {settings.store}, tenant {settings.tenant}", FAINT))
    rows = [
        (
            each.name,
            (each.state, colours[each.state] if each.known else BAD),
            "always there" if each.required else each.at,
            _note(each),
        )
        for each in found
    ]
    page.table(("index", "state", "since", "note"), rows)
    return ExitCode.OK


def _note(status: IndexStatus) -> str:
    """What there is to be done about an index, if anything."""
    if not status.known:
        return f"version {status.version}, of another release: this one does not write to the store while it has it"
    if status.state == "write only":
        return f"{status.records:,} records read; 'store index build {status.name}' goes on"
    return f"rows of it are left: 'store index drop {status.name}' clears them" if status.leftovers else ""


@index.command("build", cls=KnowledgeCommand)
@click.argument("name", type=TEXT)
@format_option()
@run_options
@click.pass_context
def build(ctx: click.Context, name: str, output_format: str) -> ExitCode:
    """Add an index, or go on with a building that was stopped.

    From the first moment every program that writes keeps the index; then what was there before is read in small
    transactions, and the last of them makes the index readable. Readers and writers go on meanwhile. A building that was
    killed goes on where it was when this command is given again; two at once share the work.
    """
    with open_session(ctx) as knowledge, progress_bars() as progress:
        built = knowledge.build_index(name, progress=progress)
        status = _status(knowledge, name)
    if output_format == "json":
        write_json({"built": built, "index": status.model_dump(mode="json")})
    else:
        from coditect.cli.console import GOOD

        _write_line(name, (status.state, GOOD), "" if built else f" since {status.at}; nothing to do")
    return ExitCode.OK


@index.command("drop", cls=KnowledgeCommand)
@click.argument("name", type=TEXT)
@format_option()
@run_options
@click.pass_context
def drop(ctx: click.Context, name: str, output_format: str) -> ExitCode:
    """Drop an index: it is disabled at once, then its rows are cleared.

    Also an index of another release, of which this one knows nothing but its name: programs of this release cannot write
    to a store that has one. Readers and writers go on meanwhile. Dropped again, an index loses what a drop that was
    killed had left.
    """
    with open_session(ctx) as knowledge, progress_bars() as progress:
        cleared = knowledge.drop_index(name, progress=progress)
    if output_format == "json":
        write_json({"name": name, "state": "disabled", "cleared_rows": cleared})
    else:
        _write_line(name, f"disabled, {cleared:,} rows cleared")
    return ExitCode.OK


def _write_line(name: str, *parts: str | tuple[str, str]) -> None:
    """What became of an index, in one line."""
    from coditect.cli.console import TITLE, Screen

    Screen().line((f"Index {name}", TITLE), ": ", *parts)


def _status(knowledge: Knowledge, name: str) -> IndexStatus:
    return next(status for status in knowledge.indexes() if status.name == name)
