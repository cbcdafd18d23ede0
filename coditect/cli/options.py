"""Options that several commands share, and the types of their values. Imports nothing heavy."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

__all__ = [
    "DAY",
    "DAY_OR_TIME",
    "DOCUMENT_ROLES",
    "EXPANSIONS",
    "EXTRACTION_METHODS",
    "GROUP_CONTEXT",
    "KINDS",
    "LOG_LEVELS",
    "MODALITIES",
    "RATIO",
    "SEARCH_MODES",
    "STATE",
    "TEXT",
    "TIERS",
    "TIME",
    "Dashed",
    "KnowledgeCommand",
    "as_of_option",
    "corpus_option",
    "format_option",
    "remember",
    "run_options",
    "today_option",
]

F = TypeVar("F", bound=Callable[..., Any])

# These repeat what the records declare, because their module loads pydantic; a test compares them.
TIERS = ("corpus", "section", "chunk", "extraction", "passage", "proposition")
SEARCH_MODES = ("hybrid", "lexical", "dense", "exact")
KINDS = (
    "obligation",
    "prohibition",
    "permission",
    "definition",
    "cross_reference",
    "quantity",
    "proposition",
    "custom",
)
DOCUMENT_ROLES = ("law", "rule", "guidance", "standard", "policy", "procedure", "contract", "record")
MODALITIES = ("mandatory", "recommended", "optional", "prohibited")
EXPANSIONS = ("passage", "section", "document")
EXTRACTION_METHODS = ("textrank", "tfidf", "llm_extractive")
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class Dashed(click.Choice[str]):
    """A choice whose words are written with dashes, and may be given as the API writes them: ``accept_risk``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - click's own
        """The word with dashes."""
        return str(super().convert(value.replace("_", "-") if isinstance(value, str) else value, param, ctx))


GROUP_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}
"""How click shows the help of every group, and of the commands in it."""

RUN_OPTIONS = ("store", "tenant", "cache", "jobs", "log_level")


class _Text(click.ParamType[str]):
    """Text that can be stored: not empty, and without bytes that are not UTF-8."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - click's signature
        """The text as it was typed, or a usage error that says what is wrong with it."""
        text = str(value)
        if not text.strip():
            self.fail("it is empty", param, ctx)
        if not _encodable(text):
            self.fail(f"{text!r} holds bytes that are not UTF-8; write it in UTF-8", param, ctx)
        return text


class _Ratio(click.ParamType[float]):
    """A number from 0 to 1."""

    name = "ratio"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401 - click's signature
        """The number, or a usage error; NaN is none."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not 0.0 <= number <= 1.0:  # NaN fails, too
            self.fail(f"{value!r} is not a number from 0 to 1; write 20 % as 0.2", param, ctx)
        return number


class StorablePath(click.Path):
    """A path whose name can be stored."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ANN401 - click's signature
        """The path that a command is given.

        Args:
            value: as it was typed; names that are not UTF-8 arrive with surrogates.
            param: whose value it is.
            ctx: of the command.

        Raises:
            click.BadParameter: its name cannot be stored, or it is not what the option asks for.
        """
        if not _encodable(str(value)):
            self.fail(f"{str(value)!r} holds bytes that are not UTF-8; rename it", param, ctx)
        return Path(str(super().convert(value, param, ctx)))


TEXT = _Text()
RATIO = _Ratio()


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class KnowledgeCommand(click.Command):
    """A command whose help lists the options of every run under a heading of their own."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Own options first."""
        own: list[tuple[str, str]] = []
        run: list[tuple[str, str]] = []
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                (run if param.name in RUN_OPTIONS else own).append(record)
        for title, records in (("Options", own), ("Store and run", run)):
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def remember(ctx: click.Context, param: click.Parameter, value: Any) -> None:  # noqa: ANN401 - click's signature
    """Keep a value that was given; groups come before their commands, so the innermost wins."""
    chosen = ctx.ensure_object(dict)
    if value is not None and param.name is not None:
        chosen[param.name] = value


