"""One store for all tests of the explorer that only look at it, and copies for those that sign."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra [server] is not installed")

from coditect import Settings, open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.transparency.custody.key_files import write_key_file
from coditect.transparency.notes import SigningKey
from tests.integration.explorer.corpus import CORPUS, fill
from tests.places import copy_place, tenant_at, url_at


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample's store, and the key that signed its log; nobody opens it: it is copied."""
    folder = tmp_path_factory.mktemp("explorer")
    write_key_file(folder / "log.key", SigningKey("log.example.com/tests", bytes(range(32))))
    with open_knowledge(_settings(folder)) as knowledge:
        fill(knowledge, folder / "documents")
    return folder


def _settings(folder: Path) -> Settings:
    store = folder / "store"
    return Settings(
        store=url_at(store), tenant=tenant_at(store), cache=folder / "cache", jobs=1, log_key=folder / "log.key"
    )


@pytest.fixture(scope="session")
def looked_at(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """The sample with two generations. Do not write to it: take ``own``."""
    with _copied(filled, tmp_path_factory.mktemp("explorer-looked-at")) as knowledge:
        knowledge.searcher.refresh(knowledge.view(CORPUS))  # replicas are of a store by its address
        yield knowledge


@pytest.fixture
def own(filled: Path, tmp_path: Path) -> Iterator[Knowledge]:
    """The same in a store of the test's own."""
    with _copied(filled, tmp_path) as knowledge:
        yield knowledge


@contextmanager
def _copied(filled: Path, folder: Path) -> Iterator[Knowledge]:
    copy_place(filled / "store", folder / "store")
    shutil.copy(filled / "log.key", folder)
    with open_knowledge(_settings(folder)) as knowledge:
        yield knowledge
