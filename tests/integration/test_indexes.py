"""An index is added, built, killed, resumed and dropped while others read and write: it never lacks what readers count on."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

import pytest

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.engine.port import Engine, Transaction
from coditect.errors import Conflict, Corrupt, UsageError
from coditect.integrity.indexing import building, dropping
from coditect.integrity.indexing.building import build_index
from coditect.integrity.indexing.dropping import drop_index
from coditect.integrity.indexing.statuses import index_statuses
from coditect.integrity.sweeping.sweep import sweep
from coditect.integrity.validate import validate
from coditect.keyspace import seal
from coditect.knowledge.archive.export import export_corpus
from coditect.knowledge.archive.format import open_archive
from coditect.knowledge.archive.importing import import_archive
from coditect.knowledge.derivation import corpus as derivation
from coditect.knowledge.derivation import spool
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import Extraction
from coditect.store.blobs import put_rows
from coditect.store.rows import place_of
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.testing.fake_fdb.client import FakeCluster, Fault
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, copy_of, folder_of, ingest_all
from tests.effort import times
from tests.fdb_clusters import fake_engine
from tests.integration.indexes import (
    Meddled,
    called_for,
    entries,
    remove,
    require_complete,
    state,
    statement,
    statements,
)
from tests.integration.sweeps import DEAD, CrashError, Killed, killed_at
from tests.killed_programs import Program
from tests.places import lmdb_only

COUNT = 40
PAGE = 4
PATIENCE_S = 60.0
"""How long a thread is waited for that a busy machine keeps from running."""

T = TypeVar("T")

Step = Callable[[Store], object]


def build(store: Store) -> bool:
    """Build the index of entities, with a standing clock."""
    return build_index(store, "entity", clock)


def drop(store: Store) -> int:
    """Drop it."""
    return drop_index(store, "entity")


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a few statements take several transactions."""
    monkeypatch.setattr(building, "PAGE_ROWS", PAGE)
    monkeypatch.setattr(dropping, "CLEARED_ROWS", 9)


@pytest.fixture
def filled() -> MemoryStore:
    """Statements that were stored before there was an index, one of them longer than a value."""
    memory = MemoryStore()
    Store(MemoryEngine(memory)).put_items([*statements(range(COUNT)), statement(COUNT, times=5000)])
    return memory


# One after the other


def test_index_is_added_and_dropped(filled: MemoryStore) -> None:
    """Built, it holds what the statements call for; built again, nothing happens; dropped, nothing of it is left."""
    store = copy_of(filled)
    assert (state(store), entries(store)) == ("disabled", {})
    assert build(store)
    require_complete(store)
    before = store.engine
    assert not build(store)
    store.put_items(statements(range(COUNT, 2 * COUNT)))
    require_complete(store)
    assert drop(store) == len(called_for(store))
    assert (state(store), entries(store), drop(store)) == ("disabled", {}, 0)
    store.put_items(statements(range(2 * COUNT, 3 * COUNT)))
    assert entries(store) == {}
    assert build(store)
    require_complete(store)
    assert store.engine is before


def test_index_of_a_store_in_which_nothing_is_stored_is_kept_from_the_first(tmp_path: Path) -> None:
    """Also where there is no header yet."""
    store = Store(fake_engine(tmp_path))
    assert build(store)
    store.put_items(statements(range(3)))
    require_complete(store)


def test_a_statement_is_indexed_under_so_many_entities_at_most() -> None:
    """Its entries fit into a transaction beside it, whoever made it and whatever it mentions; a writer and the indexer agree."""
    store = Store(MemoryEngine())
    store.put_items([statement(0, *(f"name {n:04} {'long ' * 30}" for n in range(3000)))])
    build(store)
    assert len(entries(store)) == 1000
    store.put_items([statement(1, *(f"name {n:04} {'long ' * 30}" for n in range(3000)))])
    assert len(entries(store)) == 2000
    require_complete(store)


@pytest.mark.parametrize("name", ["term", "party", ""])
def test_index_that_is_no_optional_one_is_refused(filled: MemoryStore, name: str) -> None:
    """Required and unknown ones; nothing is written."""
    store = copy_of(filled)
    with pytest.raises(UsageError):
        build_index(store, name, clock)
    with pytest.raises(UsageError):
        drop_index(store, name)
    assert state(store) == "disabled"


