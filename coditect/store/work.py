"""Work under way on a corpus: who may still name what nothing refers to yet, so that a sweep leaves it alone.

A build finds derivations of earlier builds, also of killed ones, and counts on their outputs; an ingest writes a document before
the intake that names it. So whoever writes what something is going to refer to *registers* before it reads, and a sweep removes
nothing of a corpus on which somebody is at work. Both are rows of the table ``work``:

* Who registers removes the row of any sweep of the corpus; every transaction in which a sweep removes something looks at that row
  first. So a sweep stops where work begins, and never the other way round.
* Who died does not give up its registration. It counts no more when it was not renewed for :attr:`Registrar.lease_s`, or when
  its process is known to be gone; a sweep then clears it in the transaction in which it begins.
* Who was only slow, or asleep, finds its registration gone: every transaction of registered work looks at it first, so what such
  work counted on and a sweep removed is named by nobody.

Clocks of machines that share a store must agree to a few seconds. Where they do not, work may be ended too early: it fails with
Conflict and can be run again; nothing that is stored is harmed.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from coditect.engine.port import Engine, Transaction
from coditect.errors import Conflict, Corrupt, OverQuota, StoreError
from coditect.schemas import Work
from coditect.store.rows import open_stored
from coditect.store.store import Store

__all__ = [
    "REGISTRAR",
    "SWEEP",
    "Registrar",
    "process_is_gone",
    "process_owner",
    "registered",
    "shared_work",
    "work_of_tenant",
    "work_under_way",
]

T = TypeVar("T")

OpenStore = Callable[[], Store]
"""Opens a store, once a process; can be sent to another machine."""

LEASE_S = 60.0
"""How long registered work outlives its process, where nobody can see that the process is gone."""

ASK_AGAIN_S = 30
"""When work that a quota refused may be asked for again: builds take minutes, and who died counts no more after a lease."""

RENEWALS = 4
"""How often work is renewed in the time of a lease."""

SWEEP = "sweep"
"""The kind of work that removes."""


def process_owner() -> str:
    """A name for a piece of work of this process, unlike any other."""
    return f"{socket.gethostname()}/{os.getpid()}/{uuid.uuid4().hex}"


def process_is_gone(owner: str) -> bool:
    """Whether the process that made an owner's name ran on this machine and does not run any more."""
    host, _, rest = owner.partition("/")
    number = rest.partition("/")[0]
    if host != socket.gethostname() or not number.isdigit():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # there is one that belongs to somebody else, or nobody can tell
        return False
    return False


@dataclass(frozen=True, slots=True)
class Registrar:
    """By what clock and under which names work is registered.

    Attributes:
        now: the time, in seconds since 1970.
        new_owner: gives each piece of work a name of its own, not empty.
        is_gone: whether the owner of that name is known not to run any more.
        lease_s: how long work counts that is not renewed, > 0.
        most: how much of a kind a tenant may have under way at one time, over all its corpora; a kind that is not named: any.
    """

    now: Callable[[], float] = time.time
    new_owner: Callable[[], str] = process_owner
    is_gone: Callable[[str], bool] = process_is_gone
    lease_s: float = LEASE_S
    most: Mapping[str, int] = field(default_factory=dict)

    def alive(self, work: Work) -> bool:
        """Whether somebody may still be at work."""
        return work.expires_at > self.now() and not self.is_gone(work.owner)


REGISTRAR = Registrar()
"""By the clock of this machine, under the names of this process."""


@contextmanager
def registered(store: Store, corpus_id: str, what: str, registrar: Registrar | None = REGISTRAR) -> Iterator[Store]:
    """Register work on a corpus for as long as the block runs, and give the store through which it is done.

    Args:
        store: the tenant's store.
        corpus_id: the corpus; it need not be there yet.
        what: the kind of work, for people.
        registrar: tells the time and the names; None registers nothing: nobody else sees this store.
    Yields:
        The store, each of whose writes is refused once a sweep took this work for dead.
    Raises:
        Conflict: in a write: a sweep did.
        OverQuota: as much of this kind is under way as the tenant may have.
    """
    if registrar is None:
        yield store
        return
    owner, since = registrar.new_owner(), registrar.now()

    def renew() -> None:
        own = Work(
            corpus_id=corpus_id, what=what, owner=owner, since=since, expires_at=registrar.now() + registrar.lease_s
        )

        def body(transaction: Transaction) -> None:
            if transaction.get(key) is not None:  # what was lost stays lost
                store.write_record(transaction, "work", own, corpus_id, what, owner)

        store.update(body)

    first = Work(corpus_id=corpus_id, what=what, owner=owner, since=since, expires_at=since + registrar.lease_s)
    key = store.keys.key("work", corpus_id, what, owner)

    most, dead = registrar.most.get(what), _dead_of(store, what, registrar)

    def register(transaction: Transaction) -> None:
        if most is not None:
            _require_room(transaction, store, what, most, dead)
        transaction.clear_range(*store.keys.bounds("work", corpus_id, SWEEP))
        store.write_record(transaction, "work", first, corpus_id, what, owner)

    renewal = _Renewal(renew, registrar.lease_s / RENEWALS)
    try:
        store.update(register)
        renewal.start()
        own = Store(_WorkEngine(store.engine, key, corpus_id), store.keys.tenant, store.acting)
        own.own_tag = store.own_tag
        yield own
    finally:
        renewal.end()
        with suppress(StoreError):  # then the registration expires
            store.remove("work", corpus_id, what, owner)


