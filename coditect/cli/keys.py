"""``coditect keys``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode, exit_codes_epilog
from coditect.cli.lazy import LazyCommand, LazyGroup
from coditect.cli.options import GROUP_CONTEXT, TEXT, TIME, KnowledgeCommand, format_option, run_options
from coditect.cli.output import write_json
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.schemas import SignerKey

__all__ = ["keys", "list_", "new", "register", "revoke", "rotate"]

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.group(
    "keys",
    cls=LazyGroup,
    lazy={
        "new": LazyCommand("coditect.cli.keys", "new", "Make a key that signs the log, or a person's key."),
        "register": LazyCommand(
            "coditect.cli.keys", "register", "Enter a person's key that is there already in the register."
        ),
        "list": LazyCommand("coditect.cli.keys", "list_", "List the keys of persons, and how long each holds."),
        "rotate": LazyCommand("coditect.cli.keys", "rotate", "Make a new key that takes the place of a person's key."),
        "revoke": LazyCommand("coditect.cli.keys", "revoke", "Say that a person's key does not hold any more."),
    },
    context_settings=GROUP_CONTEXT,
    epilog=exit_codes_epilog(),
)
@run_options
def keys() -> None:
    """Make, register, rotate and revoke the keys that sign the log and the decisions of persons.

    A secret stays in a file outside of the store, which its owner alone can read, or in a device that a program asks. Public parts,
    and what becomes of them, are entries of the log.
    """


@click.command("new", cls=KnowledgeCommand)
@click.option(
    "--name", type=TEXT, help="Of a key that signs the log, e.g. 'log.example.com/audit': the log's name, too."
)
@click.option(
    "--person", type=TEXT, metavar="NAME", help="Whose key it is: the printed name. It is registered in the store."
)
@click.option("--role", type=TEXT, metavar="ROLE", help="As what the person signs: 'head of compliance'.")
@click.option("--output", "path", required=True, type=_FILE, help="A file that is not there yet.")
@format_option()
@run_options
@click.pass_context
def new(
    ctx: click.Context, name: str | None, person: str | None, role: str | None, path: Path, output_format: str
) -> ExitCode:
    """Make an Ed25519 key, and print its public part: give that to whoever is to verify.

    With --name it signs the log: name the file in CODITECT_LOG_KEY. With --person and --role it is a person's, and signs decisions:
    name the file in CODITECT_SIGN_KEY. Whoever has the file can sign; who loses it cannot sign any more.
    """
    from coditect.transparency.custody.key_files import new_key, write_key_file
    from coditect.transparency.persons.keys import new_person_key

    if (name is None) == (person is None) or (person is None) != (role is None):
        raise UsageError("a key is of the log or of a person", hint="Give --name, or --person with --role.")
    if name is not None:
        key = new_key(name)
        write_key_file(path, key)
        _write_new(str(key.key), path, output_format, name=name)
        return ExitCode.OK
    from coditect.cli.session import open_session

    person_key = new_person_key()
    with open_session(ctx) as knowledge:
        write_key_file(path, person_key)
        made = knowledge.register_key(person_key, person=person or "", role=role or "")
    _write_new(made.key, path, output_format, person=made.person, role=made.role)
    return ExitCode.OK


def _write_new(key: str, path: Path, output_format: str, **said: str) -> None:
    if output_format == "json":
        write_json({**said, "verifier_key": key, "file": str(path)})
    else:
        click.echo(key)


@click.command("register", cls=KnowledgeCommand)
@click.option(
    "--key", "path", required=True, type=_FILE, help="The file with the key, or with the program that signs with it."
)
@click.option("--person", type=TEXT, required=True, metavar="NAME", help="Whose key it is: the printed name.")
@click.option("--role", type=TEXT, required=True, metavar="ROLE", help="As what the person signs.")
@format_option()
@run_options
@click.pass_context
def register(ctx: click.Context, path: Path, person: str, role: str, output_format: str) -> ExitCode:
    """Enter a person's key in the register of the store, with the proof that whoever registers it has it.

    The file holds a key, or its public part and a line 'command: PROGRAM': the program is given bytes on its standard input and
    prints the signature in base64, so that a key never leaves its device or service.
    """
    from coditect.cli.session import open_session
    from coditect.transparency.custody.key_files import read_signer

    signer = read_signer(path)
    with open_session(ctx) as knowledge:
        made = knowledge.register_key(signer, person=person, role=role)
    _write_new(made.key, path, output_format, person=made.person, role=made.role)
    return ExitCode.OK


@click.command("list", cls=KnowledgeCommand)
@format_option()
@run_options
@click.pass_context
def list_(ctx: click.Context, output_format: str) -> ExitCode:
    """List the keys of persons: whose each is, in which role, from when to when it holds, and why it ended."""
    from coditect.cli.session import open_session
    from coditect.transparency.persons.keys import key_lives

    with open_session(ctx) as knowledge:
        found = knowledge.registered_keys()
    lives = key_lives(found).values()
    if output_format == "json":
        from dataclasses import asdict

        write_json(
            {"keys": [asdict(each) for each in lives], "changes": [each.model_dump(mode="json") for each in found]}
        )
        return ExitCode.OK
    from coditect.cli.console import FAINT, GOOD, TITLE, WARN, Screen, counted

    page = Screen()
    page.line((counted(len(lives), "key"), TITLE))
    for life in lives:
        page.line()
        state = (f"{life.ended} at {life.until}", WARN) if life.until else ("holds", GOOD)
        page.line("  ", (life.person, TITLE), f", {life.role}  since {life.since}  ", state)
        page.block(4, (life.key, FAINT))
    return ExitCode.OK


@click.command("rotate", cls=KnowledgeCommand)
@click.option("--key", "path", type=_FILE, help="The file with the key whose place is taken, which signs that, too.")
@click.option(
    "--lost", type=TEXT, metavar="KEY", help="The public key, or its name, where the key is lost: nothing signs for it."
)
@click.option("--output", "fresh", required=True, type=_FILE, help="A file that is not there yet, for the new key.")
@format_option()
@run_options
@click.pass_context
def rotate(ctx: click.Context, path: Path | None, lost: str | None, fresh: Path, output_format: str) -> ExitCode:
    """Make a new key of the same person and role. What the former one signed until now stays valid, and no more."""
    from coditect.cli.session import open_session
    from coditect.errors import NotFound
    from coditect.transparency.custody.key_files import read_signer, write_key_file
    from coditect.transparency.persons.keys import new_person_key

    if (path is None) == (lost is None):
        raise UsageError("one key is replaced", hint="Give --key with its file, or --lost with its name.")
    former = None if path is None else read_signer(path)
    wanted = lost if former is None else str(former.key)
    made = new_person_key()
    with open_session(ctx) as knowledge:
        own = next(
            (each for each in knowledge.registered_keys() if wanted in (each.key, each.key.partition("+")[0])), None
        )
        if own is None:
            raise NotFound("no such key is registered", key=wanted, hint="'coditect keys list' shows them.")
        write_key_file(fresh, made)
        try:
            record = knowledge.register_key(made, person=own.person, role=own.role, replaces=own.key, former=former)
        except UsageError:
            fresh.unlink()
            raise
    _write_new(record.key, fresh, output_format, person=record.person, role=record.role, replaces=own.key)
    return ExitCode.OK


@click.command("revoke", cls=KnowledgeCommand)
@click.option("--key", type=TEXT, required=True, metavar="KEY", help="The public key, or its name.")
@click.option("--reason", type=TEXT, required=True, metavar="TEXT", help="Why.")
@click.option("--at", type=TIME, metavar="TIME", help="From when on, e.g. 2026-09-30T08:00:00Z; default: now.")
@format_option()
@run_options
@click.pass_context
def revoke(ctx: click.Context, key: str, reason: str, at: str | None, output_format: str) -> ExitCode:
    """Say that a key does not hold any more. What it signed before stays valid; what it signed since is not."""
    from coditect.cli.session import open_session

    with open_session(ctx) as knowledge:
        record = knowledge.revoke_key(key, reason=reason, at=at)
    _write_revoked(record, output_format)
    return ExitCode.OK


def _write_revoked(record: SignerKey, output_format: str) -> None:
    if output_format == "json":
        write_json(record.model_dump(mode="json"))
    else:
        click.echo(f"revoked from {record.at} on: {record.person}, {record.role}, {record.key}")
