"""One store and one server for the tests of this folder that change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.server.served import Served, served, store_of_two, tokens_at


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two tenants."""
    found = tmp_path_factory.mktemp("served") / "store"
    store_of_two(found)
    return found


@pytest.fixture(scope="session")
def tokens(place: Path) -> dict[str, str]:
    """Tokens by who shows them."""
    return tokens_at(place)


@pytest.fixture(scope="session")
def server(place: Path, tokens: dict[str, str]) -> Iterator[Served]:
    """A server over it."""
    with served(place, tokens) as found:
        yield found
