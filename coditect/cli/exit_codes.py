"""Exit codes: what each means, and which error ends in which. The only place where errors become numbers."""

from __future__ import annotations

import errno
from enum import IntEnum

import click

from coditect.errors import CoditectError, Conflict, SchemaError, Unavailable, UsageError

__all__ = ["MEANINGS", "ExitCode", "exit_code_of", "exit_codes_epilog", "exit_codes_markdown", "is_unwritable"]

_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class ExitCode(IntEnum):
    """How a run ended."""

    OK = 0
    FOUND = 1
    USAGE = 2
    PARTIAL = 3
    UNAVAILABLE = 4
    INTERRUPTED = 130
    PIPE_CLOSED = 141


MEANINGS: dict[ExitCode, tuple[str, str]] = {
    ExitCode.OK: ("done", "A question without an answer at its tier is done, too."),
    ExitCode.FOUND: (
        "validation found something, or stored data, evidence or a model failed",
        "Read the findings or the error; nothing was published.",
    ),
    ExitCode.USAGE: (
        "wrong use: an option, a setting, or an unknown corpus, document or item",
        "The message names what is valid.",
    ),
    ExitCode.PARTIAL: (
        "done in part: files, documents or corpora were left out, or stored verdicts drifted",
        "They are listed with their reasons; all the others are in, or identical.",
    ),
    ExitCode.UNAVAILABLE: (
        "the store does not answer, or another writer came first",
        "Try again; nothing that was derived is lost.",
    ),
    ExitCode.INTERRUPTED: ("interrupted", "What was derived is kept; the same command goes on from there."),
    ExitCode.PIPE_CLOSED: (
        "the reader of the output went away",
        "As with any command in front of 'head'; not an error of the store.",
    ),
}
"""By code: what it means, and what the reader should know or do."""


def exit_code_of(error: BaseException) -> ExitCode:
    """The exit code that an error ends in."""
    match error:
        case KeyboardInterrupt() | click.Abort():
            return ExitCode.INTERRUPTED
        case BrokenPipeError():
            return ExitCode.PIPE_CLOSED
        case Unavailable() | Conflict():
            return ExitCode.UNAVAILABLE
        case UsageError() | SchemaError() | click.ClickException():
            return ExitCode.USAGE
        case OSError() if is_unwritable(error):
            return ExitCode.USAGE
        case CoditectError():
            return ExitCode.FOUND
    raise error


def is_unwritable(error: BaseException) -> bool:
    """Whether an error says that a stream of this process, such as a redirected standard output, takes no more."""
    # Files that are opened by name have their own messages; an error of a stream that is open already has no name.
    return isinstance(error, OSError) and error.filename is None and error.errno in _UNWRITABLE


def exit_codes_epilog() -> str:
    """The table as the last paragraph of a help page; its first line keeps click from joining the others."""
    return "\n".join(["\b", "Exit codes:", *(f"  {code:>3}  {meaning}" for code, (meaning, _) in MEANINGS.items())])


def exit_codes_markdown() -> str:
    """The text of ``cli/exit-codes.md``."""
    import coditect.errors

    rows = [f"| {code} | {meaning} | {remark} |" for code, (meaning, remark) in MEANINGS.items()]
    classes = [getattr(coditect.errors, name) for name in coditect.errors.__all__]
    errors = [f"| `{cls.__name__}` | {exit_code_of(cls('x'))} | {_first_line(cls)} |" for cls in classes]
    return "\n".join(
        [
            "# Exit codes of `coditect`",
            "",
            "| code | means | remark |",
            "|---|---|---|",
            *rows,
            "",
            "## By error",
            "",
            "With `--format json` an error is one JSON object on stderr, and `error` is the name in the first column.",
            "",
            "| error | code | means |",
            "|---|---|---|",
            *errors,
            "",
        ]
    )


def _first_line(cls: type) -> str:
    return (cls.__doc__ or "").strip().splitlines()[0]
