"""``coditect knowledge calibrate``."""

from __future__ import annotations

from pathlib import Path

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import (
    TEXT,
    KnowledgeCommand,
    StorablePath,
    corpus_option,
    format_option,
    run_options,
)
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import check_output, open_session
from coditect.errors import UsageError

__all__ = ["calibrate"]

_HIGHEST_SEED = 2**32 - 1


@click.command("calibrate", cls=KnowledgeCommand)
@corpus_option("The corpus whose reviews and marks are learnt from.")
@click.option(
    "--seed",
    type=click.IntRange(0, _HIGHEST_SEED),
    metavar="N",
    help="Of folds and intervals; the same gives the same proposal. Default: 0.",
)
@click.option(
    "--output", type=StorablePath(), metavar="FILE", help="Where to write the report as a page, with its plot."
)
@click.option("--apply", "proposal", type=TEXT, metavar="ID", help="Put this proposal in force.")
@click.option("--revert", is_flag=True, help="Put the shipped figures in force again.")
@click.option("--by", type=TEXT, metavar="NAME", help="Who signs --apply or --revert.")
@click.option(
    "--meaning", type=TEXT, metavar="TEXT", help="What the signature means: 'compared the 14 changed verdicts'."
)
@click.option("--list", "listed", is_flag=True, help="List proposals, what is in force, and who switched to it.")
@format_option()
@run_options
@click.pass_context
def calibrate(
    ctx: click.Context,
    corpus_id: str,
    seed: int | None,
    output: Path | None,
    proposal: str | None,
    revert: bool,
    by: str | None,
    meaning: str | None,
    listed: bool,
    output_format: str,
) -> ExitCode:
    """Fit the checker, the gate and the fusion on your own reviews and marks.

    What is fitted is measured on documents that it did not see, against the shipped figures. Where it is better, a proposal is
    stored, and the report says which verdicts of the current generation would change; where it is not, the report says that.
    Nothing is switched by itself: --apply puts a proposal in force, by name and with a meaning, for answers at once and for
    verdicts in the next build. Verdicts name the figures that they were given with, so older ones are replayed with theirs.
    """
    if sum((proposal is not None, revert, listed)) > 1:
        raise UsageError(
            "there is one thing to do", hint="Give one of --apply, --revert and --list, or none to calibrate."
        )
    switching = proposal is not None or revert
    if (seed is not None or output is not None) and (switching or listed):
        raise UsageError("only a calibration has a seed and a page", hint="Leave out --seed and --output.")
    if (by is not None or meaning is not None) and not switching:
        raise UsageError("only a switch is signed", hint="Give --by and --meaning with --apply or --revert.")
    if switching:
        if by is None or meaning is None:
            raise UsageError("a switch needs a name and a meaning", hint="Give --by and --meaning.")
        return _switch(ctx, corpus_id, proposal or "", by, meaning, output_format)
    if listed:
        return _list(ctx, corpus_id, output_format)
    if output is not None:
        check_output(ctx, output)
    with open_session(ctx) as knowledge, progress_bars() as progress:
        report = knowledge.calibrate(corpus_id, seed=seed or 0, progress=progress)
    if output is not None:
        from coditect.cli.output_files import write_output
        from coditect.reports.calibration import render_calibration_report

        write_output(output, render_calibration_report(report).encode())
    if output_format == "json":
        write_json(report.model_dump(mode="json"))
    else:
        from coditect.cli.calibrate_text import write_report

        write_report(report, output)
    return ExitCode.OK


def _switch(
    ctx: click.Context, corpus_id: str, calibration_id: str, by: str, meaning: str, output_format: str
) -> ExitCode:
    with open_session(ctx) as knowledge:
        made = knowledge.switch_calibration(corpus_id, calibration_id, by=by, meaning=meaning)
    if output_format == "json":
        write_json(made.model_dump(mode="json"))
    else:
        from coditect.cli.calibrate_text import write_switch

        write_switch(made)
    return ExitCode.OK


def _list(ctx: click.Context, corpus_id: str, output_format: str) -> ExitCode:
    with open_session(ctx) as knowledge:
        state = knowledge.calibrations(corpus_id)
    if output_format == "json":
        write_json(state.model_dump(mode="json"))
    else:
        from coditect.cli.calibrate_text import write_state

        write_state(state)
    return ExitCode.OK
