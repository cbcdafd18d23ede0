"""``coditect knowledge mark``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import TEXT, KnowledgeCommand, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import open_session
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.schemas import RelevanceMark

__all__ = ["mark"]


@click.command("mark", cls=KnowledgeCommand)
@corpus_option("The corpus that was asked.")
@click.option("--query", type=TEXT, metavar="TEXT", help="The question, as it was asked.")
@click.option("--item-id", type=TEXT, metavar="ID", help="The item that is judged, as 'query --format json' names it.")
@click.option("--relevant/--not-relevant", default=None, help="Whether the item answers the question.")
@click.option("--by", type=TEXT, metavar="NAME", help="Who judges.")
@click.option("--list", "listed", is_flag=True, help="List the marks that are in force.")
@format_option()
@run_options
@click.pass_context
def mark(
    ctx: click.Context,
    corpus_id: str,
    query: str | None,
    item_id: str | None,
    relevant: bool | None,
    by: str | None,
    listed: bool,
    output_format: str,
) -> ExitCode:
    """Say whether an item answers a question; calibration learns from it.

    A mark is stored with who and when, and is never changed: a later one of the same question and item replaces it. It changes no
    answer by itself; 'coditect knowledge calibrate' fits the relevance gate and the fusion on marks.
    """
    given = (query, item_id, relevant, by)
    if listed:
        if any(each is not None for each in given):
            raise UsageError("a list needs nothing else", hint="Give --list alone, or leave it out.")
        with open_session(ctx) as knowledge:
            found = knowledge.marks(corpus_id)
        if output_format == "json":
            write_json([each.model_dump(mode="json") for each in found])
        else:
            _write_marks(found)
        return ExitCode.OK
    if query is None or item_id is None or relevant is None or by is None:
        raise UsageError(
            "a mark needs a question, an item, a judgement and a name",
            hint="Give --query, --item-id, --relevant or --not-relevant, and --by; or --list.",
        )
    with open_session(ctx) as knowledge:
        made = knowledge.mark(corpus_id, query, item_id, relevant=relevant, by=by)
    if output_format == "json":
        write_json(made.model_dump(mode="json"))
    else:
        _write_marks([made])
    return ExitCode.OK


def _write_marks(found: list[RelevanceMark]) -> None:
    from coditect.cli.console import FAINT, GOOD, TITLE, WARN, Screen, counted

    page = Screen()
    page.line((counted(len(found), "mark"), TITLE))
    for each in found:
        said = ("relevant", GOOD) if each.relevant else ("not relevant", WARN)
        page.line("  ", said, f"  {each.by}, {each.at}  ", (each.judged_id, FAINT))
        page.block(4, each.query)
