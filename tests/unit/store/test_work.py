"""Registered work and the claims of sweeps: each sees the other, the dead are told from the living, and the slow are stopped."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from coditect.engine.port import Transaction
from coditect.errors import Conflict, OverQuota
from coditect.integrity.sweeping.claim import SweepClaim
from coditect.schemas import Failure, Work
from coditect.store import work
from coditect.store.store import Store
from coditect.store.work import (
    Registrar,
    process_is_gone,
    process_owner,
    registered,
    shared_work,
    work_under_way,
)
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.testing.fake_fdb.client import FakeCluster
from tests.fdb_clusters import fake_engine

T = TypeVar("T")

CORPUS = "policies"
FAILURE = Failure(corpus_id=CORPUS, name="a.txt", error="ReadError", message="not read")


class Hands:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.at = 1_000.0

    def now(self) -> float:
        """Seconds."""
        return self.at


def _registrar(hands: Hands, *, lease_s: float = 60.0) -> Registrar:
    return Registrar(now=hands.now, is_gone=lambda owner: False, lease_s=lease_s)


def _working(store: Store) -> list[Work]:
    return store.engine.read(lambda transaction: work_under_way(transaction, store, CORPUS))


def test_work_is_registered_as_long_as_it_runs(memory: Store) -> None:
    """The row is there inside the block and gone after it, also after an error."""
    hands = Hands()
    with registered(memory, CORPUS, "build", _registrar(hands)):
        assert [(work.what, work.since, work.expires_at) for work in _working(memory)] == [("build", 1_000.0, 1_060.0)]
    assert _working(memory) == []
    with pytest.raises(ValueError, match="stop"), registered(memory, CORPUS, "build", _registrar(hands)):
        raise ValueError("stop")
    assert _working(memory) == []


def test_work_that_is_not_to_be_registered_uses_the_store_itself(memory: Store) -> None:
    """A forecast works in a store that nobody else sees."""
    with registered(memory, CORPUS, "build", None) as own:
        assert own is memory
        assert _working(memory) == []


def test_sweep_leaves_a_corpus_alone_while_somebody_works_on_it(memory: Store) -> None:
    """The claim is refused, and names the work; another corpus is not concerned."""
    registrar = _registrar(Hands())
    with registered(memory, CORPUS, "ingest", registrar):
        found = SweepClaim(memory, CORPUS, registrar).take()
        assert found is not None
        assert found.what == "ingest"
        assert SweepClaim(memory, "other", registrar).take() is None
    assert SweepClaim(memory, CORPUS, registrar).take() is None


def test_work_ends_a_sweep_that_claimed_the_corpus_before(memory: Store) -> None:
    """Whoever removes rows looks at the claim first; work on another corpus does not touch it."""
    registrar = _registrar(Hands())
    claim = SweepClaim(memory, CORPUS, registrar)
    claim.take()
    memory.update(claim.require)
    with registered(memory, "other", "build", registrar):
        memory.update(claim.require)
    with registered(memory, CORPUS, "build", registrar):
        pass
    with pytest.raises(Conflict, match="began while it was swept"):
        memory.update(claim.require)


def test_sweep_takes_the_place_of_another(memory: Store) -> None:
    """Two at once would count each other's rows; the first one stops."""
    first, second = SweepClaim(memory, CORPUS), SweepClaim(memory, CORPUS)
    assert (first.take(), second.take()) == (None, None)
    with pytest.raises(Conflict):
        memory.update(first.require)
    memory.update(second.require)
    second.release()
    with pytest.raises(Conflict):
        memory.update(second.require)


