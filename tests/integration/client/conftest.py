"""The real application behind uvicorn, for the tests of the client."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI

from coditect.client import Client, Patience
from tests.integration.server.served import Served, served, store_of_two, tokens_at

QUICK = Patience(tries=4, first_wait_s=0.01, longest_wait_s=0.2, timeout_s=60.0)


@dataclass(frozen=True)
class Listening:
    """A server that listens.

    Attributes:
        address: where.
        served: the application behind it.
    """

    address: str
    served: Served

    def client(self, who: str) -> Client:
        """A client that shows somebody's token."""
        return Client(self.address, self.served.tokens[who], QUICK)


@contextmanager
def listening(app: FastAPI, port: int = 0) -> Iterator[int]:
    """The port where an application listens, on loopback."""
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="package")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that the tests of this folder may change."""
    found = tmp_path_factory.mktemp("client") / "store"
    store_of_two(found)
    return found


@pytest.fixture(scope="package")
def server(place: Path) -> Iterator[Listening]:
    """A server over it."""
    with served(place, tokens_at(place)) as found, listening(found.app) as port:
        yield Listening(f"http://127.0.0.1:{port}", found)
