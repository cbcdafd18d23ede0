"""From options and environment to opened services, for as long as a command runs."""

from __future__ import annotations

import importlib
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.output_files import require_output
from coditect.errors import NotFound, SchemaError
from coditect.telemetry import FirstLine, configure_logging

if TYPE_CHECKING:
    from coditect.knowledge.service import Knowledge
    from coditect.settings import Settings

__all__ = ["check_output", "import_numpy_alone", "load_settings", "open_session"]


_THREADS = "OPENBLAS_NUM_THREADS"


def import_numpy_alone() -> None:
    """Import numpy without the threads that its library of matrix products starts for every core.

    A question multiplies no matrices, and starting and stopping the threads takes a twentieth of its time. What the environment
    says holds, and processes that this one starts see it as it was.
    """
    if "numpy" in sys.modules or _THREADS in os.environ:
        return
    os.environ[_THREADS] = "1"
    try:
        importlib.import_module("numpy")
    finally:
        del os.environ[_THREADS]


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
        first = error.errors()[0]
        name = str(first["loc"][0])  # of a list, whichever element it is
        option = f" or --{name.replace('_', '-')}" if any(each.name == name for each in ctx.command.params) else ""
        raise SchemaError(
            "a setting is not valid",
            setting=name,
            value=first["input"],
            reason=first["msg"],
            hint=f"Set CODITECT_{name.upper()}{option} to something else, or leave it out.",
        ) from error


def check_output(ctx: click.Context, output: Path) -> None:
    """Refuse a place for a command's output that cannot be written, or that the command or the store reads.

    Args:
        ctx: of the command; its other paths are its inputs.
        output: where it is to write.

    Raises:
        SchemaError: a setting is not valid.
        UsageError: see :func:`coditect.cli.output_files.require_output`.
    """
    settings = load_settings(ctx)
    given = (*ctx.params.values(), settings.extraction_schema, settings.prices)
    inputs = [each for each in given if isinstance(each, Path) and each is not output]
    require_output(output, kept=settings.kept_places(), inputs=inputs)


@contextmanager
def open_session(
    ctx: click.Context, *, must_exist: bool = True, logs: bool = True, compacts: bool = True
) -> Iterator[Knowledge]:
    """The services over the store that this run names; logging is set up first.

    Whatever writes carries out erasures that were killed or waited; then the store's file is compacted once the services are
    closed, so that no freed page keeps the words. So it is after erasures of before that left it to be compacted.

    Args:
        ctx: of the command.
        must_exist: ``ingest``, ``import`` and ``tokens new`` make a store; for all others a store that is not there was mistyped.
        compacts: False for a command that compacts the store's file by itself.
        logs: False for a command that has at most warnings to log: unless lower levels are asked for, logging is then set up by
            the first line that is logged.

    Raises:
        NotFound: no such store.
        SchemaError: a setting is not valid.
        UsageError: not the URL of a store, or not a log level.
        Unavailable: the store cannot be opened.
    """
    from coditect.compose import open_knowledge

    settings = load_settings(ctx)
    # A list of erasures is carried out when the store is opened, and what it does is logged.
    _set_up_logging(settings.log_level, now=logs or settings.erasures is not None)
    erased, owed = False, False
    try:
        with open_knowledge(settings, must_exist=must_exist) as knowledge:
            try:
                yield knowledge
            finally:
                erased, owed = knowledge.has_erased, _owes_compaction(knowledge)
    except NotFound as error:
        # What is not found here may well be in the store that was meant.
        error.context.update(store=settings.store, tenant=settings.tenant)
        raise
    finally:
        if (erased or owed) and compacts:
            from coditect.cli.freed_space import give_back

            why = (
                "An erasure was carried out"
                if erased
                else "The store's file was still to be compacted after an erasure"
            )
            click.echo(f"{why}; {give_back(settings)}.", err=True)


def _owes_compaction(knowledge: Knowledge) -> bool:
    """Whether a command that wrote leaves a file that is still to be compacted, by its own erasures or those of others."""
    if not knowledge.has_acted:
        return False
    from coditect.errors import CoditectError
    from coditect.store.intake.compactions import owed_compactions

    with suppress(CoditectError):  # what broke the command is told, and this is not
        return bool(owed_compactions(knowledge.store))
    return False


def _set_up_logging(level: str, *, now: bool) -> None:
    """Set up logging, or see to it that the first line that is logged does.

    Raises:
        UsageError: not a log level.
    """
    root = logging.getLogger()
    for old in [each for each in root.handlers if isinstance(each, FirstLine)]:
        root.removeHandler(old)
    # Importing structlog takes as long as answering a question. Where it is imported already, nothing is saved.
    if now or level.upper() not in ("WARNING", "ERROR") or "structlog" in sys.modules:
        configure_logging(level)
    else:
        root.addHandler(FirstLine(level))
        root.setLevel(level.upper())
