"""The application: what stands before every request, the API, and the pages."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

import coditect
from coditect.errors import CoditectError
from coditect.server.api import routes
from coditect.server.observing import Observed, health
from coditect.server.problems import Problem, as_problem, problem_response
from coditect.server.protection import BODY_BYTES, Admission, HeadsAlone, SafeHeaders
from coditect.server.ready.preparation import Preparation
from coditect.server.replies import Replies

if TYPE_CHECKING:
    from coditect.server.access.ports import Gatekeeper
    from coditect.server.jobs.desk import JobDesk
    from coditect.server.ready.following import Following
    from coditect.server.service import Service

__all__ = ["Limits", "application"]

log = logging.getLogger(__name__)

TITLE = "coditect knowledge"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much at one time.

    Attributes:
        most: requests at work.
        waiting: requests that wait; more are refused with when to come again.
        body_bytes: of a request's body; uploads have a bound of their own.
        hosts: names that the server answers to; empty: all.
        encrypted: whether callers come over HTTPS, as a proxy before the server sees to.
    """

    most: int = 16
    waiting: int = 64
    body_bytes: int = BODY_BYTES
    hosts: tuple[str, ...] = ()
    encrypted: bool = False


def application(
    service: Service,
    gatekeeper: Gatekeeper,
    jobs: JobDesk,
    limits: Limits = Limits(),
    *,
    pages: bool = True,
    preparation: Preparation | None = None,
    following: Following | None = None,
) -> FastAPI:
    """The application over an opened service.

    Args:
        service: the tenants that it answers for.
        gatekeeper: who asks, and how much.
        jobs: long work.
        limits: how much at one time.
        pages: whether it shows pages for people, too.
        preparation: of search, under way; it is ready when that is done. None: it is ready at once.
        following: makes search of what others build. None: nobody does, and pages have it made.
    """
    app = FastAPI(
        title=TITLE,
        version=coditect.__version__,
        summary="A compliance knowledge store whose every sentence can be traced to its source, proven and re-checked.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    app.state.service = service
    app.state.gatekeeper = gatekeeper
    app.state.jobs = jobs
    app.state.preparation = preparation
    app.state.following = following
    app.state.replies = Replies(service.work / "replies")
    app.state.encrypted = limits.encrypted
    app.state.pages = pages
    app.include_router(health)
    app.include_router(routes(), prefix="/api/v1")
    if pages:
        from coditect.server.explorer import router

        app.include_router(router(), include_in_schema=False)
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(CoditectError, _failed)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Exception, _broken)
    app.add_middleware(HeadsAlone)
    app.add_middleware(
        Admission, most=limits.most, waiting=limits.waiting, hosts=limits.hosts, most_bytes=limits.body_bytes
    )
    app.add_middleware(SafeHeaders, encrypted=limits.encrypted)
    app.add_middleware(Observed)
    return app


_NO_ADDRESS = (
    "There is no such address. A document is addressed by its id; 'GET …/documents?name=…' gives the id of a name, "
    "one with slashes, too."
)


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)  # noqa: S101 - as registered
    return problem_response(error, request.url.path)


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, CoditectError)  # noqa: S101 - as registered
    problem = as_problem(error)
    if problem.status >= 500:
        log.error("a request failed: %s", error)
    return problem_response(problem, request.url.path)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - as registered
    told = _NO_ADDRESS if error.status_code == 404 and "/documents/" in request.url.path else ""
    problem = Problem(error.status_code, str(error.detail), told, error.headers)
    if request.app.state.pages and request.method in ("GET", "HEAD"):
        from coditect.server.explorer.door import refused_page, root_of

        if request.url.path.startswith(f"{root_of(request)}/"):
            title = "there is no page at this address" if problem.status == 404 else problem.title
            return await refused_page(request, Problem(problem.status, title, "", error.headers))
    return problem_response(problem, request.url.path)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - as registered
    told = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:5])
    return problem_response(Problem(422, "the request is not valid", told), request.url.path)


async def _broken(request: Request, error: Exception) -> Response:
    log.error("a request broke", exc_info=error)
    return problem_response(
        Problem(500, "the server could not answer", "The operator's log says why."), request.url.path
    )
