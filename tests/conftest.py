"""Shared fixtures: a store with a small corpus, built once and copied for each test, and caches of their own."""

from __future__ import annotations

import gc
import itertools
import logging
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from coditect.engine.port import Engine
from coditect.knowledge.labour import workers
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from tests.corpora import DOCUMENTS, build_all, folder_of, ingest_all
from tests.effort import FULL, times
from tests.places import ON_CLUSTER, discard, open_at, own_copy, tenant_at, url_at
from tests.warm import WARM

# As the program has it: tests, imports and what is collected of fifteen thousand tests make objects that stay. Processes that tests
# start to share their work look as seldom.
gc.set_threshold(50_000)

# How long an example takes, or making one, is a matter of what else the machine does.
# Whoever waits sees the same examples of the same code, here and in CI; ``make soak`` draws new ones each time.
settings.register_profile(
    "any machine",
    deadline=None,
    max_examples=times(100),
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not FULL,
)
settings.load_profile("any machine")


_NUMBERS = itertools.count()

_TORCH = ("test_flag_models", "test_retrieval_settings", "test_verify_entailment", "models/flag/")
"""Tests that load torch, which takes seconds."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What loads torch comes first, whatever the order is otherwise: workers begin with a part each, and one of them loads it."""
    items.sort(key=lambda item: not any(each in item.nodeid for each in _TORCH))


def pytest_sessionfinish() -> None:
    """Nothing of this session stays on the cluster."""
    discard()


@pytest.fixture(scope="session", autouse=True)
def _warm_workers() -> Iterator[None]:
    """Workers that tests start in this process begin with the package imported; those of programs are spawned, as everywhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "STARTS", WARM)
        yield


@pytest.fixture(autouse=True)
def _own_places(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test writes to the user's store or cache, whatever it forgets to say; what nobody writes to is not made."""
    place = tmp_path_factory.getbasetemp() / f"default-{next(_NUMBERS)}"
    monkeypatch.setenv("CODITECT_STORE", url_at(place / "store"))
    if ON_CLUSTER:
        monkeypatch.setenv("CODITECT_TENANT", tenant_at(place / "store"))
    monkeypatch.setenv("CODITECT_CACHE", str(place / "cache"))


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    """What a program that a test ran here set up for logging is gone for the next test, which may look at what is printed."""
    root = logging.getLogger()
    handlers, level = set(root.handlers), root.level
    yield
    for handler in set(root.handlers) - handlers:
        if type(handler).__module__.startswith("coditect."):
            root.removeHandler(handler)
    root.setLevel(level)


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
def built(built_once: MemoryStore, memory: Store) -> Store:
    """A store of this test's own that holds the small corpus, built."""
    return own_copy(built_once, memory)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Store]:
    """An empty store; in memory, or on the cluster where tests are asked to run there."""
    with closing(open_at(tmp_path / "memory") if ON_CLUSTER else MemoryEngine()) as engine:
        yield Store(engine)


@pytest.fixture
def on_disk(tmp_path: Path) -> Iterator[Callable[[str], Store]]:
    """Opens stores below the test's own folder, and closes them."""
    engines: list[Engine] = []

    def open_store(name: str = "store") -> Store:
        engines.append(open_at(tmp_path / name))
        return Store(engines[-1])

    yield open_store
    for engine in engines:
        engine.close()
