"""The options of ``build``, ``verify`` and ``crosswalk`` about language models, and what is shown of their work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from coditect.cli.options import TEXT, remember
from coditect.cli.output import write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from coditect.cli.console import Screen
    from coditect.knowledge.building.pipeline import BuildReport

__all__ = [
    "agent_options",
    "agent_table",
    "asking_options",
    "chosen",
    "examiner_options",
    "told_reading",
    "write_asking_forecast",
    "write_forecast",
]

F = TypeVar("F", bound="Callable[..., Any]")

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def chosen(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Keep which model is asked for the settings, and hand it to the command as well: the environment alone has nothing asked."""
    remember(ctx, param, value)
    return value


_CONCURRENCY = click.option(
    "--agent-concurrency",
    type=click.IntRange(1, 50),
    expose_value=False,
    callback=remember,
    metavar="N",
    help="Calls of the model at a time, at most. Environment: CODITECT_AGENT_CONCURRENCY.",
)
_BUDGET_TOKENS = click.option(
    "--budget-tokens",
    type=click.IntRange(min=1),
    expose_value=False,
    callback=remember,
    metavar="N",
    help="Stop before the roles take more tokens than this.",
)
_BUDGET_USD = click.option(
    "--budget-usd",
    type=click.FloatRange(min=0, min_open=True),
    expose_value=False,
    callback=remember,
    metavar="DOLLARS",
    help="Stop before the roles cost more than this.",
)
_COUNT_TOKENS = click.option(
    "--count-tokens",
    type=click.Choice(("local", "service")),
    expose_value=False,
    callback=remember,
    help="Who counts the input of a dry run: this machine, by an estimate (default), or the service, which is sent the text of "
    "some requests. Environment: CODITECT_COUNT_TOKENS.",
)

_BATCH = click.option(
    "--batch/--no-batch",
    default=None,
    expose_value=False,
    callback=remember,
    help="Ask in batches: half the price, answers within a day; a build that is interrupted goes on with them.",
)
_BOUNDS = (_CONCURRENCY, _BATCH, _BUDGET_TOKENS, _BUDGET_USD)
"""How much is asked at a time, in which way, and what it may take."""

_DRY_RUN = click.option(
    "--dry-run",
    is_flag=True,
    help="Show what the model would be asked and what it would cost; nothing is sent or kept, and no result is shown.",
)

_OPTIONS = (
    click.option(
        "--llm",
        type=click.Choice(("none", "claude")),
        expose_value=False,
        callback=remember,
        help="Which language model plays roles (claude: extra [claude], and a key in CODITECT_API_KEY). Environment: CODITECT_LLM.",
    ),
    click.option(
        "--agents",
        metavar="ROLE,ROLE",
        type=TEXT,
        expose_value=False,
        callback=remember,
        help="The roles that the model plays: mapper, selector, contextualiser, reducer, synthesiser, validator; these if left "
        "out. And reader, which is played only if it is named: it reads norms and definitions in the rules' place.",
    ),
    click.option(
        "--extraction-schema",
        type=_FILE,
        expose_value=False,
        callback=remember,
        help="What the mapper looks for, as YAML or JSON Schema. Environment: CODITECT_EXTRACTION_SCHEMA.",
    ),
    *_BOUNDS,
    click.option(
        "--conflict-pairs",
        type=click.IntRange(0, 5_000),
        expose_value=False,
        callback=remember,
        metavar="N",
        help="Pairs of sentences that the reducer reads for conflicts where a corpus is too large to be read whole, at most (500); "
        "0: it reads no sentences. "
        "Environment: CODITECT_CONFLICT_PAIRS.",
    ),
    click.option(
        "--dry-run",
        is_flag=True,
        help="Show what the model would be asked and what it would cost; nothing is built, and nothing is sent.",
    ),
    _COUNT_TOKENS,
)

_EXAMINER_OPTIONS = (
    click.option(
        "--llm",
        type=click.Choice(("none", "claude")),
        callback=chosen,
        help="Have a language model read what waits for a person: it is sent those sentences and passages of the corpus (claude: "
        "extra [claude], and a key in CODITECT_API_KEY). Only if given here.",
    ),
    click.option(
        "--llm-reads",
        type=click.Choice(("waiting", "all")),
        default="waiting",
        show_default=True,
        help="What it reads: sentences that wait for a person, or those that the checker settles as well; where it disagrees with "
        "those, they wait for a person, too.",
    ),
    _CONCURRENCY,
    _BUDGET_TOKENS,
    _BUDGET_USD,
    click.option(
        "--dry-run",
        is_flag=True,
        help="Show what the model would be asked and what it would cost; nothing is sent, and no verdict is shown.",
    ),
    _COUNT_TOKENS,
)


