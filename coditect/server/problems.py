"""Errors as problem details (RFC 9457), without anything that only the operator should know."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import orjson
from starlette.responses import Response

from coditect.errors import (
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

__all__ = ["MEDIA_TYPE", "Problem", "as_problem", "problem_response"]

MEDIA_TYPE = "application/problem+json"

_STATUS: tuple[tuple[type[CoditectError], int], ...] = (
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

_HIDDEN = frozenset(("store", "tenant", "path", "folder", "file", "url"))
"""What errors know of this machine."""


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


def as_problem(error: CoditectError) -> Problem:
    """The problem that an error of the package is to a caller."""
    status = next((number for kind, number in _STATUS if isinstance(error, kind)), 500)
    if status == 500:
        return Problem(500, "the server could not answer", "The operator's log says why.")
    told = {name: value for name, value in error.context.items() if name not in _HIDDEN}
    varies = "; ".join(f"{name} {value}" for name, value in told.items() if isinstance(value, (str, int, float)))
    detail = ". ".join(part for part in (varies, error.hint or "") if part)
    return Problem(status, error.message, detail, {"Retry-After": "1"} if status == 503 else None)


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
