"""What may pass into a terminal: a document must not steer it, nor turn the direction in which its reader reads."""

from __future__ import annotations

import re
import sys

import click

__all__ = ["UNSAFE", "one_line", "plain", "readable", "show_text"]

# C0 but line feed and tab, DEL and C1; the line separators that terminals and editors differ on; Unicode's Bidi_Control.
UNSAFE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters that never pass into a terminal, as they stand between the brackets of a regular expression."""

_UNSAFE = re.compile(f"[{UNSAFE}]")

# Marks of direction: they print nothing, and turn nothing but the punctuation beside them. What prints nothing elsewhere stays.
_UNSEEN = re.compile("[\u061c\u200e\u200f]")


def plain(text: str) -> str:
    """``text`` with its control characters as ``<U+202E>``; line feeds and tabs stay, and so does everything else."""
    return _UNSAFE.sub(lambda found: f"<U+{ord(found[0]):04X}>", text)


def readable(text: str) -> str:
    """``text`` as people read it: without marks of direction, which nobody sees, and else as :func:`plain`."""
    return plain(text if text.isascii() else _UNSEEN.sub("", text))


def one_line(text: str) -> str:
    """A name as it stands in a line: a line feed in it, which file systems allow, is shown and starts no other one."""
    return text.replace("\n", "<U+000A>")


def show_text(content: bytes) -> None:
    """Write a file's bytes to stdout, byte for byte; on a terminal as text with its control characters visible.

    Args:
        content: UTF-8, or what only a file or another program should be given.
    """
    stream = sys.stdout
    if stream.isatty():
        click.echo(plain(content.decode(errors="backslashreplace")), nl=False)
    else:
        click.echo(content, nl=False)
