"""The options of ``build`` about language models, and what is shown of their work."""

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

__all__ = ["agent_options", "agent_table", "write_forecast"]

F = TypeVar("F", bound="Callable[..., Any]")

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

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
        help="The roles that the model plays: mapper, selector, contextualiser, reducer, synthesiser, validator; all if left out.",
    ),
    click.option(
        "--extraction-schema",
        type=_FILE,
        expose_value=False,
        callback=remember,
        help="What the mapper looks for, as YAML or JSON Schema. Environment: CODITECT_EXTRACTION_SCHEMA.",
    ),
    click.option(
        "--agent-concurrency",
        type=click.IntRange(1, 50),
        expose_value=False,
        callback=remember,
        metavar="N",
        help="Calls of the model at a time, at most. Environment: CODITECT_AGENT_CONCURRENCY.",
    ),
    click.option(
        "--conflict-pairs",
        type=click.IntRange(0, 5_000),
        expose_value=False,
        callback=remember,
        metavar="N",
        help="Pairs of sentences that the reducer reads for conflicts, at most (500); 0 for none. "
        "Environment: CODITECT_CONFLICT_PAIRS.",
    ),
    click.option(
        "--batch/--no-batch",
        default=None,
        expose_value=False,
        callback=remember,
        help="Ask in batches: half the price, answers within a day; a build that is interrupted goes on with them.",
    ),
    click.option(
        "--budget-tokens",
        type=click.IntRange(min=1),
        expose_value=False,
        callback=remember,
        metavar="N",
        help="Stop before the roles take more tokens than this.",
    ),
    click.option(
        "--budget-usd",
        type=click.FloatRange(min=0, min_open=True),
        expose_value=False,
        callback=remember,
        metavar="DOLLARS",
        help="Stop before the roles cost more than this.",
    ),
    click.option(
        "--dry-run",
        is_flag=True,
        help="Show what the model would be asked and what it would cost; nothing is built, and nothing is sent.",
    ),
    click.option(
        "--count-tokens",
        type=click.Choice(("local", "service")),
        expose_value=False,
        callback=remember,
        help="Who counts the input of a dry run: this machine, by an estimate (default), or the service, which is sent the text of "
        "some requests. Environment: CODITECT_COUNT_TOKENS.",
    ),
)


def agent_options(function: F) -> F:
    """Add the options; all but ``dry_run`` are kept in ``ctx.obj`` for the settings."""
    for option in reversed(_OPTIONS):
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
    from coditect.cli.console import TITLE, WARN, Screen, counted

    page = Screen()
    page.line(
        (f"Corpus {report.corpus_id}", TITLE), ": what a build with these roles would ask; nothing was asked or stored"
    )
    sent = report.agents["sent_to_count"]
    if sent:
        page.line((f"  {counted(sent, 'request')} went to the service to be counted, with their whole text", WARN))
    else:
        page.line("  Input tokens are estimated on this machine; nothing was sent (--count-tokens service is nearer)")
    page.line()
    agent_table(page, report.agents)
    page.line()
    page.line(
        f"  Asking takes about {report.agents['expected_seconds']:,.0f} s, if an answer takes 1 s and 80 tokens of it another."
    )
    page.line(f"  Prices of {report.agents['prices_as_of']}. Lengths of answers are estimates; see docs/agents.md.")
