"""Search replicas on disk: made once, removed when nobody needs them."""

from __future__ import annotations

import os
from pathlib import Path

from coditect.retrieve.replica import Replicas
from coditect.schemas import tag_of
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all


def test_refresh_removes_what_a_killed_process_left(tmp_path: Path) -> None:
    """A replica that was begun long ago and never finished is removed by the next one that is made; a young one is not."""
    store = Store(MemoryEngine())
    ingest_all(store, folder_of(tmp_path / "in", DOCUMENTS))
    build_all(store)
    replicas = Replicas(store, tmp_path / "cache")
    view = open_view(store, CORPUS)
    place = replicas.folder / tag_of(CORPUS)
    old, young = place / ".making-old", place / ".making-young"
    for folder in (old, young):
        folder.mkdir(parents=True)
    os.utime(old, (0, 0))
    replicas.index(view, "extraction")
    assert not old.exists()
    assert young.exists()
