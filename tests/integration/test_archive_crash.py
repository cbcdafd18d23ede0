"""Imports that crash, meet other writers or run on a faulty store; and corpora that are larger than the memory in use."""

from __future__ import annotations

import io
import random
import time
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.engine.port import Engine
from coditect.errors import Conflict, Corrupt, NotFound
from coditect.integrity.validate import validate
from coditect.knowledge.archive import importing as archive_import
from coditect.knowledge.archive import rows as archive_rows
from coditect.knowledge.archive.export import corpus_digest, export_corpus
from coditect.knowledge.archive.format import (
    open_archive,
)
from coditect.knowledge.archive.importing import import_archive
from coditect.store.blobs import put_rows
from coditect.store.generations import create_corpus
from coditect.store.intake import staging
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.testing.fake_fdb.client import FakeCluster, Fault
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, copy_of, folder_of, ingest_all
from tests.effort import times
from tests.fdb_clusters import fake_engine
from tests.integration.archives import (
    Watched,
    content,
    export_bytes,
    history_bytes,
    history_memory,
    import_bytes,
)
from tests.killed_programs import Program
from tests.unit.store.items import extraction, version


@pytest.fixture
def history() -> Store:
    """A store of this test's own with three generations."""
    return copy_of(history_memory())


@pytest.fixture
def history_archive() -> bytes:
    """The archive of three generations."""
    return history_bytes()


# Crashes and other writers


class CrashError(Exception):
    """The machine stops."""


def crash() -> None:
    raise CrashError


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many transactions, so that there are many moments between them."""
    monkeypatch.setattr(archive_import, "BATCH_BYTES", 8_000)
    monkeypatch.setattr(staging, "PAGE_ROWS", 3)


@pytest.mark.usefixtures("small_batches")
def test_crash_before_any_transaction_leaves_nothing_visible(history: Store, history_archive: bytes) -> None:
    """Stopped anywhere, there is no corpus; run again, there is the whole one, and not a row more."""
    rows = content(history)
    for at in range(1, 1000):
        memory = MemoryStore()
        watched = Watched(MemoryEngine(memory), crash, run=at)
        try:
            import_bytes(Store(watched), history_archive)
        except CrashError:
            store = Store(MemoryEngine(memory))
            assert store.corpora() == []
            with pytest.raises(NotFound):
                open_view(store, CORPUS)
            with pytest.raises(NotFound):
                export_bytes(store)
        else:
            break
        import_bytes(store, history_archive)
        assert content(store) == rows
    assert at > 20, "too few transactions to mean anything"


def _interrupted(memory: MemoryStore, archive: bytes, at: int) -> bool:
    """Crash before the n-th transaction of an import; False if it made fewer."""
    try:
        import_bytes(Store(Watched(MemoryEngine(memory), crash, run=at)), archive)
    except CrashError:
        return True
    return False


def _leftovers(archive: bytes) -> MemoryStore:
    """All that an import writes before it publishes."""
    whole = Watched(MemoryEngine(), crash)
    import_bytes(Store(whole), archive)
    memory = MemoryStore()
    assert _interrupted(memory, archive, whole.runs)
    return memory


def _holds_a_lease(store: Store) -> bool:
    """Whether the corpus' feed begins with the token of an import."""
    head = store.engine.read(lambda transaction: transaction.range(*store.keys.bounds("feed", CORPUS), limit=1).rows)
    return bool(head) and b'"import:' in head[0][1]


@pytest.mark.usefixtures("small_batches")
def test_staged_rows_are_always_behind_a_lease(built_once: MemoryStore, history_archive: bytes) -> None:
    """Wherever an import is killed, before, while or after it sweeps what another one left: the next one finds its rows."""
    older = export_bytes(copy_of(built_once))
    full = _leftovers(history_archive).state
    left: list[int] = []
    for at in range(2, 1000):
        memory = MemoryStore()
        memory.state = full
        if not _interrupted(memory, older, at):
            break
        store = Store(MemoryEngine(memory))
        assert store.corpora() == []
        assert _holds_a_lease(store), at
        left.append(len(content(store)))
    swept = left.index(min(left))
    assert left[swept] == 1, "there was a moment with nothing but the lease"
    assert min(len(set(left[:swept])), len(set(left[swept:]))) > 10, "too few transactions to mean anything"


