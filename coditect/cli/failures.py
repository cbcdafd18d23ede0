"""Errors as the user sees them: one block on stderr, or one JSON object. Tracebacks are for defects only."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from coditect.cli.exit_codes import ExitCode, exit_code_of, is_unwritable
from coditect.cli.terminal import plain
from coditect.errors import CoditectError

__all__ = ["report_failure", "silence_stdout", "wants_json"]


def wants_json(args: Sequence[str]) -> bool:
    """Whether these arguments ask for JSON; read from the words, since errors of parsing must be in JSON, too."""
    for word, following in zip(args, [*args[1:], ""], strict=False):
        if word == "--":
            return False
        if word == "--format=json" or (word == "--format" and following == "json"):
            return True
    return False


def report_failure(error: BaseException, *, as_json: bool) -> ExitCode:
    """Say on stderr what went wrong and the way out.

    Args:
        error: of this package, of click, an interruption, or of a stream that takes no more.
        as_json: one JSON object with ``error``, ``message``, ``hint`` and ``context``.

    Returns:
        The exit code. Any other error is raised again.
    """
    code = exit_code_of(error)
    if code is ExitCode.PIPE_CLOSED or is_unwritable(error):
        silence_stdout()
    if code is ExitCode.PIPE_CLOSED:
        return code
    with contextlib.suppress(OSError):  # where stderr is full, too, the exit code has to do
        _report(error, as_json)
    return code


def _report(error: BaseException, as_json: bool) -> None:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return
    name, message, hint, context = _parts(error)
    if as_json:
        body = {"error": name, "message": message, "hint": hint, "context": context}
        click.echo(json.dumps(body, default=str), err=True)
    else:
        if context:
            message += " (" + ", ".join(f"{key}={value!r}" for key, value in context.items()) + ")"
        _say("error:", message, "red")
        if hint:
            _say("hint:", hint, "yellow")


def silence_stdout() -> None:
    """Send what is still to be written nowhere, so that the interpreter does not complain at its end."""
    with contextlib.suppress(OSError, ValueError):  # a test's stdout has no file descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parts(error: BaseException) -> tuple[str, str, str | None, dict[str, Any]]:
    match error:
        case CoditectError():
            return type(error).__name__, error.message, error.hint, error.context
        case OSError():
            hint = "Make room, or write it elsewhere; the store is not touched by this."
            return "UsageError", "the output cannot be written", hint, {"reason": error.strerror}
        case click.ClickException():
            return "UsageError", error.format_message(), _help_hint(error), {}
        case _:
            hint = "What was stored and derived so far is kept; the same command goes on from there."
            return "Interrupted", "interrupted", hint, {}


def _help_hint(error: click.ClickException) -> str | None:
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"'{context.command_path} --help' lists what there is." if context else None


def _say(label: str, text: str, colour: str) -> None:
    shown = label if "NO_COLOR" in os.environ else click.style(label, fg=colour, bold=True)
    click.echo(f"{shown} {plain(text)}", err=True)
