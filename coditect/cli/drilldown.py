"""``coditect knowledge drilldown``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import TEXT, KnowledgeCommand, as_of_option, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import open_session

if TYPE_CHECKING:
    from coditect.knowledge.service import Knowledge

__all__ = ["drilldown"]


@click.command("drilldown", cls=KnowledgeCommand)
@click.option(
    "--item-id",
    type=TEXT,
    required=True,
    metavar="ID",
    help="A claim, section, chunk or extraction; 'query' prints ids.",
)
@corpus_option("Look in this corpus only; default: wherever the item is.", required=False)
@as_of_option()
@click.option("--chain", "whole_chain", is_flag=True, help="Show every tier below, not only the next one.")
@format_option()
@run_options
@click.pass_context
def drilldown(
    ctx: click.Context, item_id: str, corpus_id: str | None, as_of: int | None, whole_chain: bool, output_format: str
) -> ExitCode:
    """Show what an item was derived from.

    One tier down: a claim's sections, a section's chunks, a chunk's extractions. An extraction is the end: it stands in
    the file at its offsets.
    """
    with open_session(ctx, logs=False) as knowledge:
        if output_format == "text":
            _write_text(knowledge, item_id, corpus_id, as_of, whole_chain)
        elif whole_chain:
            write_json(knowledge.chain(item_id, corpus_id=corpus_id, as_of=as_of).model_dump(mode="json"))
        else:
            write_json(knowledge.drill_down_from(item_id, corpus_id=corpus_id, as_of=as_of).model_dump(mode="json"))
    return ExitCode.OK


def _write_text(
    knowledge: Knowledge, item_id: str, corpus_id: str | None, as_of: int | None, whole_chain: bool
) -> None:
    from coditect.cli.answers import write_chain, write_tier_below
    from coditect.cli.console import Screen
    from coditect.knowledge.query.drilldown import find_item
    from coditect.knowledge.query.sources import SourceBuilder

    view, item = find_item(knowledge.store, item_id, corpus_id, as_of)
    knowledge.note_read(view.corpus_id, "drill down", view.generation, [item_id])
    builder = SourceBuilder(view)
    top = builder.source(item, deep=True)
    if whole_chain:
        write_chain(Screen(), top)
        return
    # Each is shown with its own sources: they tell quotations from what the program wrote between them.
    below = [builder.source(view.find(each.item_id), deep=True) for each in builder.below(item)]
    write_tier_below(Screen(), top, below)
