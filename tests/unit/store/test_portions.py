"""How much is read or written at once: nothing outlives a snapshot of a cluster, or fills memory, however much there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, TypeVar

import pytest

from coditect.engine.port import Page, Transaction
from coditect.errors import Corrupt
from coditect.schemas import Derivation, Extraction, Intake, Section
from coditect.store.acts.events import follow
from coditect.store.answers.requests import AnswerStore, portions_of
from coditect.store.blobs import BLOB_BYTES, get_blob, has_blobs, put_rows
from coditect.store.embedded.vectors import finish_vectors
from coditect.store.former import former_ids
from coditect.store.generations import create_corpus
from coditect.store.intake.documents import IntakeWriter
from coditect.store.intake.staging import corpus_pages
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, clock
from tests.unit.store.items import extraction, section, version

T = TypeVar("T")


class Noting(MemoryEngine):
    """Notes how many keys are read at once, how many rows a page may have, and how many bytes each transaction writes."""

    def __init__(self) -> None:
        super().__init__()
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.keys: list[int] = []
        self.limits: list[int] = []
        self.written: list[int] = []
        self.watched: list[float] = []

    def read(self, fn: Callable[[Transaction], T]) -> T:
        return super().read(self._noted(fn))

    def run(self, fn: Callable[[Transaction], T]) -> T:
        def body(transaction: Transaction) -> T:
            result = self._noted(fn)(transaction)
            self.written.append(transaction.size_bytes)
            return result

        return super().run(body)

    def watch(self, key: bytes, seen: bytes | None, timeout_s: float) -> bytes | None:
        self.watched.append(timeout_s)
        raise StopIteration

    def _noted(self, fn: Callable[[Transaction], T]) -> Callable[[Transaction], T]:
        def body(transaction: Any) -> T:  # noqa: ANN401 - the engine's own
            get_many, page = transaction.get_many, transaction.range

            def counted(keys: Sequence[bytes], *, snapshot: bool = False) -> list[bytes | None]:
                self.keys.append(len(keys))
                found: list[bytes | None] = get_many(keys, snapshot=snapshot)
                return found

            def limited(begin: bytes, end: bytes, *, limit: int = 1000, **more: Any) -> Page:  # noqa: ANN401
                self.limits.append(limit)
                found: Page = page(begin, end, limit=limit, **more)
                return found

            transaction.get_many, transaction.range = counted, limited
            return fn(transaction)

        return body


@pytest.fixture
def engine() -> Noting:
    """An empty store."""
    return Noting()


@pytest.fixture
def store(engine: Noting) -> Store:
    """On it."""
    found = Store(engine)
    engine.forget()
    return found


def test_records_are_read_five_hundred_at_once(store: Store, engine: Noting) -> None:
    """By their keys, also where former ids are looked for; in the order that was asked for."""
    made = [section(f"topic {n}") for n in range(3)]
    store.put_items(made)
    engine.forget()
    places = [("c", made[n % 3].section_id) for n in range(1_001)]
    assert store.get_many("sections", Section, places) == [made[n % 3] for n in range(1_001)]
    assert former_ids(engine, store.keys, "c", ["derivation_" + "0" * 52] * 1_001) == {}
    assert store.get_many("sections", Section, []) == []
    assert engine.keys == [500, 500, 1, 500, 500, 1]


def test_scan_reads_pages_of_a_thousand(store: Store, engine: Noting) -> None:
    """Each is a snapshot of its own."""
    store.put_items(section(f"topic {n}") for n in range(2_001))
    engine.forget()
    assert sum(1 for _ in store.scan("sections", Section, "c")) == 2_001
    assert engine.limits == [1_000] * 3
    assert [len(page) for page in store.pages(*store.keys.bounds("sections"), limit=2_000)] == [2_000, 1]


def test_blobs_are_read_thirty_two_parts_at_once(store: Store, engine: Noting) -> None:
    """Three megabytes; and so many blobs are looked for together."""
    data = bytes(32 * BLOB_BYTES + 1)
    digest = store.put_blob("c", data)
    engine.forget()
    assert get_blob(engine, store.keys, "c", digest, len(data)) == data
    assert has_blobs(engine, store.keys, [("c", digest, len(data)), ("c", "0" * 64, 1)] * 33) == [True, False] * 33
    assert engine.keys == [32, 1, 32, 32, 2]


def test_blob_is_read_in_the_transaction_that_is_given(store: Store) -> None:
    """As it is there."""
    digest = store.put_blob("c", b"text")
    assert store.update(lambda transaction: get_blob(transaction, store.keys, "c", digest, 4)) == b"text"
    for length in (3, 5):
        with pytest.raises(Corrupt, match="does not have its hash"):
            get_blob(store.engine, store.keys, "c", digest, length)


def test_rows_and_items_are_written_nine_tenths_of_a_transaction_at_once(store: Store, engine: Noting) -> None:
    """Room is left for what a guard or a log adds; and no transaction is smaller than it need be."""
    put_rows(engine, [(b"%05d" % n, bytes(995)) for n in range(1_801)])
    assert engine.written == [900_000, 900_000, 1_000]
    engine.forget()
    assert store.put_items(section(f"topic {n}") for n in range(4_500)) == (4_500, 0)
    *full, rest = engine.written
    assert rest > 0
    assert full
    assert all(895_000 < size <= 900_000 for size in full)


def test_rows_of_a_corpus_are_read_in_short_pages(store: Store, engine: Noting) -> None:
    """250 records, or 8 parts of blobs, each of which may be as long as a value."""
    store.put_items(section(f"topic {n}") for n in range(251))
    store.put_items([section("topic", "d")])
    store.put_blob("c", bytes(8 * BLOB_BYTES + 1))
    engine.forget()
    assert [len(page) for page in corpus_pages(store, "c", "sections")] == [250, 1]
    assert [len(page) for page in corpus_pages(store, "c", "blobs")] == [8, 1]
    assert engine.limits == [250, 250, 8, 8]
    assert sum(len(page) for page in corpus_pages(store, "c", "idx/topic")) == 251


def test_requests_are_looked_at_two_hundred_at_once(store: Store, engine: Noting) -> None:
    """So few that their leases and answers fit into a transaction."""
    assert [len(some) for some in portions_of(range(401))] == [200, 200, 1]
    assert list(portions_of([])) == []
    AnswerStore(store, "c").find_many([f"{n:064x}" for n in range(401)])
    assert engine.keys == [200, 200, 1]


def test_items_of_a_document_are_read_a_thousand_at_once(built: Store) -> None:
    """Whoever lets go of them one by one holds no more."""
    view = open_view(built, CORPUS)
    document_id = next(iter(view.entries))
    entry = view.entries[document_id]
    held = built.derivations(CORPUS, list(entry.extractions))
    step = next(each for each in held.values() if each.outputs)
    outputs = (step.outputs[0],) * 2_001
    longer = step.model_copy(update={"outputs": outputs})
    view._all = lambda table, cls, places: [longer]  # type: ignore[method-assign, list-item]
    portions = list(view._output_places(document_id, entry.extractions))
    assert [len(some) for some in portions] == [1_000, 1_000, 1]
    assert portions[0][0] == (CORPUS, document_id, outputs[0])


def test_files_wait_until_they_are_eight_megabytes(store: Store) -> None:
    """Raw bytes and texts together; then they are written, and the count begins anew."""
    writer = IntakeWriter(store, "c")
    raw = bytes(2_000_000)
    for n in range(1, 7):
        writer.put_version(version(f"{n}.md", "x" * n), raw, raw, b"{}")
        there = len(list(store.scan("intake", Intake, "c")))
        assert there == (3 if n >= 3 else 0) + (3 if n >= 6 else 0)


def test_records_of_an_intake_leave_room_for_their_events(store: Store, engine: Noting) -> None:
    """Twice a record's own bytes and 700 for its event make up half a transaction; what is written takes less than that."""
    writer = IntakeWriter(store, "c")
    record = writer.put_version(version(), b"x", b"x", b"{}")
    for n in range(1_500):
        writer.put(record.model_copy(update={"document_id": f"document_{n:052x}", "name": f"{n}.md"}))
    engine.forget()
    writer.flush()
    *full, rest = [size for size in engine.written if size > 100_000]
    assert len(full) == 3
    assert rest < min(full) <= max(full) < 230_000
    assert min(full) > 215_000


