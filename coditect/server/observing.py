"""Health, readiness and figures for who operates the server."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import structlog
from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.responses import PlainTextResponse, Response

from coditect.server.access.authentication import is_loopback
from coditect.server.problems import Problem

__all__ = ["Observed", "health"]

Scope = MutableMapping[str, Any]

log = structlog.wrap_logger(logging.getLogger(__name__))

health = APIRouter(include_in_schema=False)


_GUARDED = frozenset((401, 403, 413, 421, 429))
"""Not signed in, not allowed or forged, too large, under another name, too often."""


class Observed:
    """Counts requests by route and outcome, times them, and logs those that were refused.

    Args:
        app: what answers.
    """

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app
        self.registry = CollectorRegistry()
        labels = ("method", "route")
        self._requests = Counter(
            "coditect_http_requests", "Requests answered.", (*labels, "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "coditect_http_request_seconds", "Seconds from a request to its answer.", labels, registry=self.registry
        )
        self._open = Gauge("coditect_http_requests_open", "Requests at work.", registry=self.registry)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:  # noqa: ANN401 - as ASGI has it
        """Answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope["coditect.registry"] = self.registry
        status, began = 500, time.perf_counter()

        async def sent(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._open.inc()
        try:
            await self.app(scope, receive, sent)
        finally:
            self._open.dec()
            # The route, not the path: paths hold ids, and there are many of them.
            route = getattr(scope.get("route"), "path", "none")
            self._requests.labels(scope["method"], route, str(status)).inc()
            self._seconds.labels(scope["method"], route).observe(time.perf_counter() - began)
            if 400 <= status < 500:
                _log_refusal(scope, route, status)


def _log_refusal(scope: Scope, route: str, status: int) -> None:
    """Who was refused what: neither the address that was asked nor what was sent, which may hold words or a token."""
    caller = scope.get("state", {}).get("caller")
    log.log(
        logging.WARNING if status in _GUARDED else logging.INFO,
        "refused",
        status=status,
        method=scope["method"],
        route=route,
        address=(scope.get("client") or ("",))[0],
        caller="" if caller is None else caller.name,
        token="" if caller is None else caller.public_id,
        tenant="" if caller is None else caller.tenant,
    )


@health.get("/healthz")
async def alive() -> Response:
    """Whether the process answers."""
    return PlainTextResponse("ok\n")


@health.get("/readyz")
def ready(request: Request) -> Response:
    """Whether the stores answer, and search of what was there when the server began is made."""
    for knowledge in request.app.state.service.tenants.values():
        knowledge.store.corpora()
    preparation = request.app.state.preparation
    if preparation is not None and preparation.waiting != 0:
        left = "some" if preparation.waiting is None else str(preparation.waiting)
        return PlainTextResponse(f"search is being made: {left} left\n", 503, {"Retry-After": "5"})
    return PlainTextResponse("ready\n")


@health.get("/metrics")
async def metrics(request: Request) -> Response:
    """Figures in the text format of Prometheus, for this machine alone."""
    if not is_loopback(request.client.host if request.client else ""):
        raise Problem(403, "figures are told on this machine alone", "Let the collector run beside the server.")
    return Response(generate_latest(request.scope["coditect.registry"]), media_type=CONTENT_TYPE_LATEST)
