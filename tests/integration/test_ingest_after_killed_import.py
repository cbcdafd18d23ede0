"""An ingest after a killed import."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NoReturn

import pytest

from coditect.integrity.logged.check import check_logged
from coditect.integrity.validate import validate
from coditect.knowledge.archive import importing as archive_import
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from tests.corpora import CORPUS, build_all, feed, folder_of, ingest_all
from tests.integration.archives import Watched, history_bytes, import_bytes


def boom() -> NoReturn:
    """Die here."""
    raise ZeroDivisionError


def test_ingest_after_a_killed_import_sees_nothing_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However far the import came, an ingest that makes the corpus begins with nothing."""
    monkeypatch.setattr(archive_import, "BATCH_BYTES", 8_000)
    folder = folder_of(tmp_path / "d", {"a.md": "# A\n\nStaff shall report.\n"})
    alone = Store(MemoryEngine())
    ingest_all(alone, folder)
    build_all(alone)
    for at in range(2, 200):
        memory = MemoryStore()
        try:
            import_bytes(Store(Watched(MemoryEngine(memory), boom, run=at)), history_bytes())
        except ZeroDivisionError:
            pass
        else:
            break
        store = Store(MemoryEngine(memory))
        ingest_all(store, folder)
        build_all(store)
        assert feed(store, CORPUS) == feed(alone, CORPUS), at
        assert list(open_view(store, CORPUS).entries) == list(open_view(alone, CORPUS).entries)
        assert validate(store, CORPUS).findings == ()
        findings, untold = check_logged(store, CORPUS, None, Counter(), lambda table: None)
        assert (findings, untold) == ([], []), "the log tells that it was made here, and not that it was imported"
