"""Output for programs: JSON, which stays the same value wherever it is written."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import click

from coditect.cli.terminal import UNSAFE

__all__ = ["emit", "write_json", "write_json_line"]

_CONTROL = re.compile(f"[{UNSAFE}]")


def write_json(value: Any, output: Path | None = None) -> None:  # noqa: ANN401 - any JSON value
    r"""One JSON document, UTF-8 whatever the locale; on a terminal, control characters are escaped as ``\u202e``.

    Args:
        value: any JSON value.
        output: a file, that has its name when it is whole; None or ``-``: the standard output.
    """
    if output is None or str(output) == "-":
        _write(value, indented=True)
        return
    import orjson

    from coditect.cli.output_files import require_output, write_output

    require_output(output)
    write_output(output, orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n")
    click.echo(f"written to {output}", err=True)


def write_json_line(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """One JSON value on a line of its own, at once: see :func:`write_json`."""
    _write(value, indented=False)


def _write(value: Any, *, indented: bool) -> None:  # noqa: ANN401 - any JSON value
    import orjson

    content = orjson.dumps(value, option=orjson.OPT_INDENT_2 if indented else None)
    if sys.stdout.isatty():
        click.echo(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", content.decode()))
    else:
        click.echo(content)


def emit(content: bytes, output: Path | None) -> None:
    """Write to a file and say its name, or to the standard output.

    Args:
        content: all of it.
        output: the file; None or ``-``: the standard output.
    """
    if output is None or str(output) == "-":
        click.echo(content, nl=False)
        return
    from coditect.cli.output_files import write_output

    write_output(output, content)
    click.echo(str(output))
