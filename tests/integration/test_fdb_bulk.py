"""Bulk work on a cluster: it says what it is, goes out several commits at a time, and no size of corpus outlives a snapshot."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from coditect.engine.foundationdb.engine import BYTES_UNDER_WAY, COMMITS_UNDER_WAY, FoundationDbEngine
from coditect.engine.limits import TRANSACTION_BYTES
from coditect.engine.port import Transaction
from coditect.engine.tags import tenant_tag
from coditect.errors import Conflict, Unavailable, UsageError
from coditect.integrity.sweeping.sweep import sweep
from coditect.integrity.validate import validate
from coditect.knowledge.archive.export import corpus_digest, export_corpus
from coditect.knowledge.archive.format import open_archive
from coditect.knowledge.archive.importing import import_archive
from coditect.knowledge.archive.rows import require_blobs
from coditect.knowledge.archive.upgrade import clear_former, upgrade
from coditect.knowledge.derivation.corpus import present_versions
from coditect.store.blobs import BLOB_BYTES, blob_rows, put_blobs, put_rows
from coditect.store.intake.documents import IntakeWriter
from coditect.store.rows import item_rows
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.store.work import registered, shared_work
from coditect.testing.fake_fdb.client import FakeCluster, FakeOptions, Fault
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, folder_of, ingest_all
from tests.fdb_clusters import fake_engine
from tests.golden import in_memory
from tests.unit.store.items import section, version

BATCH = True


def _built(folder: Path, cluster: FakeCluster) -> Store:
    store = Store(fake_engine(folder, cluster))
    ingest_all(store, folder_of(folder / "documents", DOCUMENTS))
    build_all(store)
    return store


def _written(key: bytes) -> Callable[[Transaction], None]:
    """A body that reads and writes a key."""

    def body(transaction: Transaction) -> None:
        transaction.get(key)
        transaction.set(key, b"v")

    return body


def _tags(cluster: FakeCluster) -> set[str]:
    """The tags of transactions of batch priority; nothing else has one."""
    assert all((len(kind) == 2) == (kind[0] is BATCH) for kind in cluster.begun)
    return {str(kind[1]) for kind in cluster.begun if kind[0] is BATCH}


# Priority and tags


def test_bulk_work_says_what_it_is_and_queries_do_not(tmp_path: Path) -> None:
    """Ingest, build, import, sweep and upgrade have batch priority and a tag each; registrations, views and validation do not."""
    cluster = FakeCluster()
    store = _built(tmp_path, cluster)
    assert _tags(cluster) == {"coditect/ingest", "coditect/build"}
    assert cluster.begun[False,] > 0, "the corpus is made and work is registered like anything else"
    cluster.begun.clear()
    view = open_view(store, CORPUS)
    assert view.claims
    assert validate(store, CORPUS).clean
    assert _tags(cluster) == set()
    archive = io.BytesIO()
    export_corpus(store, CORPUS, archive)
    archive.seek(0)
    import_archive(Store(store.engine, "another"), open_archive(archive))
    assert _tags(cluster) == {"coditect/import"}
    cluster.begun.clear()
    sweep(store, apply=True)
    assert _tags(cluster) == {"coditect/sweep"}


def test_upgrade_is_bulk_work(tmp_path: Path) -> None:
    """So is the removal of what it left."""
    cluster = FakeCluster()
    engine = fake_engine(tmp_path, cluster)
    state = in_memory("0.1.0").state
    put_rows(engine, state.values.items())
    cluster.begun.clear()
    upgrade(engine, "default", clock())
    assert clear_former(engine, "default") > 0
    assert set(cluster.begun) == {(BATCH, "coditect/upgrade")}


@pytest.mark.parametrize("code", [1007, 1020, 1021, 1051, 1213])
def test_bulk_work_that_runs_again_is_bulk_work_still(tmp_path: Path, code: int) -> None:
    """FoundationDB forgets priority and tag with every error; they are said again."""
    cluster = FakeCluster(each=(Fault(code, at="read"), Fault(code)))
    engine = fake_engine(tmp_path, cluster).bulk("test")
    cluster.begun.clear()
    engine.run(_written(b"k"))
    engine.run_many([_written(b"l")])
    assert cluster.pauses >= 4
    assert set(cluster.begun) == {(BATCH, "coditect/test")}


def test_bulk_work_waits_while_the_cluster_has_no_room(tmp_path: Path) -> None:
    """It is tried again as long as it may, then says why; queries go on, and it does when there is room."""
    cluster = FakeCluster()
    engine = fake_engine(tmp_path, cluster, retry_limit=7)
    bulk = engine.bulk("build")
    cluster.no_room = True
    with pytest.raises(Unavailable, match="has no room for bulk work") as caught:
        bulk.run(lambda t: t.set(b"k", b"v"))
    assert cluster.pauses == 7
    assert "run it again" in (caught.value.hint or "")
    engine.run(lambda t: t.set(b"k", b"v"))
    assert engine.read(lambda t: t.get(b"k")) == b"v"
    cluster.no_room = False
    assert bulk.read(lambda t: t.get(b"k")) == b"v"


def test_bulk_work_of_a_tag_that_is_throttled_waits_alone(tmp_path: Path) -> None:
    """That of other tags and queries go on; the error names the way to see what is throttled."""
    cluster = FakeCluster()
    engine = fake_engine(tmp_path, cluster, retry_limit=7)
    cluster.throttled = {"coditect/build"}
    with pytest.raises(Unavailable, match="throttles this kind of work") as caught:
        engine.bulk("build").run(lambda t: t.set(b"k", b"v"))
    assert "quota get" in (caught.value.hint or "")
    engine.bulk("ingest").run(lambda t: t.set(b"k", b"v"))
    assert engine.read(lambda t: t.get(b"k")) == b"v"


def test_bulk_work_of_a_tenant_is_slowed_by_its_own_tag(tmp_path: Path) -> None:
    """Whatever its kind; that of other tenants goes on, and so do its queries."""
    cluster = FakeCluster()
    bank, trial = (Store(fake_engine(tmp_path, cluster, retry_limit=7), name) for name in ("bank", "a trial"))
    trial.own_tag = True
    cluster.throttled = {tenant_tag("a trial")}
    for kind in ("build", "ingest"):
        with pytest.raises(Unavailable, match="throttles this kind of work"):
            trial.for_bulk(kind).update(lambda t: t.set(b"k", b"v"))
    bank.for_bulk("build").update(lambda t: t.set(b"k", b"v"))
    assert trial.engine.read(lambda t: t.get(b"k")) == b"v"
    with registered(trial, CORPUS, "build") as own:
        shared = shared_work(
            own.for_bulk("build"), lambda: Store(fake_engine(tmp_path, cluster, retry_limit=7), "a trial")
        )
        with pytest.raises(Unavailable, match="throttles this kind of work"):
            shared().update(lambda t: t.set(b"k", b"v"))
    assert tenant_tag("a trial") == "coditect:7b837c8"
    assert len({tenant_tag(name) for name in ("bank", "Bank", "bank ", "")}) == 4


def test_bulk_work_waits_longer(tmp_path: Path) -> None:
    """Its time limit is its own; where the cluster is silent, the error says that it may be busy."""
    cluster = FakeCluster()
    engine = fake_engine(tmp_path, cluster, timeout_ms=1_000, bulk_timeout_ms=9_000)
    limits: list[int] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(FakeOptions, "set_timeout", lambda _, milliseconds: limits.append(milliseconds))
        for each in (engine, engine.bulk("test")):
            each.read(lambda t: t.get(b"k"))
    assert limits == [1_000, 9_000]
    cluster.stopped = True
    with pytest.raises(Unavailable, match="room for bulk work"):
        engine.bulk("test").run(lambda t: t.set(b"k", b"v"))
    with pytest.raises(Unavailable, match=r"does not answer \("):
        engine.run(lambda t: t.set(b"k", b"v"))


def test_bulk_tag_that_foundationdb_would_refuse_is_refused(tmp_path: Path) -> None:
    """Sixteen bytes are the most, ours among them."""
    engine = fake_engine(tmp_path)
    assert engine.bulk("upgrade").read(lambda t: t.get(b"k")) is None
    for tag in ("upgrades", "é"):
        with pytest.raises(UsageError):
            engine.bulk(tag)


# Several commits at a time


def test_commits_under_way_are_many_and_bounded(tmp_path: Path) -> None:
    """In number, and in bytes."""
    cluster = FakeCluster()
    engine = fake_engine(tmp_path, cluster)
    engine.run_many((lambda t, n=n: t.set(b"%d" % n, b"")) for n in range(3 * COMMITS_UNDER_WAY))  # type: ignore[misc]
    assert cluster.most_under_way == COMMITS_UNDER_WAY
    cluster.most_under_way = 0

    def large(transaction: Transaction) -> None:
        for n in range(9):
            transaction.set(b"%d" % n, bytes(100_000))

    engine.run_many([large] * 20)
    assert 1 < cluster.most_under_way <= BYTES_UNDER_WAY // TRANSACTION_BYTES


@pytest.mark.parametrize(
    "faults",
    [
        (Fault(1020),),
        (Fault(1021),),
        (Fault(1021, applied=True),),
        (Fault(1007, at="read"), Fault(1020), Fault(1021, applied=True)),
    ],
    ids=["conflict", "unknown, not made", "unknown, made", "several"],
)
def test_commits_under_way_that_fail_are_made_again(tmp_path: Path, faults: tuple[Fault, ...]) -> None:
    """Each body meets every fault, and all of them are committed in the end."""
    cluster = FakeCluster(each=faults)
    engine = fake_engine(tmp_path, cluster)
    engine.run_many(_written(b"%d" % n) for n in range(40))
    cluster.each = ()
    assert engine.read(lambda t: t.get_many([b"%d" % n for n in range(40)])) == [b"v"] * 40
    assert cluster.pauses >= 40


def test_commit_that_nobody_looked_at_in_time_is_made_again(tmp_path: Path) -> None:
    """What makes the bodies may take longer than a transaction: its own conflict is no silent cluster."""
    cluster = FakeCluster()
    engine = fake_engine(tmp_path, cluster)
    cluster.schedule(1, Fault(1020))

    def bodies() -> object:
        yield lambda t: t.set(b"a", b"v")
        cluster.pass_time(3_600)
        yield lambda t: t.set(b"b", b"v")

    engine.run_many(bodies())  # type: ignore[arg-type]
    assert engine.read(lambda t: t.get_many([b"a", b"b"])) == [b"v", b"v"]


def test_error_of_a_commit_under_way_comes_out(tmp_path: Path) -> None:
    """When the others have ended; one that cannot be made again ends the work."""
    cluster = FakeCluster()
    engine = fake_engine(tmp_path, cluster, retry_limit=0)
    cluster.schedule(3, Fault(1020))
    with pytest.raises(Conflict):
        engine.run_many((lambda t, n=n: t.set(b"%02d" % n, b"")) for n in range(60))  # type: ignore[misc]
    written = engine.read(lambda t: t.range(b"0", b"9")).rows
    assert 2 <= len(written) <= 3 + COMMITS_UNDER_WAY
    assert (b"02", b"") not in written


class _Order:
    """Notes the order in which commits of a cluster are made, by what they write."""

    def __init__(self, cluster: FakeCluster, store: Store) -> None:
        self.tables: list[set[str]] = []
        self.keys: list[set[bytes]] = []
        made = cluster.commit

        def commit(version: int | None, reads: object, mutations: object) -> None:
            made(version, reads, mutations)  # type: ignore[arg-type]
            self.keys.append({each.key for each in mutations})  # type: ignore[attr-defined]
            self.tables.append({store.keys.table_of(key) or "" for key in self.keys[-1]})

        cluster.commit = commit  # type: ignore[method-assign]

    def last(self, table: str) -> int:
        return max(n for n, tables in enumerate(self.tables) if table in tables)

    def first(self, table: str) -> int:
        return min(n for n, tables in enumerate(self.tables) if table in tables)


def test_order_is_kept_where_it_matters(tmp_path: Path) -> None:
    """Blobs before the versions that name them, these before the intake; items before the derivations that promise them."""
    cluster = FakeCluster()
    store = Store(fake_engine(tmp_path, cluster))
    order = _Order(cluster, store)
    ingest_all(store, folder_of(tmp_path / "documents", {f"{n}.txt": f"Clerk {n} shall sign." for n in range(3)}))
    assert order.last("blobs") < order.first("documents")
    assert order.last("documents") < order.first("intake")
    build_all(store)
    assert order.last("extractions") < order.first("derivations")
    assert order.last("trees") < order.last("manifests") < order.last("generations")


def _noise(size_bytes: int) -> bytes:
    """Bytes that do not compress."""
    return random.Random(size_bytes).randbytes(size_bytes)  # noqa: S311 - no secret


def test_last_part_of_a_blob_is_written_last(tmp_path: Path) -> None:
    """Also where the parts of several are under way at once: whoever finds it counts on the others."""
    cluster = FakeCluster()
    store = Store(fake_engine(tmp_path, cluster))
    order = _Order(cluster, store)
    blobs = [blob_rows(store.keys, CORPUS, _noise(n * 5 * BLOB_BYTES + 7))[1] for n in range(4)]
    put_blobs(store.engine, store.keys, [row for rows in blobs for row in rows])
    when = {key: n for n, keys in enumerate(order.keys) for key in keys}
    assert cluster.most_under_way > 1
    for rows in blobs:
        *others, last = [when[key] for key, _ in rows]
        assert all(each < last for each in others)


# Reads without conflicts


def test_writers_of_the_same_items_do_not_conflict(tmp_path: Path) -> None:
    """Two write the same items between each other's look and commit: neither runs again, and the rows are those of one."""
    cluster = FakeCluster()
    (tmp_path / "other").mkdir()  # another process, as far as the check for nested transactions is concerned
    one, other = (Store(fake_engine(folder, cluster)) for folder in (tmp_path, tmp_path / "other"))
    items = [version(), *(section(f"topic {n}") for n in range(20))]
    raw = [item_rows(one.keys, item) for item in items]
    meet = _between_look_and_commit(cluster, lambda: other.put_item_rows(raw))
    assert one.put_item_rows(raw) == (21, 0)
    assert meet == [(21, 0)]
    assert cluster.pauses == 0
    assert one.put_item_rows(raw) == (0, 21)


