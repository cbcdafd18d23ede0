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

__all__ = ["IMMUTABLE", "answer", "cursor_after", "first_of", "not_modified", "page_of"]

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


def page_of(rows: Sequence[T], cursor: str, limit: int, bound_to: str, generation: int = 0) -> tuple[Sequence[T], str]:
    """(rows of a page, cursor of the next page or "").

    Args:
        rows: all rows, in an order that does not change while ``bound_to`` does not.
        cursor: of the page; "" for the first.
        limit: rows of a page.
        bound_to: what the rows are of: a generation's build id and the question. A cursor of something else is refused.
        generation: that the rows are of, which a refused cursor of another one is told; 0: of none.

    Raises:
        Problem: not a cursor of these rows.
    """
    first = first_of(cursor, bound_to, generation)
    if first > len(rows):
        raise Problem(400, "the cursor is of another list", _way_on(0, 0))
    return rows[first : first + limit], cursor_after(first + limit, len(rows), bound_to, generation)


def first_of(cursor: str, bound_to: str, generation: int = 0) -> int:
    """How many rows the pages before a cursor hold; 0 where there is none. As :func:`page_of` otherwise."""
    if not cursor:
        return 0
    try:
        given, number, *rest = base64.urlsafe_b64decode(cursor.encode()).decode().split(".")
        first, former = int(number), int(rest[0]) if rest else 0
    except (binascii.Error, ValueError, UnicodeError) as error:
        raise Problem(400, "not a cursor", "Leave it out to begin again.") from error
    if given != _mark(bound_to) or first < 0:
        raise Problem(400, "the cursor is of another list", _way_on(former, generation))
    return first


def cursor_after(following: int, total: int, bound_to: str, generation: int = 0) -> str:
    """The cursor of the page that begins behind so many rows; "" where there is none. As :func:`page_of` otherwise."""
    if following >= total:
        return ""
    place = f"{_mark(bound_to)}.{following}" + (f".{generation}" if generation else "")
    return base64.urlsafe_b64encode(place.encode()).decode()


def _mark(bound_to: str) -> str:
    return sha256_hex(bound_to.encode())[:16]


def _way_on(former: int, generation: int) -> str:
    """What whoever shows a cursor of another list can do."""
    if former and generation and former != generation:
        return (
            f"The page before was of generation {former}, this is of {generation}: ask on with as_of={former} and the same "
            "cursor, or leave the cursor out to begin again."
        )
    return "Ask with the same filters and the same day as the page before, or leave it out to begin again."
