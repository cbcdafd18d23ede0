"""``coditect mcp``."""

from __future__ import annotations

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import TEXT, KnowledgeCommand, run_options
from coditect.cli.session import load_settings
from coditect.errors import UsageError
from coditect.telemetry import configure_logging

__all__ = ["mcp"]


@click.command("mcp", cls=KnowledgeCommand)
@click.option(
    "--transport",
    type=click.Choice(["stdio", "http"]),
    default="stdio",
    show_default=True,
    help="stdio: for the assistant that starts this program; http: for those that show a token.",
)
@click.option(
    "--corpus",
    "corpora",
    multiple=True,
    type=TEXT,
    metavar="ID",
    help="stdio: a corpus that may be asked. Repeatable; default: all.",
)
@click.option(
    "--role",
    type=click.Choice(["reader", "analyst"]),
    default="analyst",
    show_default=True,
    help="stdio: a reader cannot verify texts or make crosswalks.",
)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="http: where it listens.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8086, show_default=True, help="http: 0 for any that is free."
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    type=TEXT,
    metavar="NAME",
    help="http: a name that it answers to; needed on other addresses than loopback. Repeatable.",
)
@run_options
@click.pass_context
def mcp(
    ctx: click.Context,
    /,
    transport: str,
    corpora: tuple[str, ...],
    role: str,
    host: str,
    port: int,
    hosts: tuple[str, ...],
) -> ExitCode:
    """Answer assistants over the Model Context Protocol: search, read, chain, verify, registers, crosswalk, changes.

    It needs the extra "mcp". Nothing can be changed through it. Every answer has citations that resolve, and words of documents are
    fenced as data. What is read stands in the audit trail. Over HTTP, at /mcp, whoever asks shows a token ('coditect tokens new');
    it needs the extra "server", too, and a proxy with HTTPS wherever others than this machine ask.
    """
    try:
        from coditect.assistants.serving import Alone, run_http, run_stdio

        if transport == "http":
            import coditect.server.running  # noqa: F401 - so that what is missing is said now
    except ImportError as error:
        raise UsageError(
            "answering assistants needs libraries that are not here",
            missing=error.name,
            hint="Install them: pip install 'coditect-knowledge[mcp,server]'",
        ) from error
    settings = load_settings(ctx)
    configure_logging(settings.log_level)
    if transport == "http":
        if corpora:
            raise UsageError("over HTTP the token says which corpora", hint="coditect tokens new --corpus ID")
        run_http(settings, host, port, hosts, say=lambda line: click.echo(line, err=True))
    else:
        run_stdio(settings, Alone(role, corpora))  # type: ignore[arg-type]
    return ExitCode.OK
