"""``coditect knowledge prove``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.checkpoints import read_checkpoint
from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import (
    KnowledgeCommand,
    StorablePath,
    as_of_option,
    corpus_option,
    format_option,
    run_options,
)
from coditect.cli.output import write_json
from coditect.cli.output_files import opened_output
from coditect.cli.session import check_output, open_session
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.knowledge.report.bundles.collection import BundleSubject

__all__ = ["prove"]


@click.command("prove", cls=KnowledgeCommand)
@corpus_option("The corpus.")
@click.option("--claim", metavar="ID", help="A claim or finding, with its verdict, decisions and quotes.")
@click.option("--section", metavar="ID", help="A section with all of its quotes.")
@click.option(
    "--document", metavar="NAME", help="A document, by name or id, with everything extracted and selected of it."
)
@click.option("--report", "whole", is_flag=True, help="All claims and all sections.")
@click.option("--output", type=StorablePath(), required=True, metavar="FILE", help="Where to write the bundle.")
@click.option(
    "--without-sources", is_flag=True, help="Leave the bytes of the files out; the texts that offsets refer to stay in."
)
@click.option(
    "--kept",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A checkpoint that the reader keeps: the proof that the log continues it goes in.",
)
@as_of_option()
@format_option()
@run_options
@click.pass_context
def prove(
    ctx: click.Context,
    corpus_id: str,
    claim: str | None,
    section: str | None,
    document: str | None,
    whole: bool,
    output: Path,
    without_sources: bool,
    kept: Path | None,
    as_of: int | None,
    output_format: str,
) -> ExitCode:
    """Write an evidence bundle: what somebody else needs to check a claim, a section, a document or the report.

    It goes from the quotes over the text, the file, the ids and the steps to the generation, and from there to its entry in the
    log, the signed checkpoint, cosignatures and time stamps. Check it with 'coditect-verify FILE --key KEY', a small program of its
    own, offline and without this one, which says what it could not check. The same store and checkpoint give the same bytes.
    """
    subjects: dict[BundleSubject, str | None] = {"claim": claim, "section": section, "document": document}
    chosen = [(subject, item) for subject, item in subjects.items() if item is not None]
    if whole:
        chosen.append(("report", ""))
    if len(chosen) != 1:
        raise UsageError("a bundle is of one thing", hint="Give one of --claim, --section, --document and --report.")
    check_output(ctx, output)
    note = None if kept is None else read_checkpoint(kept)
    with open_session(ctx) as knowledge:
        with opened_output(output, "the bundle cannot be written") as file:
            report = knowledge.prove(corpus_id, *chosen[0], file, as_of=as_of, sources=not without_sources, kept=note)
        with output.open("rb") as written:
            generation = knowledge.view(corpus_id, as_of).generation
            told = {"file": output.name, "subject": f"{report.subject} {report.item_id}".strip()}
            knowledge.note_file(corpus_id, generation, "evidence bundle file", written, **told)
    if output_format == "json":
        write_json(
            {
                "subject": report.subject,
                "item_id": report.item_id,
                "documents": list(report.documents),
                "unlogged": list(report.unlogged),
                "not_valid": list(report.not_valid),
                "members": report.members,
                "log_size": report.log_size,
                "file": str(output),
            }
        )
    else:
        documents = len(report.documents)
        click.echo(f"{output}: {report.subject} {report.item_id}, documents: {documents}, members: {report.members}")
        for name in report.unlogged:
            click.echo(f"The log has no entry of the intake of {name}.", err=True)
        for signature in report.not_valid:
            click.echo(f"It holds a signature that is not valid, which its reader cannot tell: {signature}", err=True)
    return ExitCode.OK