def _between_look_and_commit(cluster: FakeCluster, act: Callable[[], object]) -> list[object]:
    """Has something done just before the next commit; returns what came of it, later."""
    results: list[object] = []
    made = cluster.commit

    def commit(*arguments: object) -> None:
        cluster.commit = made  # type: ignore[method-assign]
        results.append(act())
        made(*arguments)  # type: ignore[arg-type]

    cluster.commit = commit  # type: ignore[method-assign, assignment]
    return results


# Snapshots


@pytest.mark.parametrize("count", [1_200])
def test_corpus_of_any_size_never_needs_a_snapshot_of_more_than_a_page(tmp_path: Path, count: int) -> None:
    """On a cluster where a snapshot lasts for a few round trips, documents are taken in, planned and exported.

    A hundred thousand documents are as many transactions more.
    """
    cluster = FakeCluster()
    store = Store(fake_engine(tmp_path, cluster, retry_limit=2))
    ingest_all(store, folder_of(tmp_path / "few", {"a.txt": "The clerk shall sign."}))
    writer = IntakeWriter(store, CORPUS)
    cluster.trips_per_snapshot = 3
    for n in range(count):
        text = f"{n}"
        writer.put_version(version(f"{n}.txt", text, corpus_id=CORPUS), text.encode(), text.encode(), b"{}")
    writer.flush()
    versions = present_versions(store, CORPUS)
    assert len(versions) == count + 1
    require_blobs(store, versions)
    export_corpus(store, CORPUS, io.BytesIO())
    assert cluster.errors[1007] == 0


