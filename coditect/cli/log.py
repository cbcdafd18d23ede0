"""``coditect log``: checkpoints, proofs and files of the log."""

from __future__ import annotations

from pathlib import Path

import click

from coditect.cli.exit_codes import ExitCode, exit_codes_epilog
from coditect.cli.lazy import LazyCommand, LazyGroup
from coditect.cli.options import GROUP_CONTEXT, KnowledgeCommand, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import open_session

__all__ = ["checkpoint", "consistency", "log", "prove", "serve_files"]

UNPROVEN = "No key is configured: events are logged, and nothing is proven. Make one with 'coditect keys new'."


@click.group(
    "log",
    cls=LazyGroup,
    lazy={
        name: LazyCommand("coditect.cli.log", name.replace("-", "_"), summary)
        for name, summary in {
            "checkpoint": "Give waiting events their index, and sign what the log is now.",
            "prove": "Print the proof that an entry is in the log.",
            "consistency": "Print the proof that the log only grew between two sizes.",
            "serve-files": "Write the log as files that any web server can serve.",
        }.items()
    },
    context_settings=GROUP_CONTEXT,
    epilog=exit_codes_epilog(),
)
@run_options
def log() -> None:
    """Sign, prove and serve the log of what happened in a tenant's store, in the formats of C2SP and RFC 9162.

    Entries are hashes and ids, no words of documents and no names. Give checkpoints to somebody else to keep: what is signed and
    kept elsewhere cannot be rewritten here without being found.
    """


@click.command("checkpoint", cls=KnowledgeCommand)
@run_options
@click.pass_context
def checkpoint(ctx: click.Context) -> ExitCode:
    """Give every event that waits its index in the log, sign what the log is now, and print the checkpoint.

    Every command that changes something ends with this, where a key is configured. Nothing is signed that does not continue the
    checkpoint before: exit code 1.
    """
    with open_session(ctx) as knowledge:
        note = knowledge.checkpoint()
        if note is None:
            head = knowledge.log_head()
            click.echo(f"{head.size} entries. {UNPROVEN}", err=True)
            return ExitCode.PARTIAL
    click.echo(note, nl=False)
    return ExitCode.OK


@click.command("prove", cls=KnowledgeCommand)
@click.option("--index", type=click.IntRange(min=0), required=True, help="Of the entry, from 0.")
@click.option("--entry", "with_entry", is_flag=True, help="Print the entry itself instead: what the proof is of.")
@run_options
@click.pass_context
def prove(ctx: click.Context, index: int, with_entry: bool) -> ExitCode:
    """Print the proof that an entry is in the log, by the newest signed checkpoint: C2SP tlog-proof, verified offline."""
    from coditect.errors import NotFound

    with open_session(ctx) as knowledge:
        if not with_entry:
            click.echo(knowledge.log_proof(index), nl=False)
            return ExitCode.OK
        found = next(knowledge.log_entries(index, index + 1), None)
    if found is None:
        raise NotFound("the log has no entry of this index", index=index)
    click.echo(found[1], nl=False)
    return ExitCode.OK


@click.command("consistency", cls=KnowledgeCommand)
@click.option("--first", type=click.IntRange(min=1), required=True, help="Size of the log then.")
@click.option("--second", type=click.IntRange(min=1), required=True, help="Size of the log later.")
@format_option()
@run_options
@click.pass_context
def consistency(ctx: click.Context, first: int, second: int, output_format: str) -> ExitCode:
    """Print the proof that the log at one size is the beginning of what it is at another, a hash in base64 on each line."""
    from coditect.transparency.notes import base64_of

    with open_session(ctx) as knowledge:
        proof = [base64_of(each) for each in knowledge.log_consistency(first, second)]
    if output_format == "json":
        write_json({"first": first, "second": second, "proof": proof})
    else:
        for each in proof:
            click.echo(each)
    return ExitCode.OK


@click.command("serve-files", cls=KnowledgeCommand)
@click.option(
    "--output",
    "folder",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder; files that are there already and right are left as they are.",
)
@run_options
@click.pass_context
def serve_files(ctx: click.Context, folder: Path) -> ExitCode:
    """Write the log up to its newest checkpoint as static files, C2SP tlog-tiles: serve the folder, and anybody can read along.

    The checkpoint is written last and at once, so a folder that is served meanwhile is whole at every moment.
    """
    written = 0
    with open_session(ctx) as knowledge:
        for path, data in knowledge.log_files():
            place = folder / path
            if place.is_file() and place.read_bytes() == data:
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            fresh = place.with_name(place.name + ".new")
            fresh.write_bytes(data)
            fresh.replace(place)
            written += 1
    click.echo(f"{written} files written.", err=True)
    return ExitCode.OK
