"""Output for programs: JSON, which stays the same value wherever it is written."""

from __future__ import annotations

import re
import sys
from typing import Any

import click

from coditect.cli.terminal import UNSAFE

__all__ = ["write_json"]

_CONTROL = re.compile(f"[{UNSAFE}]")


def write_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    r"""One JSON document on stdout, UTF-8 whatever the locale; on a terminal, control characters are escaped as ``\u202e``."""
    import orjson

    content = orjson.dumps(value, option=orjson.OPT_INDENT_2)
    if sys.stdout.isatty():
        click.echo(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", content.decode()))
    else:
        click.echo(content)
