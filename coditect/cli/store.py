"""The command ``coditect store``: what is done to a store as a whole, whatever it holds."""

from __future__ import annotations

import click

from coditect.cli.exit_codes import exit_codes_epilog
from coditect.cli.lazy import LazyCommand, LazyGroup
from coditect.cli.options import GROUP_CONTEXT, run_options

__all__ = ["store"]


@click.group(
    "store",
    cls=LazyGroup,
    lazy={
        name: LazyCommand(f"coditect.cli.{name}", name, summary)
        for name, summary in {
            "info": "Show the store's format, and which releases made, upgraded and can read it.",
            "upgrade": "Bring the store to the format of this release; readers go on meanwhile.",
            "check": "Read every row of every corpus, and check it.",
            "index": "Add and drop indexes that a store may have, while it is in use.",
            "sweep": "Find rows that nothing refers to, and remove them.",
            "quota": "Show what the operator grants the tenant, and what it has.",
            "compact": "Give the free space of a store's file back to the disk.",
        }.items()
    },
    context_settings=GROUP_CONTEXT,
    epilog=exit_codes_epilog(),
)
@run_options
def store() -> None:
    """Look after the store: bring it to this release's format, check it, index it, sweep what is dead, compact the file.

    Generations are never removed. What a killed build or ingest left behind, and nothing refers to, can be.
    """
