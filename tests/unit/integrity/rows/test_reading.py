"""Blobs and events of the feed as they are read from the bytes up: what is whole, what is told, and what is said of the rest."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import pytest

from coditect.engine.port import Transaction
from coditect.integrity.rows.blobs import WholeBlobs
from coditect.integrity.rows.feed import check_feed
from coditect.integrity.rows.reading import RowReader, mark
from coditect.schemas import BuildSettings, Extraction, FeedEvent, Generation, Manifest
from coditect.store.acts.events import seal_event
from coditect.store.store import Store
from tests.unit.store.items import CORPUS, extraction, version

Said = list[tuple[str, str, str]]


def _reader(store: Store, corpus_id: str = CORPUS) -> tuple[RowReader, Said, Counter[str]]:
    said: Said = []
    counts: Counter[str] = Counter()
    pages: Counter[str] = Counter()

    def advance(table: str) -> None:
        pages[table] += 1

    return RowReader(store, corpus_id, counts, lambda *each: said.append(each), advance), said, pages


SMALL, LONG = b"one part", bytes(range(256)) * 2000


def _damage(store: Store, digest: str, part: int, *, remove: bool = False) -> None:
    begin, end = store.keys.bounds("blobs", CORPUS, digest)
    rows = store.engine.read(lambda t: t.range(begin, end, limit=100).rows)
    key, value = rows[part]
    store.update(lambda t: t.clear(key) if remove else t.set(key, value[:-1] + bytes([value[-1] ^ 1])))


def _required(store: Store, *digests: str) -> list[tuple[str, str]]:
    """What is said of blobs that a record needs, beside what is said of their bytes."""
    reader, said, _ = _reader(store)
    blobs = WholeBlobs(reader)
    blobs.read()
    for each in digests:
        blobs.require(each, "the record")
    assert all(check in ("bytes", "hash") for check, _, _ in said)
    return [(name, message) for check, name, message in said if check == "hash"]


def test_a_blob_is_whole_if_all_of_its_parts_are_there(memory: Store) -> None:
    """Of one part and of many, the first, one between and the last of the table."""
    digests = [memory.put_blob(CORPUS, each) for each in (SMALL, LONG, LONG + b"x", b"")]
    assert _required(memory, *digests) == []
    missing = hashlib.sha256(b"missing").hexdigest()
    assert _required(memory, missing) == [
        (f"blobs/{CORPUS}/{missing}", "a part is not there, and the record needs them")
    ]


@pytest.mark.parametrize("part", [0, 1, -1])
@pytest.mark.parametrize("remove", [True, False])
def test_a_blob_that_lost_a_part_is_said_if_it_is_needed(memory: Store, part: int, remove: bool) -> None:
    """And those beside it are whole."""
    other, digest, last = (memory.put_blob(CORPUS, each) for each in (SMALL, LONG, LONG + b"x"))
    _damage(memory, digest, part, remove=remove)
    wrong = "the bytes do not have the SHA-256 that names them, and the record needs them"
    assert _required(memory, other, last) == []
    assert _required(memory, other, digest, last) == [(f"blobs/{CORPUS}/{digest}", wrong)]


def test_a_blob_that_is_written_meanwhile_is_read_again(memory: Store) -> None:
    """An ingest may go on while rows are read."""
    reader, said, _ = _reader(memory)
    blobs = WholeBlobs(reader)
    blobs.read()
    for each in (SMALL, LONG):
        blobs.require(memory.put_blob(CORPUS, each), "the record")
    assert said == []


def test_blobs_are_read_eight_parts_at_a_time_and_records_by_thousands(memory: Store) -> None:
    """Pages are told of, and rows counted, those of other corpora not among them."""
    memory.put_blob(CORPUS, LONG)
    memory.put_blob("other", SMALL)
    begin, end = memory.keys.bounds("blobs", CORPUS)
    parts = len(memory.engine.read(lambda t: t.range(begin, end, limit=1000).rows))
    reader, _, pages = _reader(memory)
    found = [len(each) for each in reader.pages("blobs")]
    assert sum(found) == parts == reader.counts["blobs"]
    assert found[:-1] == [8] * (len(found) - 1)
    assert pages["blobs"] == len(found)


def test_records_that_cannot_be_read_are_said_and_passed_by(memory: Store) -> None:
    """Their keys are told all the same; what was read again is what is there now."""
    memory.put_items([version(), extraction(), extraction("shall sign.", 10)])
    reader, said, _ = _reader(memory)
    rows = list(reader.records("extractions", Extraction))
    assert sorted(each.source_text for _, each in rows if isinstance(each, Extraction)) == [
        "The clerk shall sign.",
        "shall sign.",
    ]
    assert set(reader.outputs) == {"derivation_1"}
    key = rows[0][0]
    memory.update(lambda t: t.set(key, b"nothing"))
    found = dict(reader.records("extractions", Extraction))
    assert (found[key], len(said), said[0][0]) == (None, 1, "bytes")
    assert reader.again(key, Extraction) is None
    assert reader.again(rows[1][0], Extraction) == rows[1][1]
    memory.update(lambda t: t.clear(key))
    assert reader.again(key, Extraction) is None


def test_marks_tell_what_is_cut_elsewhere_apart() -> None:
    """In sixteen bytes."""
    assert len({mark(b"ab", b"c"), mark(b"a", b"bc"), mark(b"abc"), mark(b"ab", b"c", b"")}) == 4
    assert len(mark(b"a")) == 16


def _event(number: int, build: str = "", **more: object) -> FeedEvent:
    fields: dict[str, Any] = {"build_id": build or f"build_{number}", "at": f"2026-01-0{max(number, 1)}", **more}
    return FeedEvent(corpus_id=CORPUS, event="generation", generation=number, **fields)


INGESTED = FeedEvent(corpus_id=CORPUS, event="ingested", at="2026-01-01")


def _fed(store: Store, *values: FeedEvent | bytes) -> None:
    def body(transaction: Transaction) -> None:
        for each in values:
            value = seal_event(store.keys, each) if isinstance(each, FeedEvent) else each
            transaction.append(store.keys.key("feed", CORPUS), value)

    store.update(body)


def _checked(store: Store, built: dict[int, str]) -> list[tuple[str, str]]:
    reader, said, _ = _reader(store)
    check_feed(reader, built)
    assert reader.counts["feed"] == sum(1 for page in store.pages(*store.keys.bounds("feed", CORPUS)) for _ in page)
    return [(name.removeprefix(f"feed/{CORPUS}").removeprefix("/"), message) for _, name, message in said]


BUILT = {1: "build_1", 2: "build_2"}


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([INGESTED, _event(1), INGESTED, _event(2)], []),
        ([], [("", "no event tells of generation 1"), ("", "no event tells of generation 2")]),
        ([_event(2)], [("", "no event tells of generation 1")]),
        ([_event(1), _event(2, "build_x")], [("", "no event tells of generation 2")]),
        ([_event(2), INGESTED, _event(1)], [("3", "an event out of order")]),
        ([_event(1), _event(1), _event(2)], []),
        ([_event(1), _event(2), _event(3)], []),
        ([_event(1), b"damaged", _event(2)], [("2", "")]),
    ],
)
def test_each_generation_has_its_event_in_order(
    memory: Store, events: list[FeedEvent | bytes], said: list[tuple[str, str]]
) -> None:
    """Ingests stand anywhere between them; an event of a generation that is not there is not judged here."""
    _fed(memory, *events)
    found = _checked(memory, BUILT)
    assert [(name, message if wanted else "") for (name, message), (_, wanted) in zip(found, said, strict=True)] == said


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        ({}, ""),
        ({"parent_build_id": "x"}, "parent build"),
        ({"at": "x"}, "time"),
        ({"counts": {"claims": 1}}, "counts"),
    ],
)
def test_an_event_says_what_its_generation_says(memory: Store, change: dict[str, object], differs: str) -> None:
    """Its parent, its time and its counts."""
    manifest = Manifest.create(
        corpus_id=CORPUS, settings=BuildSettings(), code_versions={}, trees={}, sections=(), summary_derivation="",
        summary_id="", counts={"documents": 2},
    )  # fmt: skip
    made = Generation(
        corpus_id=CORPUS, generation=1, build_id=manifest.build_id, parent_build_id="p", created_at="2026-01-01",
        tool_version="", derived={}, reused={},
    )  # fmt: skip
    memory.put_items([manifest])
    memory.update(lambda t: memory.write_record(t, "generations", made, CORPUS, 1))
    told = {"parent_build_id": "p", "counts": {"documents": 2}, **change}
    _fed(memory, _event(1, manifest.build_id, **told))
    wanted = [("1", f"its {differs} is not that of generation 1")] if differs else []
    assert _checked(memory, {1: manifest.build_id}) == wanted
