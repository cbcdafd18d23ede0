"""Where rows stand: what was moved, cut or pointed elsewhere does not open, and a look for a row reads one."""

from __future__ import annotations

import pytest

from coditect.errors import Corrupt, NotFound, Unavailable
from coditect.keyspace import LAYOUT, POINTER, key_part, seal
from coditect.schemas import Failure, FeedEvent, Intake, LogEvent, Manifest, Section
from coditect.store.acts.events import open_event, seal_event
from coditect.store.generations import append_feed, create_corpus, manifest_of
from coditect.store.header import read_header
from coditect.store.intake.documents import clear_failure, put_failure
from coditect.store.intake.erasures import erased_since
from coditect.store.rows import (
    item_rows,
    open_row,
    open_stored,
    optional_entries,
    optional_rows,
    place_of,
    record_key,
    record_rows,
    row_name,
    seal_record,
)
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from coditect.transparency.events import Acting
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import clock
from tests.unit.store.items import extraction, section, version
from tests.unit.store.test_portions import Noting

LONG = "c" * 180


@pytest.mark.parametrize("corpus_id", ["c", LONG])
def test_record_that_was_moved_does_not_open(memory: Store, corpus_id: str) -> None:
    """Under its own key it does, also where that is cut; sealed anew under another corpus or another table it does not."""
    item = section("access", corpus_id)
    row = item_rows(memory.keys, item).record
    assert open_stored(memory.engine, memory.keys, row, Section) == item
    assert record_key(memory.keys, item) == row[0]
    assert place_of("sections", item) == (corpus_id, item.section_id)
    moved, _ = seal_record(memory.keys, "sections", ("d", item.section_id), item.payload())
    with pytest.raises(Corrupt, match="under another record's key") as caught:
        open_stored(memory.engine, memory.keys, moved, Section)
    assert caught.value.context["key"] == f"sections/d/{item.section_id}"
    assert caught.value.context["record"] == "Section"
    other = section("other", corpus_id)
    swapped, _ = seal_record(memory.keys, "sections", (corpus_id, other.section_id), item.payload())
    with pytest.raises(Corrupt, match="not the hash"):
        open_stored(memory.engine, memory.keys, swapped, Section)


def test_row_of_no_table_is_told(memory: Store) -> None:
    """A key of another tenant, or of a later release."""
    for key in (b"elsewhere", Store(memory.engine, "other").keys.key("sections", "c", "s")):
        with pytest.raises(Corrupt, match="of no table"):
            open_stored(memory.engine, memory.keys, (key, b"v"), Section)


@pytest.mark.parametrize("size", [100_000 - 9, 100_000 - 8, 250_000])
def test_long_record_is_found_through_its_pointer(memory: Store, size: int) -> None:
    """Also of a corpus whose name was cut; the longest that fits stands in its row."""
    failure = Failure(corpus_id=LONG, name="a", error="E", message="")
    filler = "".join(chr(97 + n * n % 23 + n % 3) for n in range(size - len(failure.payload())))
    failure = failure.model_copy(update={"message": filler})
    assert len(failure.payload()) == size
    row, blobs = record_rows(memory.keys, "failures", failure)
    assert (len(blobs) > 0) == (size > 100_000 - 9)
    memory.put("failures", failure, LONG, "a")
    assert memory.get("failures", Failure, key_part(LONG), "a") == failure
    assert memory.get("failures", Failure, LONG, "b") is None
    key = row[0]
    forged = seal(memory.keys.relative(key), b"0" * 64 + b":1", POINTER)
    with pytest.raises(Corrupt, match="part of a blob is missing"):
        open_row(memory.engine, memory.keys, "failures", (LONG, "a"), key, forged, Failure)


def test_store_that_does_not_answer_is_not_called_damaged(memory: Store) -> None:
    """While the blob of a long record is read the store may be closed; the row is sound."""
    failure = Failure(corpus_id="c", name="a", error="E", message="x" * 200_000)
    row, _ = record_rows(memory.keys, "failures", failure)
    memory.engine.close()
    with pytest.raises(Unavailable):
        open_row(memory.engine, memory.keys, "failures", ("c", "a"), *row, Failure)


