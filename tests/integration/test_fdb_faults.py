"""Whatever FoundationDB does to a transaction, the store holds in the end what it would hold without.

Every transaction of ingest, build and of each function of the store that writes meets faults on the fake cluster: lost
snapshots, conflicts, commits of unknown outcome that were made or not. A body then runs again, possibly on its own writes.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from coditect.engine.limits import TRANSACTION_BYTES
from coditect.errors import Unavailable
from coditect.integrity.indexing.building import build_index
from coditect.integrity.indexing.dropping import drop_index
from coditect.keyspace import unseal
from coditect.schemas import BuildSettings, Derivation, Failure, FeedEvent, Generation, Manifest
from coditect.store.generations import append_feed, create_corpus, flip
from coditect.store.store import Store
from coditect.testing.fake_fdb.client import FakeCluster, Fault
from coditect.transparency.events import Acting, open_pending
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, feed, folder_of, ingest_all
from tests.effort import FULL
from tests.fdb_clusters import fake_engine
from tests.integration.indexes import statements
from tests.unit.store.items import extraction, section, version

LOST = Fault(1007, at="read")
BEHIND = Fault(1037, at="read")
CONFLICT = Fault(1020)
UNKNOWN = Fault(1021)
MADE = Fault(1021, applied=True)

STORMS = {
    "lost snapshots": (LOST, BEHIND, Fault(1009, at="read")),
    "conflicts": (CONFLICT, CONFLICT),
    "unknown and not made": (UNKNOWN, UNKNOWN),
    "unknown and made": (MADE,),
    "unknown and made twice": (MADE, MADE),
    "everything": (LOST, CONFLICT, MADE, BEHIND, UNKNOWN, MADE),
}

Rows = dict[bytes, bytes]


def _store(folder: Path, cluster: FakeCluster | None = None) -> Store:
    folder.mkdir(parents=True, exist_ok=True)
    store = Store(fake_engine(folder, cluster))
    # One salt, so that acts of the log stand under the same hashes, and one that was written twice as another is seen.
    store.acting = Acting(salts=lambda: "ab" * 16)
    return store


def _rows(store: Store) -> Rows:
    """Everything in the store but the change feed, whose keys are the cluster's, registered work, and the statistics of builds.

    A build that finds its own item there, because the commit that it was not told of was made, counts it as reused.
    """
    (begin, end), (first, last) = store.keys.bounds("feed"), store.keys.bounds("generations")
    rows = {key: value for page in store.pages(b"", b"\xff") for key, value in page if not begin <= key < end}
    own = ("work", "log/pending")  # events that wait have keys of the cluster's, too: see _logged
    rows = {key: value for key, value in rows.items() if store.keys.table_of(key) not in own}
    for key, value in rows.items():
        if first <= key < last:
            found = Generation.parse(unseal(store.keys.relative(key), value)[1])
            rows[key] = found.model_copy(update={"derived": {}, "reused": {}}).payload()
    return rows


def _logged(store: Store) -> list[bytes]:
    """The events that wait for their index in the log, in order: none is there twice, whatever became of a commit."""
    return [
        open_pending(store.keys, value) for page in store.pages(*store.keys.bounds("log/pending")) for _, value in page
    ]


def _without_repeats(events: list[FeedEvent]) -> list[FeedEvent]:
    """The feed as its readers must take it: an event may stand there several times."""
    return [event for n, event in enumerate(events) if event not in events[:n]]


def _steps(store: Store, folder: Path) -> list[Callable[[], object]]:
    """Ingest and build, change one document and drop another, ingest and build again."""
    first = folder_of(folder / "1", DOCUMENTS)
    changed = dict(DOCUMENTS) | {"retention.txt": "RETENTION\n\nLogs must be kept for 2 years.\n"}
    del changed["suppliers/cloud.md"]
    second = folder_of(folder / "2", changed)
    return [
        lambda: ingest_all(store, first),
        lambda: build_all(store),
        lambda: ingest_all(store, second, sync=True),
        lambda: build_all(store),
    ]


def _all(store: Store, folder: Path) -> None:
    for step in _steps(store, folder):
        step()


@pytest.fixture(scope="module")
def unharmed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rows, list[FeedEvent]]:
    """What ingest and build leave on a cluster without faults."""
    folder = tmp_path_factory.mktemp("unharmed")
    store = _store(folder / "cluster")
    _all(store, folder / "documents")
    return _rows(store), feed(store, CORPUS)


@pytest.mark.parametrize("storm", STORMS.values(), ids=STORMS.keys())
def test_faults_in_every_transaction_change_no_row(
    tmp_path: Path, storm: tuple[Fault, ...], unharmed: tuple[Rows, list[FeedEvent]]
) -> None:
    """Two ingests and two builds, every transaction of which meets the storm, leave the very rows of a quiet run."""
    cluster = FakeCluster(each=storm)
    store = _store(tmp_path / "cluster", cluster)
    _all(store, tmp_path / "documents")
    rows, events = unharmed
    assert cluster.pauses >= 20
    assert len(_logged(store)) == len(set(_logged(store)))
    assert _rows(store) == rows
    assert _without_repeats(feed(store, CORPUS)) == events
    built = [event for event in feed(store, CORPUS) if event.event == "generation"]
    assert [event.generation for event in built] == [1, 2]


@pytest.mark.parametrize("made", [False, True], ids=["not made", "made"])
def test_cluster_that_dies_at_any_commit_is_caught_up_with(
    tmp_path: Path, made: bool, unharmed: tuple[Rows, list[FeedEvent]]
) -> None:
    """Where the cluster falls silent the work stops with Unavailable; that step run again ends with the same rows.

    Every commit is met: the odd ones by a silence before it is made, the even ones by a silence after it; half of them where
    somebody waits. Where a step is done and gives its registration up, it is not stopped: that row says nothing of what is stored,
    and expires.
    """
    quiet = FakeCluster()
    _all(_store(tmp_path / "quiet", quiet), tmp_path / "documents")
    assert quiet.commits > 20
    unnoticed = 0
    for nth in range(1 + made, quiet.commits + 1, 2 if FULL else 4):
        cluster = FakeCluster()
        store = _store(tmp_path / f"cluster-{nth}", cluster)
        cluster.schedule(nth, Fault(1031, applied=made))
        stopped = 0
        for step in _steps(store, tmp_path / "documents"):
            try:
                step()
            except Unavailable:
                stopped += 1
                step()
        assert stopped <= 1
        unnoticed += 1 - stopped
        assert _rows(store) == unharmed[0]
        built = [event.generation for event in feed(store, CORPUS) if event.event == "generation"]
        assert built == [1, 2]
    assert unnoticed <= 2, "of four steps"


# Each function of the store that writes


def _many(store: Store) -> object:
    """More items than one transaction takes."""
    # Digests, which do not compress.
    words = (" ".join(sha256(f"{n} {word}".encode()).hexdigest() for word in range(600)) for n in range(60))
    return store.put_items(section(f"topic {n}", content=text) for n, text in enumerate(words))


def _index(store: Store) -> object:
    """An index is built, written to, dropped, and built again."""
    store.put_items(statements(range(5)))
    build_index(store, "entity", clock, new_build=lambda: "of tests")
    store.put_items(statements(range(5, 10)))
    drop_index(store, "entity")
    return build_index(store, "entity", clock, new_build=lambda: "of tests")


def _flip(store: Store) -> object:
    base = store.corpus("c")
    manifest = Manifest.create(
        corpus_id="c",
        settings=BuildSettings(),
        code_versions={},
        trees={},
        sections=(),
        summary_derivation="",
        summary_id="",
        counts={"documents": 1},
    )
    generation = Generation(
        corpus_id="c",
        generation=1,
        build_id=manifest.build_id,
        created_at=clock(),
        tool_version="0",
        derived={},
        reused={},
    )
    return flip(store, manifest, base, generation)


def _derivation() -> Derivation:
    return Derivation(
        derivation_id="derivation_1",
        corpus_id="c",
        stage="chunks",
        inputs=("a",),
        method="m",
        parameters={},
        code_version="1",
        outputs=("b",),
    )


def _failure(name: str) -> Failure:
    return Failure(corpus_id="c", name=name, raw_sha256="0" * 64, message="unreadable", error="ReadError")


def _announce(store: Store) -> object:
    event = FeedEvent(corpus_id="c", event="ingested", at=clock(), counts={"added": 1})
    return store.update(lambda transaction: append_feed(transaction, store, event))


WRITES: dict[str, Callable[[Store], object]] = {
    "create_corpus": lambda store: create_corpus(store, "new", "name", clock()),
    "put_items": lambda store: store.put_items([version(), extraction(), section("access")]),
    "put_items, long": lambda store: store.put_items([extraction("word " * 60_000 + "end")]),
    "put_items, many": _many,
    "put_blob": lambda store: store.put_blob("c", b"0123456789" * (TRANSACTION_BYTES // 4)),
    "put": lambda store: store.put("failures", _failure("new"), "c", "new"),
    "remove": lambda store: store.remove("failures", "c", "old"),
    "put_derivations": lambda store: store.put_derivations([_derivation()]),
    "indexes": _index,
    "flip": _flip,
    "append_feed": _announce,
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
@pytest.mark.parametrize("storm", STORMS.values(), ids=STORMS.keys())
def test_faults_in_a_function_of_the_store_change_no_row(
    tmp_path: Path, storm: tuple[Fault, ...], write: Callable[[Store], object]
) -> None:
    """A function that writes leaves the same rows with the storm as without, and tells the feed the same."""
    harmed = FakeCluster()
    quiet, stormy = _store(tmp_path / "quiet"), _store(tmp_path / "stormy", harmed)
    for store in (quiet, stormy):
        create_corpus(store, "c", "", clock())
        store.put("failures", _failure("old"), "c", "old")
    before = _rows(stormy), feed(stormy, "c")
    harmed.each = storm
    write(quiet)
    write(stormy)
    harmed.each = ()
    assert harmed.pauses >= 1
    assert (_rows(stormy), feed(stormy, "c")) != before
    assert _rows(stormy) == _rows(quiet)
    assert _without_repeats(feed(stormy, "c")) == feed(quiet, "c")


def test_items_larger_than_a_transaction_take_several(tmp_path: Path) -> None:
    """What the test above writes as many items is more than one commit, so that a storm meets them in the middle."""
    cluster = FakeCluster()
    store = _store(tmp_path, cluster)
    before = cluster.commits
    _many(store)
    assert cluster.commits > before + 1
