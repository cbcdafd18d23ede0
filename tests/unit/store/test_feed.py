"""The change feed says each thing once, in order."""

from __future__ import annotations

from coditect.schemas import FeedEvent
from coditect.store.generations import append_feed, create_corpus
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import clock, feed


def _add(store: Store, event: FeedEvent) -> None:
    store.update(lambda transaction: append_feed(transaction, store, event))


def test_feed_event_that_is_added_again_stands_there_once() -> None:
    """A body that runs again after it has committed adds nothing; the same event later on is news again."""
    store = Store(MemoryEngine())
    create_corpus(store, "c", "", clock())
    before = len(feed(store, "c"))
    one, two = (FeedEvent(corpus_id="c", event="ingested", at=clock(), counts={"added": n}) for n in (1, 2))
    for event in (one, one, two, two, one):
        _add(store, event)
    assert [event.counts["added"] for event in feed(store, "c")[before:]] == [1, 2, 1]