def test_corpus_is_built_and_swept_where_snapshots_are_short(tmp_path: Path) -> None:
    """Ingest, build, validation, export, import and sweep of a small corpus, where a snapshot lasts for some round trips."""
    cluster = FakeCluster()
    cluster.trips_per_snapshot = 12
    store = _built(tmp_path, cluster)
    assert validate(store, CORPUS).clean
    archive = io.BytesIO()
    export_corpus(store, CORPUS, archive)
    archive.seek(0)
    other = Store(store.engine, "another")
    import_archive(other, open_archive(archive))
    assert corpus_digest(other, CORPUS) == corpus_digest(store, CORPUS)
    assert sweep(store, apply=True).complete
    assert cluster.errors[1007] == 0


def test_short_snapshots_are_noticed(tmp_path: Path) -> None:
    """What the two tests above rely on: one round trip more than a snapshot lasts for fails, however many reads it is of."""
    cluster = FakeCluster()
    engine: FoundationDbEngine = fake_engine(tmp_path, cluster, retry_limit=2)
    cluster.trips_per_snapshot = 10
    assert engine.read(lambda t: [t.get_many([b"k"] * 3) for _ in range(10)]) == [[None] * 3] * 10
    for read in (lambda t: t.get(b"k"), lambda t: t.range(b"a", b"b")):
        with pytest.raises(Unavailable, match="5 s"):
            engine.read(lambda t, read=read: [read(t) for _ in range(11)])  # type: ignore[misc]