def test_work_that_was_taken_for_dead_writes_nothing_more(memory: Store) -> None:
    """It was not renewed in time, a sweep began, and what the work had written may be gone: each of its writes is refused."""
    hands = Hands()
    registrar = _registrar(hands)
    with registered(memory, CORPUS, "build", registrar) as own:
        own.put("failures", FAILURE, CORPUS, "before")
        hands.at += 59.0
        assert SweepClaim(memory, CORPUS, registrar).take() is not None
        hands.at += 2.0
        own.put("failures", FAILURE, CORPUS, "late, and nobody minds")
        assert SweepClaim(memory, CORPUS, registrar).take() is None
        with pytest.raises(Conflict, match="taken for dead"):
            own.put("failures", FAILURE, CORPUS, "after")
        assert own.get("failures", Failure, CORPUS, "after") is None
    assert _working(memory) == []


def test_work_of_a_process_that_is_gone_need_not_expire(memory: Store) -> None:
    """On the machine where it was killed a sweep need not wait."""
    alive = Registrar(new_owner=lambda: f"{process_owner().partition('/')[0]}/{os.getppid()}/x")
    with registered(memory, CORPUS, "build", alive) as own:
        assert SweepClaim(memory, CORPUS).take() is not None
        gone = replace(alive, is_gone=lambda owner: owner.endswith("/x"))
        assert SweepClaim(memory, CORPUS, gone).take() is None
        with pytest.raises(Conflict):
            own.put("failures", FAILURE, CORPUS, "a.txt")


@pytest.mark.parametrize(
    ("owner", "gone"),
    [
        (process_owner(), False),
        (f"{process_owner().partition('/')[0]}/{1 << 22}/x", True),  # no process has so high a number
        (f"another-machine/{1 << 22}/x", False),
        ("nonsense", False),
    ],
    ids=["this one", "a number that no process has", "of another machine", "no owner's name"],
)
def test_process_is_gone_only_where_that_is_certain(owner: str, gone: bool) -> None:
    """Processes of other machines cannot be looked for."""
    assert process_is_gone(owner) is gone


def test_owner_names_differ() -> None:
    """Two pieces of work of one process are two."""
    assert process_owner() != process_owner()


def test_work_is_renewed_while_it_runs() -> None:
    """However long the work is busy with something else, its registration moves on; what was lost stays lost."""
    memory = MemoryStore()
    hands, renewed = Hands(), threading.Event()

    class Counting(MemoryEngine):
        """Tells of each transaction that another thread makes."""

        def run(self, fn: Callable[[Transaction], T]) -> T:
            result = super().run(fn)
            if threading.current_thread() is not threading.main_thread():
                renewed.set()
            return result

    def renewed_anew() -> None:
        """Twice: the first renewal may have read the clock before."""
        for _ in range(2):
            renewed.clear()
            assert renewed.wait(30.0)

    store = Store(Counting(memory))
    with registered(store, CORPUS, "build", _registrar(hands, lease_s=0.02)):
        hands.at += 500.0
        renewed_anew()
        assert _working(store)[0].expires_at >= 1_500.0
        hands.at += 500.0
        assert SweepClaim(Store(MemoryEngine(memory)), CORPUS, Registrar(is_gone=lambda owner: True)).take() is None
        renewed_anew()
        assert _working(store) == []


def test_work_that_another_process_does_a_part_of_is_one(memory: Store) -> None:
    """A worker opens the store itself; what it writes is refused together with the rest."""
    registrar = _registrar(Hands())
    open_store = partial(Store, memory.engine)
    assert shared_work(memory, open_store) is open_store
    with registered(memory, CORPUS, "build", registrar) as own:
        worker = shared_work(own, open_store)()
        worker.put("failures", FAILURE, CORPUS, "a.txt")
        SweepClaim(memory, CORPUS, replace(registrar, is_gone=lambda owner: True)).take()
        with pytest.raises(Conflict, match="taken for dead"):
            worker.put("failures", FAILURE, CORPUS, "b.txt")
        assert worker.engine.url == memory.engine.url


