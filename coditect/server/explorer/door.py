"""From a request to a visit: who it is, which corpus and generation is wanted, and pages for what cannot be shown."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote, unquote

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.routing import APIRoute

from coditect.errors import CoditectError, NotFound
from coditect.schemas import Corpus
from coditect.server.access.authentication import authenticated, session_cookie
from coditect.server.access.callers import Caller, Permission
from coditect.server.explorer.links import PageLinks, corpus_of, segment_of
from coditect.server.explorer.pages import render
from coditect.server.explorer.plain import plain_problem
from coditect.server.explorer.visit import KeptViews, Visit
from coditect.server.problems import Problem

if TYPE_CHECKING:
    from coditect.server.access.sessions import Session

__all__ = [
    "PREFIX",
    "Door",
    "PageRoute",
    "SessionDesk",
    "html",
    "lobby",
    "refused_page",
    "require_own_origin",
    "root_of",
]

PREFIX = "/explorer"
"""Where the explorer stands below the application."""

_OF_EVERY_PAGE = frozenset(("as_of", "corpus"))
"""Parameters that are read beside those that a route declares: the generation, and a second corpus beside that of the path."""

_OWN_HEADERS = {
    "Cache-Control": "private, no-cache",
    # With "no-referrer" browsers send forms from nowhere ("Origin: null"), and could not be told from those of other sites.
    "Referrer-Policy": "same-origin",
}


class SessionDesk(Protocol):
    """What pages ask of the gatekeeper beside who somebody is."""

    def begin_session(self, token: str, address: str) -> tuple[str, Session] | None:
        """(the cookie, the session) of whoever shows a token; None where it is none."""
        ...

    def end_session(self, cookie: str) -> None:
        """End a session."""
        ...

    def form_token(self, cookie: str) -> str:
        """What forms of a session carry; "" where there is none."""
        ...


class Door:
    """Lets visitors in.

    Args:
        kept: what is kept between requests.
    """

    def __init__(self, kept: KeptViews) -> None:
        self.kept = kept

    def visit(self, request: Request, segment: str = "") -> Visit:
        """The visit of a request whose caller is known.

        Args:
            request: what is asked.
            segment: of the path, that names the corpus; "": none is wanted.
        Raises:
            NotFound: no such corpus or generation, or not for this visitor.
        """
        caller: Caller = request.state.caller
        given = request.query_params.get("as_of", "")
        as_of = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else None
        links = PageLinks(root_of(request), corpus_of(segment), as_of)
        visit = replace(
            lobby(request),
            kept=self.kept,
            links=links,
            may_decide=caller.may("review"),
            may_analyse=caller.may("analyse"),
        )
        return self._entered(visit, caller) if segment else visit

    def _entered(self, visit: Visit, caller: Caller) -> Visit:
        """A visit of a corpus; one that is not there and one that the visitor may not know of are told in the same words."""
        unknown = NotFound("unknown corpus", corpus_id=visit.corpus_id)
        if not caller.knows(visit.corpus_id):
            raise unknown
        try:
            corpus = visit.knowledge.store.corpus(visit.corpus_id)
        except NotFound:
            raise unknown from None
        if corpus.generation == 0:
            raise NotFound("the corpus was never built", hint="Run 'coditect knowledge build', and come again.")
        visit.knowledge.view(visit.corpus_id, visit.links.as_of)  # an unknown generation is said now
        return replace(visit, is_built=True)

    def enter(self, request: Request, corpus_id: str) -> None:
        """Make sure that the visitor may read a further corpus. Raises as :meth:`visit`."""
        self.visit(request, unquote(segment_of(corpus_id)))  # as the server decodes what stands in a path

    def corpora(self, request: Request, visit: Visit) -> list[Corpus]:
        """The corpora that a visitor may know of, by id."""
        caller: Caller = request.state.caller
        return [each for each in visit.knowledge.store.corpora() if caller.knows(each.corpus_id)]

    def require(self, request: Request, permission: Permission) -> None:
        """Refuse whoever's role does not allow something.

        Raises:
            Problem: 403.
        """
        caller: Caller = request.state.caller
        if not caller.may(permission):
            raise Problem(403, "not allowed", f"The role {caller.role} may not {permission}.")


def root_of(request: Request) -> str:
    """The explorer's path, as browsers see it."""
    return f"{request.scope.get('root_path', '')}{PREFIX}"


