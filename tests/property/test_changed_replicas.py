"""Whatever is edited: a replica of vectors that links what did not change tells what one tells that is made anew."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from coditect.retrieve.local import replica
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.effort import FULL
from tests.property.test_changed_corpora import _document, _edited
from tests.unit.retrieve.local.test_vectors_copied import folder_of_replica, told_by

SEQUENCES = 40 if FULL else 2
EDITS = 20 if FULL else 5
LARGE = 16
"""Documents at the start, so that a change writes a small part of what is there."""


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_replicas_after_edits_tell_the_same(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After every edit of a random sequence rows, ids, documents, numbers and tokens are those of a replica made anew."""
    draw = random.Random(seed)  # noqa: S311 - drawn for a test
    documents = DOCUMENTS | {f"made-{number}.md": _document(draw) for number in range(LARGE)}
    store = Store(MemoryEngine())
    joined = 0
    for number in range(EDITS):
        ingest_all(store, folder_of(tmp_path / f"now-{number}", documents), sync=True)
        build_all(store)
        view = open_view(store, CORPUS)
        monkeypatch.setattr(replica, "INCREMENTAL_FROM", 1)
        linked = folder_of_replica(view, tmp_path / "linked")
        joined += (linked / "passage" / "1").exists()
        monkeypatch.setattr(replica, "INCREMENTAL_FROM", 1_000)
        assert told_by(linked) == told_by(folder_of_replica(view, tmp_path / f"fresh-{number}")), f"edit {number}"
        _edited(documents, draw)
    assert joined, "no replica linked anything, so that nothing was tried"
