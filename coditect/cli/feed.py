"""``coditect knowledge feed``."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, corpus_option, format_option, run_options
from coditect.cli.output import write_json, write_json_line
from coditect.cli.session import open_session
from coditect.cli.terminal import plain

if TYPE_CHECKING:
    from coditect.schemas import FeedEntry

__all__ = ["feed"]


@click.command("feed", cls=KnowledgeCommand)
@corpus_option("Show the events of this corpus.")
@click.option(
    "--after",
    "cursor",
    default="",
    metavar="CURSOR",
    help="Only events behind this one; each line begins with its own.",
)
@click.option("--follow", is_flag=True, help="Then wait for those that come, until the command is interrupted.")
@click.option("--count", type=click.IntRange(min=1), help="End after so many events.")
@format_option()
@run_options
@click.pass_context
def feed(
    ctx: click.Context, corpus_id: str, cursor: str, follow: bool, count: int | None, output_format: str
) -> ExitCode:
    """Show what happened to a corpus: documents taken in, generations published.

    With --follow --format json each event is one line of JSON, written when it comes: for programs that act on every new
    generation. '--follow --count 1' waits for the next event. An event may come twice.
    """
    with open_session(ctx) as knowledge:
        if follow:
            for entry in islice(knowledge.follow(corpus_id, cursor), count):
                if output_format == "json":
                    write_json_line(entry.model_dump(mode="json"))
                else:
                    click.echo(_line(entry))
            return ExitCode.OK
        found = list(islice(knowledge.feed(corpus_id, cursor), count))
    if output_format == "json":
        write_json({"corpus_id": corpus_id, "events": [entry.model_dump(mode="json") for entry in found]})
    else:
        for entry in found:
            click.echo(_line(entry))
    return ExitCode.OK


def _line(entry: FeedEntry) -> str:
    event = entry.event
    what = f"generation {event.generation}" if event.event == "generation" else "ingested"
    counts = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in event.counts.items() if number)
    return plain(f"{entry.cursor}  {event.at}  {what}{': ' if counts else ''}{counts}")
