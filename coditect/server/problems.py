"""Errors as problem details (RFC 9457), without anything that only the operator should know."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import orjson
from starlette.responses import Response

from coditect.errors import (
    AccessDenied,
    CoditectError,
    Conflict,
    EvidenceError,
    ModelError,
    NotFound,
    OverQuota,
    RateLimited,
    ReadError,
    SchemaError,
    TooLarge,
    Unavailable,
    Unwritable,
    UsageError,
)

__all__ = ["MEDIA_TYPE", "Problem", "as_problem", "http_words", "problem_response", "retry_after"]

MEDIA_TYPE = "application/problem+json"

_STATUS: tuple[tuple[type[CoditectError], int], ...] = (
    (AccessDenied, 403),
    (NotFound, 404),
    (OverQuota, 429),
    (UsageError, 400),
    (SchemaError, 400),
    (ReadError, 422),
    (Conflict, 409),
    (TooLarge, 413),
    (Unwritable, 503),
    (Unavailable, 503),
    (RateLimited, 503),
    (ModelError, 502),
    (EvidenceError, 422),
)
"""The first that fits; everything else is the server's fault."""

_HIDDEN = frozenset(("store", "tenant", "path", "folder", "file", "url", "retry_after_s"))
"""What errors know of this machine, and what is told in a header."""


_ADDRESSES = {
    "knowledge build": "POST …/builds",
    "knowledge documents": "GET …/documents",
    "knowledge drilldown": "GET …/items/ID/sources",
    "knowledge erasures": "GET …/erasures",
    "knowledge export": "POST …/exports",
    "knowledge holds": "GET …/holds",
    "knowledge ingest": "POST …/documents",
    "knowledge list": "GET …/registers/all",
    "knowledge query": "GET …/query",
    "knowledge review": "GET …/reviews/pending",
    "knowledge status": "GET /api/v1/status",
    "knowledge validate": "POST …/validations",
    "knowledge verify": "POST …/verify",
}
"""Addresses that do what commands do; "…" is /api/v1/corpora/CORPUS."""

_CLAUSE = re.compile(r"(?<=[.;])\s+")
_QUOTED = re.compile(r"'coditect (?P<name>[a-z]+ [a-z-]+)(?P<rest>[^']*)'(?: without --[a-z-]+)?")
_LISTED_DECISIONS = re.compile(r"'coditect knowledge review --list'")
_COMMAND = re.compile(r"\bcoditect\s+[a-z]")
_OPTION = re.compile(r"(?<![\w-])--(?P<name>[a-z]+(?:-[a-z]+)*)")


class Problem(Exception):  # noqa: N818 - the standard's word
    """A request that is refused before a use case sees it.

    Args:
        status: of HTTP, 4xx or 503.
        title: what is wrong, the same for every occurrence.
        detail: what is wrong with this request, and the way out.
        headers: of the answer.
    """

    def __init__(self, status: int, title: str, detail: str = "", headers: Mapping[str, str] | None = None) -> None:
        super().__init__(title)
        self.status = status
        self.title = title
        self.detail = detail
        self.headers = dict(headers or {})

    @property
    def retry_after_s(self) -> int | None:
        """Seconds after which the same may be asked again; None where nobody says that waiting helps."""
        asked = self.headers.get("Retry-After")
        return None if asked is None else int(asked)


def as_problem(error: CoditectError) -> Problem:
    """The problem that an error of the package is to a caller."""
    status = next((number for kind, number in _STATUS if isinstance(error, kind)), 500)
    if status == 500:
        return Problem(500, "the server could not answer", "The operator's log says why.")
    told = {name: value for name, value in error.context.items() if name not in _HIDDEN}
    varies = "; ".join(f"{name} {value}" for name, value in told.items() if isinstance(value, (str, int, float)))
    detail = ". ".join(part for part in (varies, http_words(error.hint or "")) if part)
    retry_after_s = error.context.get("retry_after_s") or (1 if status == 503 else None)
    return Problem(status, error.message, detail, retry_after(retry_after_s))


def retry_after(seconds: float | None) -> dict[str, str]:
    """The header that says when to ask again; none where ``seconds`` is None."""
    return {} if seconds is None else {"Retry-After": str(math.ceil(seconds))}


def problem_response(problem: Problem, instance: str = "") -> Response:
    """The answer to a request that is refused.

    Args:
        problem: why.
        instance: the path that was asked.
    """
    body: dict[str, Any] = {
        "type": "about:blank" if not problem.title else f"urn:coditect:problem:{_slug(problem.title)}",
        "title": problem.title or HTTPStatus(problem.status).phrase,
        "status": problem.status,
    }
    if problem.detail:
        body["detail"] = problem.detail
    if instance:
        body["instance"] = instance
    return Response(
        orjson.dumps(body, option=orjson.OPT_INDENT_2) + b"\n",
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers=problem.headers,
    )


def _slug(title: str) -> str:
    return "-".join("".join(each if each.isalnum() else " " for each in title.lower()).split())


def http_words(hint: str) -> str:
    """A way out as somebody can take it who asks over HTTP; clauses that only a command line helps with are left out.

    Args:
        hint: of an error.
    """
    if not hint:
        return ""
    named = _QUOTED.sub(_address, _LISTED_DECISIONS.sub("'GET …/reviews'", hint))
    kept = [each for each in _CLAUSE.split(named) if _COMMAND.search(each) is None]
    told = " ".join(_OPTION.sub(lambda found: found["name"].replace("-", "_"), each) for each in kept)
    return told[:1].upper() + (told[1:-1] + "." if told.endswith(";") else told[1:])


def _address(found: re.Match[str]) -> str:
    address = _ADDRESSES.get(found["name"])
    return found[0] if address is None else f"'{address}'"