@pytest.mark.usefixtures("small_batches")
def test_whoever_makes_a_corpus_sweeps_what_was_staged(history_archive: bytes) -> None:
    """After a killed import, and after making the corpus was killed in its turn: the store is as if neither had been."""
    fresh = Store(MemoryEngine())
    create_corpus(fresh, CORPUS, "Name", clock())
    full = _leftovers(history_archive).state
    for at in range(1, 1000):
        memory = MemoryStore()
        memory.state = full
        try:
            create_corpus(Store(Watched(MemoryEngine(memory), crash, run=at)), CORPUS, "Name", clock())
        except CrashError:
            store = Store(MemoryEngine(memory))
            assert store.corpora() == []
        else:
            break
        if at % 10 == 1:
            create_corpus(store, CORPUS, "Name", clock())
            assert content(store) == content(fresh), at
    assert at > 60, "too few transactions to mean anything"


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("at", [3, 20])
def test_two_that_make_a_corpus_at_once_make_one(history_archive: bytes, at: int) -> None:
    """Whoever loses the lease while sweeping finds the corpus that the other one made."""
    memory = _leftovers(history_archive)
    other = Store(MemoryEngine(memory))
    made = []
    watched = Watched(
        MemoryEngine(memory), lambda: made.append(create_corpus(other, CORPUS, "theirs", clock())), run=at
    )
    assert create_corpus(Store(watched), CORPUS, "ours", clock()) == made[0]
    assert made[0].name == "theirs"
    assert content(other).keys() == content(_created("theirs")).keys()


def _created(name: str) -> Store:
    store = Store(MemoryEngine())
    create_corpus(store, CORPUS, name, clock())
    return store


def test_damaged_leftovers_are_swept_too(history_archive: bytes, built_once: MemoryStore) -> None:
    """Records that cannot be read are removed with the others."""
    store = Store(MemoryEngine(_leftovers(history_archive)))
    begin, end = store.keys.bounds("extractions", CORPUS)
    put_rows(store.engine, [(key, value + b"x") for key, value in next(store.pages(begin, end))])
    import_bytes(store, export_bytes(copy_of(built_once)))
    assert content(store) == content(copy_of(built_once))


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("at", [2, 5, 15, 20])
def test_leftovers_of_another_archive_are_cleared(
    built_once: MemoryStore, history_archive: bytes, tmp_path: Path, at: int
) -> None:
    """An import of a newer archive is killed, an older one is imported: the store is as if the first had never been."""
    older = export_bytes(copy_of(built_once))
    folder = folder_of(tmp_path / "neighbour", DOCUMENTS)
    stores = []
    for killed in (False, True):
        memory = MemoryStore()
        store = Store(MemoryEngine(memory))
        ingest_all(store, folder, corpus="neighbour")
        if killed:
            with pytest.raises(CrashError):
                import_bytes(Store(Watched(MemoryEngine(memory), crash, run=at)), history_archive)
        import_bytes(store, older)
        stores.append(content(store))
    assert stores[0] == stores[1]


STORMS = {
    "bodies run twice": (),
    "commits unknown and made": (Fault(1021, applied=True), Fault(1021, applied=True)),
    "commits unknown and not made": (Fault(1021), Fault(1007, at="read"), Fault(1020)),
}


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("storm", STORMS.values(), ids=STORMS.keys())
def test_import_is_exact_however_often_its_bodies_run(
    history: Store, history_archive: bytes, tmp_path: Path, storm: tuple[Fault, ...]
) -> None:
    """Every transaction of the import meets the storm; not an event of the feed stands there twice."""
    engine: Engine = fake_engine(tmp_path, FakeCluster(each=storm)) if storm else MemoryEngine(rerun=True)
    store = Store(engine)
    import_bytes(store, history_archive)
    assert content(store) == content(history)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("at", [2, 10, 25])
