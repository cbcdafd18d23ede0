"""Patterns that match where lines or labels begin: tried at these places, and not at every character.

Each function gives what :meth:`re.Pattern.finditer` gives, provided that the pattern matches nowhere else and never nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["begun_matches", "label_matches", "line_matches"]

_SIGN = re.compile(r"[\n|.;]")


def begun_matches(
    pattern: re.Pattern[str], begins: re.Pattern[str], text: str, start: int, end: int
) -> Iterator[re.Match[str]]:
    """The matches of a pattern, in order and apart, of which each begins where another pattern has a match.

    Args:
        pattern: has many alternatives, or looks around first, so that it takes long to find that it does not match.
        begins: finds quickly where it may begin: it begins with a class of characters, to which the engine skips.
        text: the text.
        start: first code point.
        end: one past the last.
    """
    at = start
    while (place := begins.search(text, at, end)) is not None:
        found = pattern.match(text, place.start(), end)
        if found is not None:
            yield found
        at = place.start() + 1 if found is None else found.end()


def line_matches(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    r"""The matches of a pattern that begins with ``(?:\A|(?<=\n))``, in order and apart.

    Args:
        pattern: matches at the beginning of a line alone.
        text: the text.
        start: first code point; the text before it is looked at all the same.
        end: one past the last.
    """
    at = start if start == 0 or text[start - 1] == "\n" else _behind_line(text, start, end)
    while 0 <= at <= end:
        found = pattern.match(text, at, end)
        if found is not None:
            yield found
        at = _behind_line(text, at if found is None else found.end() - 1, end)


def label_matches(pattern: re.Pattern[str], text: str, end: int | None = None) -> Iterator[re.Match[str]]:
    r"""The matches of a pattern that begins with ``(?:^|\||(?<=[.;])\s)``, where lines are told apart, in order and apart.

    Args:
        pattern: matches at the beginning of a line, at a bar, or at white space behind a full stop or a semicolon.
        text: the text.
        end: one past the last code point; None: all of it.
    """
    last, end = 0, len(text) if end is None else min(end, len(text))
    for at in _label_places(text):
        if at > end:
            return
        found = pattern.match(text, at, end) if at >= last else None
        if found is not None:
            yield found
            last = found.end()


@lru_cache(maxsize=2)  # several labels are looked for in the head of one document
def _label_places(text: str) -> tuple[int, ...]:
    places = [0]
    for sign in _SIGN.finditer(text):
        at = sign.start() if sign[0] == "|" else sign.end()
        if sign[0] in "\n|" or text[at : at + 1].isspace():
            places.append(at)
    return tuple(places)


def _behind_line(text: str, at: int, end: int) -> int:
    """Where the line behind the next line end begins; -1 where there is none."""
    found = text.find("\n", at, end)
    return found + 1 if found >= 0 else -1
