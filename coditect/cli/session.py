"""From options and environment to opened services, for as long as a command runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from coditect.errors import NotFound, SchemaError

if TYPE_CHECKING:
    from coditect.knowledge.service import Knowledge
    from coditect.settings import Settings

__all__ = ["load_settings", "open_session"]


def load_settings(ctx: click.Context) -> Settings:
    """The settings of this run: the environment, then what the command line says.

    Raises:
        SchemaError: a value is not of its kind; names the setting.
    """
    from pydantic import ValidationError

    from coditect.settings import Settings

    try:
        return Settings(**ctx.ensure_object(dict))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0])  # of a list, whichever element it is
        option = f" or --{name.replace('_', '-')}" if any(each.name == name for each in ctx.command.params) else ""
        raise SchemaError(
            "a setting is not valid",
            setting=name,
            value=first["input"],
            reason=first["msg"],
            hint=f"Set CODITECT_{name.upper()}{option} to something else, or leave it out.",
        ) from error


@contextmanager
def open_session(ctx: click.Context, *, must_exist: bool = True) -> Iterator[Knowledge]:
    """The services over the store that this run names; logging is set up first.

    Args:
        ctx: of the command.
        must_exist: only ``ingest`` makes a store; for all others a store that is not there was mistyped.

    Raises:
        NotFound: no such store.
        SchemaError: a setting is not valid.
        UsageError: not the URL of a store, or not a log level.
        Unavailable: the store cannot be opened.
    """
    from coditect.compose import open_knowledge
    from coditect.telemetry import configure_logging

    settings = load_settings(ctx)
    configure_logging(settings.log_level)
    try:
        with open_knowledge(settings, must_exist=must_exist) as knowledge:
            yield knowledge
    except NotFound as error:
        # What is not found here may well be in the store that was meant.
        error.context.update(store=settings.store, tenant=settings.tenant)
        raise
