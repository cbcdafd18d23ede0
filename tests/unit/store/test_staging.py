"""The lease under which a corpus is staged: taken, lost, written under, and given up with the corpus record."""

from __future__ import annotations

import pytest

from coditect.errors import Conflict
from coditect.keyspace import LAYOUT
from coditect.schemas import Corpus, Failure, FeedEvent, LogEvent, Section, tag_of
from coditect.store.acts.events import entries_after, seal_event
from coditect.store.blobs import Row
from coditect.store.generations import append_feed, create_corpus
from coditect.store.intake.staging import ImportLease, corpus_pages, published_rows
from coditect.store.rows import item_rows, record_rows
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import clock
from tests.unit.store.items import section, version

CORPUS = Corpus(corpus_id="c", name="Policies", created_at=clock())


@pytest.fixture(params=[False, True], ids=["once", "rerun"])
def store(request: pytest.FixtureRequest) -> Store:
    """Empty, on an engine that commits bodies once, and on one that commits them twice."""
    return Store(MemoryEngine(rerun=request.param))


def _event(store: Store, number: int) -> Row:
    """An event to be appended to the feed."""
    event = FeedEvent(corpus_id="c", event="ingested", at=clock(), counts={"added": number})
    return store.keys.feed("c"), seal_event(store.keys, event)


def _rows(store: Store, topic: str) -> list[Row]:
    rows = item_rows(store.keys, section(topic))
    return [rows.record, *rows.index]


def _failure(name: str) -> Failure:
    return Failure(corpus_id="c", name=name, error="ReadError", message="not read")


def _taken(store: Store) -> ImportLease:
    lease = ImportLease(store, "c")
    lease.take()
    return lease


def _kinds(store: Store) -> list[str]:
    return [LogEvent.parse(entry).kind for entry in TransparencyLog(store.engine, store.keys).waiting()]


def _everything(store: Store, corpus_id: str) -> dict[str, int]:
    """Rows of a corpus by table; none of tables without any."""
    found = {
        name: sum(map(len, corpus_pages(store, corpus_id, name)))
        for name, table in LAYOUT.items()
        if not table.transient
    }
    return {name: count for name, count in found.items() if count}


def test_staged_corpus_is_seen_when_it_is_published(store: Store) -> None:
    """With its rows and its feed, whose head is the last event; the lease is no event of it, and the log is told of the import."""
    lease = _taken(store)
    assert store.corpora() == []
    lease.write(_rows(store, "access"))
    lease.write([_event(store, 1), *_rows(store, "incident"), _event(store, 2)])
    lease.write([_event(store, 3)])
    assert store.corpora() == []
    lease.publish(CORPUS.payload(), clock(), "ab" * 32)
    assert store.corpora() == [CORPUS]
    assert sorted(each.topic for _, each in store.scan("sections", Section, "c")) == ["access", "incident"]
    assert [entry.event.counts["added"] for entry in entries_after(store, "c")] == [1, 2, 3]
    (head,) = [row for page in store.pages(*store.keys.bounds("heads")) for row in page]
    assert head[0] == store.keys.key("heads", "c")
    assert _kinds(store) == ["import"]


def test_corpus_without_an_import_is_made(store: Store) -> None:
    """Where an import had begun and nothing came of it; the log tells of a corpus, and the feed has no last event."""
    lease = _taken(store)
    lease.publish(CORPUS.payload(), clock())
    assert store.corpora() == [CORPUS]
    assert _kinds(store) == ["corpus"]
    assert list(store.pages(*store.keys.bounds("heads"))) == [()]
    assert list(entries_after(store, "c")) == []


def test_published_corpus_is_found_by_its_tag() -> None:
    """The record, and the entry by which an id leads to its corpus."""
    keys = Store(MemoryEngine()).keys
    record, locator = published_rows(keys, "c", CORPUS.payload())
    assert keys.parts("corpus", record[0]) == ("c",)
    assert keys.parts("idx/locator", locator[0]) == (tag_of("c"), "c", "")