def test_indexing_a_damaged_record_stops_and_says_which(filled: MemoryStore) -> None:
    """The index stays write only: it would not be whole. With the record back it is built on."""
    store = copy_of(filled)
    (key, value), *_ = list(next(store.pages(*store.keys.bounds("extractions"))))[10:]
    store.engine.run(lambda transaction: transaction.set(key, value[:-1] + bytes((value[-1] ^ 1,))))
    with pytest.raises(Corrupt, match="cannot be indexed"):
        build(store)
    assert state(store) == "write only"
    store.engine.run(lambda transaction: transaction.set(key, value))
    build(store)
    require_complete(store)


# Killed


def test_building_that_is_killed_goes_on_where_it_was(filled: MemoryStore) -> None:
    """Before each of its transactions, with a writer after the kill that keeps the index wherever it was added already."""
    killed = 0
    for at in range(1, 100):
        memory = MemoryStore()
        memory.state = filled.state
        if not killed_at(memory, build, at):
            break
        killed += 1
        store = Store(MemoryEngine(memory))
        assert state(store) == ("disabled" if at == 1 else "write only")
        assert store.scan_optional("entity", "acme inc") is None
        store.put_items(statements(range(COUNT, COUNT + 3)))
        done = next(status for status in index_statuses(store) if status.name == "entity").records
        told: list[int] = []
        assert build_index(store, "entity", clock, progress=lambda stage, n, total: told.append(n))  # noqa: B023
        assert min(told, default=COUNT + 1) > done, "it began from the first statement"
        assert done == PAGE * max(0, at - 2)
        require_complete(store)
    assert killed >= 10


def test_drop_that_is_killed_leaves_what_the_next_one_clears(filled: MemoryStore) -> None:
    """Nobody reads what is left; a building begins without it, and so does a sweep end it."""
    whole = copy_of(filled)
    build(whole)
    killed = 0
    for at in range(1, 100):
        memory = MemoryStore()
        memory.state = whole.engine._store.state  # type: ignore[attr-defined]
        if not killed_at(memory, drop, at):
            break
        killed += 1
        store = Store(MemoryEngine(memory))
        assert state(store) == ("readable" if at == 1 else "disabled")
        store.put_items(statements(range(COUNT, COUNT + 3)))
        if at % 2:
            if at > 1:  # a release that has never heard of the index sweeps an item
                store.remove("extractions", *place_of("extractions", statement(COUNT - 1)))
            build(store)
            require_complete(store)
        else:
            drop(store)
            assert entries(store) == {}
    assert killed >= 8


def test_transactions_of_the_indexer_that_run_twice_change_nothing(filled: MemoryStore) -> None:
    """As after a commit whose result is unknown: the same rows to the last byte."""
    once, twice = copy_of(filled), MemoryStore()
    twice.state = filled.state
    again = Store(MemoryEngine(twice, rerun=True))
    for store in (once, again):
        build_index(store, "entity", clock, new_build=lambda: "b")
        store.put_items(statements(range(COUNT, COUNT + 9)))
    require_complete(again)
    assert once.engine._store.state.values == twice.state.values  # type: ignore[attr-defined]
    drop(again)
    assert entries(again) == {}


# Beside each other, on a cluster that tells conflicts


@pytest.fixture
def places(tmp_path: Path) -> Iterator[Callable[[FakeCluster], Engine]]:
    """Opens engines on a cluster, each as of a process of its own."""
    opened: list[Engine] = []

    def of(cluster: FakeCluster) -> Engine:
        folder = tmp_path / str(len(opened))
        folder.mkdir()
        opened.append(fake_engine(folder, cluster))
        return opened[-1]

    yield of
    for engine in opened:
        engine.close()


def _again(store: Store) -> None:
    drop(store)
    build(store)


