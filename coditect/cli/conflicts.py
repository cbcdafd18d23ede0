"""``coditect knowledge conflicts``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, as_of_option, corpus_option, format_option, run_options, today_option
from coditect.cli.output import write_json
from coditect.cli.session import open_session
from coditect.cli.tables import TABLE_FORMATS, output_option, refuse_output, wrote_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from coditect.schemas import ConflictRow
    from coditect.store.view import View

__all__ = ["conflicts"]


@click.command("conflicts", cls=KnowledgeCommand)
@corpus_option("The corpus whose documents are compared with each other.")
@click.option(
    "--document",
    "documents",
    multiple=True,
    metavar="NAME",
    help="Only pairs with this document, or with those that a pattern with * names. Repeatable.",
)
@click.option(
    "--limit", type=click.IntRange(1, 500), default=20, show_default=True, help="Pairs that are listed, nearest first."
)
@today_option("The day that decides which documents are in force.")
@format_option(("text", "json", *TABLE_FORMATS), note="Text for people, one JSON document, a pair a line, or a table.")
@output_option()
@as_of_option()
@run_options
@click.pass_context
def conflicts(
    ctx: click.Context,
    corpus_id: str,
    documents: tuple[str, ...],
    limit: int,
    today: str | None,
    output_format: str,
    output: Path | None,
    as_of: int | None,
) -> ExitCode:
    """List possible conflicts, and near pairs of sentences, for a person to read.

    Two sentences of documents that bind the same people, near in meaning, which fix different figures, times, places or persons,
    or of which one rules out what the other does not. Words may be wholly different: who wrote "within a fortnight" and who wrote
    "in three weeks" did not read each other. Each sentence stands in one pair, the nearest. None of this is a verdict: of the first
    ten pairs of nine houses a reader called one in twenty a conflict and one in nine worth a look. What is told by claims stands
    there, and not here again (coditect knowledge list --kind claim); possible conflicts, which have ids and can be decided on, come
    first in the text for people (all formats: coditect knowledge list --kind possible).
    """
    from coditect.cli.progress import progress_bars

    if output_format not in TABLE_FORMATS:
        refuse_output(output_format, output)
    with open_session(ctx, logs=False) as knowledge:
        view = knowledge.view(corpus_id, as_of)
        day = today or knowledge.clock()[:10]
        with progress_bars() as progress:
            found = knowledge.conflict_page(
                corpus_id, documents=documents, limit=limit, as_of=view.generation, today=day, progress=progress
            )
        rows, total = found.rows, found.total
        if output_format == "json":
            from coditect.knowledge.report.shapes import conflicts_shape

            write_json(conflicts_shape(rows, view, day, total), output)
            return ExitCode.OK
        from coditect.reports.registers.conflicts import write_conflicts

        if not wrote_table(output_format, output, lambda file, form: write_conflicts(rows, file, form)):
            if not documents:
                _show_possible(view)
            _show(rows, view, total, whole=not documents)
    return ExitCode.OK


def _show_possible(view: View) -> None:
    """The possible conflicts with their quotes: before the pairs that are only near."""
    from coditect.cli.console import FAINT, TITLE, Screen
    from coditect.knowledge.review.doubts import doubt_of_claim, possible_in
    from coditect.reports.claims import HOW_TO_READ

    found = [each for each in possible_in(view) if each.claim_kind != "gap"]
    if not found:
        return
    page = Screen()
    page.line((f"Possible conflicts of corpus {view.corpus_id}: {len(found)}", TITLE), ", not published")
    page.block(0, HOW_TO_READ)
    for claim in found:
        page.line()
        page.block(0, claim.text, (f"  {claim.claim_id}", FAINT))
        page.block(2, (doubt_of_claim(view, claim), FAINT))
        parts = [view.section_by_id[each.section_id].content[each.part] for each in claim.citations]
        for part in parts:
            if part.citation is not None:
                page.block(2, f"“{' '.join(part.content.split())}”", (f"  {part.citation.document_name}", FAINT))
    page.line()


def _show(rows: Sequence[ConflictRow], view: View, total: int, *, whole: bool) -> None:
    """A block for each pair; behind those of a whole corpus, how many conflicts are claims."""
    from coditect.cli.console import FAINT, TITLE, Screen
    from coditect.reports.registers.conflicts import differences_told, place_of_side

    page = Screen()
    page.line((f"Near pairs of corpus {view.corpus_id}", TITLE), f", generation {view.generation}: to be read")
    for number, row in enumerate(rows, 1):
        page.line()
        page.block(0, (f"{number}  {differences_told(row)}", TITLE), (f"  nearness {row.nearness:.3f}", FAINT))
        for side in (row.first, row.second):
            role = f"{side.role or 'role not known'}  "
            page.block(2, f"“{' '.join(side.text.split())}”", (f"  {role}{place_of_side(side)}  {side.item_id}", FAINT))
    page.line()
    if total > len(rows):
        page.block(0, f"{len(rows):,} of {total:,} pairs; more with --limit.")
    told = sum(view.claims[each].claim_kind == "conflict" for each in view.summary.claims)
    if not rows:
        page.block(
            0, "None: of documents that bind the same people no two near sentences were seen to fix different things."
        )
    if told and whole:
        page.block(0, f"Beside these, claims that tell of conflicts: {told} (coditect knowledge list --kind claim).")
