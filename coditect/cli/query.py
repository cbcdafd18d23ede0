"""``coditect knowledge query``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import (
    EXPANSIONS,
    KINDS,
    MODALITIES,
    SEARCH_MODES,
    TEXT,
    TIERS,
    KnowledgeCommand,
    as_of_option,
    corpus_option,
    format_option,
    run_options,
    today_option,
)
from coditect.cli.output import write_json
from coditect.cli.session import import_numpy_alone, open_session

if TYPE_CHECKING:
    from coditect.schemas import Granularity, SearchOptions

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
    help="Claims (corpus), quotes by topic (section), key sentences (chunk), what is said verbatim (extraction), "
    "the statements that stand for their passage (proposition), or stretches of text (passage).",
)
@click.option(
    "--include-sources/--no-include-sources",
    default=False,
    show_default=True,
    help="Show the chain of evidence of each answer, down to the characters.",
)
@click.option("--limit", type=click.IntRange(1, 1000), metavar="N", default=10, show_default=True, help="Most answers.")
@click.option(
    "--mode",
    type=click.Choice(SEARCH_MODES),
    default="hybrid",
    show_default=True,
    help="By words and meaning, by words, by meaning, or only what the question names outright: with extractions and "
    "propositions also each statement that mentions an entity of that name.",
)
@click.option(
    "--fusion",
    type=click.Choice(("score", "rrf")),
    default="score",
    show_default=True,
    help="How words and meaning are joined: by score, or by reciprocal rank.",
)
@click.option(
    "--document", "documents", type=TEXT, multiple=True, metavar="NAME", help="Only in it; a pattern. Repeatable."
)
@click.option("--topic", "topics", type=TEXT, multiple=True, metavar="TEXT", help="Only what speaks to it. Repeatable.")
@click.option(
    "--entity", "entities", type=TEXT, multiple=True, metavar="NAME", help="Only what mentions it. Repeatable."
)
@click.option(
    "--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Only statements of this kind. Repeatable."
)
@click.option(
    "--modality", "modalities", type=click.Choice(MODALITIES), multiple=True, help="Only of this force. Repeatable."
)
@click.option(
    "--small-to-big",
    is_flag=True,
    help="With passages: match small ones, return those of CODITECT_SMALL_TO_BIG_RETURN_LEVEL that hold them.",
)
@click.option(
    "--return-level",
    type=click.IntRange(0, 5),
    metavar="LEVEL",
    help="The same, with the level to return; 0 is the smallest.",
)
@click.option("--expand", type=click.Choice(EXPANSIONS), help="Show what holds each answer, up to this.")
@click.option("--follow", is_flag=True, help="Show where the references and defined terms inside each answer lead.")
@click.option("--rerank", is_flag=True, help="Let the model of CODITECT_RERANKER order the best answers.")
@click.option("--explain", is_flag=True, help="Show what each part of the search contributed.")
@click.option(
    "--gate/--no-gate",
    default=True,
    show_default=True,
    help="Leave out what is not relevant; without the gate the nearest is shown whatever it is.",
)
@today_option(
    "Say which documents behind the answers do not bind on this day, or are overdue for review.", "nothing is said"
)
@as_of_option()
@format_option()
@run_options
@click.pass_context
def query(
    ctx: click.Context,
    /,
    corpus_id: str,
    question: str,
    tier: Granularity,
    include_sources: bool,
    limit: int,
    today: str | None,
    as_of: int | None,
    output_format: str,
    small_to_big: bool,
    return_level: int | None,
    **chosen: Any,  # noqa: ANN401 - the fields of SearchOptions and SearchFilters, as click types them
) -> ExitCode:
    """Ask a question at one tier, or of passages or propositions.

    Answers are ranked; what the question names outright (a section number, a defined term, a quoted phrase) comes first.
    No answer is an answer, too: exit code 0.
    """
    as_json = output_format == "json"
    import_numpy_alone()
    with open_session(ctx, logs=False) as knowledge:
        # People are shown which words are the program's and which a document's; that takes the sources.
        sources = include_sources or not as_json
        level = knowledge.return_level if small_to_big and return_level is None else return_level
        result = knowledge.query(
            corpus_id,
            question,
            tier=tier,
            include_sources=sources,
            limit=limit,
            as_of=as_of,
            options=_options(level, chosen),
        )
        if today is not None:
            from coditect.knowledge.report.standing import with_standing

            result = with_standing(result, knowledge.view(corpus_id, as_of), today)
    if as_json:
        write_json(result.model_dump(mode="json"))
    else:
        from coditect.cli.answers import write_answers
        from coditect.cli.console import Screen

        write_answers(Screen(), result, with_sources=include_sources)
    return ExitCode.OK


def _options(return_level: int | None, chosen: dict[str, Any]) -> SearchOptions:
    from coditect.schemas import SearchFilters, SearchOptions

    filters = {name: chosen.pop(name) for name in ("documents", "topics", "entities", "kinds", "modalities")}
    return SearchOptions(return_level=return_level, filters=SearchFilters(**filters), **chosen)