def run_options(function: F) -> F:
    """Add the options that say where the store is and how to run; what is given is kept in ``ctx.obj``.

    They may stand at ``coditect``, at ``coditect knowledge`` and at each of its commands. The environment is read by
    :class:`coditect.settings.Settings`, so that an option at any place wins over it.
    """
    for option in reversed(_RUN_OPTIONS):
        function = option(function)
    return function


def _run_option(flag: str, **attributes: Any) -> Callable[[F], F]:  # noqa: ANN401 - click's own
    return click.option(flag, expose_value=False, callback=remember, **attributes)


_RUN_OPTIONS = (
    _run_option(
        "--store",
        metavar="URL",
        type=TEXT,
        help="Where the store is: lmdb:///folder or fdb:///fdb.cluster. Environment: CODITECT_STORE.",
    ),
    _run_option("--tenant", metavar="NAME", type=TEXT, help="Whose data. Environment: CODITECT_TENANT."),
    _run_option(
        "--cache",
        metavar="FOLDER",
        type=StorablePath(file_okay=False),
        help="Where search indexes lie; may be deleted at any time. Environment: CODITECT_CACHE.",
    ),
    _run_option(
        "--jobs",
        metavar="N",
        type=click.IntRange(min=1),
        help="Processes for reading and deriving; default: one each core. Environment: CODITECT_JOBS.",
    ),
    _run_option(
        "--log-level",
        type=click.Choice(LOG_LEVELS, case_sensitive=False),
        help="What is logged on stderr; default: WARNING. Environment: CODITECT_LOG_LEVEL.",
    ),
)


def corpus_option(help_text: str, *, required: bool = True) -> Callable[[F], F]:
    """``--corpus-id``."""
    return click.option("--corpus-id", metavar="ID", type=TEXT, required=required, help=help_text)


class _When(click.ParamType[str]):
    """A day, or what else says when: each is written in one form.

    Args:
        name: what click calls it.
        is_right: by name, the functions of coditect.schemas.day that say whether it is one, and "generation" for a number.
        refusal: what is said of what is none.
    """

    def __init__(self, name: str, is_right: tuple[str, ...], refusal: str) -> None:
        self.name = name
        self._is_right = is_right
        self._refusal = refusal

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - click's signature
        """What was given, as it was written.

        Raises:
            click.BadParameter: there is no such day or time, or it is not written so.
        """
        from coditect.schemas import day

        text = str(value)
        by_name: dict[str, Callable[[str], bool]] = {
            "day": day.is_day,
            "time": day.is_time,
            "generation": _is_generation,
        }
        if not any(by_name[each](text) for each in self._is_right):
            self.fail(f"{text!r} is {self._refusal}", param, ctx)
        return text


def _is_generation(text: str) -> bool:
    return text.isascii() and text.isdigit()


DAY = _When("date", ("day",), "no day; write YYYY-MM-DD, as 2026-09-30.")
TIME = _When("time", ("time",), "no time; write it in UTC, as 2026-09-30T08:00:00Z.")
DAY_OR_TIME = _When(
    "time", ("day", "time"), "neither a day nor a time; write 2026-09-30, or in UTC 2026-09-30T08:00:00Z."
)
STATE = _When(
    "state", ("day", "generation"), "neither a generation nor a day; write its number, or YYYY-MM-DD, as 2026-09-30."
)


def today_option(help_text: str, default: str = "today, by the clock") -> Callable[[F], F]:
    """``--today``."""
    return click.option("--today", type=DAY, metavar="DATE", help=f"{help_text} Default: {default}.")


def as_of_option() -> Callable[[F], F]:
    """``--as-of``."""
    return click.option(
        "--as-of",
        metavar="GENERATION",
        type=click.IntRange(min=1),
        help="Read an earlier generation; default: the current one. 'status' lists them.",
    )


def format_option(
    choices: tuple[str, ...] = ("text", "json"), default: str | None = "text", note: str = ""
) -> Callable[[F], F]:
    """``--format``; the value arrives as ``output_format``."""
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(choices),
        default=default,
        show_default=default is not None,
        help=note or "Text for people, or one JSON document.",
    )