def test_second_import_takes_over_from_the_first(history: Store, history_archive: bytes, at: int) -> None:
    """The one that began last goes through; the other stops, and has changed nothing of it."""
    memory = MemoryStore()
    other = Store(MemoryEngine(memory))
    watched = Watched(MemoryEngine(memory), lambda: import_bytes(other, history_archive), run=at)
    with pytest.raises(Conflict):
        import_bytes(Store(watched), history_archive)
    assert content(other) == content(history)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("left", [False, True], ids=["writing", "sweeping"])
def test_import_that_lost_its_lease_stops(history_archive: bytes, left: bool) -> None:
    """Another import began and was killed: the first one neither writes nor removes anything after it."""
    memory = _leftovers(history_archive) if left else MemoryStore()
    seen: list[object] = []

    def begin_and_die() -> None:
        assert _interrupted(memory, history_archive, 4)
        seen.append(memory.state)

    watched = Watched(MemoryEngine(memory), begin_and_die, run=10)
    with pytest.raises(Conflict, match="another import of this corpus began"):
        import_bytes(Store(watched), history_archive)
    assert watched.runs == 10, "it went on writing"
    assert seen == [memory.state]
    store = Store(MemoryEngine(memory))
    assert store.corpora() == []
    import_bytes(store, history_archive)
    assert export_bytes(store) == history_archive


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("at", [1, 8, 20])
def test_corpus_that_appears_during_an_import_stays(history_archive: bytes, tmp_path: Path, at: int) -> None:
    """An ingest that makes the corpus meanwhile wins; nothing of it is changed."""
    memory = MemoryStore()
    other = Store(MemoryEngine(memory))
    folder = folder_of(tmp_path / "d", {"a.md": "# A\n\nStaff shall report.\n"})
    seen: list[object] = []

    def take_in() -> None:
        ingest_all(other, folder)
        seen.append(memory.state)

    with pytest.raises(Conflict, match="the corpus was made while it was imported"):
        import_bytes(Store(Watched(MemoryEngine(memory), take_in, run=at)), history_archive)
    assert seen == [memory.state]
    assert build_all(other).generation == 1


def test_archive_that_changes_between_check_and_import_is_refused(
    history_archive: bytes, built_once: MemoryStore
) -> None:
    """What is written is what was checked, or nothing is seen of it."""
    for later, message in (
        (history_archive[:-500], "the archive ends before its last line"),
        (history_archive.replace(b"4 hours", b"9 hours"), "does not have the sums|does not have its hash"),
        (export_bytes(copy_of(built_once)), "the archive changed while it was read"),
    ):
        file = io.BytesIO(history_archive)
        archive = open_archive(file)
        file.seek(0)
        file.truncate()
        file.write(later)
        store = Store(MemoryEngine())
        with pytest.raises(Corrupt, match=message):
            import_archive(store, archive)
        assert store.corpora() == []


@pytest.mark.parametrize("table", ["extractions", "intake", "idx/term", "feed", "blobs"])
def test_store_that_loses_a_row_is_noticed_before_the_corpus_is_seen(history_archive: bytes, table: str) -> None:
    """What was written is read back: a row that the store dropped before the last transaction stops the import."""
    store = Store(MemoryEngine())

    def lose() -> None:
        begin, end = store.keys.bounds(table)
        key = store.engine.read(lambda t: t.range(begin, end, limit=1, reverse=True).rows[0][0])
        store.update(lambda t: t.clear(key))

    original = archive_rows.survey

    def after_the_loss(*given: Any, **named: Any) -> Any:  # noqa: ANN401
        lose()
        return original(*given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive_import, "survey", after_the_loss)
        with pytest.raises(Corrupt, match="what was written is not what the archive holds"):
            import_bytes(store, history_archive)
    assert store.corpora() == []


# Large corpora, and a process that is killed


