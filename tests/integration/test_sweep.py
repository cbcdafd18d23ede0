"""Sweeps: nothing that something refers to is gone, nothing that nothing refers to stays, whoever else is at work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from coditect.engine.port import Transaction
from coditect.errors import Conflict, NotFound
from coditect.integrity.sweeping import removal
from coditect.integrity.sweeping.claim import SweepClaim
from coditect.integrity.sweeping.id_set import IdSet
from coditect.integrity.sweeping.sweep import sweep
from coditect.integrity.validate import validate
from coditect.keyspace import seal
from coditect.knowledge.building.stepwise import store_chunk, store_extraction
from coditect.knowledge.derivation import corpus as derivation
from coditect.models.port import ModelCard
from coditect.schemas import Derivation, DocumentVersion, Intake, SweepReport
from coditect.store import blobs, items
from coditect.store.blobs import put_rows
from coditect.store.embedded.vectors import VectorStore
from coditect.store.intake import documents as taken_in
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.testing.fake_fdb.client import FakeCluster, Fault
from tests.corpora import CORPUS, DOCUMENTS, answer_all, build_all, copy_of, folder_of, ingest_all, review_all
from tests.fdb_clusters import fake_engine
from tests.integration.archives import Watched, content, history_memory
from tests.integration.processes import check_whole
from tests.integration.sweeps import DEAD, Killed, everything_of, killed_at

T = TypeVar("T")

CHANGED = {**DOCUMENTS, "access.md": DOCUMENTS["access.md"].replace("90 days", "60 days")}
CHANGED_AGAIN = {name: f"{text}\nThe clerk of {name} shall sign.\n" for name, text in DOCUMENTS.items()}


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many transactions, so that there are many moments between them."""
    monkeypatch.setattr(items, "TRANSACTION_BYTES", 8_000)
    monkeypatch.setattr(blobs, "TRANSACTION_BYTES", 8_000)
    monkeypatch.setattr(derivation, "FLUSH_ITEMS", 5)
    monkeypatch.setattr(taken_in, "FLUSH_BYTES", 500)
    monkeypatch.setattr(removal, "BATCH_ROWS", 3)


def _store(memory: MemoryStore) -> Store:
    return Store(MemoryEngine(memory))


def _swept(store: Store) -> SweepReport:
    report = sweep(store, apply=True, registrar=DEAD)
    assert [corpus.state for corpus in report.corpora] == ["swept"], report.corpora[0].reason
    assert report.corpora[0].removed == report.corpora[0].dead
    return report


def _without_feed(store: Store) -> dict[bytes, bytes]:
    """Every row but events, and registrations of the dead, which a sweep clears and nobody else."""
    begin, end = map(store.keys.relative, store.keys.bounds("work"))
    return {key: value for key, value in content(store).items() if not (key.startswith(b"feed") or begin <= key < end)}


