"""A Ray cluster that is there already is used and left running; one of our own is started quietly and ended."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.errors import Unavailable
from coditect.knowledge.derivation.executors import RayExecutor
from coditect.knowledge.labour.workers import IN_FLIGHT


class WorkerCrashedError(Exception):
    """A worker died."""


class OutOfMemoryError(Exception):
    """A worker took too much."""


class RayError(Exception):
    """What Ray says of itself."""


class Cluster:
    """What of Ray an executor uses; tasks run when their results are asked for.

    Args:
        running: whether a cluster was joined before.
        cores: that it says it has; None says nothing.
    """

    exceptions = SimpleNamespace(
        WorkerCrashedError=WorkerCrashedError, OutOfMemoryError=OutOfMemoryError, RayError=RayError
    )

    def __init__(self, *, running: bool, cores: float | None = 3.0) -> None:
        self.running, self.cores = running, cores
        self.started: list[dict[str, Any]] = []
        self.ended = self.waiting = self.most_waiting = 0

    def is_initialized(self) -> bool:
        return self.running

    def init(self, **options: Any) -> None:  # noqa: ANN401 - whatever is said
        self.started.append(options)

    def shutdown(self) -> None:
        self.ended += 1

    def cluster_resources(self) -> dict[str, float]:
        return {} if self.cores is None else {"CPU": self.cores}

    def remote(self, **options: Any) -> Any:  # noqa: ANN401 - a decorator
        assert options == {"num_cpus": 1, "max_retries": 1}
        return lambda function: SimpleNamespace(remote=lambda task: self._ask(function, task))

    def _ask(self, function: Any, task: Any) -> tuple[Any, Any]:  # noqa: ANN401 - anything
        self.waiting += 1
        self.most_waiting = max(self.most_waiting, self.waiting)
        return function, task

    def get(self, reference: tuple[Any, Any]) -> Any:  # noqa: ANN401 - anything
        self.waiting -= 1
        function, task = reference
        return function(task)


def executor(cluster: Cluster, monkeypatch: pytest.MonkeyPatch, address: str = "") -> RayExecutor:
    """An executor on this cluster."""
    monkeypatch.setitem(sys.modules, "ray", cluster)
    return RayExecutor(lambda: None, address)  # type: ignore[arg-type,return-value]


def test_cluster_that_was_joined_before_is_neither_started_nor_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """It belongs to whoever joined it."""
    cluster = Cluster(running=True)
    executor(cluster, monkeypatch).close()
    assert (cluster.started, cluster.ended) == ([], 0)


def test_cluster_of_our_own_is_started_without_a_dashboard_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it is left, and it says nothing."""
    cluster = Cluster(running=False)
    executor(cluster, monkeypatch).close()
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    assert cluster.started == [{"address": "local", "include_dashboard": False, **quiet}]
    assert cluster.ended == 1
    joined = Cluster(running=False)
    executor(joined, monkeypatch, "auto")
    assert joined.started == [{"address": "auto", **quiet}]


def test_cluster_whose_address_makes_no_sense_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray itself would take minutes to say so."""
    cluster = Cluster(running=False)
    with pytest.raises(Unavailable, match="does not answer"):
        executor(cluster, monkeypatch, "nowhere")
    assert not cluster.started


def test_cluster_that_asks_for_a_token_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray tells it behind an error that says that nobody answers."""

    class Locked(Cluster):
        def init(self, **options: Any) -> None:  # noqa: ANN401 - whatever is said
            try:
                raise RuntimeError("RPC error: InvalidAuthToken: Authentication token is missing or incorrect")
            except RuntimeError as error:
                raise ConnectionError("Failed to connect to Ray cluster") from error

    with pytest.raises(Unavailable, match="asks for a token") as caught:
        executor(Locked(running=False), monkeypatch, "auto")
    assert "RAY_AUTH_MODE=token" in (caught.value.hint or "")


def test_slots_are_those_that_were_wanted_or_one_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never more than there are tasks, and never none."""
    ray = executor(Cluster(running=True), monkeypatch)
    assert [ray.slots(wanted, 9, worthwhile=True) for wanted in (None, 2, 20)] == [3, 2, 9]
    assert ray.slots(4, 0, worthwhile=False) == 1
    assert executor(Cluster(running=True, cores=None), monkeypatch).slots(None, 9, worthwhile=True) == 1
    assert executor(Cluster(running=True, cores=0.5), monkeypatch).slots(None, 9, worthwhile=True) == 1


def test_results_come_in_order_with_a_bounded_number_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task whose worker dies is told as crashed; all others are what they are."""
    cluster = Cluster(running=True)

    def square(task: int) -> int:
        if task in (3, 5):
            raise WorkerCrashedError if task == 3 else OutOfMemoryError
        return task * task

    found = list(executor(cluster, monkeypatch).run(square, range(20), jobs=2, crashed=lambda task: -task))
    assert found == [-n if n in (3, 5) else n * n for n in range(20)]
    assert cluster.most_waiting == 2 * IN_FLIGHT
