"""``coditect knowledge grid``."""

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
    from coditect.schemas.grid import ContractGrid

__all__ = ["grid"]


@click.command("grid", cls=KnowledgeCommand)
@corpus_option("The corpus that holds the contracts and the standard text.")
@click.option(
    "--standard", required=True, metavar="NAME", help="The document whose clauses the contracts are held against."
)
@click.option(
    "--document",
    "documents",
    multiple=True,
    metavar="NAME",
    help="Only this contract, or those that a pattern with * names. Repeatable. Default: all documents that are contracts.",
)
@format_option(
    ("text", "json", *TABLE_FORMATS),
    note="Text for people, one JSON document, a clause a line, or a table of clauses and contracts. A workbook has the grid, too.",
)
@output_option()
@as_of_option()
@run_options
@click.pass_context
def grid(
    ctx: click.Context,
    corpus_id: str,
    standard: str,
    documents: tuple[str, ...],
    output_format: str,
    output: Path | None,
    as_of: int | None,
) -> ExitCode:
    """Hold contracts against a standard text, clause by clause.

    For each clause the provision of each contract that says it, verbatim with its place and its figures, whether it is the same,
    and what deviates: words, and what of the duty. A clause that a contract does not have is told as not found.
    """
    from coditect.knowledge.report.changes.grid import contract_grid
    from coditect.reports.registers.grid import write_grid

    with open_session(ctx, logs=False) as knowledge:
        view = knowledge.view(corpus_id, as_of)
        knowledge.note_read(corpus_id, "grid", view.generation)
        found = contract_grid(view, standard, knowledge.models.ranking(), documents=documents)
    if wrote_table(output_format, output, lambda file, form: write_grid(found, file, form)):
        return ExitCode.OK
    if output_format == "json":
        write_json(found.model_dump(mode="json"), output)
    else:
        _show(found)
    return ExitCode.OK


def _show(found: ContractGrid) -> None:
    """Clause by clause, a contract a line."""
    from coditect.cli.console import FAINT, TITLE, WARN, Screen, counted
    from coditect.reports.registers.grid import deviation_of

    page = Screen()
    page.line(
        (counted(len(found.documents), "contract"), TITLE),
        f" beside {found.standard}, corpus {found.corpus_id}, generation {found.generation}",
    )
    for row in found.rows:
        page.line()
        page.line((row.clause, TITLE), (f"  {row.standard.place}", FAINT))
        page.block(2, f"“{row.standard.text}”")
        for each in row.cells:
            asks = each.status == "not found" or each.duty == "changed"
            place = each.found.place if each.found is not None else ""
            page.block(4, (each.status, WARN if asks else TITLE), f"  {each.document} {place}".rstrip())
            if each.status == "differs":
                page.block(6, deviation_of(each))
    page.line()
    statuses = [each.status for row in found.rows for each in row.cells]
    page.line(", ".join(f"{statuses.count(each):,} {each}" for each in ("same", "wording", "differs", "not found")))
