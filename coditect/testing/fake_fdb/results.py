"""What calls of the fake binding give back: futures, watches and rows, as the real one does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from coditect.testing.fake_fdb.cluster import FdbError

__all__ = ["FakeFuture", "FakeKeyValue", "FakeRange", "FakeWatch"]

T = TypeVar("T")


class FakeFuture(Generic[T]):
    """A result that is there already: the outcome of a call, or its error, given out when it is asked for.

    Args:
        call: makes the result.
        waited: called when somebody asks for it first.
    """

    def __init__(self, call: Callable[[], T], waited: Callable[[], None] = lambda: None) -> None:
        self._waited = waited
        self._outcome: list[T] = []
        self._code = 0
        try:
            self._outcome.append(call())
        except FdbError as error:
            self._code = error.code

    @property
    def value(self) -> T:
        """The result. Raises FdbError."""
        self._waited()
        self._waited = lambda: None
        if self._code:
            raise FdbError(self._code)
        return self._outcome[0]

    def wait(self) -> T:
        """The result. Raises FdbError."""
        return self.value


class FakeWatch:
    """A watch: there when the value under its key changed, by a commit after the one that it was made in."""

    def __init__(self) -> None:
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[FakeWatch], object]] = []
        self._code = 0

    def end(self, code: int = 0) -> None:
        """Tell whoever waits."""
        with self._lock:
            if self._done.is_set():
                return
            self._code = code
            self._done.set()
        for callback in self._callbacks:
            callback(self)

    def wait(self) -> None:
        """Block until it is there. Raises FdbError."""
        self._done.wait()
        if self._code:
            raise FdbError(self._code)

    def on_ready(self, callback: Callable[[FakeWatch], object]) -> None:
        """See the binding."""
        with self._lock:
            there = self._done.is_set()
            self._callbacks.append(callback)
        if there:
            callback(self)

    def cancel(self) -> None:
        """See the binding."""
        self.end(1101)


@dataclass(frozen=True, slots=True)
class FakeKeyValue:
    """A row."""

    key: bytes
    value: bytes


class FakeRange:
    """Rows; an error comes when they are looked at."""

    def __init__(self, future: FakeFuture[list[FakeKeyValue]]) -> None:
        self._future = future

    def __iter__(self) -> Iterator[FakeKeyValue]:
        """The rows. Raises FdbError."""
        return iter(self._future.value)