def test_entries_of_optional_indexes_are_made_where_they_are_kept(memory: Store) -> None:
    """Those that are named, for items that call for them, beside the item's own place."""
    entity = {"text": "clerk", "name": "clerk", "kind": "role", "char_offset_start": 4, "char_offset_end": 9}
    item, bare = extraction(entities=(entity,)), extraction()
    for each, names, count in ((item, {"entity"}, 1), (item, {"other"}, 0), (item, set(), 0), (bare, {"entity"}, 0)):
        rows = optional_rows(memory.keys, record_key(memory.keys, each), optional_entries(each), frozenset(names))
        assert len(rows) == count
    ((key, _),) = optional_rows(memory.keys, record_key(memory.keys, item), optional_entries(item), {"entity"})
    assert memory.keys.parts("idx/entity", key) == ("clerk", "c", item.document_id, item.extraction_id)


def test_names_of_rows_say_table_and_place(memory: Store) -> None:
    """Also of the first table's; a key that cannot be read is shown as it is, behind its table."""
    assert row_name(memory.keys, memory.keys.key("sections", "c", "s")) == "sections/c/s"
    key = memory.keys.key("corpus") + b"\x99"
    assert row_name(memory.keys, key) == f"corpus/{key!r}"
    assert "corpus" in LAYOUT


def test_unknown_corpus_is_told_with_those_that_there_are(memory: Store) -> None:
    """Or that there is none yet; a manifest that was swept is told, too."""
    with pytest.raises(NotFound) as caught:
        memory.corpus("c")
    assert caught.value.hint == "Corpora in this store: none yet."
    for name in ("b", "a"):
        create_corpus(memory, name, "", clock())
    with pytest.raises(NotFound) as caught:
        memory.corpus("c")
    assert caught.value.hint == "Corpora in this store: a, b."
    with pytest.raises(NotFound, match="manifest of a build is missing"):
        manifest_of(memory, "a", "build_" + "0" * 52)
    assert memory.get("manifests", Manifest, "a", "build_" + "0" * 52) is None


def test_look_whether_there_is_a_row_reads_one() -> None:
    """However many there are: a header, a corpus, a lease, the last event, an erasure."""
    engine = Noting()
    store = Store(engine)
    create_corpus(store, "c", "", clock())
    event = FeedEvent(corpus_id="c", event="ingested", at=clock(), counts={})
    for counts in ({"added": 1}, {"added": 2}):
        each = event.model_copy(update={"counts": counts})
        store.update(lambda transaction, each=each: append_feed(transaction, store, each))  # type: ignore[misc]
    read_header(engine, "nobody")
    assert erased_since(store, "c") == ""
    assert engine.limits
    assert set(engine.limits) == {1}


def test_event_opens_in_its_own_corpus_alone(memory: Store) -> None:
    """Its sum covers the corpus, since the engine gives its key."""
    event = FeedEvent(corpus_id="c", event="ingested", at=clock(), counts={"added": 1})
    value = seal_event(memory.keys, event)
    assert open_event(memory.keys, "c", value) == event
    with pytest.raises(Corrupt):
        open_event(memory.keys, "d", value)


@pytest.mark.parametrize("rerun", [False, True])
def test_failure_is_told_once_until_it_says_something_else(rerun: bool) -> None:
    """Under one salt or another; that it is over is told once, and where there was none not at all."""
    store = Store(MemoryEngine(rerun=rerun))
    salts = iter(f"{n:032x}" for n in range(99))
    store.acting = Acting(salts=lambda: next(salts))
    failure = Failure(corpus_id="c", name="a.pdf", error="ReadError", message="no text")
    clear_failure(store, "c", "a.pdf", clock())
    for message in ("no text", "no text", "no pages", "no pages"):
        put_failure(store, failure.model_copy(update={"message": message}), clock())
    ((_, held),) = store.scan("failures", Failure, "c")
    assert (held.message, held.salt) == ("no pages", f"{2:032x}")
    for _ in range(2):
        clear_failure(store, "c", "a.pdf", clock())
    assert list(store.scan("failures", Failure, "c")) == []
    told = [LogEvent.parse(entry).kind for entry in TransparencyLog(store.engine, store.keys).waiting()]
    assert told == ["failure", "failure", "failure cleared"]


def test_intake_stands_under_its_document(memory: Store) -> None:
    """Each field of a key is the record's own."""
    made = version()
    intake = Intake(
        corpus_id="c", document_id=made.document_id, name="a.md", version_id=made.version_id, raw_sha256="ab" * 32
    )
    assert place_of("intake", intake) == ("c", made.document_id)
    assert place_of("documents", made) == ("c", made.document_id, made.version_id)
    assert place_of("failures", Failure(corpus_id="c", name="n", error="", message="")) == ("c", "n")
