"""What ``list``, ``obligations``, ``definitions`` and ``deadlines`` have in common: options, and how a register is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from coditect.cli.options import MODALITIES, as_of_option, corpus_option, format_option, run_options, today_option
from coditect.cli.output import write_json
from coditect.cli.tables import TABLE_FORMATS, output_option, table_file, wrote_table

if TYPE_CHECKING:
    from pathlib import Path

    from coditect.knowledge.report.registers.selection import RegisterFilters
    from coditect.knowledge.service import Knowledge
    from coditect.reports.registers.calendar import DatedDocument
    from coditect.schemas import RegisterKind, RegisterRow
    from coditect.store.view import View

__all__ = ["FORMATS", "register_options", "registered", "write_dates", "write_table", "write_text"]

F = TypeVar("F", bound=Callable[..., Any])

FORMATS = ("text", "json", *TABLE_FORMATS)


def register_options(*formats: str) -> Callable[[F], F]:
    """The options of a register, and those of where the store is."""
    options: list[Callable[[F], F]] = [
        corpus_option("The corpus whose register is listed."),
        click.option(
            "--document",
            "documents",
            multiple=True,
            metavar="NAME",
            help="Only of this document, or of those that a pattern with * names. Repeatable.",
        ),
        click.option(
            "--topic",
            "topics",
            multiple=True,
            metavar="TOPIC",
            help="Only what was gathered under this topic of tier 3. Repeatable.",
        ),
        click.option(
            "--locator",
            "locators",
            multiple=True,
            metavar="PATH",
            help="Only at this numbered place and below it: 4.2 is 4.2(a), too, and not 4.20. Repeatable.",
        ),
        click.option(
            "--actor",
            "actors",
            multiple=True,
            metavar="WORDS",
            help="Only where these words are part of who acts. Repeatable.",
        ),
        click.option(
            "--modality", "forces", type=click.Choice(MODALITIES), multiple=True, help="Only of this force. Repeatable."
        ),
        click.option(
            "--contains",
            "words",
            multiple=True,
            metavar="WORDS",
            help="Only where the text holds these words. Repeatable: all of them.",
        ),
        click.option(
            "--due-within",
            metavar="TIME",
            help="Only what is due within this time of its trigger: '72 hours', '10 days', '3 business days'. Working days are "
            "counted with the weekends that they may span, unless the time is one of working days itself.",
        ),
        click.option(
            "--in-force", is_flag=True, help="Leave out documents that are superseded, expired or not yet in force."
        ),
        today_option("Hold the documents' dates against this day."),
        format_option(formats or FORMATS, note="Text for people, one JSON document, a row of JSON a line, or a table."),
        output_option("json, csv, xlsx, jsonl and ical"),
        as_of_option(),
    ]

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return run_options(function)

    return decorate


@contextmanager
def registered(
    knowledge: Knowledge, kinds: Iterable[RegisterKind], given: dict[str, Any], *, timed: bool = False
) -> Iterator[tuple[View, RegisterFilters, str]]:
    """The generation, what restricts the register, and the day, from the values of :func:`register_options`.

    Raises:
        UsageError: ``--due-within`` is no length of time.
    """
    from coditect.knowledge.report.registers.selection import RegisterFilters, hours_of, is_in_working_days

    filters = RegisterFilters(
        kinds=frozenset(kinds),
        forces=frozenset(given["forces"]),
        actors=given["actors"],
        documents=given["documents"],
        topics=given["topics"],
        locators=given["locators"],
        words=given["words"],
        due_within=hours_of(given["due_within"]) if given["due_within"] else None,
        in_working_days=is_in_working_days(given["due_within"] or ""),
        severities=frozenset(given.get("severities", ())),
        timed=timed,
        in_force=given["in_force"],
    )
    view = knowledge.view(given["corpus_id"], given["as_of"])
    knowledge.note_read(view.corpus_id, "register", view.generation)
    yield view, filters, given["today"] or knowledge.clock()[:10]


def write_table(rows: Iterator[RegisterRow], view: View, today: str, given: dict[str, Any]) -> None:
    """Write a register in the format that was asked for.

    Raises:
        UsageError: the output cannot be written, or is asked for with a format that has none; or a workbook for a terminal.
    """
    from coditect.reports.registers.statements import write_register

    form = given["output_format"]
    if wrote_table(form, given["output"], lambda file, kind: write_register(rows, file, kind)):
        return
    if form == "json":
        from coditect.knowledge.report.shapes import register_shape

        write_json(register_shape(rows, view, today), given["output"])
    else:
        write_text(rows, view, today)


def write_dates(
    rows: Iterable[RegisterRow],
    dates: Iterable[DatedDocument],
    view: View,
    knowledge: Knowledge,
    output: Path | None,
    first_day: str,
) -> None:
    """Write duties and single days as a calendar, and say how many entries it has."""
    from coditect.reports.registers.calendar import write_calendar

    made_at = knowledge.status(view.corpus_id)[0].built_at
    with table_file(output, "ical") as file:
        count = write_calendar(rows, dates, file, first_day=first_day, made_at=made_at)
    click.echo(f"{count:,} entries", err=True)


def write_text(rows: Iterator[RegisterRow], view: View, today: str) -> None:
    """Show a register for people: by document, a statement each, with who, by when, how often, and its words."""
    from coditect.cli.console import FAINT, TITLE, WARN, Screen, counted
    from coditect.documents.languages import is_in_another_language

    page = Screen()
    page.line((f"Corpus {view.corpus_id}, generation {view.generation}, on {today}", FAINT))
    count, shown = 0, None
    for row in rows:
        if (row.kind == "claim", row.document) != shown and row.kind != "claim":
            page.line()
            page.line(
                (row.document, TITLE),
                (f"  {row.role or ('' if row.kind == 'possible' else 'role not known')}", FAINT),
                (f"  {row.standing}" if row.standing else "", WARN),
            )
        shown = row.kind == "claim", row.document
        count += 1
        where = " ".join(each for each in (row.locator or row.heading, f"page {row.page}" if row.page else "") if each)
        page.line()
        page.block(2, (row.severity or row.force or row.kind, TITLE), f"  {where}", (f"  {row.item_id}", FAINT))
        if told := _told(row):
            page.block(4, told)
        page.block(4, row.text if row.kind == "claim" else f"“{row.text}”")
        if row.amended:
            page.block(4, (row.amended, WARN))
        if row.proposed:
            page.block(4, (f"only proposed, in a tracked change that nobody accepted: {row.proposed}", WARN))
    page.line()
    page.line((counted(count, "row"), TITLE))
    if other := sorted(each.name for each in view.documents.values() if is_in_another_language(each.warnings)):
        page.block(0, (f"nothing is read of what is not in English: {', '.join(other)}", WARN))


def _defined(row: RegisterRow) -> str:
    """What is defined, and by what; what a term leaves out is none of its meaning."""
    if row.excludes:
        return f"{row.term} does not include: {row.excludes}"
    verb = " includes" if row.defined_by == "inclusion" else ""
    return f"{row.term}{verb}: {row.meaning}" if row.meaning else row.term


def _told(row: RegisterRow) -> str:
    """Who does what by when, in one line; the words are the text's own."""
    parts = [
        row.duty if row.action else row.actor,
        row.deadline and f"due {row.deadline}",
        row.frequency and f"recurs {row.frequency}",
        row.duration and f"lasts {row.duration}",
        *(f"if: {each}" for each in row.conditions),
        *(f"unless: {each}" for each in row.exceptions),
        _defined(row),
    ]
    return " · ".join(" ".join(str(each).split()) for each in parts if each)
