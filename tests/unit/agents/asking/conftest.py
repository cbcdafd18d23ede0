"""A store for each test, closed after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from coditect.store.store import Store
from tests.unit.agents.asking.service import store_at


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = store_at(tmp_path)
    yield opened
    opened.engine.close()
