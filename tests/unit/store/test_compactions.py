"""Compactions that are owed: a mark for each erasure, which only a compaction behind it clears."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.errors import NewerRecord
from coditect.schemas import CompactionOwed
from coditect.store.intake.compactions import clear_owed_compactions, owe_compaction, owed_compactions
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine

FIRST = CompactionOwed(corpus_id="c", erasure_id="erasure_1", at="2026-01-01T00:00:00Z")
SECOND = CompactionOwed(corpus_id="d", erasure_id="erasure_0", at="2026-01-02T00:00:00Z")
GOLDEN = b'{"$record":"compaction_owed/1","at":"2026-01-01T00:00:00Z","corpus_id":"c","erasure_id":"erasure_1"}'


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An embedded one, whose file keeps what was removed."""
    return Store(LmdbEngine(tmp_path / "store", durable=False))


def _owe(store: Store, *marks: CompactionOwed) -> None:
    for mark in marks:
        store.update(lambda transaction, mark=mark: owe_compaction(transaction, store, mark))  # type: ignore[misc]


def test_a_mark_is_stored_in_the_shape_that_every_later_release_reads() -> None:
    """Byte for byte; a later version is refused by name."""
    assert FIRST.payload() == GOLDEN
    assert CompactionOwed.parse(GOLDEN) == FIRST
    with pytest.raises(NewerRecord):
        CompactionOwed.parse(GOLDEN.replace(b"owed/1", b"owed/2"))


def test_a_compaction_clears_what_was_owed_before_it(store: Store) -> None:
    """Marks are listed by time; one that is written meanwhile stays; clearing none writes nothing."""
    assert owed_compactions(store) == []
    _owe(store, SECOND, FIRST)
    assert owed_compactions(store) == [FIRST, SECOND]
    before = owed_compactions(store)[:1]
    clear_owed_compactions(store, before)
    assert owed_compactions(store) == [SECOND]
    clear_owed_compactions(store, ())
    assert owed_compactions(store) == [SECOND]
    stored = [value for page in store.pages(*store.keys.bounds("compactions")) for _, value in page]
    assert len(stored) == 1


def test_an_engine_that_keeps_nothing_owes_nothing() -> None:
    """A cluster, or memory."""
    store = Store(MemoryEngine())
    _owe(store, FIRST)
    assert owed_compactions(store) == []
    assert not store.engine.keeps_removed
