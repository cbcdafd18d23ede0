"""``coditect knowledge document``."""

from __future__ import annotations

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import TEXT, KnowledgeCommand, as_of_option, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import open_session
from coditect.cli.terminal import plain, show_text
from coditect.errors import NotFound, UsageError

__all__ = ["document"]


@click.command("document", cls=KnowledgeCommand)
@corpus_option("The corpus that holds it.")
@click.option("--name", type=TEXT, required=True, help="The document's name in the corpus, or its id.")
@click.option("--raw", is_flag=True, help="The bytes of the file instead, as they were given.")
@format_option(
    note="The text alone; or what is stored about the document, losses in reading included, as one JSON document."
)
@as_of_option()
@run_options
@click.pass_context
def document(
    ctx: click.Context, corpus_id: str, name: str, raw: bool, output_format: str, as_of: int | None
) -> ExitCode:
    """Print the text of a document, the one that all offsets refer to.

    In UTF-8, byte for byte, with nothing added: its SHA-256 is the document's text hash, and offsets are positions of its
    Unicode code points. On a terminal, control characters are shown as <U+202E>. What the text does not hold of the file is said
    on standard error.
    """
    with open_session(ctx, logs=False) as knowledge:
        view = knowledge.view(corpus_id, as_of)
        found = next((v for v in view.documents.values() if name in (v.name, v.document_id)), None)
        if found is None:
            known = sorted(version.name for version in view.documents.values())
            shown = ", ".join(known[:8]) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
            raise NotFound(
                "unknown document", name=name, corpus_id=corpus_id, hint=f"Documents of this corpus: {shown}."
            )
        knowledge.note_read(corpus_id, "document", view.generation, [found.version_id])
        if output_format == "json":
            if raw:
                raise UsageError("the bytes of a file are no JSON", hint="Leave --raw or --format json out.")
            write_json(found.model_dump(mode="json"))
            return ExitCode.OK
        if raw:
            content = knowledge.store.get_blob(corpus_id, found.raw_sha256, found.raw_bytes)
        else:
            content = knowledge.store.get_blob(corpus_id, found.text_sha256, found.text_bytes)
    show_text(content)
    if not raw:
        for loss in found.warnings:
            click.echo(f"note: {plain(loss)}", err=True)
    return ExitCode.OK
