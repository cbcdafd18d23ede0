"""The real application over a store, for a visitor on loopback whom it lets in, or with tokens; and serving it to a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from coditect.knowledge.service import Knowledge
from coditect.server.access.callers import Caller, Role
from coditect.server.access.gatekeeper import Keeper
from coditect.server.access.sessions import Sessions
from coditect.server.access.tokens import TokenRegister
from coditect.server.application import application
from coditect.server.jobs.desk import JobDesk
from coditect.server.service import Service

__all__ = ["browsing", "explorer", "serving", "visitor"]

TENANT = "default"


def visitor(name: str = "R. Viewer", role: Role = "reviewer", corpora: frozenset[str] | None = None) -> Caller:
    """Somebody on this machine who need not sign in."""
    return Caller(name, TENANT, role, corpora)


def explorer(knowledge: Knowledge, folder: Path, anonymous: Caller | None) -> FastAPI:
    """The application.

    Args:
        knowledge: of the tenant.
        folder: of the server's own.
        anonymous: who need not sign in; None: everybody needs a token.
    """
    folder.mkdir(exist_ok=True)
    service = Service({TENANT: knowledge}, folder)
    register = TokenRegister(knowledge.store, knowledge.clock)
    keeper = Keeper({TENANT: register}, Sessions(), rate="1000000/minute", anonymous=anonymous)
    return application(service, keeper, JobDesk(service))


@contextmanager
def browsing(app: FastAPI) -> Iterator[TestClient]:
    """A browser without script, on the same machine; it follows nothing by itself."""
    with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50_000), follow_redirects=False) as client:
        yield client


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """The address of an application that is served on a free port of this machine."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            thread.join(0.02)
            assert thread.is_alive(), "the server did not start"
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://localhost:{port}"
    finally:
        server.should_exit = True
        server.force_exit = True
        thread.join(30)
