"""``coditect knowledge build``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coditect.cli.agent_options import agent_options, agent_table, told_reading, write_forecast
from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import (
    EXTRACTION_METHODS,
    RATIO,
    TEXT,
    KnowledgeCommand,
    corpus_option,
    format_option,
    remember,
    run_options,
    today_option,
)
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import open_session
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.knowledge.building.pipeline import BuildReport

__all__ = ["build"]


@click.command("build", cls=KnowledgeCommand)
@corpus_option("The corpus to build.")
@click.option(
    "--extraction-method",
    type=click.Choice(EXTRACTION_METHODS),
    default="textrank",
    show_default=True,
    help="How the key sentences of a chunk are chosen.",
)
@click.option(
    "--max-synthesis-ratio",
    type=RATIO,
    metavar="0..1",
    default=0.2,
    show_default=True,
    help="Most synthetic characters that a section may hold, by all its characters.",
)
@click.option(
    "--topic",
    "topics",
    type=TEXT,
    multiple=True,
    metavar="TEXT",
    help="Make a section on this topic, and only on those given. Repeatable.",
)
@click.option(
    "--max-topics",
    type=click.IntRange(1, 500),
    metavar="N",
    default=24,
    show_default=True,
    help="Most topics that are found by themselves.",
)
@click.option(
    "--minimum-support",
    type=RATIO,
    metavar="0..1",
    default=0.7,
    show_default=True,
    help="Least support of a claim that is published; the others are kept and reported.",
)
@click.option(
    "--executor",
    type=click.Choice(("local", "ray")),
    expose_value=False,
    callback=remember,
    help="Who derives documents: processes of this machine, or a Ray cluster (extra [ray]). Environment: CODITECT_EXECUTOR.",
)
@click.option(
    "--ray-address",
    metavar="ADDRESS",
    type=TEXT,
    expose_value=False,
    callback=remember,
    help="Of the Ray cluster, whose machines all reach the store: auto, or HOST:PORT. Environment: CODITECT_RAY_ADDRESS.",
)
@click.option(
    "--nice",
    is_flag=True,
    help="Step back behind other programs of this machine: the build's processes, and no others, are nicer by 10. Processes of a "
    "Ray cluster are its own.",
)
@today_option("Hold the documents' dates against this day: what is overdue, expired or not yet in force.")
@agent_options
@format_option()
@run_options
@click.pass_context
def build(
    ctx: click.Context,
    corpus_id: str,
    extraction_method: str,
    max_synthesis_ratio: float,
    topics: tuple[str, ...],
    max_topics: int,
    minimum_support: float,
    nice: bool,
    today: str | None,
    dry_run: bool,
    output_format: str,
) -> ExitCode:
    """Bring a corpus' four tiers up to date with its documents.

    Only what depends on a change is derived again. Readers see the old generation until the new one is whole and
    validated. A build that is interrupted goes on where it was.
    """
    from coditect.schemas import BuildSettings

    if nice:
        _step_back()
    settings = BuildSettings.model_validate(
        {
            "extraction_method": extraction_method,
            "max_synthesis_ratio": max_synthesis_ratio,
            "topics": topics,
            "max_topics": max_topics,
            "minimum_support": minimum_support,
            "today": today,
        }
    )
    with open_session(ctx, logs=False) as knowledge, progress_bars() as progress:
        run = knowledge.forecast if dry_run else knowledge.build
        report = run(corpus_id, settings, progress=progress)
    if dry_run:
        write_forecast(report, output_format)
        return ExitCode.OK
    if output_format == "json":
        from coditect.knowledge.report.shapes import build_shape

        write_json(build_shape(report))
    else:
        _write_text(report)
    return ExitCode.PARTIAL if report.partial else ExitCode.OK


def _step_back() -> None:
    """Be nicer from now on.

    Raises:
        UsageError: this system knows no niceness.
    """
    from coditect.knowledge.labour.priority import step_back

    if not step_back():
        raise UsageError("this system knows no niceness", option="--nice", hint="Leave --nice out, or give --jobs 1.")


def _write_text(report: BuildReport) -> None:
    from coditect.cli.console import BAD, GOOD, TITLE, Screen, failure_table
    from coditect.cli.findings_text import write_findings, write_possible, write_remarks

    page = Screen()
    if report.changed:
        page.line((f"Corpus {report.corpus_id}", TITLE), ": ", (f"generation {report.generation} is published", GOOD))
    else:
        page.line((f"Corpus {report.corpus_id}", TITLE), f": nothing changed; generation {report.generation} stays")
    page.line(f"  {report.build_id}")
    page.line()
    page.table(("tier", "items", "derived now", "reused"), _tier_rows(report), numbers=(1, 2, 3))
    dismissed = report.counts.get("dismissed_claims", 0)
    filtered = report.counts.get("filtered_claims", 0) - dismissed - len(report.possible)
    if dismissed:
        verb = "claim was" if dismissed == 1 else "claims were"
        page.line(f"  {dismissed} {verb} dismissed by a person; kept, and listed in the report")
    if filtered:
        verb = "claim was" if filtered == 1 else "claims were"
        page.line(f"  {filtered} {verb} refused for lack of support; kept, and listed in the report")
    write_remarks(page, report.trivial, report.empty)
    write_findings(page, report.findings)
    write_possible(page, report.possible)
    for topic in report.topics_without_section:
        page.line(f"  no statement speaks to the topic “{topic}”; it has no section")
    if report.failures:
        page.line()
        page.line(("Left out of this generation", BAD))
        failure_table(page, report.failures)
    if report.unread:
        page.line()
        page.line(("Read by rules, because an agent failed", BAD))
        failure_table(page, report.unread)
    if report.unanswered:
        page.line()
        page.line(
            (f"{len(report.unanswered)} questions about the summary were not answered", BAD),
            "; build again to ask them",
        )
    if report.agents:
        page.line()
        agent_table(page, report.agents)
    if any(report.read_by_model.values()):
        page.line(f"  {told_reading(report.read_by_model)}")
    for each in report.suspicious:
        page.line(
            ("Speaks to a model", BAD), f": {each['name']} at {each['start']}-{each['end']}: {each['text'][:100]!r}"
        )
    page.line()
    stages = ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in report.seconds.items())
    page.line(f"{sum(report.seconds.values()):.2f} s: {stages}")


def _tier_rows(report: BuildReport) -> list[tuple[str, ...]]:
    counts = report.counts
    items = {
        "extractions": counts.get("extractions", 0),
        "chunks": counts.get("chunks", 0),
        "passages": counts.get("passages", 0),
        "sections": counts.get("sections", 0),
        "claims": counts.get("claims", 0) + counts.get("filtered_claims", 0),
    }
    rows = [(name, str(items[name]), str(report.derived[name]), str(report.reused[name])) for name in items]
    apart = _OF_CLAIMS if counts.get("possible_claims") else {}
    told = [(name, str(counts.get(key, 0)), "", "") for key, name in apart.items()]
    return [("documents", str(counts.get("documents", 0)), "", ""), *rows, *told]


_OF_CLAIMS = {"claims": "  published", "possible_claims": "  possible"}
"""What is told below the number of all claims where some are only possible, by its count."""
