"""``coditect store quota``."""

from __future__ import annotations

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import open_session

__all__ = ["quota"]


@click.command("quota", cls=KnowledgeCommand)
@format_option()
@run_options
@click.pass_context
def quota(ctx: click.Context, output_format: str) -> ExitCode:
    """Show what the operator grants the tenant, and what it has of it.

    Quotas stand in a YAML file that the operator names in CODITECT_QUOTAS; no tenant can change it. Without one nothing is
    limited. The exit code is 1 where the tenant has more than it was granted.
    """
    with open_session(ctx, logs=False) as knowledge:
        found = knowledge.quota_report()
    granted, used = found.quota, found.usage
    rows = [
        ("documents", used.documents, granted.documents),
        ("bytes", used.bytes, granted.bytes),
        ("builds at one time", used.builds, granted.builds),
    ]
    over = any(most is not None and has > most for _, has, most in rows)
    if output_format == "json":
        write_json({**found.model_dump(mode="json"), "over": over})
    else:
        from coditect.cli.console import TITLE, Screen

        page = Screen()
        page.line((f"Tenant {found.tenant}", TITLE))
        page.table(
            ("", "has", "granted"),
            [(name, f"{has:,}", "no limit" if most is None else f"{most:,}") for name, has, most in rows]
            + [
                ("requests to a server", "", granted.requests or "no limit"),
                ("jobs that wait", "", "no limit" if granted.jobs is None else f"{granted.jobs:,}"),
            ],
        )
        if granted.own_tag:
            page.line(f"On FoundationDB its bulk work has the tag {found.tag}.")
    return ExitCode.FOUND if over else ExitCode.OK
