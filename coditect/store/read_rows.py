"""Rows that were read before: a record whose row is the same, byte for byte, is not parsed a second time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from coditect.schemas import Record

__all__ = ["ReadRows"]

R = TypeVar("R", bound=Record)


class ReadRows(Generic[R]):
    """Records of one class by the keys of their rows, for whoever reads all of them again and again.

    Args:
        before: what an earlier reading kept, by key: the row's value, and the record in it.

    Attributes:
        now: the same of all rows that were asked for since.
    """

    def __init__(self, before: Mapping[bytes, tuple[bytes, R]] = MappingProxyType({})) -> None:
        self._before = before
        self.now: dict[bytes, tuple[bytes, R]] = {}

    def given(self, key: bytes, value: bytes, read: Callable[[bytes, bytes], R]) -> R:
        """The record of a row.

        Args:
            key: of the row.
            value: of the row, as it is stored now.
            read: gives the record of a key and a value, where it is not known.
        """
        own = self._before.get(key)
        if own is None or own[0] != value:
            own = (value, read(key, value))
        self.now[key] = own
        return own[1]