def _dead_rows(store: Store) -> dict[str, int]:
    return {table: count.rows for table, count in sweep(store, CORPUS).corpora[0].dead.items()}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three states of a folder: "1", "2" and "3"."""
    base = tmp_path_factory.mktemp("files")
    for name, documents in (("1", DOCUMENTS), ("2", CHANGED), ("3", CHANGED_AGAIN)):
        folder_of(base / name, documents)
    return base


@pytest.fixture(scope="module")
def two_generations(files: Path) -> MemoryStore:
    """Two generations, answers, reviews and marks, and a document that waits for the next build. Copy it."""
    memory = MemoryStore()
    store = _store(memory)
    for name in ("1", "2"):
        ingest_all(store, files / name)
        build_all(store)
    answer_all(store)
    review_all(store)
    ingest_all(store, files / "3")
    return memory


def _again(memory: MemoryStore) -> MemoryStore:
    """Another store with the same rows."""
    copied = MemoryStore()
    copied.state = memory.state
    return copied


# What is live


@pytest.mark.parametrize("which", ["history", "two generations"])
def test_sweep_removes_nothing_of_a_store_without_orphans(which: str, two_generations: MemoryStore) -> None:
    """All generations, withdrawn and pending documents, failures, answers, reviews, marks: every row stays."""
    store = copy_of(history_memory() if which == "history" else two_generations)
    before = content(store)
    report = _swept(store)
    assert content(store) == before
    assert report.corpora[0].dead == {}
    assert sum(count.rows for count in report.corpora[0].live.values()) == len(before)
    assert report.live_bytes > 10_000
    assert report.dead_bytes == 0


def test_sweep_removes_a_version_that_no_build_took_in(two_generations: MemoryStore, files: Path) -> None:
    """Pending documents change back: the versions between are dead, with file, text and layout."""
    store = copy_of(two_generations)
    before = content(store)
    ingest_all(store, files / "2")
    dead = _dead_rows(store)
    assert dead["documents"] == 4
    assert dead["blobs"] > 8
    assert _swept(store).dead_bytes > 0
    after = content(store)
    assert set(after) < set(before) | {b"feed%d" % n for n in range(20)}
    assert len(before) - len(after) > 11
    assert validate(store, CORPUS).findings == ()
    for number in (1, 2):
        check_whole(open_view(store, CORPUS, number))


def test_dry_run_writes_nothing_and_says_what_would_go(two_generations: MemoryStore, files: Path) -> None:
    """It counts the very rows that a sweep removes."""
    store = copy_of(two_generations)
    ingest_all(store, files / "2")
    watched = Watched(store.engine, lambda: None)
    report = sweep(Store(watched))
    assert watched.runs == 0
    assert not report.applied
    assert [corpus.state for corpus in report.corpora] == ["found"]
    assert _swept(store).corpora[0].removed == report.corpora[0].dead


def test_sweep_keeps_what_a_program_stored_step_by_step(two_generations: MemoryStore) -> None:
    """Only that program knows whether it is going to publish it, also after the document was changed and not built."""
    store = copy_of(two_generations)
    record = next(each for _, each in store.scan("intake", Intake, CORPUS) if each.name == "access.md")
    version = store.get("documents", DocumentVersion, CORPUS, record.document_id, record.version_id)
    assert version is not None
    text = store.get_blob(CORPUS, version.text_sha256, version.text_bytes).decode()
    at = text.index("Employees shall not share")
    quote = text[at : text.index(".", at) + 1]
    own = store_extraction(store, CORPUS, record.document_id, {}, quote, (at, at + len(quote)), 0.9)
    store_chunk(store, CORPUS, record.document_id, [own], "textrank")
    before = content(store)
    store.remove("intake", CORPUS, record.document_id)  # a tree of the first generations still needs it: put back below
    store.put("intake", record, CORPUS, record.document_id)
    _swept(store)
    assert content(store) == before


def test_sweep_keeps_vectors_of_live_derivations_only(two_generations: MemoryStore) -> None:
    """Whatever model they are of; those of a derivation that is dead, or gone, are dead."""
    store = copy_of(two_generations)
    card = ModelCard(model_id="model-of-tests", dimension=2)
    vectors = VectorStore(store, CORPUS, card, "recipe")
    source = next(each for _, each in store.scan("derivations", Derivation, CORPUS) if each.stage == "extractions")
    rows = np.ones((len(source.outputs), 2), dtype=np.float32)
    vectors.put(source, list(source.outputs), rows)
    before = content(store)
    orphan = Derivation.create(CORPUS, "extractions", ("version_gone",), "rules", {}, "of tests")
    vectors.put(orphan, [], np.full((0, 2), 2.0, dtype=np.float32))
    _swept(store)
    assert content(store) == before


def test_sweep_removes_long_records_with_the_blobs_that_hold_them(two_generations: MemoryStore) -> None:
    """A record of several values goes with all of them."""
    store = copy_of(two_generations)
    before = content(store)
    outputs = tuple(f"extraction_{n:040}" for n in range(10_000))
    store.put_derivations([Derivation.create(CORPUS, "extractions", ("gone",), "rules", {}, "of tests", outputs)])
    assert _dead_rows(store) == {"derivations": 1, "blobs": 6}
    _swept(store)
    assert content(store) == before


def test_sweep_removes_index_entries_without_their_records(two_generations: MemoryStore) -> None:
    """And keeps those of answers, which are the only trace of an answer that was lost."""
    store = copy_of(two_generations)
    before = content(store)
    keys = [
        store.keys.key("idx/term", "definition:gone", CORPUS, "document_gone", f"extraction_{40 * 'a'}"),
        store.keys.key("idx/topic", "gone", CORPUS, f"section_{40 * 'b'}"),
        store.keys.key("idx/locator", 12 * "a", CORPUS, "document_gone"),
    ]
    put_rows(store.engine, [(key, seal(store.keys.relative(key), b"")) for key in keys])
    answer = store.keys.key("idx/answer", 64 * "a", CORPUS)
    kept = (answer, seal(store.keys.relative(answer), b""))
    put_rows(store.engine, [kept])
    assert _dead_rows(store) == {"idx/term": 1, "idx/topic": 1, "idx/locator": 1}
    _swept(store)
    assert content(store) == {**before, store.keys.relative(answer): kept[1]}


def test_sweep_of_one_corpus_leaves_the_others(two_generations: MemoryStore, files: Path) -> None:
    """Ids of corpora are names: one that begins like another is another."""
    store = copy_of(two_generations)
    ingest_all(store, files / "1", corpus="policies-2")
    ingest_all(store, files / "2", corpus="policies-2")
    ingest_all(store, files / "2")
    assert _dead_rows(store)
    sweep(store, CORPUS, apply=True, registrar=DEAD)
    assert _dead_rows(store) == {}
    assert [bool(corpus.dead) for corpus in sweep(store).corpora] == [False, True]
    with pytest.raises(NotFound):
        sweep(store, "unknown")


# Damage


@pytest.mark.parametrize(
    "table", ["corpus", "generations", "manifests", "trees", "derivations", "summaries", "documents"]
)
@pytest.mark.parametrize("harm", ["changed", "lost"])
def test_sweep_leaves_a_damaged_corpus_alone(two_generations: MemoryStore, files: Path, table: str, harm: str) -> None:
    """Nobody knows what a row referred to that cannot be read: nothing at all is removed."""
    if (table, harm) == ("corpus", "lost"):
        pytest.skip("a corpus without its record is not seen")
    store = copy_of(two_generations)
    ingest_all(store, files / "2")
    begin, end = store.keys.bounds(table)
    dead = {key for key, _ in _raw(store, "documents") if _swept_keys(store, key)}
    key, value = next((key, value) for page in store.pages(begin, end) for key, value in page if key not in dead)
    if harm == "changed":
        put_rows(store.engine, [(key, value[:-1] + bytes((value[-1] ^ 1,)))])
    else:
        store.update(lambda transaction: transaction.clear(key))
    before = content(store)
    if table == "corpus":
        with pytest.raises(Exception, match="checksum"):
            sweep(store, apply=True, registrar=DEAD)
    else:
        assert [corpus.state for corpus in sweep(store).corpora] == ["damaged"]
        assert [corpus.state for corpus in sweep(store, apply=True, registrar=DEAD).corpora] == ["damaged"]
    assert content(store) == before


def _raw(store: Store, table: str) -> Iterator[tuple[bytes, bytes]]:
    for page in store.pages(*store.keys.bounds(table)):
        yield from page


def _swept_keys(store: Store, key: bytes) -> bool:
    """Whether a sweep of a copy removes a row."""
    swept = MemoryStore()
    copied = _store(swept)
    put_rows(copied.engine, [row for page in store.pages(*store.keys.space) for row in page])
    sweep(copied, apply=True, registrar=DEAD)
    return copied.engine.read(lambda transaction: transaction.get(key)) is None


# Kills


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("what", ["ingest", "build"])
def test_sweep_after_a_kill_leaves_what_was_there_before(two_generations: MemoryStore, files: Path, what: str) -> None:
    """At every few moments: all generations are whole, what is left is live, and the same work ends as an undisturbed one."""
    start = _again(two_generations)
    if what == "ingest":
        ingest_all(_store(start), files / "2")
        _swept(_store(start))
        steps: Callable[[Store], object] = lambda store: ingest_all(store, files / "3")  # noqa: E731
    else:
        steps = build_all
    undisturbed = _again(start)
    steps(_store(undisturbed))
    _swept(_store(undisturbed))
    before = _without_feed(_store(start))
    lost = 0
    for at in range(1, 400, 3):
        memory = _again(start)
        if not killed_at(memory, steps, at):
            break
        store = _store(memory)
        swept = _swept(store)
        lost += bool(swept.dead_bytes)
        if what == "build" and store.corpus(CORPUS).generation == 2:  # else it was killed when it was done
            assert _without_feed(store) == before, at
        if at % 4 == 0:
            assert validate(store, CORPUS).findings == ()
            steps(store)
            _swept(store)
            assert _without_feed(store).keys() == _without_feed(_store(undisturbed)).keys(), at
    assert lost > 3, "too few kills left anything"


@pytest.mark.usefixtures("small_batches")
def test_killed_sweep_leaves_a_whole_store_and_is_ended_by_the_next(two_generations: MemoryStore, files: Path) -> None:
    """Before each of its transactions: validation finds nothing, and the next sweep ends where an undisturbed one does."""
    start = _orphans(two_generations)
    clean = _again(start)
    _swept(_store(clean))
    wanted = content(_store(clean))
    for at in range(1, 400):
        memory = _again(start)
        if not killed_at(memory, lambda store: sweep(store, apply=True, registrar=DEAD), at):
            break
        store = _store(memory)
        if at % 10 == 0:
            assert validate(store, CORPUS).findings == (), at
            built = copy_of(memory)
            build_all(built)
            assert validate(built, CORPUS).findings == (), at
        _swept(store)
        assert content(store) == wanted, at
    assert at > 25, "too few transactions to mean anything"


def _orphans(two_generations: MemoryStore) -> MemoryStore:
    """Two generations, and all that a third build wrote that was killed before it published."""
    whole = Killed(MemoryEngine(_again(two_generations)), 10_000)
    build_all(Store(whole))
    memory = _again(two_generations)
    assert killed_at(memory, build_all, whole.runs - 1)
    claim = SweepClaim(_store(memory), CORPUS, DEAD)  # its registration, too, is gone
    claim.take()
    claim.release()
    return memory


# Beside others


@pytest.mark.usefixtures("small_batches")
def test_sweep_in_the_middle_of_a_build_leaves_it_alone(two_generations: MemoryStore) -> None:
    """Between any two of its transactions: the corpus is not swept, and the build is the undisturbed one."""
    plain = copy_of(two_generations)
    wanted = build_all(plain).build_id
    states: list[str] = []
    for at in range(1, 400, 6):
        memory = _again(two_generations)
        other = _store(memory)
        before = len(states)
        store = Store(Watched(MemoryEngine(memory), lambda o=other: states.append(_state(o)), run=at))  # type: ignore[misc]
        assert build_all(store).build_id == wanted
        if len(states) == before:
            break
        assert _without_feed(other).keys() == _without_feed(plain).keys()
    assert states[0] == "swept", "before the build registers"
    assert set(states[1:]) == {"at work"}
    assert len(states) > 3


def _state(store: Store) -> str:
    (corpus,) = sweep(store, apply=True).corpora
    assert (corpus.state == "at work") == ("build" in corpus.reason)
    return corpus.state


@pytest.mark.usefixtures("small_batches")
def test_build_in_the_middle_of_a_sweep_stops_it(two_generations: MemoryStore) -> None:
    """Between any two of its transactions a whole build runs, which finds orphans and uses them: it is whole afterwards."""
    plain = copy_of(two_generations)
    wanted = build_all(plain).build_id
    stopped = 0
    start = _orphans(two_generations)
    for at in range(2, 400, 4):
        memory = _again(start)
        store = _store(memory)
        built: list[str] = []
        watched = Watched(MemoryEngine(memory), lambda s=store, b=built: b.append(build_all(s).build_id), run=at)  # type: ignore[misc]
        (corpus,) = sweep(Store(watched), apply=True, registrar=DEAD).corpora
        if not built:
            break
        assert built == [wanted]
        stopped += corpus.state == "at work"
        assert validate(store, CORPUS).findings == (), at
        assert _without_feed(store).keys() == _without_feed(plain).keys(), at
    assert stopped > 3


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("what", ["ingest", "build"])
def test_work_that_a_sweep_took_for_dead_ends_with_conflict(
    two_generations: MemoryStore, files: Path, what: str
) -> None:
    """A sleeper's rows are swept between any two of its transactions: it publishes nothing, and the next run is whole."""
    start = _again(two_generations)
    step: Callable[[Store], object] = build_all
    if what == "ingest":
        ingest_all(_store(start), files / "2")
        step = lambda store: ingest_all(store, files / "3")  # noqa: E731
    ended = 0
    for at in range(3, 400, 5):
        memory = _again(start)
        other = _store(memory)
        slept: list[SweepReport] = []
        store = Store(Watched(MemoryEngine(memory), lambda o=other, s=slept: s.append(_swept(o)), run=at))  # type: ignore[misc]
        with suppress(Conflict):
            step(store)
            ended -= 1
        ended += 1
        if not slept:
            break
        assert validate(other, CORPUS).findings == (), at
        step(other)
        assert validate(other, CORPUS).findings == (), at
        build_all(other)
        check_whole(open_view(other, CORPUS))
    assert ended > 2


