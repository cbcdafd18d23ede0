"""``coditect tokens``."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from coditect.cli.exit_codes import ExitCode, exit_codes_epilog
from coditect.cli.lazy import LazyCommand, LazyGroup
from coditect.cli.options import GROUP_CONTEXT, TEXT, KnowledgeCommand, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import open_session

if TYPE_CHECKING:
    from coditect.server.access.callers import Role

__all__ = ["list_", "new", "revoke", "tokens"]

ROLES = ("reader", "analyst", "reviewer", "auditor", "administrator")
"""As in :mod:`coditect.server.access.callers`, which is not loaded for the help."""


@click.group(
    "tokens",
    cls=LazyGroup,
    lazy={
        "new": LazyCommand("coditect.cli.tokens", "new", "Make a token; it is shown once, and kept nowhere."),
        "list": LazyCommand("coditect.cli.tokens", "list_", "List tokens: whose, as what, for how long."),
        "revoke": LazyCommand("coditect.cli.tokens", "revoke", "Say that a token does not hold any more."),
    },
    context_settings=GROUP_CONTEXT,
    epilog=exit_codes_epilog(),
)
@run_options
def tokens() -> None:
    """Make and revoke the tokens that callers of 'coditect serve' show.

    The store has their hashes alone; making and revoking one are entries of the log.
    """


@click.command("new", cls=KnowledgeCommand)
@click.option(
    "--name", required=True, type=TEXT, help="Of the person or service that will show it: the audit trail has it."
)
@click.option("--role", required=True, type=click.Choice(ROLES), help="As what: see docs/security.md.")
@click.option("--corpus", "corpora", multiple=True, type=TEXT, metavar="ID", help="Opens this corpus only. Repeatable.")
@click.option("--days", type=click.IntRange(1, 366), default=90, show_default=True, help="For how many days it holds.")
@format_option()
@run_options
@click.pass_context
def new(ctx: click.Context, name: str, role: str, corpora: tuple[str, ...], days: int, output_format: str) -> ExitCode:
    """Make a token, and print it: this once. Who has it may do what its role may, until it ends or is revoked.

    Makes the store where there is none: a server for uploads begins with the token of who may upload.
    """
    from coditect.server.access.tokens import new_token

    with open_session(ctx, must_exist=False) as knowledge:
        knowledge.acting()
        record, token = new_token(
            knowledge.store, name=name, role=cast("Role", role), corpora=corpora, days=days, clock=knowledge.clock
        )
        knowledge.checkpoint()
    if output_format == "json":
        write_json({"token": token, **_told(record.model_dump(mode="json"))})
    else:
        click.echo(token)
        click.echo(f"For {record.name}, {record.role}, until {record.until}. It is not shown again.", err=True)
    return ExitCode.OK


@click.command("list", cls=KnowledgeCommand)
@format_option()
@run_options
@click.pass_context
def list_(ctx: click.Context, output_format: str) -> ExitCode:
    """List tokens: whose, as what, for how long, and which were revoked why."""
    from coditect.server.access.tokens import made_tokens

    with open_session(ctx) as knowledge:
        every = made_tokens(knowledge.store)
        now = knowledge.clock()
    if output_format == "json":
        write_json([_told(each.model_dump(mode="json")) for each in every])
        return ExitCode.OK
    from coditect.cli.console import Screen

    revoked = {each.public_id: each for each in every if each.change == "revoked"}
    rows = []
    for each in every:
        if each.change == "made":
            gone = revoked.get(each.public_id)
            ended = "ended" if each.until <= now else f"until {each.until[:10]}"
            state = ended if gone is None else f"revoked {gone.at[:10]}: {gone.reason}"
            rows.append((each.public_id, each.name, each.role, ", ".join(each.corpora) or "all", state))
    Screen().table(("token", "name", "role", "corpora", "state"), rows)
    return ExitCode.OK


@click.command("revoke", cls=KnowledgeCommand)
@click.option("--token", "token_id", required=True, type=TEXT, metavar="ID", help="Its id, as 'tokens list' shows it.")
@click.option("--reason", required=True, type=TEXT, help="Why.")
@format_option()
@run_options
@click.pass_context
def revoke(ctx: click.Context, token_id: str, reason: str, output_format: str) -> ExitCode:
    """Say that a token does not hold any more: servers know it within seconds."""
    from coditect.server.access.tokens import revoke_token

    with open_session(ctx) as knowledge:
        knowledge.acting()
        record = revoke_token(knowledge.store, token_id, reason=reason, clock=knowledge.clock)
        knowledge.checkpoint()
    if output_format == "json":
        write_json(_told(record.model_dump(mode="json")))
    else:
        click.echo(f"{record.public_id} does not hold since {record.at}.")
    return ExitCode.OK


def _told(record: dict[str, object]) -> dict[str, object]:
    """A record without what only the program needs."""
    return {name: value for name, value in record.items() if name not in ("secret_sha256",)}
