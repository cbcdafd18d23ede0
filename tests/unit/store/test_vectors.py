"""Vectors in the store: each block that is finished is told to the log, once."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import JsonValue

from coditect.engine.limits import VALUE_BYTES
from coditect.models.cards import card_for
from coditect.schemas import Derivation, LogEvent, sha256_hex
from coditect.store.embedded.vectors import VectorStore, finish_vectors
from coditect.store.generations import create_corpus
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from coditect.transparency.events import act_at
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import clock

ITEMS = ("extraction_1", "extraction_2")
SOURCE = Derivation.create("c", "extractions", ("version_1",), "rules", {}, "1", ITEMS)
ROWS = np.asarray([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32)


@pytest.fixture(params=[False, True], ids=["once", "rerun"])
def vectors(request: pytest.FixtureRequest) -> VectorStore:
    """Of a corpus, on an engine that commits bodies once, and on one that commits them twice."""
    store = Store(MemoryEngine(rerun=request.param))
    create_corpus(store, "c", "", clock())
    store.put_derivations([SOURCE])
    return VectorStore(store, "c", card_for("model@000000000000", 2, name="of tests"), "units/1-extraction")


def _told(vectors: VectorStore) -> list[dict[str, JsonValue]]:
    """What each act tells of blocks, in the order of the log."""
    store = vectors.store
    events = [LogEvent.parse(entry) for entry in TransparencyLog(store.engine, store.keys).waiting()]
    every = [each.sha256 for each in events if each.kind == "vectors"]
    told = []
    for sha256 in every:
        act = store.engine.read(lambda t, sha256=sha256: act_at(t, store.keys, sha256))  # type: ignore[misc]
        assert act is not None
        assert act.details["model"] == "model@000000000000"
        assert isinstance(act.details["blocks"], dict)
        told.append(act.details["blocks"])
    return told


def test_block_is_told_with_its_record_and_what_it_is_of(vectors: VectorStore) -> None:
    """The derivation, whose record names the block by its SHA-256, and the derivation that was embedded."""
    vectors.put(SOURCE, ITEMS, ROWS)
    own = vectors.id_for(SOURCE.derivation_id)
    stored = vectors.store.derivations("c", [own])[own]
    assert _told(vectors) == [{own: [sha256_hex(stored.payload()), SOURCE.derivation_id]}]


def test_blocks_that_are_finished_together_are_told_together(vectors: VectorStore) -> None:
    """Not before they count, and only those that are not there."""
    other = Derivation.create("c", "extractions", ("version_2",), "rules", {}, "1", ITEMS)
    vectors.store.put_derivations([other])
    _, first = vectors.prepare(SOURCE, ITEMS, ROWS)
    _, second = vectors.prepare(other, ITEMS, -ROWS)
    assert _told(vectors) == []
    assert vectors.get([SOURCE.derivation_id]) == {}
    finish_vectors(vectors.store, "c", [first])
    finish_vectors(vectors.store, "c", [first, second])
    assert [list(each) for each in _told(vectors)] == [[first.derivation_id], [second.derivation_id]]
    assert set(vectors.get([SOURCE.derivation_id, other.derivation_id])) == {
        SOURCE.derivation_id,
        other.derivation_id,
    }


def test_same_block_again_is_not_told_again(vectors: VectorStore) -> None:
    """Two processes that embed the same say it once; other numbers are told, for they take the place of the first."""
    vectors.put(SOURCE, ITEMS, ROWS)
    vectors.put(SOURCE, ITEMS, ROWS)
    assert len(_told(vectors)) == 1
    vectors.put(SOURCE, ITEMS, -ROWS)
    one, two = _told(vectors)
    assert one != two


def test_block_that_was_removed_is_told_again_when_it_is_made(vectors: VectorStore) -> None:
    """As after a sweep, or an erasure: the log tells of it as it is now."""
    vectors.put(SOURCE, ITEMS, ROWS)
    vectors.store.remove("derivations", "c", vectors.id_for(SOURCE.derivation_id))
    vectors.put(SOURCE, ITEMS, ROWS)
    one, two = _told(vectors)
    assert one == two


def test_acts_fit_into_a_value_however_many_blocks_there_are(vectors: VectorStore) -> None:
    """A thousand blocks are told by several acts."""
    made = []
    for number in range(1000):
        source = Derivation.create("c", "extractions", (f"version_{number}",), "rules", {}, "1", ITEMS)
        made.append(vectors.prepare(source, ITEMS, ROWS)[1])
    finish_vectors(vectors.store, "c", made)
    assert sum(map(len, _told(vectors))) == len(made)
    rows = [value for page in vectors.store.pages(*vectors.store.keys.bounds("log/acts")) for _, value in page]
    assert max(map(len, rows)) < VALUE_BYTES