@pytest.mark.usefixtures("small_batches")
def test_sweep_stops_where_it_is_told_of_work_before_it_reads(two_generations: MemoryStore) -> None:
    """A sweep that was killed, and one that another takes the place of, end without harm as well."""
    start = _orphans(two_generations)
    memory = _again(start)
    other = _store(memory)
    watched = Watched(MemoryEngine(memory), lambda: _swept(other), run=6)
    (corpus,) = sweep(Store(watched), apply=True, registrar=DEAD).corpora
    assert corpus.state == "at work"
    assert _dead_rows(other) == {}
    assert validate(other, CORPUS).findings == ()


def test_reader_of_an_old_generation_is_not_disturbed(two_generations: MemoryStore) -> None:
    """A view that was opened before reads the same items after as before, between any two transactions of a sweep."""
    memory = _orphans(two_generations)
    store = _store(memory)
    views = [open_view(store, CORPUS, number) for number in (1, 2)]
    wanted = [everything_of(open_view(store, CORPUS, number)) for number in (1, 2)]
    looked = []

    class Reading(MemoryEngine):
        """Lets the readers read before each of its transactions."""

        def run(self, fn: Callable[[Transaction], T]) -> T:
            for view in views:
                check_whole(view)
            looked.append([everything_of(open_view(store, CORPUS, number)) for number in (1, 2)] == wanted)
            return super().run(fn)

    report = sweep(Store(Reading(memory)), apply=True, registrar=DEAD)
    assert report.corpora[0].state == "swept"
    assert report.dead_bytes > 0
    assert len(looked) > 3
    assert all(looked)


