"""``coditect knowledge sweep``."""

from __future__ import annotations

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import TEXT, KnowledgeCommand, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import open_session

__all__ = ["retain"]


@click.command("sweep", cls=KnowledgeCommand)
@corpus_option("The corpus whose old generations go.")
@click.option("--keep", "age", type=TEXT, metavar="AGE", help="Keep what is not older: 90d, 12m, 7y.")
@click.option("--keep-generations", "count", type=click.IntRange(min=1), metavar="N", help="Keep the newest so many.")
@click.option("--apply", "--yes", "apply", is_flag=True, help="Let them go; without it, they are only listed.")
@format_option()
@run_options
@click.pass_context
def retain(
    ctx: click.Context, corpus_id: str, age: str | None, count: int | None, apply: bool, output_format: str
) -> ExitCode:
    """Let old generations go by policy, and remove what only they reached.

    What one of the two policies keeps is kept. Never the current generation goes, nor one that a person signed, or in which one
    signed something, nor one of which a report or an evidence bundle was made, nor any where a legal hold is in force (exit code
    3). 'store compact' gives the space back to the disk.
    """
    with open_session(ctx) as knowledge, progress_bars() as progress:
        forecast = knowledge.forecast_retention(corpus_id, age=age, count=count)
        gone, report = 0, None
        if apply and not forecast.holds:
            gone, report = knowledge.retain(corpus_id, age=age, count=count, progress=progress)
    if output_format == "json":
        write_json(
            {
                "goes": [each.model_dump(mode="json") for each in forecast.goes],
                "kept": {str(number): why for number, why in forecast.kept.items()},
                "holds": [each.model_dump(mode="json") for each in forecast.holds],
                "gone": gone,
                "swept": None if report is None else report.model_dump(mode="json"),
            }
        )
    else:
        for each in forecast.goes:
            click.echo(f"generation {each.generation} of {each.created_at}: {'gone' if gone else 'would go'}")
        for number, why in sorted(forecast.kept.items()):
            click.echo(f"generation {number} stays: {why}")
        for hold in forecast.holds:
            click.echo(f"refused by legal hold {hold.matter}, by {hold.by} since {hold.at}: {hold.reason}")
        if report is not None:
            click.echo(f"{report.dead_bytes:,} bytes removed; 'coditect store compact' gives them back.")
        elif forecast.goes:
            click.echo("Nothing was removed. Next: the same command with --apply")
        elif not forecast.kept:
            click.echo("Nothing is older than that.")
    return ExitCode.PARTIAL if forecast.holds or (report is not None and not report.complete) else ExitCode.OK
