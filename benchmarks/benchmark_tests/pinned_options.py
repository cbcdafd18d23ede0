"""Options of the commands of the benchmarks: which must be given, and what the others are unless they are given.

``python -m benchmark_tests.pinned_options`` writes ``pinned_options.json`` anew.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NoReturn
from unittest.mock import patch

import coditect_benchmarks

__all__ = ["COMMANDS", "PINNED", "options", "pinned"]

PINNED = Path(__file__).parent / "pinned_options.json"
_FOLDER = Path(coditect_benchmarks.__file__).parent
_ROOT = _FOLDER.parents[1]
COMMANDS = [
    ".".join(path.relative_to(_FOLDER.parent).with_suffix("").parts)
    for path in sorted(_FOLDER.rglob("*.py"))
    if "ArgumentParser(" in path.read_text(encoding="utf-8")
]
"""Modules that are commands with options."""


class _SeenError(Exception):
    """Carries the parser of a command that would have read its options."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        super().__init__(parser.prog)
        self.parser = parser


def _sees(parser: argparse.ArgumentParser, *_words: object) -> NoReturn:
    raise _SeenError(parser)


def options(command: str) -> dict[str, str]:
    """What each option of a command is unless it is given, "required" of one that must be; of its parts, too."""
    main = import_module(command).main
    try:
        with patch.object(argparse.ArgumentParser, "parse_args", _sees), patch.object(sys, "argv", [command]):
            main()
    except _SeenError as seen:
        return dict(_told(seen.parser, ""))
    raise AssertionError(f"{command} reads no options")


def _told(parser: argparse.ArgumentParser, part: str) -> Iterator[tuple[str, str]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield f"{part}<part>", "required" if action.required else "none"
            for name, inner in action.choices.items():
                yield from _told(inner, f"{part}{name} ")
        elif not isinstance(action, argparse._HelpAction):
            name = part + (action.option_strings[-1] if action.option_strings else action.dest)
            how = "required" if action.required else _word(action.default)
            yield name, how if action.nargs is None else f"{how}, {action.nargs}"


def _word(default: object) -> str:
    return os.path.relpath(default, _ROOT) if isinstance(default, Path) and default.is_absolute() else str(default)


def pinned() -> dict[str, dict[str, str]]:
    """What was written down."""
    found: dict[str, dict[str, str]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    made = {command: options(command) for command in COMMANDS}
    PINNED.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
