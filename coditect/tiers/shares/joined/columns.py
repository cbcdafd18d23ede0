"""Columns: the arrays of many shares one document behind the other, so that those of a whole corpus are not gathered one by one.

They are copies: each share has its arrays as well. Of documents that lie side by side, as all do but those that changed, a stretch
of the column is read; of the others their share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect.tiers.shares.container import Container, contained
from coditect.tiers.shares.kept import ARRAYS, KeptShare, Numbers

__all__ = ["JoinedShares", "ShareColumns", "are_as_packed", "columns_of"]

_HEAD = "columns/1"


def columns_of(shares: Sequence[KeptShare]) -> bytes:
    """The columns of some shares.

    Args:
        shares: in the order in which they lie.
    """
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, kind in ARRAYS.items():
        own = [share.array(name, kind) for share in shares]
        arrays[name] = np.concatenate([np.zeros(0, dtype=kind), *own]).astype(kind)
        arrays[_ends(name)] = np.cumsum([0, *map(len, own)])
    return contained(_HEAD, arrays, {"shares": len(shares)})


def _ends(name: str) -> str:
    return f"{name} ends"


class ShareColumns:
    """The columns of the shares of a file.

    Args:
        data: from :func:`columns_of`.

    Attributes:
        count: how many shares there are.

    Raises:
        ValueError, KeyError, TypeError: the bytes are no columns.
    """

    def __init__(self, data: bytes | memoryview) -> None:
        self._container = Container(_HEAD, data)
        self.count = int(self._container.value("shares"))
        for name, kind in ARRAYS.items():
            ends = self.ends(name)
            if len(ends) != self.count + 1 or ends[0] != 0 or ends[-1] != len(self._container.array(name, kind)):
                raise ValueError(name)

    def ends(self, name: str) -> Numbers:
        """0, and the place behind the last number of each share in the column of an array."""
        return self._container.array(_ends(name), "<i8")

    def part(self, name: str, first: int, last: int) -> npt.NDArray[Any]:
        """The array of some shares, from one to the one before another, one behind the other."""
        ends = self.ends(name)
        found: npt.NDArray[Any] = self._container.array(name, ARRAYS[name])[ends[first] : ends[last]]
        return found


@dataclass(slots=True)
class _Run:
    """Shares that lie side by side in columns, or one that lies in none.

    Attributes:
        share: the first of them.
        columns: where they lie; None: the share is read.
        first: the number of the first one there.
        last: the number behind the last one.
    """

    share: KeptShare
    columns: ShareColumns | None
    first: int = 0
    last: int = 1

    def array(self, name: str) -> npt.NDArray[Any]:
        """An array of all of them, one behind the other."""
        if self.columns is None:
            return self.share.array(name, ARRAYS[name])
        return self.columns.part(name, self.first, self.last)

    def lengths(self, name: str) -> Numbers:
        """How long the array of each is."""
        if self.columns is None:
            return np.array([len(self.share.array(name, ARRAYS[name]))], dtype=np.int64)
        found: Numbers = np.diff(self.columns.ends(name)[self.first : self.last + 1])
        return found


class JoinedShares:
    """Some shares, whose arrays are read one behind the other.

    Args:
        shares: of the documents, in order.
    """

    def __init__(self, shares: Sequence[KeptShare]) -> None:
        self.shares = shares

    @cached_property
    def _runs(self) -> list[_Run]:
        runs: list[_Run] = []
        for share in self.shares:
            columns, number = share.lying or (None, 0)
            last = runs[-1] if runs else None
            if columns is not None and last is not None and last.columns is columns and last.last == number:
                last.last += 1
            else:
                runs.append(_Run(share, columns, number, number + 1))
        return runs

    def array(self, name: str) -> npt.NDArray[Any]:
        """An array of all of them, one behind the other, which must not be written to."""
        parts = [run.array(name) for run in self._runs]
        return parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, dtype=ARRAYS[name]), *parts])

    def numbers(self, name: str) -> Numbers:
        """The same of small numbers, such as may be counted with."""
        return self.array(name).astype(np.int64)

    def lengths(self, name: str) -> Numbers:
        """How long the array of each is."""
        return np.concatenate([np.zeros(0, dtype=np.int64), *(run.lengths(name) for run in self._runs)])

    def owners(self, name: str) -> Numbers:
        """The number of the share that each place of an array is of."""
        return np.repeat(np.arange(len(self.shares)), self.lengths(name))

    def placed(self, name: str, of: str) -> Numbers:
        """Places in the array of each share, as places in that of all of them.

        Args:
            name: of the array that holds places.
            of: of the array that they are places in.
        """
        lengths = self.lengths(of)
        return self.numbers(name) + np.repeat(np.cumsum(lengths) - lengths, self.lengths(name))


def are_as_packed(share: KeptShare) -> bool:
    """Whether the columns that a share lies in say what it says itself."""
    if share.lying is None:
        return True
    columns, number = share.lying
    return all(
        np.array_equal(columns.part(name, number, number + 1), share.array(name, kind), equal_nan=kind == "<f8")
        for name, kind in ARRAYS.items()
    )
