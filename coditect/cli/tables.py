"""Where tables go: ``--format csv``, ``xlsx`` and ``jsonl`` with ``--output``, of every command that has them."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

import click

if TYPE_CHECKING:
    from coditect.reports.registers.tables import TableFormat

__all__ = ["TABLE_FORMATS", "output_option", "refuse_output", "table_file", "wrote_table"]

F = TypeVar("F", bound=Callable[..., Any])

TABLE_FORMATS = ("csv", "xlsx", "jsonl")
_DOCUMENTS = ("json", "oscal")
"""Formats that are one JSON document."""


def output_option(formats: str = "json, csv, xlsx and jsonl") -> Callable[[F], F]:
    """``--output FILE``.

    Args:
        formats: those that it is for, in words.
    """
    return click.option(
        "--output",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help=f"Where {formats} are written; default: the standard output.",
    )


def wrote_table(form: str, output: Path | None, write: Callable[[BinaryIO, TableFormat], int]) -> bool:
    """Write a table where one is asked for, and say how many rows; False for the other formats.

    Args:
        form: what ``--format`` says.
        output: what ``--output`` says.
        write: writes the rows, and says how many there were.

    Raises:
        UsageError: the file cannot be written, or is asked for with a format that has none; or a workbook for a terminal.
    """
    if form not in TABLE_FORMATS:
        refuse_output(form, output)
        return False
    with table_file(output, form) as file:
        count = write(file, cast("TableFormat", form))
    if output is not None:
        click.echo(f"{count:,} {'row' if count == 1 else 'rows'} written to {output}", err=True)
    return True


def refuse_output(form: str, output: Path | None) -> None:
    """Nothing, where no file was named, or one for JSON, which :func:`coditect.cli.output.write_json` writes.

    Raises:
        UsageError: one was, and the format is none of a file.
    """
    from coditect.errors import UsageError

    if output is not None and form not in _DOCUMENTS:
        raise UsageError(
            "--output is for tables and JSON",
            format=form,
            hint="Add --format csv, xlsx or jsonl, or --format json; or send the standard output to a file.",
        )


@contextmanager
def table_file(output: Path | None, form: str) -> Iterator[Any]:
    """Where bytes go: a file that has its name when it is whole, or the standard output.

    Raises:
        UsageError: a workbook or a calendar cannot be shown on a terminal; or the file cannot be written.
    """
    from coditect.cli.output_files import opened_output, require_output
    from coditect.errors import UsageError

    if output is not None and str(output) != "-":
        require_output(output)
        with opened_output(output, "the register cannot be written") as file:
            yield file
        return
    if form == "xlsx" and sys.stdout.isatty():
        raise UsageError("a workbook is not for terminals", hint="Name a file: --output register.xlsx")
    if form == "xlsx":  # an archive, which is written back and forth
        whole = io.BytesIO()
        yield whole
        sys.stdout.buffer.write(whole.getvalue())
    else:
        yield sys.stdout.buffer
    sys.stdout.buffer.flush()
