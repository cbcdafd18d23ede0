"""What routes share: the corpus that a request is about, as far as its caller may know of it, and common parameters."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Query, Request

from coditect.errors import NotFound
from coditect.knowledge.service import Knowledge
from coditect.schemas.day import DescribedDay
from coditect.server.access.authentication import needs
from coditect.server.access.callers import Caller, Permission
from coditect.server.problems import Problem
from coditect.store.view import View

__all__ = [
    "COLUMNS",
    "REFUSALS",
    "Analysing",
    "AsOf",
    "Auditing",
    "Cursor",
    "Exporting",
    "Filling",
    "Key",
    "Limit",
    "Open",
    "PageLimit",
    "Reader",
    "Reading",
    "Reviewing",
    "Today",
    "knowledge_of",
    "require_corpus",
    "require_framework",
    "require_spending",
]

MOST_ROWS = 1000

_PROBLEM: dict[str, Any] = {
    "content": {
        "application/problem+json": {
            "schema": {
                "type": "object",
                "required": ["type", "title", "status"],
                "properties": {
                    "type": {"type": "string"},
                    "title": {"type": "string"},
                    "status": {"type": "integer"},
                    "detail": {"type": "string"},
                    "instance": {"type": "string"},
                },
            }
        }
    }
}

RETRY_AFTER: dict[str, Any] = {
    "Retry-After": {
        "description": "In how many seconds the same may be asked again; absent where waiting does not help.",
        "schema": {"type": "integer", "minimum": 0},
    }
}
"""The header, as it is described."""

_TITLES = {
    400: "The request asks for something that cannot be.",
    401: "Nobody is signed in.",
    403: "The caller's role does not allow it.",
    404: "There is no such thing, or the caller may not know of it.",
    409: "Something else was changed at the same time, or an idempotency key is of another request.",
    413: "The body is too large.",
    421: "The server does not answer to this name.",
    422: "The request is not valid, or what was sent cannot be read.",
    429: "Too many requests, or the tenant has as much as its operator granted.",
    503: "The server is busy, or the store does not answer: ask again later.",
}

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"description": title, **_PROBLEM, **({"headers": RETRY_AFTER} if status in (429, 503) else {})}
    for status, title in _TITLES.items()
}
"""Answers that every route may give, as problem details."""


@dataclass(frozen=True)
class Open:
    """A corpus that the caller may use.

    Whether there is such a corpus is looked up when a route first asks for it, on the route's own thread: one change of threads
    for each request instead of two, which is what a short answer waits for while a question is at work.

    Attributes:
        request: what was asked.
        caller: by whom.
        named: the corpus, as the request names it; routes use :attr:`corpus_id`, which has been looked up.
        also_new: whether it may be one that is not there yet.
    """

    request: Request
    caller: Caller
    named: str
    also_new: bool = False

    @cached_property
    def knowledge(self) -> Knowledge:
        """Of the caller's tenant, in the caller's name.

        Raises:
            NotFound: there is no such corpus, or the caller may not know of it.
        """
        found = knowledge_of(self.request, self.caller)
        if not (self.also_new and self.caller.knows(self.named)):
            require_corpus(self.caller, found, self.named)
        return found

    @property
    def corpus_id(self) -> str:
        """Of a corpus that is there.

        Raises:
            NotFound: as :attr:`knowledge` does.
        """
        _ = self.knowledge
        return self.named

    def view(self, as_of: int | None) -> View:
        """A generation of the corpus."""
        return self.knowledge.view(self.corpus_id, as_of)

    def noted(self, what: str, as_of: int | None, *items: str) -> View:
        """A generation of the corpus, with the access in the audit trail, and the items that were shown."""
        view = self.view(as_of)
        self.knowledge.note_read(self.corpus_id, what, view.generation, items)
        return view


def knowledge_of(request: Request, caller: Caller) -> Knowledge:
    """What the caller's tenant knows, in the caller's name."""
    found: Knowledge = request.app.state.service.knowledge(caller)
    return found


def require_corpus(caller: Caller, knowledge: Knowledge, corpus_id: str) -> None:
    """See to it that a corpus is there and the caller may know of it: both are told in the same words.

    Raises:
        NotFound: it is not, or may not.
    """
    if not caller.knows(corpus_id):
        raise NotFound("unknown corpus", corpus_id=corpus_id)
    try:
        knowledge.store.corpus(corpus_id)
    except NotFound:
        raise NotFound("unknown corpus", corpus_id=corpus_id) from None


def require_spending(request: Request, caller: Caller) -> None:
    """See to it that the caller may spend the budget of the operator's language model.

    Raises:
        Problem: 403.
    """
    why_not = request.app.state.service.model_use.why_not(caller)
    if why_not:
        raise Problem(403, "not allowed", why_not)


COLUMNS = (
    "Of a framework that is a table: which column holds what, as id=HEAD,statement=HEAD and, where there are, "
    "title=HEAD,family=HEAD. Absent: guessed from the heads; the crosswalk tells it."
)


def require_framework(place: str, corpus_id: str, frameworks: Sequence[str], framework_corpus: str | None) -> None:
    """See to it that a framework is named: by its documents, or by a corpus that is not the one that is compared with it.

    Args:
        place: where the framework's documents stand in the request, as ``query.framework``.
        corpus_id: the corpus that is compared.
        frameworks: names of the framework's documents.
        framework_corpus: the corpus that holds it; None: the one that is compared.

    Raises:
        Problem: 422, with the place.
    """
    if not frameworks and framework_corpus in (None, corpus_id):
        told = f"{place}: which framework? Name its documents, or another corpus as framework_corpus."
        raise Problem(422, "the request is not valid", told)


CorpusId = Annotated[str, Path(min_length=1, max_length=200, description="Id of the corpus.")]
AsOf = Annotated[
    int | None, Query(ge=1, le=2**53, description="The generation that answers; without it the current one.")
]
Today = Annotated[
    DescribedDay | None,
    Query(description="The day that dates are held against; without it the clock's."),
]
Cursor = Annotated[str, Query(max_length=200, description="From 'next' of the page before; without it the first page.")]
Key = Annotated[
    str | None,
    Header(alias="Idempotency-Key", min_length=8, max_length=200, description="Asked twice with it, done once."),
]
Limit = Annotated[int, Query(ge=1, le=MOST_ROWS, description="Rows of a page, at most.")]
PageLimit = Annotated[
    int | None,
    Query(ge=1, le=MOST_ROWS, description="Rows of a page, at most; without it and a cursor all are one answer."),
]


def _corpus(permission: Permission, *, also_new: bool = False) -> Callable[..., Awaitable[Open]]:
    allowed = needs(permission)

    async def opened(request: Request, corpus_id: CorpusId, caller: Caller = Depends(allowed)) -> Open:  # noqa: B008 - as FastAPI has it
        return Open(request, caller, corpus_id, also_new)

    return opened


Reader = Annotated[Caller, Depends(needs("read"))]
"""Any caller."""
Reading = Annotated[Open, Depends(_corpus("read"))]
Analysing = Annotated[Open, Depends(_corpus("analyse"))]
Filling = Annotated[Open, Depends(_corpus("ingest", also_new=True))]
Reviewing = Annotated[Open, Depends(_corpus("review"))]
Auditing = Annotated[Open, Depends(_corpus("audit"))]
Exporting = Annotated[Open, Depends(_corpus("administer"))]
"""A corpus, for callers whose role allows that."""
