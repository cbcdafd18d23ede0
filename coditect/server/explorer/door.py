"""From a request to a visit: who it is, which corpus and generation is wanted, and pages for what cannot be shown."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute

from coditect.errors import CoditectError, NotFound, Unavailable, UsageError
from coditect.schemas import Corpus
from coditect.server.explorer.links import Links, corpus_of, segment_of
from coditect.server.explorer.pages import render
from coditect.server.explorer.visit import Kept, Visit

__all__ = ["PREFIX", "Door", "PageRoute", "html"]

PREFIX = "/explorer"
"""Where the explorer stands below the application."""

MAY_DECIDE = frozenset(("reviewer", "administrator"))
"""Roles that sign reviews."""


class Door:
    """Lets visitors in.

    Args:
        kept: what is kept between requests.
    """

    def __init__(self, kept: Kept) -> None:
        self.kept = kept

    def visit(self, request: Request, segment: str = "") -> Visit:
        """The visit of a request.

        Args:
            request: of somebody whom the application has let in.
            segment: of the path, that names the corpus; "": none is wanted.
        Raises:
            NotFound: no such corpus or generation, or not for this visitor.
        """
        caller = request.state.caller
        knowledge = request.app.state.service.knowledge(caller)
        root = f"{request.scope.get('root_path', '')}{PREFIX}"
        given = request.query_params.get("as_of", "")
        as_of = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else None
        links = Links(root, corpus_of(segment), as_of)
        visit = Visit(knowledge, self.kept, links, caller.name, caller.role, caller.role in MAY_DECIDE)
        return self._entered(visit) if segment else visit

    def visit_of(self, request: Request, corpus_id: str) -> None:
        """Make sure that the visitor may read a further corpus. Raises as :meth:`visit`."""
        self.visit(request, segment_of(corpus_id))

    def corpora(self, request: Request, visit: Visit) -> list[Corpus]:
        """The corpora that a visitor may read, by id."""
        return visit.knowledge.store.corpora()

    def require_decider(self, request: Request, visit: Visit) -> None:
        """Refuse whoever may not decide.

        Raises:
            UsageError: the visitor's role does not decide.
        """
        if not visit.may_decide:
            raise UsageError("your role does not decide", hint="Ask an administrator for the role of a reviewer.")

    def _entered(self, visit: Visit) -> Visit:
        knowledge, links = visit.knowledge, visit.links
        if knowledge.store.corpus(links.corpus_id).generation == 0:
            raise NotFound("the corpus was never built", hint="Run 'coditect knowledge build', and come again.")
        visit.view.manifest  # noqa: B018 - an unknown generation is said now
        return replace(visit, is_built=True)


def html(page: str, status: int = 200) -> HTMLResponse:
    """A page as a response."""
    return HTMLResponse(page, status, headers={"Cache-Control": "private, no-cache"})


class PageRoute(APIRoute):
    """A route whose errors are pages: a person is told what is wrong and where to go on."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler of the route, with the errors of the use cases shown as pages."""
        handler = super().get_route_handler()

        async def shown(request: Request) -> Response:
            try:
                return await handler(request)
            except CoditectError as error:
                return _told(request, error)

        return shown


def _told(request: Request, error: CoditectError) -> Response:
    """An error as a page."""
    caller = request.state.caller
    knowledge = request.app.state.service.knowledge(caller)
    root = f"{request.scope.get('root_path', '')}{PREFIX}"
    visit = Visit(knowledge, Kept(), Links(root), caller.name, caller.role)
    status, title = _status(error)
    page = render(
        "error", visit, title=title, message=_sentence(error), hint=error.hint or "", back=visit.links.corpora
    )
    return html(page, status)


def _status(error: CoditectError) -> tuple[int, str]:
    match error:
        case NotFound():
            return 404, "Not here"
        case UsageError():
            return 400, "That cannot be asked"
        case Unavailable():
            return 503, "The store does not answer"
    return 500, "Something is wrong"


def _sentence(error: CoditectError) -> str:
    text = error.message[:1].upper() + error.message[1:]
    named = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in error.context.items())
    return f"{text}: {named}." if named else f"{text}."
