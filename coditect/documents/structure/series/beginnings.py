"""Whether a line begins something new."""

from __future__ import annotations

__all__ = ["is_apart"]

_LONGEST = 80


def is_apart(text: str, at: int) -> bool:
    """Whether what stands before a place has ended: behind a blank line, a stop, or a sign that closes.

    Args:
        text: the canonical text.
        at: a code point.
    """
    before = text[max(0, at - _LONGEST) : at].rstrip(" \t\xa0")
    return before == "" or before.endswith("\n\n") or before.rstrip()[-1:] in ".;:!?)]”"