# On a cluster


STORM = (Fault(1020), Fault(1021, applied=True), Fault(1007, at="read"), Fault(1021))


def test_sweep_on_a_cluster_with_faults_removes_the_same_rows(two_generations: MemoryStore, tmp_path: Path) -> None:
    """Each of its transactions is refused, made twice, and made without being told."""
    orphans = _orphans(two_generations)
    rows = [row for page in _store(orphans).pages(*_store(orphans).keys.space) for row in page]
    clean = _store(orphans)
    _swept(clean)
    cluster = FakeCluster()
    store = Store(fake_engine(tmp_path, cluster))
    put_rows(store.engine, rows)
    cluster.each = STORM
    paused = cluster.pauses
    report = _swept(store)
    assert cluster.pauses > paused + 20
    cluster.each = ()
    assert _without_feed(store) == _without_feed(clean)
    assert report.dead_bytes > 0


def test_marks_of_many_rows_take_eight_bytes_each() -> None:
    """A set of a million ids is two arrays and no text; what was not added is not in it, and what is missing is counted."""
    ids = IdSet()
    for number in range(50_000):
        ids.add(f"extraction_{number:040}")
    ids.add("extraction_lost")
    ids.add("extraction_useful", needed=False)
    ids.settle()
    there = [f"extraction_{number:040}" for number in range(50_000)]
    assert all(ids.holds(there))
    assert ids.holds(["extraction_useful", "extraction_none", f"extraction_{0:040}"]) == [True, False, True]
    assert ids.missing == 1
    links: Mapping[str, str] = {"a": "b", "b": "c", "c": "a", "x": "y"}
    ids = IdSet()
    ids.add("a")
    ids.follow(b"".join(IdSet.link(first, [second]) for first, second in links.items()))
    assert ids.holds(["a", "b", "c", "x", "y"]) == [True, True, True, False, False]
