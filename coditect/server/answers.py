"""Answers for programs: the bytes that the command line prints with ``--format json``, with a tag where they never change."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any, TypeVar

import orjson
from starlette.requests import Request
from starlette.responses import Response

from coditect.schemas import sha256_hex
from coditect.server.problems import Problem

__all__ = ["IMMUTABLE", "answer", "not_modified", "page_of"]

T = TypeVar("T")

IMMUTABLE = "private, max-age=31536000, immutable"
"""Of what an id names by its content: it never changes, and is nobody else's business."""

_CHANGING = "private, no-cache"


def answered_before(note: str, current: int, generation: int) -> str:
    """The note of an answer of a generation before the current one, of which search is being made."""
    behind = f"Search of generation {current} is being made; this is of generation {generation}."
    return f"{note} {behind}" if note else behind


def answer(
    request: Request,
    value: Any,  # noqa: ANN401 - any JSON value
    *,
    tag: str = "",
    immutable: bool = False,
    status: int = 200,
    **headers: str,
) -> Response:
    """A JSON answer.

    Args:
        request: what was asked; where it names the answer's tag, nothing is sent again.
        value: any JSON value.
        tag: what the content is known by; "": the hash of the bytes.
        immutable: whether the same address always gives the same content.
        status: of HTTP.
        headers: more of them; ``_`` stands for ``-``.
    """
    content = orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n"
    etag = f'"{tag or sha256_hex(content)[:32]}"'
    told = {"ETag": etag, "Cache-Control": IMMUTABLE if immutable else _CHANGING, "Vary": "Authorization, Cookie"}
    told |= {name.replace("_", "-"): text for name, text in headers.items()}
    if status == 200 and not_modified(request, etag):
        return Response(status_code=304, headers=told)
    return Response(content, status_code=status, media_type="application/json", headers=told)


def not_modified(request: Request, etag: str) -> bool:
    """Whether the caller has the content already (RFC 9110, If-None-Match)."""
    given = request.headers.get("if-none-match", "")
    return request.method in ("GET", "HEAD") and etag in [each.strip().removeprefix("W/") for each in given.split(",")]


def page_of(rows: Sequence[T], cursor: str, limit: int, bound_to: str) -> tuple[Sequence[T], str]:
    """(rows of a page, cursor of the next page or "").

    Args:
        rows: all rows, in an order that does not change while ``bound_to`` does not.
        cursor: of the page; "" for the first.
        limit: rows of a page.
        bound_to: what the rows are of: a generation's build id and the question. A cursor of something else is refused.

    Raises:
        Problem: not a cursor of these rows.
    """
    first = 0
    mark = sha256_hex(bound_to.encode())[:16]
    if cursor:
        try:
            given, _, number = base64.urlsafe_b64decode(cursor.encode()).decode().partition(".")
            first = int(number)
        except (binascii.Error, ValueError, UnicodeError) as error:
            raise Problem(400, "not a cursor", "Leave it out to begin again.") from error
        if given != mark or not 0 <= first <= len(rows):
            raise Problem(400, "the cursor is of another list", "Leave it out to begin again.")
    following = first + limit
    more = base64.urlsafe_b64encode(f"{mark}.{following}".encode()).decode() if following < len(rows) else ""
    return rows[first:following], more
