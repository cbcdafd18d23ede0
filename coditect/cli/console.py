"""Where text output goes: a terminal with restrained colour, or a file without colour, wrapping or cut-off ids.

A file holds what documents say character for character, tabs and line ends included; only control characters are made visible.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from rich.console import Console, ConsoleRenderable
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from coditect.cli.terminal import one_line, readable

if TYPE_CHECKING:
    from coditect.schemas import Failure

__all__ = ["BAD", "FAINT", "GOOD", "ID", "TITLE", "WARN", "Screen", "counted", "failure_table"]

TITLE, FAINT, ID, GOOD, WARN, BAD = "bold", "dim", "cyan", "green", "yellow", "red"

UNLIMITED_COLUMNS = 1_000_000
"""Width where there is no terminal: nothing is wrapped or cut."""


class Screen:
    """Text output, written from top to bottom.

    Args:
        stream: default stdout.
        width: columns; default: the terminal's, unlimited elsewhere.
    """

    def __init__(self, stream: TextIO | None = None, *, width: int | None = None) -> None:
        self.stream = stream or sys.stdout
        self.terminal = self.stream.isatty()
        with suppress(AttributeError, ValueError):
            # A terminal that cannot show '§' shows its number instead of ending the run.
            self.stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
        self.console = Console(
            file=self.stream,
            width=width or (None if self.terminal else UNLIMITED_COLUMNS),
            color_system="auto" if self.terminal else None,
            force_terminal=self.terminal,
            markup=False,
            highlight=False,
            emoji=False,
        )

    def line(self, *parts: str | tuple[str, str]) -> None:
        """One line, whatever its parts hold; a part is a text, or a text with its style. Without parts: an empty line."""
        self._text(0, "", [one_line(each) if isinstance(each, str) else (one_line(each[0]), each[1]) for each in parts])

    def block(self, indent: int, *parts: str | tuple[str, str]) -> None:
        """A paragraph whose every line is indented, also where a terminal wraps it."""
        self._text(indent, "", parts)

    def numbered(self, indent: int, number: str, *parts: str | tuple[str, str]) -> None:
        """A paragraph behind its number, all its lines aligned."""
        self._text(indent, number, parts)

    def _text(self, indent: int, number: str, parts: Sequence[str | tuple[str, str]]) -> None:
        """A paragraph: wrapped on a terminal, verbatim elsewhere."""
        text = text_of(*parts)
        if not self.terminal:
            margin = " " * (indent + len(number))
            first, *rest = text.plain.split("\n")
            lines = (f"{' ' * indent}{number}{first}", *(f"{margin}{line}" if line else "" for line in rest))
            self.stream.write("".join(f"{line}\n" for line in lines))
        elif number:
            grid = Table.grid(padding=0)
            grid.add_column(width=len(number), no_wrap=True)
            grid.add_column(overflow="fold")
            grid.add_row(number, text)
            self.show(Padding(grid, (0, 0, 0, indent), expand=False))
        else:
            self.show(Padding(text, (0, 0, 0, indent), expand=False) if indent else text)

    def table(
        self, columns: Sequence[str], rows: Iterable[Sequence[str | tuple[str, str]]], *, numbers: Iterable[int] = ()
    ) -> None:
        """A table without lines, indented by two.

        Args:
            columns: its headings.
            rows: cells, each a text or a text with its style.
            numbers: positions of the columns that are aligned to the right.
        """
        right = set(numbers)
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=FAINT)
        for position, column in enumerate(columns):
            table.add_column(column, justify="right" if position in right else "left", overflow="fold")
        for row in rows:
            table.add_row(*(text_of(cell) for cell in row))
        self.show(Padding(table, (0, 0, 0, 2), expand=False))

    def show(self, renderable: ConsoleRenderable) -> None:
        """Anything of rich's; without the spaces at the ends of lines that it pads with."""
        if self.terminal:
            self.console.print(renderable)
            return
        with self.console.capture() as captured:
            self.console.print(renderable)
        for line in captured.get().splitlines():
            self.stream.write(line.rstrip() + "\n")


def text_of(*parts: str | tuple[str, str]) -> Text:
    """Parts joined, safe to be shown."""
    text = Text()
    for part in parts:
        content, style = (part, "") if isinstance(part, str) else part
        text.append(readable(content), style=style or None)
    return text


def counted(number: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def failure_table(page: Screen, failures: Iterable[Failure]) -> None:
    """Files with what was wrong with them and the way out."""
    page.table(("file", "reason", "what to do"), [(each.name, (each.message, BAD), each.hint) for each in failures])
