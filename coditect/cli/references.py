"""``coditect knowledge references``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, as_of_option, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import open_session
from coditect.cli.tables import TABLE_FORMATS, output_option, wrote_table

if TYPE_CHECKING:
    from coditect.schemas import AbsentTarget
    from coditect.store.view import View

__all__ = ["references"]

MOST_PLACES = 12
"""Places of a target that the text spells out; the JSON has all."""


@click.command("references", cls=KnowledgeCommand)
@corpus_option("The corpus whose references are listed.")
@format_option(
    ("text", "json", *TABLE_FORMATS), note="Text for people, one JSON document, a document a line, or a table."
)
@output_option()
@as_of_option()
@run_options
@click.pass_context
def references(
    ctx: click.Context, corpus_id: str, output_format: str, output: Path | None, as_of: int | None
) -> ExitCode:
    """List what the documents refer to and the corpus does not hold.

    Laws, rulebooks, standards and other documents, one row each: how often they are referred to, by which documents, which places
    of them are cited how often, and examples with their places. What is cited by a code ("FSMR") is found under the code.
    """
    from coditect.knowledge.report.absent import absent_targets
    from coditect.reports.registers.references import write_references

    with open_session(ctx, logs=False) as knowledge:
        view = knowledge.view(corpus_id, as_of)
        knowledge.note_read(corpus_id, "references", view.generation)
        targets = absent_targets(view)
    if wrote_table(output_format, output, lambda file, form: write_references(targets, file, form)):
        return ExitCode.OK
    if output_format == "json":
        from coditect.knowledge.report.shapes import absent_shape

        write_json(absent_shape(targets, view), output)
    else:
        _write_text(view, targets)
    return ExitCode.OK


def _write_text(view: View, targets: tuple[AbsentTarget, ...]) -> None:
    from coditect.cli.console import FAINT, TITLE, Screen, counted

    page = Screen()
    total = sum(each.references for each in targets)
    page.line(
        (counted(len(targets), "document"), TITLE),
        f" outside of corpus {view.corpus_id}, generation {view.generation}: {counted(total, 'reference')}",
    )
    for each in targets:
        page.line()
        page.line(
            (each.name, TITLE),
            f"  {counted(each.references, 'reference')} in {counted(len(each.documents), 'document')}",
        )
        if each.sections:
            page.block(2, "places: " + _shown([f"{place} ({times})" for place, times in each.sections]))
        page.block(2, "in: " + _shown(list(each.documents)))
        for example in each.examples:
            page.block(2, f"“{example.sentence}”")
            page.block(2, (f"— {example.document}, character {example.char_start}", FAINT))


def _shown(names: list[str]) -> str:
    more = f" and {len(names) - MOST_PLACES} more" if len(names) > MOST_PLACES else ""
    return ", ".join(names[:MOST_PLACES]) + more