def _begin(store: Store) -> None:
    """Make it write only, and no more."""
    killed = Meddled(store.engine)

    class Stop(Exception):  # noqa: N818 - no error of the program
        pass

    def stop(stage: str, done: int, total: int) -> None:
        if entries(store):  # which items come first hangs on their ids
            raise Stop

    with suppress(Stop):
        build_index(Store(killed), "entity", clock, progress=stop)


def _drop_and_begin(store: Store) -> None:
    drop(store)
    _begin(store)


BESIDE_WRITER: dict[str, tuple[bool, Step]] = {
    "built": (False, build),
    "begun": (False, _begin),
    "dropped": (True, drop),
    "built anew": (True, _again),
}
"""By what happens: whether the index was there before, and what is done."""


@pytest.mark.parametrize("what", BESIDE_WRITER)
def test_writer_misses_no_entry_whatever_becomes_of_the_index_meanwhile(
    what: str, places: Callable[[FakeCluster], Engine]
) -> None:
    """After the body of each of its transactions, and before the commit: then the header is another, and the body runs again."""
    there, meddle = BESIDE_WRITER[what]
    for at in range(1, 6):
        cluster = FakeCluster()
        other = Store(places(cluster))
        other.put_items(statements(range(COUNT)))
        if there:
            build(other)
        engine = Meddled(places(cluster), at, lambda other=other: meddle(other))  # type: ignore[misc]
        writer = Store(engine)
        for number in range(COUNT, COUNT + 5):
            assert writer.put_items([statement(number), statement(0)]) == (1, 1)
        assert engine.meddled
        if what == "dropped":
            assert (state(other), entries(other)) == ("disabled", {})
        build(other)
        assert len(called_for(other)) == 2 * (COUNT + 5)
        require_complete(other)


def _write(store: Store) -> None:
    store.put_items(statements(range(COUNT, COUNT + 10)))


def _remove(store: Store) -> None:
    for number in range(0, COUNT, 3):
        remove(store, statement(number))


BESIDE_BUILDER: dict[str, Step] = {
    "written": _write,
    "removed": _remove,
    "built": build,
    "dropped": drop,
    "built anew": _again,
    "dropped and begun": _drop_and_begin,
}


@pytest.mark.parametrize("what", BESIDE_BUILDER)
@pytest.mark.parametrize("storm", [(), (Fault(1020), Fault(1021, applied=True))], ids=["quiet", "storm"])
def test_building_is_whole_whatever_happens_beside_it(
    what: str, storm: tuple[Fault, ...], places: Callable[[FakeCluster], Engine]
) -> None:
    """In each of its transactions; where the index was dropped beneath it, it says so, and the next building is whole."""
    for at in range(1, 13):
        cluster = FakeCluster()
        other = Store(places(cluster))
        other.put_items(statements(range(COUNT)))
        cluster.each = storm
        engine = Meddled(places(cluster), at, lambda other=other: BESIDE_BUILDER[what](other))  # type: ignore[misc]
        try:
            build(Store(engine))
            refused = ""
        except Conflict as conflict:
            refused = conflict.message
        assert engine.meddled or engine.runs < at
        assert refused in ("", "the index was dropped while it was built")
        assert not refused or what in ("dropped", "built anew", "dropped and begun")
        if what != "dropped" and refused:
            assert state(other) == ("readable" if what == "built anew" else "write only")
        build(other)
        require_complete(other)


def test_builder_that_slept_while_its_index_was_built_anew_writes_nothing_more(
    places: Callable[[FakeCluster], Engine],
) -> None:
    """Its pages would skip those that the new building has not read yet."""
    cluster = FakeCluster()
    other = Store(places(cluster))
    other.put_items(statements(range(COUNT)))
    engine = Meddled(places(cluster), 4, lambda: _drop_and_begin(other))
    with pytest.raises(Conflict, match="dropped while it was built"):
        build(Store(engine))
    (status,) = [each for each in index_statuses(other) if each.name == "entity"]
    assert (status.state, status.records) == ("write only", PAGE)
    build(other)
    require_complete(other)


