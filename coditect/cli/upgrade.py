"""``coditect store upgrade``."""

from __future__ import annotations

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import load_settings

__all__ = ["upgrade"]


@click.command("upgrade", cls=KnowledgeCommand)
@click.option(
    "--clear-former",
    is_flag=True,
    help="Remove the rows of the former format; no program that opened the store before the upgrade may still run.",
)
@format_option()
@run_options
@click.pass_context
def upgrade(ctx: click.Context, clear_former: bool, output_format: str) -> ExitCode:
    """Bring the store to the format of this release.

    Records stay as they were written, byte for byte, and with them every id, digest and archive; only their keys and
    their packing are new. The new rows are written beside the former ones, in small transactions; then both are
    compared, and one transaction switches over. Readers go on meanwhile. An upgrade that was killed goes on where it
    was. The former rows stay, for programs that have the store open, until --clear-former.
    """
    from coditect.compose import clear_former_rows, upgrade_store

    settings = load_settings(ctx)
    with progress_bars() as progress:
        report = upgrade_store(settings, progress=progress)
        cleared = clear_former_rows(settings, progress=progress) if clear_former else 0
    if output_format == "json":
        write_json(
            {
                "store": settings.store,
                "tenant": settings.tenant,
                "upgraded": report.upgraded,
                "from_format": report.from_format,
                "to_format": report.to_format,
                "rows": report.rows,
                "digests": report.digests,
                "cleared_rows": cleared,
            }
        )
        return ExitCode.OK
    from coditect.cli.console import GOOD, TITLE, Screen

    page = Screen()
    done = (f"format {report.to_format}", GOOD)
    if report.upgraded:
        page.line((f"Store {settings.store}", TITLE), f": from format {report.from_format} to ", done)
        page.line(f"  {report.rows:,} rows copied; the digests of {len(report.digests):,} corpora are what they were")
        if not clear_former:
            page.line("  the former rows stay until 'coditect store upgrade --clear-former'")
    else:
        page.line((f"Store {settings.store}", TITLE), ": it has ", done, " already")
    if clear_former:
        page.line(f"  {cleared:,} rows of the former format removed")
    return ExitCode.OK
