"""Output for programs."""

from __future__ import annotations

from typing import Any

import click

__all__ = ["write_json"]


def write_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """One JSON document on stdout, UTF-8 whatever the locale."""
    import orjson

    click.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2))
