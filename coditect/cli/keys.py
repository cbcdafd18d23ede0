"""``coditect keys``."""

from __future__ import annotations

from pathlib import Path

import click

from coditect.cli.exit_codes import ExitCode, exit_codes_epilog
from coditect.cli.lazy import LazyCommand, LazyGroup
from coditect.cli.options import GROUP_CONTEXT, KnowledgeCommand, format_option, run_options
from coditect.cli.output import write_json

__all__ = ["keys", "new"]


@click.group(
    "keys",
    cls=LazyGroup,
    lazy={"new": LazyCommand("coditect.cli.keys", "new", "Make a key that signs the log.")},
    context_settings=GROUP_CONTEXT,
    epilog=exit_codes_epilog(),
)
@run_options
def keys() -> None:
    """Make the key that signs the log. Its secret stays in a file outside of the store, which its owner alone can read."""


@click.command("new", cls=KnowledgeCommand)
@click.option(
    "--name", required=True, help="Of the key and of the log that it signs for, e.g. 'log.example.com/audit'."
)
@click.option(
    "--output",
    "path",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file that is not there yet.",
)
@format_option()
@run_options
def new(name: str, path: Path, output_format: str) -> ExitCode:
    """Make an Ed25519 key, and print its public part: give that to whoever is to verify.

    Name the file in CODITECT_LOG_KEY. Whoever has it can sign for the log; who loses it cannot sign any more.
    """
    from coditect.transparency.key_files import new_key, write_key_file

    key = new_key(name)
    write_key_file(path, key)
    if output_format == "json":
        write_json({"name": name, "verifier_key": str(key.key), "file": str(path)})
    else:
        click.echo(str(key.key))
    return ExitCode.OK