def test_work_that_registers_during_a_removal_on_a_cluster_ends_it(tmp_path: Path) -> None:
    """The transaction that removes a row has read the claim; the registration clears it: one of the two comes first."""
    cluster = FakeCluster()
    store, other = Store(fake_engine(tmp_path, cluster)), Store(fake_engine(tmp_path, cluster))
    store.put("failures", FAILURE, CORPUS, "a.txt")
    claim = SweepClaim(store, CORPUS)
    claim.take()
    attempts = []
    threads: list[threading.Thread] = []

    def register() -> None:
        with registered(other, CORPUS, "build"):
            pass

    def body(transaction: Transaction) -> None:
        claim.require(transaction)
        attempts.append(1)
        if not threads:  # in a thread of its own: no transaction inside another
            threads.append(threading.Thread(target=register))
            threads[0].start()
            threads[0].join()
        transaction.clear(store.keys.key("failures", CORPUS, "a.txt"))

    with pytest.raises(Conflict, match="began while it was swept"):
        store.update(body)
    assert len(attempts) == 1
    assert store.get("failures", Failure, CORPUS, "a.txt") is not None


def test_work_whose_lease_has_just_run_out_is_dead() -> None:
    """It counts until the moment that it names, and not in it; a process that is gone does not count before it, either."""
    hands = Hands()
    own = Work(corpus_id=CORPUS, what="build", owner="o", since=900.0, expires_at=1_000.5)
    assert _registrar(hands).alive(own)
    hands.at = 1_000.5
    assert not _registrar(hands).alive(own)
    hands.at = 1_000.0
    assert not Registrar(now=hands.now, is_gone=lambda owner: owner == "o").alive(own)


def test_lease_lasts_a_minute_and_is_renewed_four_times_in_it(memory: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others wait no longer than that for a process that they cannot see."""
    waits: list[float] = []
    first = work._Renewal.__init__

    def told(self: work._Renewal, renew: Callable[[], None], every_s: float) -> None:
        waits.append(every_s)
        first(self, renew, every_s)

    monkeypatch.setattr(work._Renewal, "__init__", told)
    hands = Hands()
    with registered(memory, CORPUS, "build", Registrar(now=hands.now)):
        assert [each.expires_at - each.since for each in _working(memory)] == [60.0]
    assert waits == [15.0]


def test_asking_for_a_process_does_not_disturb_it() -> None:
    """No signal reaches who is asked for."""
    program = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(program, stdin=subprocess.PIPE) as process:
        assert not process_is_gone(f"{socket.gethostname()}/{process.pid}/x")
        process.communicate()
    assert process.returncode == 0


def test_work_that_is_dead_leaves_room_for_more_of_its_kind(memory: Store) -> None:
    """A build whose lease has run out, or whose process is gone, does not count against the tenant's quota."""
    hands = Hands()
    one = replace(_registrar(hands), most={"build": 1})
    with registered(memory, CORPUS, "build", one):
        with pytest.raises(OverQuota), registered(memory, "other", "build", one):
            pytest.fail("it began")
        hands.at += one.lease_s + 1
        with registered(memory, "other", "build", one):
            pass
        hands.at -= one.lease_s
        gone = replace(one, is_gone=lambda owner: True)
        with registered(memory, "other", "build", gone):
            pass


def test_builds_that_begin_at_once_on_a_cluster_are_no_more_than_may(tmp_path: Path) -> None:
    """Of two that both see room, the commit of one refuses the other, which then sees that there is none."""
    engine = fake_engine(tmp_path, FakeCluster())
    store, one = Store(engine, "t"), replace(_registrar(Hands()), most={"build": 1})
    first = registered(store, "a", "build", one)
    seen: list[str] = []
    original = work.work_of_tenant

    def slow(transaction: Transaction, of: Store) -> list[Work]:
        found = original(transaction, of)
        if len(seen) == 1:  # between the look of the second and its commit
            seen.append("first begins")
            beside = threading.Thread(target=first.__enter__)
            beside.start()
            beside.join()
        else:
            seen.append("look")
        return found

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(work, "work_of_tenant", slow)
        with pytest.raises(OverQuota), registered(store, "b", "build", one):
            pytest.fail("it began")
    first.__exit__(None, None, None)
    engine.close()
