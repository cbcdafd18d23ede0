"""Containers: named arrays and named JSON values as one block of bytes, of which each is read only if it is asked for."""

from __future__ import annotations

import array
import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import orjson

__all__ = ["Container", "Head", "contained"]

_SIZE = 8
_TYPES = ("<u8", "<i8", "<u4", "<u2", "|u1", "<f8")
"""What arrays may be of: the format is the same on every machine."""


def contained(head: str, arrays: Mapping[str, npt.NDArray[Any]], values: Mapping[str, Any]) -> bytes:
    """A block of bytes.

    Args:
        head: says what it is, and in which version.
        arrays: by name, one-dimensional.
        values: by name, anything that JSON can say.
    """
    parts = [(name, each.dtype.newbyteorder("<").str, each.tobytes()) for name, each in arrays.items()]
    parts += [(name, "", _json(each)) for name, each in values.items()]
    table = _json([head, [[name, kind, len(data)] for name, kind, data in parts]])
    # Arrays begin at a multiple of their width, so that they can be read where they stand.
    body = b"".join(data + bytes(-len(data) % _SIZE) for _, _, data in parts)
    return len(table).to_bytes(_SIZE, "little") + table + bytes(-len(table) % _SIZE) + body


def _json(value: Any) -> bytes:  # noqa: ANN401 - whatever JSON can say
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


@lru_cache(64)
def _numbered(parts: tuple[str, ...]) -> dict[str, tuple[int, str]]:
    """(number, what it is of) of each part by its name: one table for all containers that have the same parts.

    Args:
        parts: name and kind of each, in turns.

    Raises:
        ValueError: one is of something that no array may be of.
    """
    found = {}
    for number, (name, kind) in enumerate(zip(parts[::2], parts[1::2], strict=True)):
        if kind and kind not in _TYPES:
            raise ValueError(name)
        found[name] = number, kind
    return found


class Head(NamedTuple):
    """What a container says of its parts, without its bytes.

    Attributes:
        size: of all of it, bytes.
        numbers: (number, what it is of) of each part, by its name.
        starts: the first byte of each part.
        sizes: of each part, bytes.
    """

    size: int
    numbers: dict[str, tuple[int, str]]
    starts: array.array[int]
    sizes: array.array[int]


class Container:
    """What stands in a block of bytes.

    Args:
        head: what it must say that it is.
        data: from :func:`contained`; of a file that is mapped into memory, what is not asked for is not read.

    Raises:
        ValueError: it says that it is something else, or nothing.
    """

    def __init__(self, head: str, data: bytes | memoryview) -> None:
        length = int.from_bytes(data[:_SIZE], "little")
        found, parts = orjson.loads(data[_SIZE : _SIZE + length])
        if found != head:
            raise ValueError(found)
        self.data = data
        self._numbers = _numbered(tuple([each for part in parts for each in part[:2]]))
        sizes = [part[2] for part in parts]
        first = _SIZE + length + (-length % _SIZE)
        starts = [*accumulate([size + (-size % _SIZE) for size in sizes], initial=first)]
        if min(sizes, default=0) < 0 or (sizes and starts[-2] + sizes[-1] > len(data)):
            raise ValueError(found)
        self._starts, self._sizes = array.array("q", starts), array.array("q", sizes)
        self._arrays: dict[str, npt.NDArray[Any]] = {}

    @classmethod
    def of(cls, head: Head, data: bytes | memoryview) -> Self:
        """What stands in bytes that are the same as those that were opened before.

        Args:
            head: what was read of them then.
            data: the bytes.
        Raises:
            ValueError: they are not as many.
        """
        if len(data) != head.size:
            raise ValueError(head.size)
        own = cls.__new__(cls)
        own.data, own._arrays = data, {}
        _, own._numbers, own._starts, own._sizes = head
        return own

    @property
    def head(self) -> Head:
        """What it says of its parts."""
        return Head(len(self.data), self._numbers, self._starts, self._sizes)

    @property
    def names(self) -> AbstractSet[str]:
        """The names of what stands in it."""
        return self._numbers.keys()

    def _part(self, name: str) -> tuple[str, int, int]:
        """(what it is of, first byte, size) of a part."""
        number, kind = self._numbers[name]
        return kind, self._starts[number], self._sizes[number]

    def array(self, name: str, kind: str) -> npt.NDArray[Any]:
        """An array that is there under a name, which cannot be written to.

        Args:
            name: of the array.
            kind: what it must be of, as numpy calls it.

        Raises:
            ValueError: it is of something else.
            KeyError: there is none.
        """
        known = self._arrays.get(name)
        if known is None:
            found, at, size = self._part(name)
            if found != kind:
                raise ValueError(name)
            known = np.frombuffer(self.data, dtype=kind, count=size // np.dtype(kind).itemsize, offset=at)
            self._arrays[name] = known
        return known

    def value(self, name: str) -> Any:  # noqa: ANN401 - whatever JSON can say
        """A JSON value that is there under a name.

        Raises:
            ValueError: it cannot be read.
            KeyError: there is none.
        """
        _, at, size = self._part(name)
        piece = self.data[at : at + size]
        try:
            return orjson.loads(piece)
        except orjson.JSONDecodeError:  # half of a character, which only the standard library reads
            return json.loads(bytes(piece).decode("utf-8", "surrogatepass"))
