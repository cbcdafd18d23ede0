"""Patterns that are compiled when they are first used.

The rules of language hold more than a thousand patterns, and a process that reads one document uses a third of them. Compiling
the others took a good part of what it pays before it works. A pattern that :func:`deferred` gives is, until its first
use, its source alone; from then on it holds the methods of the compiled one.

A fault in a pattern shows at its first use: a test compiles all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeGuard, cast

__all__ = ["deferred", "deferred_by", "is_pattern"]

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split", "scanner")
_ATTRIBUTES = (*_METHODS, "pattern", "flags", "groups", "groupindex")


class _Used:
    """A pattern that was used: it holds all that the compiled one has, so that its use costs what the compiled one's does."""

    compiled: re.Pattern[str]

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels between processes as the compiled pattern."""
        return re.compile, (self.compiled.pattern, self.compiled.flags)


class _Unused(_Used):
    """A pattern that nobody has used yet."""

    def __init__(self, make: Callable[[], re.Pattern[str]]) -> None:
        self.make = make

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the pattern has
        """Compile the pattern; no attribute of it is looked for here a second time."""
        if name != "compiled" and name not in _ATTRIBUTES:
            raise AttributeError(name)
        compiled = self.make()
        own = getattr(compiled, "compiled", compiled)
        self.__dict__.update({each: getattr(compiled, each) for each in _ATTRIBUTES}, compiled=own)
        self.__class__ = _Used  # type: ignore[assignment]
        return self.__dict__[name]


def deferred(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern as :func:`re.compile` makes it, compiled when one of its methods is first asked for.

    It cannot be handed to the functions of :mod:`re`, which take compiled patterns only; its own methods do the same.

    Args:
        source: as for :func:`re.compile`.
        flags: as for :func:`re.compile`.
    """
    return deferred_by(lambda: re.compile(source, flags))


def deferred_by(make: Callable[[], re.Pattern[str]]) -> re.Pattern[str]:
    """A pattern that is made when one of its methods is first asked for.

    Args:
        make: makes it; may be called twice, where two threads use the pattern first.
    """
    return cast("re.Pattern[str]", _Unused(make))


def is_pattern(value: object) -> TypeGuard[re.Pattern[str]]:
    """Whether a value is a pattern, compiled or not yet."""
    return isinstance(value, re.Pattern | _Used)
