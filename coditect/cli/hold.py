"""``coditect knowledge hold``, ``release`` and ``holds``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import TEXT, KnowledgeCommand, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import load_settings, open_session

if TYPE_CHECKING:
    from coditect.schemas import LegalHold

__all__ = ["hold", "holds", "release"]


@click.command("hold", cls=KnowledgeCommand)
@corpus_option("The corpus; all of it is held where no document is named.")
@click.option("--document", "documents", multiple=True, type=TEXT, metavar="ID", help="By id or name; again for more.")
@click.option("--matter", type=TEXT, required=True, metavar="NAME", help="The case that it serves.")
@click.option("--reason", type=TEXT, required=True, metavar="TEXT", help="Why.")
@click.option("--by", type=TEXT, required=True, metavar="NAME", help="Who orders it.")
@format_option()
@run_options
@click.pass_context
def hold(
    ctx: click.Context,
    corpus_id: str,
    documents: tuple[str, ...],
    matter: str,
    reason: str,
    by: str,
    output_format: str,
) -> ExitCode:
    """Order that documents, or a whole corpus, be kept until 'release'.

    Nothing of the corpus is swept meanwhile, and none of them is erased; an erasure that is asked for waits.
    """
    with open_session(ctx) as knowledge:
        made = knowledge.hold(corpus_id, documents, matter=matter, reason=reason, by=by)
    _write([made], output_format)
    return ExitCode.OK


@click.command("release", cls=KnowledgeCommand)
@corpus_option("The corpus that is held.")
@click.option("--hold", "hold_id", type=TEXT, required=True, metavar="ID", help="The hold, as 'holds' lists it.")
@click.option("--reason", type=TEXT, required=True, metavar="TEXT", help="Why.")
@click.option("--by", type=TEXT, required=True, metavar="NAME", help="Who ends it.")
@format_option()
@run_options
@click.pass_context
def release(ctx: click.Context, corpus_id: str, hold_id: str, reason: str, by: str, output_format: str) -> ExitCode:
    """End a legal hold, and carry out the erasures that were asked for meanwhile."""
    from coditect.cli.erase import outcome_json, write_outcomes
    from coditect.cli.freed_space import give_back

    with open_session(ctx, compacts=False) as knowledge, progress_bars() as progress:
        made, outcomes = knowledge.release(corpus_id, hold_id, reason=reason, by=by, progress=progress)
    space = give_back(load_settings(ctx)) if any(each.state == "done" for each in outcomes) else ""
    if output_format == "json":
        found = [outcome_json(each) for each in outcomes]
        write_json({"release": made.model_dump(mode="json"), "erasures": found, "space": space})
    else:
        click.echo(f"{hold_id} ended.")
        write_outcomes(outcomes, space)
    if any(each.state == "words left" for each in outcomes):
        return ExitCode.FOUND
    return ExitCode.OK if all(each.state == "done" for each in outcomes) else ExitCode.PARTIAL


@click.command("holds", cls=KnowledgeCommand)
@corpus_option("Of this corpus; default: of every corpus of the tenant.", required=False)
@format_option()
@run_options
@click.pass_context
def holds(ctx: click.Context, corpus_id: str | None, output_format: str) -> ExitCode:
    """List the legal holds that are in force."""
    with open_session(ctx) as knowledge:
        found = knowledge.holds(corpus_id)
    _write(found, output_format)
    return ExitCode.OK


def _write(found: list[LegalHold], output_format: str) -> None:
    if output_format == "json":
        write_json([each.model_dump(mode="json") for each in found])
        return
    from coditect.cli.console import ID, TITLE, Screen, counted

    page = Screen()
    if not found:
        page.line("No hold is in force.")
    for each in found:
        held = counted(len(each.document_ids), "document") if each.document_ids else "the whole corpus"
        page.line((each.matter, TITLE), f"  {each.corpus_id}, {held}  ", (each.hold_id, ID))
        page.block(2, f"by {each.by} since {each.at}: {each.reason}")