def test_builder_that_is_overtaken_goes_on_where_the_other_is(places: Callable[[FakeCluster], Engine]) -> None:
    """Its late page moves the progress not back, and is not counted again."""
    cluster = FakeCluster()
    other = Store(places(cluster))
    other.put_items(statements(range(COUNT)))
    told: list[int] = []

    def records() -> int:
        return next(status.records for status in index_statuses(other) if status.name == "entity")

    def overtake() -> None:
        with suppress(CrashError):
            build(Store(Killed(other.engine, 4)))
        told.append(records())

    engine = Meddled(places(cluster), 3, overtake)
    build_index(Store(engine), "entity", clock, progress=lambda stage, done, total: told.append(records()))
    assert engine.meddled
    assert told[:3] == [PAGE, 4 * PAGE, 4 * PAGE]
    assert told == sorted(told)
    require_complete(other)


def test_drop_that_is_overtaken_by_a_building_clears_nothing_of_it(places: Callable[[FakeCluster], Engine]) -> None:
    """Whichever of its transactions that is in; it says that the index was added again."""
    overtaken = 0
    for at in range(2, 6):
        cluster = FakeCluster()
        other = Store(places(cluster))
        other.put_items(statements(range(COUNT)))
        build(other)
        engine = Meddled(places(cluster), at, lambda other=other: build(other))  # type: ignore[misc]
        with pytest.raises(Conflict, match="added again"):
            drop(Store(engine))
        overtaken += engine.meddled
        require_complete(other)
    assert overtaken == 4


