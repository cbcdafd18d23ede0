"""Whole corpora on a live FoundationDB cluster: the same as on LMDB, and what only a cluster puts to the test."""

from __future__ import annotations

import io
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from coditect.compose import open_engine, open_knowledge
from coditect.engine.limits import TRANSACTION_BYTES
from coditect.engine.port import Transaction
from coditect.errors import Unavailable
from coditect.integrity.validate import validate
from coditect.keyspace import LAYOUT
from coditect.knowledge.archive.export import corpus_digest, export_corpus
from coditect.knowledge.archive.format import open_archive
from coditect.knowledge.archive.importing import import_archive
from coditect.knowledge.report.collection import collect_report
from coditect.knowledge.service import Knowledge
from coditect.reports.html import render_html
from coditect.sample import sample_folder
from coditect.schemas import TIER_NAMES, BuildSettings, FeedEvent, TierName
from coditect.settings import Settings
from coditect.store.blobs import Row
from coditect.store.generations import append_feed, generations
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from coditect.testing.engine.probe import in_threads
from tests.corpora import CORPUS, DOCUMENTS, ITEM_TABLES, build_all, clock, feed, folder_of, ingest_all
from tests.fdb_clusters import LivePlace, live_engine
from tests.integration.processes import WAIT_S, build_together, build_until_done, check_whole, take_in
from tests.warm import WARM

CLUSTER_FILE = os.environ.get("FDB_CLUSTER_FILE", "")

pytestmark = [
    pytest.mark.fdb,
    pytest.mark.skipif(not CLUSTER_FILE, reason="FDB_CLUSTER_FILE is not set: no live FoundationDB cluster"),
]

SNAPSHOT_S = 5.0
"""How long FoundationDB keeps a snapshot."""

QUERIES = ("contradictions", "personal data breach", "review of access rights")


@dataclass(frozen=True)
class Both:
    """The sample corpus, built by the same code on an embedded store and for a tenant of the cluster."""

    embedded: Knowledge
    cluster: Knowledge
    folder: Path


def _built(knowledge: Knowledge) -> Knowledge:
    knowledge.ingest(CORPUS, [sample_folder()])
    knowledge.build(CORPUS, BuildSettings())
    return knowledge


def _clear(tenant: str) -> None:
    with closing(open_engine(f"fdb://{CLUSTER_FILE}")) as engine:
        space = Store(engine, tenant).keys.space
        engine.run(lambda transaction: transaction.clear_range(*space))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    """Built once; only read."""
    folder = tmp_path_factory.mktemp("both")
    tenant = f"test-corpus-{uuid.uuid4().hex}"
    options: dict[str, Any] = {"cache": folder / "cache", "jobs": 1}
    try:
        with (
            open_knowledge(Settings(store=f"lmdb://{folder / 'store'}", tenant="default", **options)) as embedded,
            open_knowledge(Settings(store=f"fdb://{CLUSTER_FILE}", tenant=tenant, **options)) as cluster,
        ):
            yield Both(_built(embedded), _built(cluster), folder)
    finally:
        _clear(tenant)


@pytest.fixture
def place() -> Iterator[LivePlace]:
    """An empty part of the cluster."""
    made = LivePlace()
    yield made
    made.discard()


def _relative(store: Store, table: str) -> dict[bytes, bytes]:
    begin, end = store.keys.bounds(table)
    return {store.keys.relative(key): value for page in store.pages(begin, end) for key, value in page}


# The same corpus on both


def test_corpus_on_a_cluster_is_byte_identical_to_the_embedded_one(both: Both) -> None:
    """Every row of every item and index table, by its key below the tenant, and the build id."""
    one, other = both.embedded.store, both.cluster.store
    assert one.corpus(CORPUS).build_id == other.corpus(CORPUS).build_id
    for table in (*ITEM_TABLES, *(name for name in LAYOUT if name.startswith("idx/"))):
        assert _relative(one, table) == _relative(other, table), table
    assert _relative(other, "extractions")


def test_corpus_on_a_cluster_is_larger_than_any_transaction(both: Both) -> None:
    """Its build was made of many transactions, and one generation came out of it."""
    store = both.cluster.store
    size = sum(len(key) + len(value) for page in store.pages(*store.keys.space) for key, value in page)
    assert size > TRANSACTION_BYTES
    assert [each.generation for each in generations(store, CORPUS)] == [1]


@pytest.mark.parametrize("tier", TIER_NAMES)
def test_queries_on_a_cluster_answer_as_on_the_embedded_store(both: Both, tier: TierName) -> None:
    """The same hits, scores and chains of evidence at every tier, and the same one tier below."""
    for query in QUERIES:
        wanted = both.embedded.query(CORPUS, query, tier=tier, include_sources=True)
        found = both.cluster.query(CORPUS, query, tier=tier, include_sources=True)
        assert found == wanted
        for item_id in found.item_ids:
            assert both.cluster.drill_down(item_id) == both.embedded.drill_down(item_id)
            assert both.cluster.chain(item_id) == both.embedded.chain(item_id)
    assert found.hits


def test_validation_and_report_on_a_cluster_are_those_of_the_embedded_store(both: Both) -> None:
    """Clean, as many rows of everything, and the same report but for times of day."""
    checked = {}
    reports = {}
    for knowledge in (both.embedded, both.cluster):
        validation = knowledge.validate(CORPUS)
        assert validation.findings == ()
        checked[knowledge.store.engine.url] = validation.checked
        report = collect_report(knowledge.store, knowledge.view(CORPUS), generated_at=clock())
        assert render_html(report)
        reports[knowledge.store.engine.url] = [report.claims, report.sections, report.passages, report.documents]
    one, other = reports.values()
    assert one == other
    one_checked, other_checked = checked.values()
    assert one_checked == other_checked


