"""``coditect knowledge questionnaire``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import (
    DOCUMENT_ROLES,
    KnowledgeCommand,
    as_of_option,
    corpus_option,
    format_option,
    run_options,
    today_option,
)
from coditect.cli.output import write_json
from coditect.cli.session import open_session

if TYPE_CHECKING:
    from coditect.schemas import AnsweredQuestionnaire, DocumentRole

__all__ = ["questionnaire"]


@click.command("questionnaire", cls=KnowledgeCommand)
@click.argument("workbook", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@corpus_option("The corpus whose documents answer.")
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Where the filled workbook is written.")
@click.option("--sheet", metavar="NAME", help="Only this sheet; default: every sheet with a column of questions.")
@click.option("--column", metavar="LETTER", help="The column of the questions; default: the one whose head says so.")
@click.option(
    "--document",
    "documents",
    multiple=True,
    metavar="NAME",
    help="Only this document may answer, or those that a pattern with * names. Repeatable.",
)
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice(DOCUMENT_ROLES),
    help="Only documents that are this may answer; 'documents' lists what each is. Repeatable.",
)
@today_option("The day that decides which documents are in force.")
@format_option()
@as_of_option()
@run_options
@click.pass_context
def questionnaire(
    ctx: click.Context,
    workbook: Path,
    corpus_id: str,
    output: Path | None,
    sheet: str | None,
    column: str | None,
    documents: tuple[str, ...],
    roles: tuple[DocumentRole, ...],
    today: str | None,
    output_format: str,
    as_of: int | None,
) -> ExitCode:
    """Answer the questions of a workbook with the documents' own words, in the workbook's own formatting.

    Each question gets the words that speak to it with their source and how sure that is, or "not found", or why a person has to
    look. Columns for answers and evidence that the workbook has are used; what it lacks is put behind its last column. Nothing else
    in it is touched, and no cell that holds something is written over. No answer says yes or no: that is for a person. Who
    is excused from a rule is no answer to what the rule is; what is superseded or has expired is marked, and comes last.
    """
    from coditect.cli.output_files import require_output, write_output

    if output is not None:
        require_output(output, inputs=[workbook])
    raw = workbook.read_bytes()
    with open_session(ctx, logs=False) as knowledge:
        report, filled = knowledge.questionnaire(
            corpus_id,
            raw,
            name=workbook.name,
            sheet=sheet,
            column=column,
            documents=documents,
            roles=roles,
            as_of=as_of,
            today=today,
        )
    if output is not None:
        write_output(output, filled)
    if output_format == "json":
        write_json(report.model_dump(mode="json"))
    else:
        _write_text(report, output)
    return ExitCode.OK


def _write_text(report: AnsweredQuestionnaire, output: Path | None) -> None:
    from coditect.cli.console import FAINT, TITLE, WARN, Screen, counted

    page = Screen()
    counts = Counter(each.status for each in report.questions)
    page.line(
        (counted(len(report.questions), "question"), TITLE),
        f": {counts['answered']} answered, {counts['person']} for a person, {counts['not found']} not found"
        f" (corpus {report.corpus_id}, generation {report.generation})",
    )
    for each in report.questions:
        page.line()
        place = f"{each.sheet} {each.number}" if each.number else f"{each.sheet}, row {each.row}"
        page.block(2, f"{place}  {each.question}")
        page.block(4, (f"{each.status}: {each.reason}", FAINT))
        for quote in each.quotes:
            place = f"{quote.document} {quote.locator}".strip() + f" · {quote.role or 'role not known'}"
            page.block(4, f'"{quote.text}"', (f"  {place}", FAINT))
            if quote.standing:
                page.block(6, ("; ".join(quote.standing), WARN))
    for warning in report.warnings:
        page.line(f"warning: {warning}")
    if output is not None:
        click.echo(f"written to {output}", err=True)