def test_blocks_of_vectors_are_told_256_at_once(store: Store) -> None:
    """One act of the log tells of so many."""
    steps = [Derivation.create("c", "vectors", (f"d{n}",), "m", {}, "1", (f"{'0' * 64}:1",)) for n in range(513)]
    finish_vectors(store, "c", steps)
    acts = [row for page in store.pages(*store.keys.bounds("log/acts")) for row in page]
    assert len(acts) == 3
    assert len(store.derivations("c", [each.derivation_id for each in steps])) == 513


def test_follower_waits_a_minute_before_it_looks_by_itself(store: Store, engine: Noting) -> None:
    """What a program of another release appends is found by then."""
    create_corpus(store, "c", "", clock())
    with pytest.raises(RuntimeError):
        list(islice(follow(store, "c"), 1))
    assert engine.watched == [60.0]


def test_extractions_are_found_by_what_their_bytes_hold(store: Store) -> None:
    """Of records by place those that hold some bytes, in their order; one that is missing is damage."""
    made = [extraction(start=n, extraction_kind=kind) for n, kind in enumerate(("obligation", "permission") * 2)]
    store.put_items(made)
    places = [("c", each.document_id, each.extraction_id) for each in made]
    held = store.get_holding("extractions", Extraction, places, [[b'"extraction_kind":"permission"']])
    assert held == made[1::2]
    kinds = [b'"extraction_kind":"permission"', b'"extraction_kind":"obligation"']
    assert store.get_holding("extractions", Extraction, places, [kinds]) == made
    assert store.get_holding("extractions", Extraction, places, []) == made
    both = [kinds, [b'"char_offset_start":0', b'"char_offset_start":3']]
    assert store.get_holding("extractions", Extraction, places, both) == [made[0], made[3]]
    assert store.get_holding("extractions", Extraction, places, [kinds, [b'"deadline":']]) == []
    with pytest.raises(Corrupt, match="is missing"):
        store.get_holding("extractions", Extraction, [*places, ("c", made[0].document_id, "extraction_0")], [])
