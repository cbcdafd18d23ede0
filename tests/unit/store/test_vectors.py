"""Vectors in the store: each block that is finished is told to the log, once."""

from __future__ import annotations

import json

import numpy as np
import pytest

from coditect.models.cards import card_for
from coditect.schemas import Derivation, sha256_hex
from coditect.store.generations import create_corpus
from coditect.store.store import Store
from coditect.store.vectors import VectorStore
from coditect.testing.engine.memory import MemoryEngine
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


def _told(vectors: VectorStore) -> list[dict[str, object]]:
    log = TransparencyLog(vectors.store.engine, vectors.store.keys)
    every = [json.loads(entry) for entry in log.waiting()]
    return [each for each in every if each["kind"] == "vectors"]


def test_block_is_told_with_its_record_and_what_it_is_of(vectors: VectorStore) -> None:
    """The event names the derivation, whose record names the block by its SHA-256, and the derivation that was embedded."""
    vectors.put(SOURCE, ITEMS, ROWS)
    (event,) = _told(vectors)
    own = vectors.id_for(SOURCE.derivation_id)
    stored = vectors.store.derivations("c", [own])[own]
    assert (event["subject"], event["source"]) == (own, SOURCE.derivation_id)
    assert event["sha256"] == sha256_hex(stored.payload())
    assert "model" not in json.dumps(event)


def test_same_block_again_is_not_told_again(vectors: VectorStore) -> None:
    """Two processes that embed the same say it once; other numbers are told, for they take the place of the first."""
    vectors.put(SOURCE, ITEMS, ROWS)
    vectors.put(SOURCE, ITEMS, ROWS)
    assert len(_told(vectors)) == 1
    vectors.put(SOURCE, ITEMS, -ROWS)
    assert len({str(each["sha256"]) for each in _told(vectors)}) == len(_told(vectors)) == 2


def test_block_that_was_removed_is_told_again_when_it_is_made(vectors: VectorStore) -> None:
    """As after a sweep, or an erasure: the log tells of it as it is now."""
    vectors.put(SOURCE, ITEMS, ROWS)
    vectors.store.remove("derivations", "c", vectors.id_for(SOURCE.derivation_id))
    vectors.put(SOURCE, ITEMS, ROWS)
    one, two = _told(vectors)
    assert one == two
