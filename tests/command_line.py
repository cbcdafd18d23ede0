"""The command line in this process, on a store of the test's own."""

from __future__ import annotations

from pathlib import Path

import click.testing

from coditect.cli import coditect
from tests.places import options_at, tenant_at

__all__ = ["invoke"]


def invoke(store: Path, *words: str, tenant: str = "", stdin: bytes | None = None) -> click.testing.Result:
    """Run ``coditect knowledge`` with these words; a defect is raised, not swallowed.

    Args:
        store: the place; the cache lies beside it.
        words: subcommand and options.
        tenant: another one in the same store; "" for the place's own.
        stdin: what is piped in; None for nothing.
    """
    other = ["--tenant", f"{tenant_at(store)}-{tenant}"] if tenant else []
    line = [*options_at(store), *other, "--cache", f"{store}-cache", "--jobs", "1", "knowledge", *words]
    result = click.testing.CliRunner().invoke(coditect, line, input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
