"""Whoever follows the change feed sees every event, from where they stopped, and is woken by the next."""

from __future__ import annotations

import threading
from itertools import islice

import pytest

from coditect.engine.port import Engine
from coditect.errors import Corrupt, NotFound, UsageError
from coditect.schemas import FeedEntry, FeedEvent
from coditect.store.acts import events
from coditect.store.acts.events import entries_after, follow
from coditect.store.generations import append_feed, create_corpus
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.testing.engine.probe import JOIN_S
from tests.corpora import clock, feed


def _add(store: Store, *numbers: int) -> None:
    for n in numbers:
        event = FeedEvent(corpus_id="c", event="ingested", at=clock(), counts={"added": n})
        store.update(lambda transaction, event=event: append_feed(transaction, store, event))  # type: ignore[misc]


def _added(entries: list[FeedEntry]) -> list[int]:
    return [entry.event.counts["added"] for entry in entries]


@pytest.fixture
def store(memory: Store) -> Store:
    """With a corpus whose feed has three events."""
    create_corpus(memory, "c", "", clock())
    _add(memory, 1, 2, 3)
    return memory


def test_entries_are_the_feed_and_begin_where_one_stopped(store: Store) -> None:
    """All, those behind each of them, and none behind the last; of no other corpus."""
    create_corpus(store, "d", "", clock())
    found = list(entries_after(store, "c"))
    assert [entry.event for entry in found] == feed(store, "c")
    for n, entry in enumerate(found):
        assert list(entries_after(store, "c", entry.cursor)) == found[n + 1 :]
    assert list(entries_after(store, "d", found[0].cursor)) == []
    assert len({entry.cursor for entry in found}) == len(found) == 3


@pytest.mark.parametrize("cursor", ["x", "00", "00" * 13, "zz" * 12, "é"])
def test_entries_after_what_is_no_cursor_are_refused(store: Store, cursor: str) -> None:
    """Whatever the length, and before anything is asked for."""
    with pytest.raises(UsageError):
        entries_after(store, "c", cursor)
    with pytest.raises(UsageError):
        follow(store, "c", cursor)


def test_follower_of_an_unknown_corpus_is_told_so(memory: Store) -> None:
    """Instead of waiting for ever."""
    with pytest.raises(NotFound):
        follow(memory, "c")


def test_follower_gets_what_is_there_and_then_what_comes(store: Store) -> None:
    """While it waits, another appends."""
    followed = follow(store, "c")
    assert _added(list(islice(followed, 3))) == [1, 2, 3]
    for n in (4, 5):
        found: list[FeedEntry] = []
        waiting = threading.Thread(target=lambda found=found: found.append(next(followed)), daemon=True)
        waiting.start()
        _add(store, n)
        waiting.join(JOIN_S)
        assert _added(found) == [n]


def test_follower_misses_nothing_that_comes_while_it_is_busy(store: Store) -> None:
    """Events that were appended before it waits again, also between its look at the head and at the feed."""
    followed = follow(store, "c", list(entries_after(store, "c"))[-1].cursor)
    _add(store, 4, 5)
    assert _added(list(islice(followed, 2))) == [4, 5]
    _add(store, 6)
    assert _added([next(followed)]) == [6]


def test_follower_looks_by_itself_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program appends that does not tell anybody is found all the same."""
    monkeypatch.setattr(events, "LOOK_S", 0.01)
    state = MemoryStore()

    class Deaf(MemoryEngine):
        """Never tells of a change before the time is up."""

        def watch(self, key: bytes, seen: bytes | None, timeout_s: float) -> bytes | None:
            assert timeout_s == 0.01
            _add(Store(MemoryEngine(state)), 2)
            return seen

    engine: Engine = Deaf(state)
    store = Store(engine)
    create_corpus(store, "c", "", clock())
    _add(store, 1)
    assert _added(list(islice(follow(store, "c"), 2))) == [1, 2]


def test_event_that_was_changed_is_corrupt(store: Store) -> None:
    """And not passed on."""
    begin, end = store.keys.bounds("feed", "c")
    ((key, value), *_), *_ = store.pages(begin, end)
    store.update(lambda transaction: transaction.set(key, value[:-1] + bytes((value[-1] ^ 1,))))
    with pytest.raises(Corrupt):
        list(entries_after(store, "c"))
