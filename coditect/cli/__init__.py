"""The command line: parse, call one use case, render. Nothing heavy is imported before a command runs."""

from __future__ import annotations

from coditect.cli.app import coditect, main

__all__ = ["coditect", "main"]
