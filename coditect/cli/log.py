"""``coditect log``: checkpoints, proofs and files of the log."""

from __future__ import annotations

from pathlib import Path

import click

from coditect.cli.exit_codes import ExitCode, exit_codes_epilog
from coditect.cli.lazy import LazyCommand, LazyGroup
from coditect.cli.options import GROUP_CONTEXT, KnowledgeCommand, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import open_session

__all__ = ["checkpoint", "consistency", "log", "prove", "serve_files", "serve_witness", "timestamp", "witness"]

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
            "witness": "Have a witness cosign the newest checkpoint.",
            "timestamp": "Have a time stamp authority stamp the newest checkpoint.",
            "serve-witness": "Run a small witness for other logs.",
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
        raise NotFound(
            "the log has no entry of this index",
            index=index,
            hint="'coditect audit list' shows which entries there are.",
        )
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


@click.command("witness", cls=KnowledgeCommand)
@click.option("--url", required=True, help="The witness' submission prefix; '/add-checkpoint' is added.")
@click.option("--key", required=True, metavar="KEY", help="The witness' verifier key: name+id+key.")
@click.option(
    "--last-size",
    type=click.IntRange(min=0),
    default=0,
    help="Of the last checkpoint that it cosigned, if you know it.",
)
@run_options
@click.pass_context
def witness(ctx: click.Context, url: str, key: str, last_size: int) -> ExitCode:
    """Send the newest checkpoint to a witness, with the proof that it continues what the witness saw before.

    Its cosignature is kept with the checkpoint, and goes into every proof and bundle. Exit code 1 if it saw another history. C2SP
    tlog-witness.
    """
    with open_session(ctx) as knowledge:
        note = knowledge.log_witness(url, key, last_size)
    click.echo(note, nl=False)
    return ExitCode.OK


@click.command("timestamp", cls=KnowledgeCommand)
@click.option("--url", required=True, help="Of the authority.")
@click.option(
    "--tsa",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The authority's certificates, PEM: its root, and what stands between.",
)
@run_options
@click.pass_context
def timestamp(ctx: click.Context, url: str, tsa: Path) -> ExitCode:
    """Have a time stamp authority say when it saw the newest checkpoint, check that, keep it, and print the time. RFC 3161.

    Needs the extra 'timestamp'.
    """
    with open_session(ctx) as knowledge:
        click.echo(knowledge.log_timestamp(url, tsa.read_bytes()))
    return ExitCode.OK


@click.command("serve-witness", cls=KnowledgeCommand)
@click.option(
    "--key",
    "key_file",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The witness' own key, as 'coditect keys new' writes it.",
)
@click.option("--log-key", "log_keys", required=True, multiple=True, metavar="KEY", help="Of a log that it witnesses.")
@click.option(
    "--folder",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Where it remembers the newest checkpoint of each log.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port; 0 takes a free one."
)
@run_options
def serve_witness(key_file: Path, log_keys: tuple[str, ...], folder: Path, host: str, port: int) -> ExitCode:
    """Run a witness until it is interrupted: it cosigns checkpoints that continue the last one that it cosigned of their log.

    It prints its verifier key and its URL. Let somebody run it who could not be told to forget: a witness on the machine of the log
    witnesses nothing. C2SP tlog-witness.
    """
    from coditect.errors import UsageError
    from coditect.transparency.custody.key_files import read_key_file
    from coditect.transparency.notes import VerifierKey
    from coditect.transparency.witness.folder import FolderLastSeen
    from coditect.transparency.witness.judgement import Witness, witness_key
    from coditect.transparency.witness.server import witness_server

    key = read_key_file(key_file)
    logs: dict[str, list[VerifierKey]] = {}
    for each in map(VerifierKey.parse, log_keys):
        logs.setdefault(each.name, []).append(each)
    try:
        server = witness_server(Witness(key, logs, FolderLastSeen(folder)), (host, port))
    except OSError as error:
        raise UsageError("the witness cannot listen there", host=host, port=port, reason=str(error)) from error
    with server:
        click.echo(f"{witness_key(key)}\nhttp://{host}:{server.server_address[1]}")
        server.serve_forever()
    return ExitCode.OK
