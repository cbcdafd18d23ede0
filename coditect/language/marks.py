"""What the rule readers of a sentence hand to each other: a kind, a span, JSON-able data and a confidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

__all__ = ["JsonValue", "Mark", "SpanLike", "begins_line", "sort_data", "trim"]

JsonValue: TypeAlias = "str | int | float | bool | Sequence[JsonValue] | Mapping[str, JsonValue] | None"

_WIDEST_INDENT = 120
_EDGE = " \t\n\r\f\v\u00a0\u2002\u2003\u2009\u200b\u202f\u3000"


class SpanLike(Protocol):
    """Anything that has code point offsets, half-open."""

    @property
    def start(self) -> int:
        """First code point."""
        ...

    @property
    def end(self) -> int:
        """One past the last code point."""
        ...


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that a rule has recognised.

    Attributes:
        kind: what it is, in the words of the module that made it.
        start: first code point in the text.
        end: one past the last; ``end > start``.
        data: JSON-able, keys in sorted order, absent keys rather than nulls.
        confidence: 0..1.
    """

    kind: str
    start: int
    end: int
    data: Mapping[str, JsonValue]
    confidence: float


def begins_line(text: str, start: int) -> bool:
    """Whether nothing but blanks stands before a code point on its line.

    Args:
        text: the canonical text.
        start: the code point.
    """
    before = text[max(0, start - _WIDEST_INDENT) : start].rstrip(" \t\xa0")
    return before.endswith("\n") or (not before and start <= _WIDEST_INDENT)


def trim(text: str, start: int, end: int, *, punctuation: bool = False) -> tuple[int, int]:
    """Narrow a span so that it neither starts nor ends with white space.

    Args:
        text: the canonical text.
        start: first code point.
        end: one past the last.
        punctuation: also drop commas, semicolons, colons and dashes at the right edge.

    Returns:
        The narrowed span; empty (start == end) when nothing is left.
    """
    while start < end and text[start] in _EDGE:
        start += 1
    while end > start and (text[end - 1] in _EDGE or (punctuation and text[end - 1] in ",;:–—-")):
        end -= 1
    return start, end


def sort_data(data: Mapping[str, JsonValue | None]) -> dict[str, JsonValue]:
    """``data`` with its keys in order and without the absent ones (None, empty strings, empty lists)."""
    return {key: value for key, value in sorted(data.items()) if value is not None and value not in ("", [], ())}
