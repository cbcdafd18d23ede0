"""Shared fixtures: a store with a small corpus, built once and copied for each test, and caches of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from coditect.engine.lmdb import LmdbEngine
from coditect.store.store import Store
from coditect.testing.memory import MemoryEngine, MemoryStore
from tests.corpora import DOCUMENTS, build_all, copy_of, folder_of, ingest_all


@pytest.fixture(autouse=True)
def _own_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test writes to the user's store or cache, whatever it forgets to say."""
    monkeypatch.setenv("CODITECT_STORE", f"lmdb://{tmp_path / 'default-store'}")
    monkeypatch.setenv("CODITECT_CACHE", str(tmp_path / "default-cache"))


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder with the small corpus."""
    return folder_of(tmp_path / "documents", DOCUMENTS)


@pytest.fixture(scope="session")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> MemoryStore:
    """The small corpus, ingested and built. Do not write to it: take ``built``."""
    memory = MemoryStore()
    store = Store(MemoryEngine(memory))
    ingest_all(store, folder_of(tmp_path_factory.mktemp("once"), DOCUMENTS))
    build_all(store)
    return memory


@pytest.fixture
def built(built_once: MemoryStore) -> Store:
    """A store of this test's own that holds the small corpus, built."""
    return copy_of(built_once)


@pytest.fixture
def memory() -> Store:
    """An empty store in memory."""
    return Store(MemoryEngine())


@pytest.fixture
def on_disk(tmp_path: Path) -> Iterator[Callable[[str], Store]]:
    """Opens LMDB stores below the test's own folder, and closes them."""
    engines: list[LmdbEngine] = []

    def open_store(name: str = "store") -> Store:
        engines.append(LmdbEngine(tmp_path / name, durable=False))
        return Store(engines[-1])

    yield open_store
    for engine in engines:
        engine.close()