def test_two_builders_share_the_work(places: Callable[[FakeCluster], Engine]) -> None:
    """Both end with the readable index, however their pages fall together."""
    cluster = FakeCluster()
    stores = [Store(places(cluster)) for _ in range(3)]
    stores[0].put_items(statements(range(8 * COUNT)))
    threads = [threading.Thread(target=build, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    require_complete(stores[0])


def test_reader_whose_index_is_dropped_between_two_pages_reads_the_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is never given a part; likewise where the index was built anew meanwhile."""
    monkeypatch.setattr("coditect.store.store.PAGE_ROWS", 5)
    memory = MemoryStore()
    other = Store(MemoryEngine(memory))
    other.put_items(statements(range(COUNT)))
    for meddle in (drop, _again):
        build(other)
        found = other.scan_optional("entity", "acme inc")
        assert found is not None
        assert len(found) == COUNT
        reads = [0]
        engine = MemoryEngine(memory)
        read = engine.read

        def counted(fn, read=read, reads=reads, meddle=meddle):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            reads[0] += 1
            if reads[0] == 4:
                meddle(other)
            return read(fn)

        store = Store(engine)
        engine.read = counted  # type: ignore[method-assign]
        assert store.scan_optional("entity", "acme inc") is None
        assert reads[0] == 4


# Corpora


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> MemoryStore:
    """Two generations without the index."""
    memory = MemoryStore()
    store = Store(MemoryEngine(memory))
    folder = folder_of(tmp_path_factory.mktemp("documents"), DOCUMENTS)
    ingest_all(store, folder)
    build_all(store)
    folder_of(folder, {"access.md": DOCUMENTS["access.md"].replace("The security team", "The board")})
    ingest_all(store, folder)
    build_all(store)
    return memory


def test_validation_counts_on_a_readable_index_alone(corpus: MemoryStore) -> None:
    """An entry that is missing is a finding only there; one that is wrong, where the index is being built, too."""
    store = copy_of(corpus)
    with suppress(Conflict):
        _begin(store)
    assert state(store) == "write only"
    assert validate(store, CORPUS).findings == ()
    (key, value), *_ = entries(store).items()
    store.engine.run(lambda transaction: transaction.set(key, seal(store.keys.relative(key), b"bogus")))
    (found,) = validate(store, CORPUS).findings
    assert (found.check, "idx/entity" in found.record) == ("index", True)
    store.engine.run(lambda transaction: transaction.clear(key))
    assert validate(store, CORPUS).findings == ()
    build(store)
    store.engine.run(lambda transaction: transaction.clear(key))
    (found,) = validate(store, CORPUS).findings
    assert (found.check, "calls for it" in found.message) == ("index", True)
    store.engine.run(lambda transaction: transaction.set(key, value))
    report = validate(store, CORPUS)
    assert (report.findings, report.checked["idx/entity"]) == ((), len(entries(store)))


def test_what_is_left_of_a_disabled_index_is_dead_and_no_finding(corpus: MemoryStore) -> None:
    """Whatever it says: validation counts it, and a sweep removes it."""
    memory = MemoryStore()
    memory.state = corpus.state
    build(Store(MemoryEngine(memory)))
    assert killed_at(memory, drop, 2)
    store = Store(MemoryEngine(memory))
    left = entries(store)
    key = next(iter(left))
    store.engine.run(lambda transaction: transaction.set(key, b"anything"))
    (status,) = [each for each in index_statuses(store) if each.name == "entity"]
    assert (status.state, status.leftovers) == ("disabled", True)
    report = validate(store, CORPUS)
    assert (report.findings, report.checked["idx/entity (dead)"]) == ((), len(left))
    (dry,) = sweep(store).corpora
    assert dry.dead["idx/entity"].rows == len(left)
    (swept,) = sweep(store, apply=True).corpora
    assert (swept.removed["idx/entity"].rows, entries(store)) == (len(left), {})
    assert validate(store, CORPUS).findings == ()


@pytest.mark.parametrize("before", ["readable", "write only"])
def test_sweep_removes_entries_with_their_items(corpus: MemoryStore, before: str, tmp_path: Path) -> None:
    """Of a document that was replaced before a build took it in, and of a step that a killed build had finished."""
    store = copy_of(corpus)
    if before == "readable":
        build(store)
    else:
        _begin(store)
    store.put_items(_of_corpus(statements(range(5))))
    assert any(b"acme inc" in key for key in entries(store))
    (swept,) = sweep(store, apply=True).corpora
    assert swept.state == "swept"
    assert swept.removed["idx/entity"].rows == 10
    assert not any(b"acme inc" in key for key in entries(store))
    build(store)
    require_complete(store)
    assert validate(store, CORPUS).findings == ()


@pytest.mark.parametrize("jobs", [1, 2])
def test_build_enters_items_that_waited_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    """The rows of a long document wait on disk until all of it was derived, and with them what they enter in the index."""
    monkeypatch.setattr(spool, "HELD_ITEMS", 2)
    monkeypatch.setattr(derivation, "PARALLEL_FROM_BYTES", 0)
    with closing(LmdbEngine(tmp_path / "store", durable=False)) as engine:
        store = Store(engine)
        ingest_all(store, folder_of(tmp_path / "documents", DOCUMENTS))
        build(store)
        build_all(store, jobs=jobs)
        require_complete(store)
        assert validate(store, CORPUS).findings == ()


@pytest.mark.parametrize("before", ["readable", "write only"])
def test_killed_sweep_leaves_no_entry_without_its_item(corpus: MemoryStore, before: str) -> None:
    """At each of its transactions; the next sweep ends it."""
    memory = MemoryStore()
    memory.state = corpus.state
    store = Store(MemoryEngine(memory))
    if before == "readable":
        build(store)
    else:
        _begin(store)
    store.put_items(_of_corpus(statements(range(5))))
    filled = memory.state
    for at in range(1, 20):
        memory.state = filled
        swept = not killed_at(memory, lambda each: sweep(each, apply=True, registrar=DEAD), at)
        assert validate(store, CORPUS).findings == ()
        if swept:
            break
    assert swept
    assert at > 2


def _of_corpus(items: list[Extraction]) -> list[Extraction]:
    """The same statements, of the corpus under test."""
    return [
        type(item).create(
            **{**item.model_dump(exclude={"extraction_id"}), "corpus_id": CORPUS, "entities": item.entities}
        )
        for item in items
    ]


def test_import_writes_the_entries_of_the_index_that_the_store_has(corpus: MemoryStore) -> None:
    """The archive holds none; the index is added before each of some of its transactions, and dropped before others."""
    archive = io.BytesIO()
    source = copy_of(corpus)
    build(source)
    export_corpus(source, CORPUS, archive)
    assert b"idx/" not in archive.getvalue()
    counted = Meddled(MemoryEngine())
    import_archive(Store(counted), open_archive(io.BytesIO(archive.getvalue())))
    assert counted.runs > 4
    for at in (1, 2, 3, counted.runs // 2, counted.runs - 1, counted.runs):
        for there in (False, True):
            memory = MemoryStore()
            store = Store(MemoryEngine(memory))
            if there:
                build(store)
            import_archive(
                Store(_Before(memory, at, drop if there else build)), open_archive(io.BytesIO(archive.getvalue()))
            )
            assert validate(store, CORPUS).findings == ()
            assert state(store) == ("disabled" if there else "readable")
            if not there:
                require_complete(store)
                assert entries(store) == entries(source)


class _Before(Meddled):
    """Something happens before the n-th transaction."""

    def __init__(self, memory: MemoryStore, at: int, step: Step) -> None:
        super().__init__(MemoryEngine(memory))
        self._memory = memory
        self._moment = at
        self._step = step

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """After it."""
        if self.runs + 1 == self._moment:
            self._step(Store(MemoryEngine(self._memory)))
        return super().run(fn)


# Threads and processes

PROGRAM = """
import sys
from pathlib import Path

from coditect.integrity.indexing import building
from coditect.integrity.indexing.building import build_index
from coditect.store.store import Store
from tests.corpora import clock
from tests.killed_programs import tell_steps
from tests.places import open_at

building.PAGE_ROWS = 10
engine = open_at(Path(sys.argv[1]))
print("ready", flush=True)
tell_steps(engine)
build_index(Store(engine), "entity", clock)
print("done", flush=True)
"""


@lmdb_only("processes that share a file, killed")
def test_readers_and_writers_go_on_while_an_index_is_built_killed_dropped_and_built(
    tmp_path: Path, corpus: MemoryStore
) -> None:
    """Two threads write and one asks, throughout; a process that builds is killed again and again; every answer is the same."""
    place = tmp_path / "store"
    program = Program.written(tmp_path / "build.py", PROGRAM)
    with closing(LmdbEngine(place)) as engine:
        for page in copy_of(corpus).pages(b"", b"\xff"):
            put_rows(engine, list(page))
        store = Store(engine)
        store.put_items(statements(range(800)))
        view = open_view(store, CORPUS)
        wanted = [each.extraction_id for each in LiveIndex(view).mentioning("security team").found]
        assert wanted
        ended = threading.Event()
        wrong: list[object] = []
        written = [0, 0]
        ways: set[str] = set()

        def write(which: int) -> None:
            own = Store(engine)
            while not ended.wait(0.02):
                own.put_items([statement(10_000 * (which + 1) + written[which])])
                written[which] += 1

        def read() -> None:
            while not ended.wait(0.05):
                mentions = LiveIndex(view).mentioning("security team")
                ways.add(mentions.way)
                if [each.extraction_id for each in mentions.found] != wanted:
                    wrong.append(mentions)

        threads = [
            threading.Thread(target=write, args=(0,)),
            threading.Thread(target=write, args=(1,)),
            threading.Thread(target=read),
        ]
        for thread in threads:
            thread.start()
        try:
            moments = (1, 3, 6, 8, 2, 4, 2, 5, 3, 1)[: times(10, least=5)]
            killed = sum(program.killed(steps, 0.001, place) for steps in moments)
            build(store)
            require_kept(store)
            until = time.monotonic() + PATIENCE_S
            while "index" not in ways and time.monotonic() < until:  # the reader looks now and then
                time.sleep(0.01)
            drop(store)
            _begin(store)
            assert program.killed(1, 0.0, place)
            drop(store)
            build(store)
        finally:
            ended.set()
            for thread in threads:
                thread.join()
        assert not wrong
        assert killed >= len(moments) - 2
        assert min(written) > 3
        assert ways == {"index", "scan"}
        require_complete(store)


def require_kept(store: Store) -> None:
    """Readable, and at least what was called for a moment ago is there.

    Raises:
        AssertionError: it is not.
    """
    wanted = called_for(store)
    there = entries(store)
    if state(store) != "readable" or not wanted.items() <= there.items():
        raise AssertionError(f"{state(store)}, {len(there)} entries, {len(wanted)} are called for")
