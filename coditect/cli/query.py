"""``coditect knowledge query``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import (
    TEXT,
    TIERS,
    KnowledgeCommand,
    as_of_option,
    corpus_option,
    format_option,
    run_options,
)
from coditect.cli.output import write_json
from coditect.cli.session import open_session

if TYPE_CHECKING:
    from coditect.schemas import TierName

__all__ = ["query"]


@click.command("query", cls=KnowledgeCommand)
@corpus_option("The corpus that answers.")
@click.option(
    "--query",
    "question",
    type=TEXT,
    required=True,
    metavar="TEXT",
    help="What to look for. Phrases in quotation marks are exact.",
)
@click.option(
    "--tier",
    type=click.Choice(TIERS),
    default="section",
    show_default=True,
    help="Claims (corpus), quotes by topic (section), key sentences (chunk), or what is said verbatim (extraction).",
)
@click.option(
    "--include-sources/--no-include-sources",
    default=False,
    show_default=True,
    help="Show the chain of evidence of each answer, down to the characters.",
)
@click.option("--limit", type=click.IntRange(1, 1000), metavar="N", default=10, show_default=True, help="Most answers.")
@as_of_option()
@format_option()
@run_options
@click.pass_context
def query(
    ctx: click.Context,
    corpus_id: str,
    question: str,
    tier: TierName,
    include_sources: bool,
    limit: int,
    as_of: int | None,
    output_format: str,
) -> ExitCode:
    """Ask a question at one tier.

    Answers are ranked; what the question names outright (a section number, a defined term, a quoted phrase) comes first.
    No answer is an answer, too: exit code 0.
    """
    as_json = output_format == "json"
    with open_session(ctx) as knowledge:
        # People are shown which words are the program's and which a document's; that takes the sources.
        sources = include_sources or not as_json
        result = knowledge.query(corpus_id, question, tier=tier, include_sources=sources, limit=limit, as_of=as_of)
    if as_json:
        write_json(result.model_dump(mode="json"))
    else:
        from coditect.cli.answers import write_answers
        from coditect.cli.console import Page

        write_answers(Page(), result, with_sources=include_sources)
    return ExitCode.OK
