"""``coditect knowledge questionnaire``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, as_of_option, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import open_session

if TYPE_CHECKING:
    from coditect.schemas import AnsweredQuestionnaire

__all__ = ["questionnaire"]


@click.command("questionnaire", cls=KnowledgeCommand)
@click.argument("workbook", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@corpus_option("The corpus whose documents answer.")
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Where the filled workbook is written.")
@click.option("--sheet", metavar="NAME", help="Only this sheet; default: every sheet with a column of questions.")
@click.option("--column", metavar="LETTER", help="The column of the questions; default: the one whose head says so.")
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
    output_format: str,
    as_of: int | None,
) -> ExitCode:
    """Answer the questions of a workbook with the documents' own words, in the workbook's own formatting.

    Each question gets the words that speak to it with their source and how sure that is, or "not found", or why a person has to
    look. Columns for answers and evidence that the workbook has are used; what it lacks is put behind its last column. Nothing else
    in it is touched, and no cell that holds something is written over. No answer says yes or no: that is for a person.
    """
    from coditect.cli.output_files import require_output, write_output
    from coditect.knowledge.report.questionnaires.answering import AnswerGrounds, answers
    from coditect.reports.questionnaires.filling import fill
    from coditect.reports.questionnaires.questions import question_sheets
    from coditect.schemas import AnsweredQuestionnaire

    if output is not None:
        require_output(output, inputs=[workbook])
    raw = workbook.read_bytes()
    sheets = question_sheets(raw, workbook.name, sheet=sheet, column=column)
    asked = [(each.name, row, question) for each in sheets for row, question in each.questions]
    with open_session(ctx, logs=False) as knowledge:
        view = knowledge.view(corpus_id, as_of)
        generation = view.generation
        found = tuple(
            answers(
                asked,
                lambda words: knowledge.query(corpus_id, words, tier="extraction", limit=25, as_of=generation),
                AnswerGrounds.of(view),
            )
        )
    filled, warnings = fill(raw, workbook.name, sheets, found)
    report = AnsweredQuestionnaire(
        corpus_id=corpus_id, generation=generation, build_id=view.manifest.build_id, questions=found, warnings=warnings
    )
    if output is not None:
        write_output(output, filled)
    if output_format == "json":
        write_json(report.model_dump(mode="json"))
    else:
        _write_text(report, output)
    return ExitCode.OK


def _write_text(report: AnsweredQuestionnaire, output: Path | None) -> None:
    from coditect.cli.console import FAINT, TITLE, Screen, counted

    page = Screen()
    counts = Counter(each.status for each in report.questions)
    page.line(
        (counted(len(report.questions), "question"), TITLE),
        f": {counts['answered']} answered, {counts['person']} for a person, {counts['not found']} not found"
        f" (corpus {report.corpus_id}, generation {report.generation})",
    )
    for each in report.questions:
        page.line()
        page.block(2, f"{each.sheet} {each.row}  {each.question}")
        page.block(4, (f"{each.status}: {each.reason}", FAINT))
        for quote in each.quotes:
            page.block(4, f'"{quote.text}"', (f"  {quote.document} {quote.locator}".rstrip(), FAINT))
    for warning in report.warnings:
        page.line(f"warning: {warning}")
    if output is not None:
        click.echo(f"written to {output}", err=True)
