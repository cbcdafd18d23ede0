"""``coditect knowledge documents``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, as_of_option, corpus_option, format_option, run_options, today_option
from coditect.cli.output import write_json
from coditect.cli.session import open_session
from coditect.cli.tables import TABLE_FORMATS, output_option, wrote_table

if TYPE_CHECKING:
    from coditect.schemas import ProfileFact
    from coditect.store.view import View

__all__ = ["documents"]


@click.command("documents", cls=KnowledgeCommand)
@corpus_option("The corpus whose documents are listed.")
@today_option("Hold the documents' dates against this day.")
@format_option(
    ("text", "json", *TABLE_FORMATS), note="Text for people, one JSON document, a document a line, or a table."
)
@output_option()
@as_of_option()
@run_options
@click.pass_context
def documents(
    ctx: click.Context,
    corpus_id: str,
    today: str | None,
    output_format: str,
    output: Path | None,
    as_of: int | None,
) -> ExitCode:
    """List the documents of a corpus: role, parties, dates and owner, and what is given and what guessed.

    What a corpus manifest states is given; everything else is a guess, shown with the words that it rests on. Below it stands what
    the dates say on the day: superseded, not yet in force, expired, or past the review. Documents are named as in the corpus.
    """
    from coditect.knowledge.report.shapes import documents_shape, listed_documents
    from coditect.knowledge.report.standing import standing_of
    from coditect.reports.registers.documents import write_documents

    with open_session(ctx, logs=False) as knowledge:
        view = knowledge.view(corpus_id, as_of)
        knowledge.note_read(corpus_id, "documents", view.generation)
        day = today or knowledge.clock()[:10]
        standing = standing_of(view, day)
    rows = listed_documents(view, standing)
    if wrote_table(output_format, output, lambda file, form: write_documents(rows, file, form)):
        return ExitCode.OK
    if output_format == "json":
        write_json(documents_shape(view, standing, day), output)
    else:
        _write_text(view, standing, day)
    return ExitCode.OK


def _write_text(view: View, standing: dict[str, tuple[str, ...]], day: str) -> None:
    from coditect.cli.console import FAINT, TITLE, WARN, Screen, counted
    from coditect.schemas import ProfileParty

    page = Screen()
    number = counted(len(view.documents), "document")
    page.line((number, TITLE), f" of corpus {view.corpus_id}, generation {view.generation}, on {day}")
    if view.erased_entries:
        page.line((f"{counted(len(view.erased_entries), 'document')} of it erased since, and not listed", WARN))
    for version in sorted(view.documents.values(), key=lambda each: each.name):
        page.line()
        page.line((version.name, TITLE))
        profile = view.profiles.get(version.document_id)
        if profile is None:
            page.line("  nothing is known of it: the generation was built by a former release; build again")
            continue
        for name, fact in profile.facts:
            called = f" ({fact.called})" if isinstance(fact, ProfileParty) and fact.called else ""
            page.block(2, f"{name.replace('_', ' '):15}{fact.value}{called}  ", (_ground(fact), FAINT))
        for phrase in standing.get(version.document_id, ()):
            page.block(2, (phrase, WARN))


def _ground(fact: ProfileFact) -> str:
    if fact.is_given:
        return "given"
    quote = " ".join(fact.quote.split())
    where = "" if fact.basis == "text" else f" in the {fact.basis}"
    return f"guessed{where}: “{quote}”"
