"""What runs the CPU side of a build: processes of this machine, or a Ray cluster whose workers write to the shared store."""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from coditect.errors import Unavailable, UsageError
from coditect.knowledge.labour.workers import IN_FLIGHT, available_cores, run_ordered
from coditect.store.store import Store

__all__ = ["LOCAL", "Executor", "LocalExecutor", "OpenStore", "RayExecutor"]

A = TypeVar("A")
B = TypeVar("B")

OpenStore = Callable[[], Store]
"""Opens the shared store, once a process; can be sent to another machine."""


CONNECT_TIMEOUT_S = 5.0


class Executor(Protocol):
    """Runs a function over tasks."""

    @property
    def shared(self) -> OpenStore | None:
        """How those who run tasks open the store themselves; None: they are given what they need, and give back what they made."""
        ...

    def slots(self, wanted: int | None, tasks: int, *, worthwhile: bool) -> int:
        """How many tasks run at once.

        Args:
            wanted: how many the user wants; None leaves it to the executor.
            tasks: how many tasks there are.
            worthwhile: whether there is enough work to start other processes for.
        """
        ...

    def run(self, fn: Callable[[A], B], tasks: Iterable[A], *, jobs: int, crashed: Callable[[A], B]) -> Iterator[B]:
        """``fn`` of each task, in order; see :func:`coditect.knowledge.labour.workers.run_ordered`."""
        ...


class LocalExecutor:
    """Processes of this machine."""

    shared: OpenStore | None = None

    def slots(self, wanted: int | None, tasks: int, *, worthwhile: bool) -> int:
        """What the user wants, or one for each core where that pays."""
        return min(wanted if wanted is not None else available_cores() if worthwhile else 1, tasks or 1)

    def run(self, fn: Callable[[A], B], tasks: Iterable[A], *, jobs: int, crashed: Callable[[A], B]) -> Iterator[B]:
        """See :func:`coditect.knowledge.labour.workers.run_ordered`."""
        return run_ordered(fn, tasks, jobs=jobs, crashed=crashed)


LOCAL = LocalExecutor()


class RayExecutor:
    """A Ray cluster. A task whose worker dies is tried once more on another; then it is a result like any other failure.

    Args:
        shared: opens the store on every machine; it must be one that all of them reach.
        address: where the cluster is; "" starts one on this machine, "auto" joins the one that runs here.
    Raises:
        UsageError: Ray is not installed.
        Unavailable: the cluster does not answer.
    """

    def __init__(self, shared: OpenStore, address: str = "") -> None:
        try:
            import ray
        except ImportError as error:
            raise UsageError(
                "Ray is not installed", hint="Install the extra: pip install 'coditect-knowledge[ray]'."
            ) from error
        self.shared: OpenStore | None = shared
        self._ray: Any = ray
        self._own = not ray.is_initialized()
        if self._own:
            self._start(address)

    def _start(self, address: str) -> None:
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            if address:
                _knock(address)
                self._ray.init(address=address, **quiet)
            else:
                self._ray.init(address="local", include_dashboard=False, **quiet)
        except (ConnectionError, RuntimeError, ValueError, OSError, self._ray.exceptions.RayError) as error:
            asks = _asks_for_a_token(error)
            raise Unavailable(
                "the Ray cluster asks for a token" if asks else "the Ray cluster does not answer",
                address=address,
                reason=str(error)[:200],
                hint=_LOCKED if asks else _START,
            ) from error

    def slots(self, wanted: int | None, tasks: int, *, worthwhile: bool) -> int:
        """What the user wants, or one for each core of the cluster."""
        del worthwhile
        return min(wanted or max(1, int(self._ray.cluster_resources().get("CPU", 1))), tasks or 1)

    def run(self, fn: Callable[[A], B], tasks: Iterable[A], *, jobs: int, crashed: Callable[[A], B]) -> Iterator[B]:
        """``fn`` of each task on the cluster, in order, a bounded number in flight."""
        remote = self._ray.remote(num_cpus=1, max_retries=1)(fn)
        pending: deque[tuple[A, Any]] = deque()
        for task in tasks:
            pending.append((task, remote.remote(task)))
            if len(pending) >= jobs * IN_FLIGHT:
                yield self._take(pending, crashed)
        while pending:
            yield self._take(pending, crashed)

    def _take(self, pending: deque[tuple[A, Any]], crashed: Callable[[A], B]) -> B:
        task, reference = pending.popleft()
        try:
            result: B = self._ray.get(reference)
        except (self._ray.exceptions.WorkerCrashedError, self._ray.exceptions.OutOfMemoryError):
            result = crashed(task)
        return result

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        if self._own:
            self._ray.shutdown()


_START = "Start one with 'ray start --head', or leave --ray-address out for one on this machine."
_LOCKED = "Set RAY_AUTH_MODE=token, with the cluster's token in ~/.ray/auth_token or in RAY_AUTH_TOKEN."


def _asks_for_a_token(error: BaseException | None) -> bool:
    """Whether Ray could not get in, rather than find nobody: it says so in an error behind its error."""
    while error is not None:
        if "InvalidAuthToken" in str(error) or type(error).__name__ == "AuthenticationError":
            return True
        error = error.__cause__ or error.__context__
    return False


def _knock(address: str) -> None:
    """Whether anybody listens; Ray itself takes minutes to say that nobody does.

    Raises:
        OSError, ValueError: nobody, or not an address.
    """
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    with socket.create_connection((host.rpartition("//")[2], int(port)), timeout=CONNECT_TIMEOUT_S):
        pass