def _dead_of(store: Store, what: str, registrar: Registrar) -> frozenset[str]:
    """Owners of registered work of a limited kind that are not alive: asked before, since bodies read no clock."""
    if what not in registrar.most:
        return frozenset()
    there = store.engine.read(lambda transaction: work_of_tenant(transaction, store))
    return frozenset(work.owner for work in there if not registrar.alive(work))


def _require_room(transaction: Transaction, store: Store, what: str, most: int, dead: frozenset[str]) -> None:
    """Whether one more of a kind may begin, told in the transaction that registers it: two that ask at once do not both.

    Raises:
        OverQuota: no.
    """
    alive = [each for each in work_of_tenant(transaction, store) if each.what == what and each.owner not in dead]
    if len(alive) >= most:
        raise OverQuota(
            "as much work of this kind is under way as the tenant was granted",
            what=what,
            most=most,
            corpora=", ".join(sorted({each.corpus_id for each in alive})),
            retry_after_s=ASK_AGAIN_S,
            hint="Run it again when that has ended; what is stored stays as it is.",
        )


def shared_work(store: Store, open_store: OpenStore) -> OpenStore:
    """How another process opens the store for its part of the work that ``store`` was given for.

    Args:
        store: from :func:`registered`.
        open_store: opens the same store elsewhere.
    """
    engine = store.engine
    if not isinstance(engine, _WorkEngine):
        return open_store
    return partial(_join, open_store, engine.key, engine.corpus_id, engine.tag, bool(engine.tenant))


def _join(open_store: OpenStore, key: bytes, corpus_id: str, tag: str, own_tag: bool) -> Store:
    store = open_store()
    joined = Store(_WorkEngine(store.engine, key, corpus_id), store.keys.tenant, store.acting)
    joined.own_tag = own_tag
    return joined.for_bulk(tag) if tag else joined


class _WorkEngine:
    """An engine whose writes look for a registration first. See :class:`coditect.engine.port.Engine`.

    Args:
        engine: that reads and writes.
        key: of the registration.
        corpus_id: the corpus that is worked on.
        tag: of bulk work; empty: it is none.
        tenant: whose work it is, where that is its tag; empty: it is not.
    """

    def __init__(self, engine: Engine, key: bytes, corpus_id: str, tag: str = "", tenant: str = "") -> None:
        self._engine = engine
        self.key = key
        self.corpus_id = corpus_id
        self.tag = tag
        self.tenant = tenant

    @property
    def url(self) -> str:
        """That of the engine."""
        return self._engine.url

    @property
    def keeps_removed(self) -> bool:
        """Whether the engine does."""
        return self._engine.keeps_removed

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` if the registration is there.

        Raises:
            Conflict: it is not.
        """
        return self._engine.run(self._guarded(fn))

    def run_many(self, bodies: Iterable[Callable[[Transaction], object]]) -> None:
        """Run each of them if the registration is there. Raises as :meth:`run`."""
        self._engine.run_many(self._guarded(body) for body in bodies)

    def bulk(self, tag: str, tenant: str = "") -> Engine:
        """See the port; the registration itself is renewed like any other row."""
        return _WorkEngine(self._engine.bulk(tag, tenant), self.key, self.corpus_id, tag, tenant)

    def watch(self, key: bytes, seen: bytes | None, timeout_s: float) -> bytes | None:
        """See the port."""
        return self._engine.watch(key, seen, timeout_s)

    def _guarded(self, fn: Callable[[Transaction], T]) -> Callable[[Transaction], T]:
        def body(transaction: Transaction) -> T:
            if transaction.get(self.key) is None:
                raise Conflict(
                    "this work was taken for dead, and what it had written was swept",
                    corpus_id=self.corpus_id,
                    hint="It gave no sign of life for too long. Run it again; what is published is whole.",
                )
            return fn(transaction)

        return body

    def read(self, fn: Callable[[Transaction], T]) -> T:
        """See the port."""
        return self._engine.read(fn)

    def close(self) -> None:
        """See the port."""
        self._engine.close()


class _Renewal:
    """Renews a registration from a thread of its own, so that it is renewed whatever the work is doing.

    Args:
        renew: renews it once.
        every_s: seconds between renewals.
    """

    def __init__(self, renew: Callable[[], None], every_s: float) -> None:
        self._renew = renew
        self._every_s = every_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="coditect-work", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def end(self) -> None:
        """Return when no renewal is under way any more; also where none began."""
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._every_s):
            with suppress(StoreError):  # a store that does not answer may answer the next time
                self._renew()


def work_under_way(transaction: Transaction, store: Store, corpus_id: str) -> list[Work]:
    """The work that is registered on a corpus, sweeps not among it, whether its programs live or not.

    Args:
        transaction: to read in.
        store: the tenant's store.
        corpus_id: the corpus.
    """
    found: list[Work] = []
    for key, value in transaction.range(*store.keys.bounds("work", corpus_id)).rows:
        with suppress(
            Corrupt
        ):  # a row that cannot be read registers nothing: its owner is told so by a sweep's clearing
            work = open_stored(transaction, store.keys, (key, value), Work)
            found += [work] if work.what != SWEEP else []
    return found


def work_of_tenant(transaction: Transaction, store: Store) -> list[Work]:
    """The work that is registered on any corpus of a tenant, whether its programs live or not; sweeps not among it.

    Args:
        transaction: to read in.
        store: the tenant's store.
    """
    begin, end = store.keys.bounds("work")
    found: list[Work] = []
    continuation = None
    while True:
        page = transaction.range(begin, end, continuation=continuation)
        for row in page.rows:
            with suppress(Corrupt):  # as above
                found.append(open_stored(transaction, store.keys, row, Work))
        continuation = page.continuation
        if continuation is None:
            return [work for work in found if work.what != SWEEP]
