"""One store for all tests of the explorer that only look at it, and copies for those that sign."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra [server] is not installed")

from coditect import Settings, open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.transparency.custody.key_files import write_key_file
from coditect.transparency.notes import SigningKey
from tests.integration.explorer.corpus import fill
from tests.places import url_at


@pytest.fixture(scope="session")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """The sample with two generations. Do not write to it: take ``own``."""
    folder = tmp_path_factory.mktemp("explorer")
    key = folder / "log.key"
    write_key_file(key, SigningKey("log.example.com/tests", bytes(range(32))))
    settings = Settings(store=url_at(folder / "store"), cache=folder / "cache", jobs=1, log_key=key)
    with open_knowledge(settings) as knowledge:
        fill(knowledge, folder / "documents")
        yield knowledge


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Knowledge]:
    """The same in a store of the test's own."""
    with open_knowledge(Settings(store=url_at(tmp_path / "own"), cache=tmp_path / "own-cache", jobs=1)) as knowledge:
        fill(knowledge, tmp_path / "own-documents")
        yield knowledge
