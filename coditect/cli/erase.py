"""``coditect knowledge erase``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.failures import report_failure
from coditect.cli.freed_space import give_back
from coditect.cli.options import TEXT, KnowledgeCommand, StorablePath, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import load_settings, open_session
from coditect.errors import Conflict

if TYPE_CHECKING:
    from coditect.knowledge.erasure.execution import ErasureOutcome
    from coditect.knowledge.erasure.request import ErasureForecast
    from coditect.schemas import RowCount

__all__ = ["erase", "outcome_json", "write_outcomes"]


@click.command("erase", cls=KnowledgeCommand)
@corpus_option("The corpus that holds the documents.")
@click.option(
    "--document",
    "documents",
    multiple=True,
    required=True,
    type=TEXT,
    metavar="ID",
    help="By id or name; again for more.",
)
@click.option("--reason", type=TEXT, required=True, metavar="TEXT", help="Why; it stands in the certificate.")
@click.option("--by", type=TEXT, required=True, metavar="NAME", help="Who asks.")
@click.option("--yes", "--confirm", "confirmed", is_flag=True, help="Erase; without it, what would go is only counted.")
@click.option(
    "--search",
    "places",
    multiple=True,
    type=StorablePath(),
    metavar="PATH",
    help="A file or folder, of exports say, in which words that are left are looked for, too; again for more.",
)
@format_option()
@run_options
@click.pass_context
def erase(
    ctx: click.Context,
    corpus_id: str,
    documents: tuple[str, ...],
    reason: str,
    by: str,
    confirmed: bool,
    places: tuple[Path, ...],
    output_format: str,
) -> ExitCode:
    """Erase documents, every version of each, and all that holds their words; a certificate says what went.

    Without --yes it is only said what would go. Hashes, ids and the log stay, so what is left still verifies, and generations that
    quoted the documents stay as they were but for that. The same file is not taken in again. A legal hold refuses (exit code 3):
    what was asked is done when the hold ends. What was killed is gone on with by the next command that writes, or by this one,
    asked again; nothing is recorded twice. At the end every row, replica and place named is searched for the words; where some are
    left, there is no certificate (exit code 1). The file of an embedded store is compacted, so that no freed page keeps them; where
    another program has it open, the store remembers that. Blocks of the disk that were freed are the disk's matter.
    """
    with open_session(ctx, compacts=False) as knowledge, progress_bars() as progress:
        knowledge.searched_places = (*knowledge.searched_places, *places)
        if not confirmed:
            try:
                forecast = knowledge.forecast_erasure(corpus_id, documents, reason=reason, by=by)
            except Conflict as error:  # it waits already: what is said stands in the error, and nobody was in the way
                report_failure(error, as_json=output_format == "json")
                return ExitCode.PARTIAL
            _write_forecast(forecast, output_format)
            return ExitCode.PARTIAL if forecast.holds else ExitCode.OK
        outcome = knowledge.erase(corpus_id, documents, reason=reason, by=by, progress=progress)
    space = give_back(load_settings(ctx)) if outcome.state == "done" else ""
    if output_format == "json":
        write_json({**outcome_json(outcome), "space": space})
    else:
        write_outcomes([outcome], space)
    if outcome.state == "words left":
        return ExitCode.FOUND
    return ExitCode.OK if outcome.state == "done" else ExitCode.PARTIAL


def outcome_json(outcome: ErasureOutcome) -> dict[str, object]:
    """An outcome for programs."""
    certificate = outcome.certificate
    return {
        "state": outcome.state,
        "reason": outcome.reason,
        "found": list(outcome.found),
        "erasure": outcome.erasure.model_dump(mode="json"),
        "certificate": None if certificate is None else certificate.model_dump(mode="json"),
        "holds": [each.model_dump(mode="json") for each in outcome.holds],
    }


def _write_forecast(forecast: ErasureForecast, output_format: str) -> None:
    if output_format == "json":
        removed = {table: count.model_dump(mode="json") for table, count in forecast.removed.items()}
        holds = [each.model_dump(mode="json") for each in forecast.holds]
        write_json(
            {
                "state": "forecast",
                "documents": forecast.documents,
                "removed": removed,
                "stays": list(forecast.stays),
                "runs": forecast.runs,
                "holds": holds,
            }
        )
        return
    from coditect.cli.console import TITLE, WARN, Screen

    page = Screen()
    page.line(("Would be erased", TITLE), ": ", ", ".join(forecast.documents.values()))
    page.line()
    _table(forecast.removed)
    for each in forecast.stays:
        page.block(2, "stays: ", each)
    for hold in forecast.holds:
        page.line((f"refused by legal hold {hold.matter}, by {hold.by} since {hold.at}: {hold.reason}", WARN))
    page.line()
    if forecast.holds:
        page.block(
            0,
            "Nothing was written. While the hold stands nothing is erased: the same command with --yes leaves a request that "
            "'coditect knowledge release' carries out.",
        )
    else:
        page.line("Nothing was written. Next: the same command with --yes")


def _table(removed: dict[str, RowCount]) -> None:
    from coditect.cli.console import Screen

    rows = [(table, f"{count.rows:,}", f"{count.size_bytes:,}") for table, count in removed.items()]
    Screen().table(("table", "rows", "bytes"), rows, numbers=(1, 2))


def write_outcomes(outcomes: list[ErasureOutcome], space: str = "") -> None:
    """Outcomes for people."""
    from coditect.cli.console import BAD, GOOD, ID, TITLE, WARN, Screen

    page = Screen()
    styles = {"done": GOOD, "held": WARN, "at work": WARN, "words left": BAD}
    for outcome in outcomes:
        page.line((f"Erasure {outcome.erasure.erasure_id}", TITLE), ": ", (outcome.state, styles[outcome.state]))
        if outcome.reason:
            page.block(2, outcome.reason)
        for place in outcome.found:
            page.block(2, (f"words left in {place}", BAD))
        if outcome.certificate is None:
            continue
        scan = outcome.certificate.scan
        page.line("  certificate ", (outcome.certificate.certificate_id, ID))
        _table(outcome.certificate.removed)
        page.block(
            2,
            f"searched: {scan.rows:,} rows, {scan.size_bytes:,} bytes and {scan.files} files for {scan.runs:,} runs of ",
        )
        page.block(2, f"{scan.words} words: none found")
        for each in (*outcome.certificate.stays, *(f"words of it in corpus {other}" for other in scan.elsewhere)):
            page.block(2, "stays: ", each)
    if space:
        page.line(f"Space: {space}")
