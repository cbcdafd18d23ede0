"""Program text: what stands in a document to be run, and asks nobody for anything.

A runbook prints scripts beside its rules. ``# Get all security groups`` above a call, and the docstring of a function, have the
form of an instruction, and are none: they say what the next line does.
"""

from __future__ import annotations

import re

__all__ = ["is_program"]

_NAME = r"[a-z_][A-Za-z0-9_]*"
_PROGRAM = re.compile(
    r"\"\"\"|'''"  # a docstring
    rf"|(?<![\w.]){_NAME} ?= ?{_NAME}(?:\.{_NAME})*\("  # an assignment of a call
    rf"|(?<![\w.])[a-z_][a-z0-9_]+\.[a-z]+_[a-z_]+\("  # a call of a method whose name is written as programs do
    r"|[^\\\n] \\[ \t]*(?:\n|\Z)"  # a command that goes on in the next line
    r"|(?<![\w-])\$\{?[A-Za-z_]\w*\}?(?=[\s/\"'.;)]|\Z)"  # a variable of a shell
    r"|^[ \t]*(?:def|class) \w+\(.*\):|^[ \t]*(?:#!/|from [\w.]+ import \w|import \w+[ \t]*$)",
    re.MULTILINE,
)
_SIGNS = frozenset("=_\\$#")
_WORDS = ('"""', "'''", "def ", "class ", "import ")
"""One of which a line of a program has: few sentences are looked at."""


def is_program(text: str) -> bool:
    """Whether a sentence is, or is printed together with, a line of a program.

    Args:
        text: the sentence.
    """
    may_be = not _SIGNS.isdisjoint(text) or any(each in text for each in _WORDS)
    return may_be and _PROGRAM.search(text) is not None
