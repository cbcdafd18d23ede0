"""Where text output goes: a terminal with restrained colour, or a file without colour, wrapping or cut-off ids."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from rich.console import Console, ConsoleRenderable
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from coditect.schemas import Failure

__all__ = ["BAD", "FAINT", "GOOD", "ID", "TITLE", "WARN", "Screen", "counted", "failure_table", "plain"]

TITLE, FAINT, ID, GOOD, WARN, BAD = "bold", "dim", "cyan", "green", "yellow", "red"

UNLIMITED_COLUMNS = 1_000_000
"""Width where there is no terminal: nothing is wrapped or cut."""

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """``text`` with its control characters made visible: a document must not steer the reader's terminal.

    Line feeds and tabs stay. Characters that reverse the direction of writing are made visible, too.
    """
    return _UNSAFE.sub(lambda found: f"<{_name(found[0])}>", text)


def _name(character: str) -> str:
    return unicodedata.name(character, f"U+{ord(character):04X}")


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
        """One line; a part is a text, or a text with its style. Without parts: an empty line."""
        self.show(text_of(*parts))

    def block(self, indent: int, *parts: str | tuple[str, str]) -> None:
        """A paragraph whose every line is indented, also where a terminal wraps it."""
        self.show(Padding(text_of(*parts), (0, 0, 0, indent), expand=False))

    def numbered(self, indent: int, number: str, *parts: str | tuple[str, str]) -> None:
        """A paragraph behind its number, all its lines aligned."""
        if not number:
            self.block(indent, *parts)
            return
        grid = Table.grid(padding=0)
        grid.add_column(width=len(number), no_wrap=True)
        grid.add_column(overflow="fold")
        grid.add_row(number, text_of(*parts))
        self.show(Padding(grid, (0, 0, 0, indent), expand=False))

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
        text.append(plain(content), style=style or None)
    return text


def counted(number: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def failure_table(page: Screen, failures: Iterable[Failure]) -> None:
    """Files with what was wrong with them and the way out."""
    page.table(("file", "reason", "what to do"), [(each.name, (each.message, BAD), each.hint) for each in failures])