def test_archive_goes_to_a_cluster_and_back(both: Both, place: LivePlace) -> None:
    """Out of the embedded store, into the cluster, out again, into memory: the same bytes, digest, and clean."""
    digest = corpus_digest(both.embedded.store, CORPUS)
    first = io.BytesIO()
    export_corpus(both.embedded.store, CORPUS, first)
    with closing(place.open_engine()) as engine:
        store = Store(engine, "somebody else")
        first.seek(0)
        import_archive(store, open_archive(first))
        assert corpus_digest(store, CORPUS) == digest
        assert validate(store, CORPUS).findings == ()
        second = io.BytesIO()
        export_corpus(store, CORPUS, second)
    assert second.getvalue() == first.getvalue()
    back = Store(MemoryEngine())
    second.seek(0)
    import_archive(back, open_archive(second))
    assert corpus_digest(back, CORPUS) == digest
    assert validate(back, CORPUS).findings == ()


# Several processes


def test_processes_on_a_cluster_build_two_corpora_and_then_one(place: LivePlace, tmp_path: Path) -> None:
    """Two build corpora of their own at once; then four fill and build one: nothing lost, nothing twice, one after the other."""
    opened = partial(live_engine, place.prefix)
    folder = folder_of(tmp_path / "first", DOCUMENTS)
    assert [told for told, _ in build_together(opened, ["one", "two"], folder)] == ["built", "built"]
    folders = [
        folder_of(tmp_path / f"{n}", {f"{n}.md": DOCUMENTS["access.md"].replace("90", f"8{n}")}) for n in range(6)
    ]
    targets: list[tuple[Any, tuple[Any, ...]]] = [
        (take_in, (opened, "one", folders[:3])),
        (take_in, (opened, "one", folders[3:])),
        (build_until_done, (opened, "one", len(DOCUMENTS) + len(folders))),
        (build_until_done, (opened, "one", len(DOCUMENTS) + len(folders))),
    ]
    processes = [WARM.Process(target=target, args=arguments) for target, arguments in targets]
    for process in processes:
        process.start()
    for process in processes:
        process.join(WAIT_S)
        assert process.exitcode == 0
    with closing(opened()) as engine:
        store = Store(engine)
        final = build_all(store, corpus="one")
        assert final.counts["documents"] == len(DOCUMENTS) + len(folders)
        numbers = list(range(1, final.generation + 1))
        assert [each.generation for each in generations(store, "one")] == numbers
        assert [each.generation for each in feed(store, "one") if each.event == "generation"] == numbers
        for corpus in ("one", "two"):
            check_whole(open_view(store, corpus))
            assert validate(store, corpus).findings == ()
    clean = Store(MemoryEngine())
    ingest_all(clean, folder, *folders, corpus="one")
    assert build_all(clean, corpus="one").build_id == final.build_id


def test_feed_head_is_shared_by_threads(place: LivePlace) -> None:
    """Four threads add to one feed at once: every event is there once, each thread's own in its order."""
    engine = place.open_engine()
    store = Store(engine)

    def events(thread: int) -> None:
        for n in range(25):
            event = FeedEvent(corpus_id=CORPUS, event="ingested", build_id=f"{thread}", generation=n, at=clock())
            store.update(lambda transaction, event=event: append_feed(transaction, store, event))  # type: ignore[misc]

    in_threads(4, events)
    found = [(event.build_id, event.generation) for event in feed(store, CORPUS)]
    assert len(found) == len(set(found)) == 100  # nothing twice: every commit was known to have been made
    for thread in range(4):
        assert [n for name, n in found if name == f"{thread}"] == list(range(25))
    engine.close()


# Time and size


@pytest.mark.slow
def test_scan_of_a_slow_reader_goes_on_after_its_snapshot(both: Both) -> None:
    """Who pauses longer than a snapshot lasts between two pages still gets every row, once and in order."""
    store = both.cluster.store
    begin, end = store.keys.bounds("extractions", CORPUS)
    wanted = [row for page in store.pages(begin, end) for row in page]
    found: list[Row] = []
    for number, page in enumerate(store.pages(begin, end, limit=len(wanted) // 2)):
        found += page
        if number == 0:
            time.sleep(SNAPSHOT_S * 1.4)
    assert found == wanted


@pytest.mark.slow
@pytest.mark.parametrize("writes", [False, True], ids=["reads", "writes"])
def test_body_that_outlives_every_snapshot_ends_as_unavailable(place: LivePlace, writes: bool) -> None:
    """It runs again on new snapshots until its time is up, then says so; nothing of it is written."""
    with closing(place.open_engine(timeout_ms=12_000)) as engine:
        engine.run(lambda transaction: transaction.set(b"a", b"1"))
        runs = []

        def body(transaction: Transaction) -> None:
            runs.append(transaction.get(b"a"))
            if writes:
                transaction.set(b"b", b"2")
            time.sleep(SNAPSHOT_S * 1.6)
            transaction.get(b"c")

        with pytest.raises(Unavailable) as caught:
            (engine.run if writes else engine.read)(body)
        assert caught.value.hint
        assert runs == [b"1", b"1"]
        assert engine.read(lambda transaction: transaction.get(b"b")) is None


def test_blob_larger_than_any_transaction_comes_back(place: LivePlace) -> None:
    """25 MB go in and out in pieces."""
    data = os.urandom(1_000_000) * 25
    with closing(place.open_engine()) as engine:
        store = Store(engine)
        digest = store.put_blob(CORPUS, data)
        assert store.get_blob(CORPUS, digest, len(data)) == data