def _fill(store: Store, documents: int) -> None:
    """A megabyte of file and text for each document, and two hundred extractions."""
    create_corpus(store, "c", "", clock())
    for n in range(documents):
        raw = random.Random(n).randbytes(500_000)  # noqa: S311 - any bytes, but the same ones
        text = f"Clerk {n} shall sign.\n" * 23_000
        blobs = {"raw": raw, "text": text.encode(), "layout": b"{}"}
        fields: dict[str, Any] = {}
        for kind, data in blobs.items():
            fields |= {f"{kind}_sha256": store.put_blob("c", data), f"{kind}_bytes": len(data)}
        made = version(f"{n}.md", text_length=len(text), **fields)
        items = [extraction(start=22 * i, document_id=made.document_id, version_id=made.version_id) for i in range(200)]
        store.put_items([made, *items])


def _peak_bytes(fn: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        fn()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_corpus(tmp_path: Path) -> None:
    """Export, check, import and digest of 6 MB and of 18 MB: the same memory, well below the smaller corpus."""
    peaks: dict[int, list[int]] = {}
    for documents in (6, 18):
        place = tmp_path / str(documents)
        with (
            closing(LmdbEngine(place / "source", durable=False)) as one,
            closing(LmdbEngine(place / "target", durable=False)) as two,
        ):
            source, target = Store(one), Store(two, "other")
            _fill(source, documents)
            path = place / "archive"
            with path.open("wb") as out:
                peak = _peak_bytes(lambda out=out, source=source: export_corpus(source, "c", out))  # type: ignore[misc]
            assert path.stat().st_size > documents * 1_000_000
            with path.open("rb") as file:
                peaks[documents] = [
                    peak,
                    _peak_bytes(lambda file=file, target=target: import_archive(target, open_archive(file))),  # type: ignore[misc]
                    _peak_bytes(lambda target=target: corpus_digest(target, "c")),  # type: ignore[misc]
                ]
            assert corpus_digest(target, "c") == corpus_digest(source, "c")
    assert max(peaks[18]) < 8_000_000
    # An import also proves what it wrote: sixteen bytes for each row that something points to.
    for small, large, factor in zip(peaks[6], peaks[18], (1.2, 1.6, 1.2), strict=True):
        assert large < small * factor, peaks


SCRIPT = """
import sys
from pathlib import Path
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.knowledge.archive import importing as archive_import
from coditect.knowledge.archive.format import open_archive
from coditect.store.store import Store
archive_import.BATCH_BYTES = 4_000
update = Store.update
def told(self, fn):
    result = update(self, fn)
    print("transaction", flush=True)
    return result
Store.update = told
print("ready", flush=True)
with open(sys.argv[2], "rb") as file:
    archive_import.import_archive(Store(LmdbEngine(Path(sys.argv[1]))), open_archive(file))
"""


def _import_and_kill(program: Program, store: Path, archive: Path, transactions: int, then_s: float) -> int:
    """Import in another process, kill -9 it so many seconds after so many transactions; returns how many it made."""
    with program.running(store, archive) as process:
        made = 0
        while made < transactions and process.stdout.readline():
            made += 1
        time.sleep(then_s)
        process.kill()
        return made + len(process.stdout.readlines())


def test_killed_import_leaves_nothing_visible_and_can_run_again(history_archive: bytes, tmp_path: Path) -> None:
    """kill -9 at seeded moments of an import into the same store, again and again, then one that is left alone."""
    path = tmp_path / "archive"
    path.write_bytes(history_archive)
    program = Program.written(tmp_path / "import.py", SCRIPT)
    whole = _import_and_kill(program, tmp_path / "undisturbed", path, 10_000, 0.0)
    assert whole > 30
    moments = random.Random(30)  # noqa: S311 - any moments, but the same ones
    store = tmp_path / "store"
    killed = 0
    for _ in range(times(10, least=4)):
        _import_and_kill(program, store, path, moments.randrange(whole // 2), moments.uniform(0.0, 0.002))
        with closing(LmdbEngine(store, durable=False)) as engine:
            if Store(engine).corpora():  # it was too fast
                break
            killed += 1
            with pytest.raises(NotFound):
                open_view(Store(engine), CORPUS)
    assert killed >= 2, "the kills came too late to mean anything"
    _import_and_kill(program, store, path, 10_000, 0.0)
    with closing(LmdbEngine(store, durable=False)) as engine:
        assert export_bytes(Store(engine)) == history_archive
        assert validate(Store(engine), CORPUS).findings == ()