def asking_options(function: F) -> F:
    """Add the options of what is no build, and of which the command itself says who is asked; all but ``dry_run`` are kept in
    ``ctx.obj``.
    """
    for option in reversed((*_BOUNDS, _DRY_RUN, _COUNT_TOKENS)):
        function = option(function)
    return function


def agent_options(function: F) -> F:
    """Add the options; all but ``dry_run`` are kept in ``ctx.obj`` for the settings."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def examiner_options(function: F) -> F:
    """Add the options of a check of texts; ``llm``, ``llm_reads`` and ``dry_run`` are given to the command."""
    for option in reversed(_EXAMINER_OPTIONS):
        function = option(function)
    return function


def agent_table(page: Screen, agents: Mapping[str, Any]) -> None:
    """What each role did, one line a role."""
    rows = [_row(name, account) for name, account in agents["roles"].items()]
    if len(rows) > 1:
        rows.append(_row("all", agents["total"]))
    head = ("role", "calls", "from the store", "input tokens", "of these cached", "output", "US$", "not accepted")
    page.table(head, rows, numbers=tuple(range(1, 8)))
    for name, account in agents["roles"].items():
        for reason, count in account["rejected"].items():
            page.line(f"  {name}: {count} × {reason}")


def told_reading(counts: Mapping[str, int]) -> str:
    """What the reader made of the rules' reading of the documents that were derived now."""
    parts = [
        f"{counts.get(name, 0):,} {told}"
        for name, told in (
            ("kept", "norms and definitions as rules read them"),
            ("corrected", "read otherwise"),
            ("added", "found beside them"),
            ("taken_away", "taken away"),
        )
    ]
    return f"reader: {', '.join(parts)}; provisions left to the rules: {counts.get('left_to_rules', 0):,}"


def _row(name: str, account: Mapping[str, Any]) -> tuple[str, ...]:
    paid = account["paid"]
    read = paid["cache_read_input_tokens"]
    total = paid["input_tokens"] + paid["cache_creation_input_tokens"] + read
    wrong = account["refused"] + account["malformed"] + account["failed"] + sum(account["rejected"].values())
    return (
        name,
        f"{account['sent']:,}",
        f"{account['reused']:,}",
        f"{total:,}",
        f"{read:,}",
        f"{paid['output_tokens']:,}",
        f"{account['usd']:.4f}" + ("" if not account["unpriced"] else " + ?"),
        f"{wrong:,}",
    )


def write_forecast(report: BuildReport, output_format: str) -> None:
    """What a build would ask and cost."""
    if output_format == "json":
        write_json(
            {
                "corpus_id": report.corpus_id,
                "dry_run": True,
                "agents": report.agents,
                "counts": report.counts,
                "seconds": report.seconds,
            }
        )
        return
    _write_agents(f"Corpus {report.corpus_id}", "what a build with these roles would ask", report.agents)


def write_asking_forecast(corpus_id: str, told: str, account: Mapping[str, Any], output_format: str) -> None:
    """What something that is no build would ask a model and cost.

    Args:
        corpus_id: the corpus.
        told: what is told, in words.
        account: as :func:`coditect.knowledge.model_roles.forecast.account_of` has it.
        output_format: "json", or else text for people.
    """
    if output_format == "json":
        write_json({"corpus_id": corpus_id, "dry_run": True, "agents": account})
        return
    _write_agents(f"Corpus {corpus_id}", told, account)


def _write_agents(title: str, told: str, agents: Mapping[str, Any]) -> None:
    from coditect.cli.console import TITLE, Screen

    page = Screen()
    page.line((title, TITLE), f": {told}; nothing was asked or stored")
    _forecast_lines(page, agents)


def _forecast_lines(page: Screen, agents: Mapping[str, Any]) -> None:
    """What would be asked, how long it takes, and what it rests on."""
    from coditect.cli.console import WARN, counted

    sent = agents["sent_to_count"]
    if sent:
        page.line((f"  {counted(sent, 'request')} went to the service to be counted, with their whole text", WARN))
    else:
        page.line("  Input tokens are estimated on this machine; nothing was sent (--count-tokens service is nearer)")
    page.line()
    agent_table(page, agents)
    page.line()
    page.line(
        f"  Asking takes about {agents['expected_seconds']:,.0f} s, if an answer takes 1 s and 80 tokens of it another."
    )
    page.line(f"  Prices of {agents['prices_as_of']}. Lengths of answers are estimates; see docs/agents.md.")
