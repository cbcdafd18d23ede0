"""What every engine's read transaction refuses."""

from __future__ import annotations

from typing import NoReturn

from coditect.errors import UsageError

__all__ = ["ReadOnly"]


class ReadOnly:
    """The writing half of the port, refused; transactions that write override it and count what they write."""

    __slots__ = ("_size_bytes",)

    def __init__(self) -> None:
        self._size_bytes = 0

    def set(self, key: bytes, value: bytes) -> None:
        """Refused."""
        _refuse_write()

    def clear(self, key: bytes) -> None:
        """Refused."""
        _refuse_write()

    def clear_range(self, begin: bytes, end: bytes) -> None:
        """Refused."""
        _refuse_write()

    def add(self, key: bytes, delta: int) -> None:
        """Refused."""
        _refuse_write()

    def append(self, prefix: bytes, value: bytes) -> None:
        """Refused."""
        _refuse_write()

    @property
    def size_bytes(self) -> int:
        """See the port."""
        return self._size_bytes


def _refuse_write() -> NoReturn:
    """A body of ``Engine.read`` wrote.

    Raises:
        UsageError: always.
    """
    raise UsageError("a write in a read transaction", hint="use Engine.run")
