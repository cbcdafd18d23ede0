"""``coditect knowledge agreements``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, as_of_option, corpus_option, format_option, run_options, today_option
from coditect.cli.output import write_json
from coditect.cli.registers import write_dates
from coditect.cli.session import open_session
from coditect.cli.tables import TABLE_FORMATS, output_option, wrote_table

if TYPE_CHECKING:
    from coditect.schemas import AgreementRow
    from coditect.store.view import View

__all__ = ["agreements"]


@click.command("agreements", cls=KnowledgeCommand)
@corpus_option("The corpus whose contracts are listed.")
@click.option(
    "--document",
    "documents",
    multiple=True,
    metavar="NAME",
    help="Only this document, or those that a pattern with * names, whatever their role. Repeatable. Default: all contracts.",
)
@click.option(
    "--ends-within",
    metavar="TIME",
    help="Only agreements that end, or whose notice is due, within this time from --today: '90 days', '6 months'.",
)
@today_option("The day on which the agreements are looked at: automatic renewals up to it are counted.")
@format_option(
    ("text", "json", *TABLE_FORMATS, "ical"),
    note="Text for people, one JSON document, an agreement a line, a table, or a calendar of last days.",
)
@output_option("json, csv, xlsx, jsonl and ical")
@as_of_option()
@run_options
@click.pass_context
def agreements(
    ctx: click.Context,
    corpus_id: str,
    documents: tuple[str, ...],
    ends_within: str | None,
    today: str | None,
    output_format: str,
    output: Path | None,
    as_of: int | None,
) -> ExitCode:
    """List contracts: parties, days, term, renewal, notice, law and leave, each with its sentence.

    For each contract: its parties and days, its term, its renewal and the notice for it, who may end it without a reason, governing
    law, assignment, subcontracting, audit, and where data may be: what a register of contractual arrangements asks for (DORA,
    Article 28). Each is told in the contract's own words with their place. The last day is computed where the term is a length of
    time that runs from a known day, and the last day for notice from it; look at the sentence before you rely on either. What no
    sentence was found on is listed as such: it may still be there in other words.
    """
    from coditect.knowledge.report.registers.agreements import agreement_rows, ending_within
    from coditect.knowledge.report.registers.selection import hours_of
    from coditect.reports.registers.agreements import write_agreements

    hours = hours_of(ends_within) if ends_within else None
    with open_session(ctx, logs=False) as knowledge:
        view = knowledge.view(corpus_id, as_of)
        knowledge.note_read(corpus_id, "register", view.generation)
        day = today or knowledge.clock()[:10]
        found = agreement_rows(view, day, documents=documents)
        rows = (each for each in found if hours is None or ending_within(each, day, hours))
        if output_format == "ical":
            from coditect.reports.registers.agreements import dates_of_agreements

            write_dates((), dates_of_agreements(rows), view, knowledge, output, day)
        elif output_format == "json":
            from coditect.knowledge.report.shapes import agreements_shape

            write_json(agreements_shape(rows, view, day), output)
        elif not wrote_table(output_format, output, lambda file, form: write_agreements(rows, file, form)):
            _show(rows, view, day)
    return ExitCode.OK


def _show(rows: Iterable[AgreementRow], view: View, day: str) -> None:
    """A block for each agreement."""
    from coditect.cli.console import FAINT, TITLE, WARN, Screen, counted
    from coditect.reports.registers.agreements import FIELD_NAMES, days_of, said_of

    page = Screen()
    page.line((f"Agreements of corpus {view.corpus_id}", TITLE), f", generation {view.generation}, on {day}")
    count = 0
    for row in rows:
        count += 1
        page.line()
        page.line((row.title or row.document, TITLE), (f"  {row.document}", FAINT) if row.title else "")
        if row.standing:
            page.block(2, (row.standing, WARN))
        if row.parties:
            page.block(2, "between " + "; ".join(row.parties) + ("" if row.parties_given else " (as read)"))
        page.block(2, days_of(row))
        if row.amended_by:
            page.block(
                2, (f"amended by {', '.join(row.amended_by)}: what is below does not count its changes; read it", WARN)
            )
        if row.amends:
            page.block(2, f"amends {row.amends}")
        for term in row.terms:
            page.block(2, (f"{FIELD_NAMES[term.field]}: ", TITLE), said_of(term))
            page.block(4, f"“{' '.join(term.text.split())}”", (f"  {term.locator or term.heading}".rstrip(), FAINT))
        if row.silent:
            page.block(2, ("no sentence found on: " + ", ".join(FIELD_NAMES[each] for each in row.silent), FAINT))
    page.line()
    page.line(counted(count, "agreement"))
    if not count:
        page.block(
            0, "None: 'coditect knowledge documents' shows the role of each document; --document takes others, too."
        )
