"""An application with nothing but the explorer in it, for a visitor whom it trusts: what the explorer asks of the real one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread

import uvicorn
from fastapi import FastAPI, Request, Response

from coditect.knowledge.service import Knowledge
from coditect.server.explorer.mounting import router

__all__ = ["POLICY", "Visitor", "application", "serving"]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""Without exceptions: nothing inline."""


@dataclass
class Visitor:
    """Who asks."""

    name: str = "R. Viewer"
    tenant: str = "default"
    role: str = "reviewer"


class _Service:
    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def knowledge(self, visitor: Visitor) -> Knowledge:
        return self._knowledge


def application(knowledge: Knowledge, visitor: Visitor) -> FastAPI:
    """The explorer over a store."""
    app = FastAPI()
    app.state.service = _Service(knowledge)

    @app.middleware("http")
    async def let_in(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        request.state.caller = visitor
        response = await go_on(request)
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    app.include_router(router())
    return app


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
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(30)
