"""Groups that know their commands by name and one line, and import a command when it is called."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click

__all__ = ["LazyCommand", "LazyGroup"]


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """Where a command lies.

    Attributes:
        module: its module.
        attribute: the command in it.
        summary: its line in the group's help; a test compares it with the command's own.
    """

    module: str
    attribute: str
    summary: str


class LazyGroup(click.Group):
    """A group whose help page imports no command.

    Args:
        lazy: commands by name, in the order in which they are used.
    """

    def __init__(self, *args: Any, lazy: Mapping[str, LazyCommand], **kwargs: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(*args, **kwargs)
        self.lazy = dict(lazy)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names, in the order of use."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None where there is none of this name."""
        place = self.lazy.get(cmd_name)
        if place is None:
            return None
        command = getattr(importlib.import_module(place.module), place.attribute)
        assert isinstance(command, click.Command)  # noqa: S101 - the table above is ours
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; a name that is none gets the nearest one that is."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib  # only what is misspelled needs it

            near = difflib.get_close_matches(args[0], self.lazy, 1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", error.ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from their summaries alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.summary) for name, place in self.lazy.items()])
