"""The command reference ``cli/reference.md``, made from the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from coditect.cli.app import PROGRAM, coditect
from coditect.cli.options import RUN_OPTIONS

__all__ = ["every_command", "reference_markdown"]


def every_command() -> Iterator[tuple[str, click.Command, click.Context]]:
    """(command line, command, its context) of every group and command, groups before what is in them."""
    yield from _walk(coditect, click.Context(coditect, info_name=PROGRAM))


def _walk(command: click.Command, ctx: click.Context) -> Iterator[tuple[str, click.Command, click.Context]]:
    yield ctx.command_path, command, ctx
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            if inner is not None:
                yield from _walk(inner, type(ctx)(inner, info_name=name, parent=ctx))


def reference_markdown() -> str:
    """The reference as Markdown; the same commands give the same text."""
    lines = [
        "# Commands",
        "",
        "Made from the commands by `make contracts`. Exit codes: [exit-codes.md](exit-codes.md).",
        "",
    ]
    for path, command, ctx in every_command():
        lines += [f"## `{path}`", "", f"```\n{path} {_usage(command, ctx)}\n```", "", _prose(command), ""]
        if isinstance(command, click.Group):
            lines += ["| command | does |", "|---|---|"]
            for name in command.list_commands(ctx):
                inner = command.get_command(ctx, name)
                lines.append(f"| `{path} {name}` | {inner.get_short_help_str(200) if inner else ''} |")
            lines.append("")
        lines += _options(command, ctx)
    return "\n".join(lines)


def _usage(command: click.Command, ctx: click.Context) -> str:
    return " ".join(command.collect_usage_pieces(ctx))


def _prose(command: click.Command) -> str:
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    shown = [
        f"```\n{p.removeprefix(chr(8) + chr(10))}\n```" if p.startswith("\b") else " ".join(p.split())
        for p in paragraphs
    ]
    return "\n\n".join(shown)


def _options(command: click.Command, ctx: click.Context) -> list[str]:
    """The table of options; those of every run are listed with the program and named elsewhere."""
    rows, shared = [], []
    for param in command.get_params(ctx):
        record = param.get_help_record(ctx)
        if record is None:
            continue
        if param.name in RUN_OPTIONS and ctx.parent is not None:
            shared.append(f"`{param.opts[0]}`")
        else:
            rows.append(f"| `{_cell(record[0])}` | {_cell(record[1])} |")
    table = ["| option | means |", "|---|---|", *rows, ""] if rows else []
    return [*table, f"Also {', '.join(shared)}, as under `{PROGRAM}`.", ""] if shared else table


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