def test_whoever_lost_the_lease_writes_nothing_more(store: Store) -> None:
    """Neither rows nor the corpus: another import began; what the first had written is swept, and nothing of other corpora."""
    store.put_items([section("theirs", "d")])
    create_corpus(store, "d", "", clock())
    first = _taken(store)
    first.write([*_rows(store, "access"), _event(store, 1), _event(store, 2)])
    first.write([record_rows(store.keys, "failures", _failure("a.txt"))[0]])
    store.put_items([version()])
    store.put_blob("c", b"left")
    others = _everything(store, "d")
    second = _taken(store)
    assert _everything(store, "c") == {"feed": 1}
    assert _everything(store, "d") == others
    for write in (lambda: first.write(_rows(store, "late")), lambda: first.publish(CORPUS.payload())):
        with pytest.raises(Conflict, match="another import"):
            write()
    assert _everything(store, "c") == {"feed": 1}
    second.write([_event(store, 7)])
    second.publish(CORPUS.payload(), digest="ab" * 32)
    assert [entry.event.counts["added"] for entry in entries_after(store, "c")] == [7]


def test_corpus_that_is_made_meanwhile_ends_an_import(store: Store) -> None:
    """It is not written into, and not taken over."""
    lease = _taken(store)
    create_corpus(store, "c", "theirs", clock())
    for act in (
        lambda: lease.write(_rows(store, "access")),
        lambda: lease.publish(CORPUS.payload()),
        lambda: ImportLease(store, "c").take(),
    ):
        with pytest.raises(Conflict, match="was made while it was imported"):
            act()
    assert store.corpus("c").name == "theirs"


def test_publishing_twice_is_publishing_once(store: Store) -> None:
    """The same record is there; another one is another's."""
    lease = _taken(store)
    lease.publish(CORPUS.payload(), digest="ab" * 32)
    lease.publish(CORPUS.payload(), digest="ab" * 32)
    assert _kinds(store) == ["import"]
    with pytest.raises(Conflict):
        lease.publish(CORPUS.model_copy(update={"name": "other"}).payload())


def test_lease_that_went_is_a_lost_one(store: Store) -> None:
    """Without the event at the head of the feed nothing is written; nor where that is another's."""
    lease = _taken(store)
    begin, end = store.keys.bounds("feed", "c")
    store.engine.run(lambda transaction: transaction.clear_range(begin, end))
    with pytest.raises(Conflict, match="another import"):
        lease.write(_rows(store, "access"))
    event = FeedEvent(corpus_id="c", event="ingested", at=clock(), counts={})
    store.update(lambda transaction: append_feed(transaction, store, event))
    with pytest.raises(Conflict, match="another import"):
        lease.write(_rows(store, "access"))


def test_rows_with_entries_of_other_indexes_than_the_store_has_are_not_written(store: Store) -> None:
    """The caller is told which it has, and prepares them again; nothing is nothing to prepare."""
    lease = _taken(store)
    assert lease.write([]) == frozenset()
    assert lease.write([], frozenset(("entity",))) == {"entity"}
    assert lease.write([*_rows(store, "access"), _event(store, 1)], frozenset(("entity",))) == frozenset()
    assert _everything(store, "c") == {"feed": 1}
    assert lease.write([*_rows(store, "access"), _event(store, 1)]) == frozenset()
    assert _everything(store, "c") == {"sections": 1, "idx/topic": 1, "feed": 2}


def test_rows_of_a_corpus_are_those_of_no_other(store: Store) -> None:
    """In tables whose keys begin with the corpus, in those where something stands before it, and in the one that it is all of."""
    for corpus_id in ("c", "cc", "d"):
        create_corpus(store, corpus_id, "", clock())
        store.put_items([section("access", corpus_id), section("incident", corpus_id)])
    for corpus_id in ("c", "cc", "d"):
        assert _everything(store, corpus_id) == {"corpus": 1, "sections": 2, "idx/topic": 2, "idx/locator": 1}
    assert _everything(store, "none") == {}
    key = store.keys.key("idx/topic") + b"\x99"
    store.engine.run(lambda transaction: transaction.set(key, b"v"))
    assert _everything(store, "c")["idx/topic"] == 2
