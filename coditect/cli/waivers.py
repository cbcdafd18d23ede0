"""``coditect knowledge waivers``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, as_of_option, corpus_option, format_option, run_options, today_option
from coditect.cli.output import write_json
from coditect.cli.registers import write_dates
from coditect.cli.session import open_session
from coditect.cli.tables import TABLE_FORMATS, output_option, wrote_table
from coditect.schemas.waiver import WaiverStatus

if TYPE_CHECKING:
    from coditect.schemas import WaiverRow
    from coditect.store.view import View

__all__ = ["waivers"]


@click.command("waivers", cls=KnowledgeCommand)
@corpus_option("The corpus whose exceptions are listed.")
@click.option(
    "--document",
    "documents",
    multiple=True,
    metavar="NAME",
    help="Only this document, or those that a pattern with * names. Repeatable.",
)
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice(get_args(WaiverStatus)),
    help="Only what stands so on that day. Repeatable. 'rule' lists rules about exceptions, too.",
)
@click.option(
    "--ends-within",
    metavar="TIME",
    help="Only exceptions whose last day is within this time from --today: '90 days', '6 months'.",
)
@click.option(
    "--soon",
    metavar="TIME",
    default="90 days",
    show_default=True,
    help="How long before its last day an exception ends soon.",
)
@click.option("--rules", is_flag=True, help="Also the rules about exceptions: how long they hold, who grants them.")
@today_option("The day on which the exceptions are looked at: what is expired, in force, ends soon.")
@format_option(
    ("text", "json", *TABLE_FORMATS, "ical"),
    note="Text for people, one JSON document, an exception a line, a table, or a calendar of last days.",
)
@output_option("json, csv, xlsx, jsonl and ical")
@as_of_option()
@run_options
@click.pass_context
def waivers(
    ctx: click.Context,
    corpus_id: str,
    documents: tuple[str, ...],
    statuses: tuple[WaiverStatus, ...],
    ends_within: str | None,
    soon: str,
    rules: bool,
    today: str | None,
    output_format: str,
    output: Path | None,
    as_of: int | None,
) -> ExitCode:
    """List exceptions and waivers: who is excused from what, by whom, until when, each with its sentence.

    Exceptions, waivers, exemptions, dispensations, accepted risks and compensating controls that minutes, letters, contracts, forms
    and registers tell of. Each stands with its own words and their place, and beside it the sentence of the corpus that somebody is
    excused from, where the words lead to one. The last day is the one that is printed, or is counted where a length of time runs
    from a known day. What somebody asked for, or was refused, is listed as that. An exception that no sentence was read for may
    still be there in other words.
    """
    from coditect.knowledge.report.registers.selection import hours_of
    from coditect.knowledge.report.registers.waivers import waiver_rows, waivers_ending_within
    from coditect.reports.registers.waivers import write_waivers

    hours = hours_of(ends_within) if ends_within else None
    soon_days = hours_of(soon) / 24.0
    with open_session(ctx, logs=False) as knowledge:
        view = knowledge.view(corpus_id, as_of)
        knowledge.note_read(corpus_id, "register", view.generation)
        day = today or knowledge.clock()[:10]
        found = waiver_rows(
            view, day, documents=documents, statuses=statuses, rules=rules or "rule" in statuses, soon_days=soon_days
        )
        rows = (each for each in found if hours is None or waivers_ending_within(each, hours))
        if output_format == "ical":
            from coditect.reports.registers.waivers import dates_of_waivers

            write_dates((), dates_of_waivers(rows), view, knowledge, output, day)
        elif output_format == "json":
            from coditect.knowledge.report.shapes import waivers_shape

            write_json(waivers_shape(rows, view, day), output)
        elif not wrote_table(output_format, output, lambda file, form: write_waivers(rows, file, form)):
            _show(rows, view, day)
    return ExitCode.OK


def _show(rows: Iterable[WaiverRow], view: View, day: str) -> None:
    """A block for each exception."""
    from coditect.cli.console import FAINT, TITLE, WARN, Screen, counted
    from coditect.reports.registers.waivers import days_of_waiver, provision_of

    page = Screen()
    page.line((f"Exceptions of corpus {view.corpus_id}", TITLE), f", generation {view.generation}, on {day}")
    count = 0
    for row in rows:
        count += 1
        page.line()
        late = row.status in ("expired", "ends soon", "no end found")
        named = " ".join(filter(None, (row.reference, row.holder)))
        page.block(0, (row.status, WARN if late else TITLE), f"  {row.kind}", (f"  {named}" if named else "", TITLE))
        place = provision_of(row)
        if row.provision or place:
            page.block(2, f"from {row.provision}" if row.provision else "from", (f"  {place}" if place else "", FAINT))
        for target in row.targets:
            if target.text:
                page.block(4, f"“{' '.join(target.text.split())}”")
        if days := days_of_waiver(row):
            page.block(2, days)
        if row.granted_by:
            page.block(2, f"by {row.granted_by}")
        elif row.decision == "granted":
            page.block(2, ("the words do not name who granted it", WARN))
        if row.condition:
            page.block(2, f"condition: {row.condition}")
        role = row.role or "role not known"
        where = " · ".join(
            filter(None, (row.document, role, row.locator or row.heading, f"page {row.page}" if row.page else ""))
        )
        page.block(2, f"“{' '.join(row.text.split())}”", (f"  {where}  {row.item_id}", FAINT))
    page.line()
    page.line(counted(count, "exception"))
    if not count:
        page.block(
            0,
            "None was read: an exception may still be there in other words. --rules lists rules about exceptions, too.",
        )
