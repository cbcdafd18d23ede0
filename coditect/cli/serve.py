"""``coditect serve``."""

from __future__ import annotations

from pathlib import Path

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.freed_space import give_back_owed
from coditect.cli.options import TEXT, KnowledgeCommand, run_options
from coditect.cli.session import load_settings
from coditect.errors import UsageError
from coditect.telemetry import configure_logging

__all__ = ["serve"]


@click.command("serve", cls=KnowledgeCommand)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where it listens.")
@click.option("--port", type=click.IntRange(0, 65535), default=8085, show_default=True, help="0: any that is free.")
@click.option(
    "--serve-tenant",
    "tenants",
    multiple=True,
    type=TEXT,
    metavar="NAME",
    help="Whom it answers for. Repeatable; default: --tenant.",
)
@click.option(
    "--anonymous",
    is_flag=True,
    help="Let anybody on this machine read and write without a token; refused on other addresses than loopback.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    type=TEXT,
    metavar="NAME",
    help="A name that it answers to; needed on other addresses than loopback. Repeatable.",
)
@click.option("--behind-https", is_flag=True, help="A proxy before it speaks HTTPS: cookies are sent over that alone.")
@click.option(
    "--rate", default="600/minute", show_default=True, metavar="RATE", help="Requests of one caller, at most."
)
@click.option(
    "--most", type=click.IntRange(1, 256), default=16, show_default=True, help="Requests at work at one time."
)
@click.option("--oidc-issuer", metavar="URL", help="An identity provider whose tokens are taken, too.")
@click.option("--oidc-audience", metavar="NAME", help="As whom its tokens name this server.")
@click.option("--oidc-keys", metavar="FILE|URL", help="Its keys, a JWK set: a file, or an https address.")
@click.option(
    "--work",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for uploads and jobs; default: 'server' in the cache.",
)
@run_options
@click.pass_context
def serve(
    ctx: click.Context,
    /,
    host: str,
    port: int,
    tenants: tuple[str, ...],
    anonymous: bool,
    hosts: tuple[str, ...],
    behind_https: bool,
    rate: str,
    most: int,
    oidc_issuer: str | None,
    oidc_audience: str | None,
    oidc_keys: str | None,
    work: Path | None,
) -> ExitCode:
    """Answer over HTTP: an API for programs under /api/v1, and pages for people. Needs the extra "server".

    Whoever asks shows a token ('coditect tokens new'), signs in with one on the page, or comes from an identity provider. It speaks
    HTTP alone: put a proxy with HTTPS before it wherever others than this machine ask. SIGTERM lets requests end, and the job at
    work; whatever waits is told as interrupted.
    """
    click.echo("starting: the store is opened, which takes some seconds", err=True)
    try:
        from coditect.server.running import Serving, run
    except ImportError as error:
        raise UsageError(
            "the server needs libraries that are not here",
            missing=error.name,
            hint="Install them: pip install 'coditect-knowledge[server]'",
        ) from error
    given = (oidc_issuer, oidc_audience, oidc_keys)
    if any(given) and not all(given):
        raise UsageError(
            "an identity provider needs all of its options", hint="Give --oidc-issuer, --oidc-audience and --oidc-keys."
        )
    serving = Serving(
        host=host,
        port=port,
        tenants=tenants,
        anonymous=anonymous,
        hosts=hosts,
        encrypted=behind_https,
        rate=rate,
        most=most,
        provider=(str(oidc_issuer), str(oidc_audience), str(oidc_keys)) if all(given) else None,
        work=work,
    )
    settings = load_settings(ctx)
    configure_logging(settings.log_level)
    space = give_back_owed(settings, tenants)
    if space:
        click.echo(f"The store's file was still to be compacted after an erasure; {space}.", err=True)
    run(settings, serving, say=lambda line: click.echo(line, err=True))
    return ExitCode.OK
