"""Single commands on what a test says that the store answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import click
import pytest
from click.testing import CliRunner

from coditect.cli import session
from coditect.cli.exit_codes import ExitCode

__all__ = ["Desk", "Ran", "noting"]

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed, and its exit code."""

    code: ExitCode
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """Of the standard output."""
        return self.out.splitlines()


@dataclass
class Desk:
    """Runs commands on an object that answers instead of a store.

    Attributes:
        monkeypatch: puts back what a test changed.
        knowledge: answers.
        opened: how each session was asked for.
    """

    monkeypatch: pytest.MonkeyPatch
    knowledge: Any
    opened: list[dict[str, bool]] = field(default_factory=list)

    @contextmanager
    def _session(
        self, ctx: click.Context, *, must_exist: bool = True, logs: bool = True, compacts: bool = True
    ) -> Iterator[Any]:
        self.opened.append({"must_exist": must_exist, "logs": logs})
        yield self.knowledge

    def run(self, command: click.Command, *words: str) -> Ran:
        """Run a command; its errors are raised."""
        assert command.callback is not None
        module = sys.modules[command.callback.__module__]
        self.monkeypatch.setattr(session, "open_session", self._session)
        self.monkeypatch.setattr(module, "open_session", self._session, raising=False)
        result = CliRunner().invoke(command, words, standalone_mode=False, catch_exceptions=False)
        return Ran(result.return_value, result.stdout, result.stderr)


def noting(calls: list[Any], called: object, answer: A) -> A:
    """An answer, after it is noted what was asked."""
    calls.append(called)
    return answer