def lobby(request: Request) -> Visit:
    """The visit of somebody who is known, and looks at no corpus."""
    caller: Caller = request.state.caller
    desk: SessionDesk = request.app.state.gatekeeper
    csrf = desk.form_token(request.cookies.get(session_cookie(request), "")) if caller.session else ""
    root = root_of(request)
    return Visit(
        request.app.state.service.knowledge(caller),
        KeptViews(),
        PageLinks(root),
        caller.name,
        caller.role,
        csrf=csrf,
        sign_out=f"{root}/sign-out" if caller.session else "",
    )


def require_own_origin(request: Request) -> None:
    """Refuse forms of other sites, also where nobody signs in: a browser says where a form comes from.

    Raises:
        Problem: 403.
    """
    own = f"{request.url.scheme}://{request.headers.get('host', '')}"
    origin = request.headers.get("origin", own).rstrip("/")
    if origin != own or request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Problem(403, "a request of another site")


def html(page: str, status: int = 200) -> HTMLResponse:
    """A page as a response."""
    return HTMLResponse(page, status, headers=_OWN_HEADERS)


class PageRoute(APIRoute):
    """A route for people: who is not signed in is led to where that is done, and errors are pages that say where to go on."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler of the route, behind the door."""
        handler = super().get_route_handler()
        taken = {each.alias for each in self.dependant.query_params} | _OF_EVERY_PAGE

        async def asked(request: Request) -> Response:
            _require_known(set(request.query_params) - taken, taken)
            return await handler(request)

        async def shown(request: Request) -> Response:
            return await _behind_the_door(request, asked)

        return shown


def _require_known(unknown: set[str], taken: set[str]) -> None:
    """Refuse what a page does not take: passed over, it would quietly be another question.

    Raises:
        Problem: 400, with the names that there are.
    """
    if unknown:
        told = ", ".join(f"“{each[:100]}”" for each in sorted(unknown)[:5])
        ways = ", ".join(sorted(taken))
        raise Problem(400, f"this page takes no {told} in its address", f"What it takes: {ways}.")


async def refused_page(request: Request, problem: Problem) -> Response:
    """What is refused before any page is found, such as an address that there is none of: told as a page, too."""

    async def refuse(_: Request) -> Response:
        raise problem

    return await _behind_the_door(request, refuse)


async def _behind_the_door(request: Request, handler: Callable[[Request], Coroutine[Any, Any, Response]]) -> Response:
    try:
        await authenticated(request)
        if request.method not in ("GET", "HEAD"):
            require_own_origin(request)
        return await handler(request)
    except Problem as problem:
        if problem.status == 401 and request.method in ("GET", "HEAD"):
            asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            return RedirectResponse(f"{root_of(request)}/sign-in?next={quote(asked, safe='')}", 303)
        return _told(request, problem)
    except CoditectError as error:
        return _told(request, plain_problem(error))


def _told(request: Request, problem: Problem) -> Response:
    """What cannot be shown, as a page; as a problem where nobody is known to show it to."""
    if getattr(request.state, "caller", None) is None:
        raise problem
    title = _TITLES.get(problem.status, "Something is wrong")
    page = render(
        "error",
        lobby(request),
        title=title,
        heading=title,
        message=f"{problem.title[:1].upper()}{problem.title[1:]}.",
        hint=problem.detail,
        back=f"{root_of(request)}/",
    )
    response = html(page, problem.status)
    response.headers.update(problem.headers)
    return response


_TITLES = {
    400: "That cannot be asked",
    403: "That is not for you",
    404: "Not here",
    409: "Somebody else was faster",
    429: "Too many requests",
    503: "The store does not answer",
}
