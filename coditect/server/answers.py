"""Answers for programs: the bytes that the command line prints with ``--format json``, with a tag where they never change."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
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


def page_of(
    rows: Sequence[T],
    cursor: str,
    limit: int,
    bound_to: str,
    generation: int | Mapping[str, int] = 0,
    keys: Sequence[str] | None = None,
) -> tuple[Sequence[T], str]:
    """(rows of a page, cursor of the next page or "").

    Args:
        rows: all rows, in an order that does not change while ``bound_to`` does not; with ``keys`` it may.
        cursor: of the page; "" for the first.
        limit: rows of a page.
        bound_to: what the rows are of: a generation's build id and the question. A cursor of something else is refused.
        generation: that the rows are of, which a refused cursor of another one is told; 0: of none. Of several, or where another
            parameter than "as_of" names it: by these parameters, in an order of theirs that stays.
        keys: what each row is known by, of a list that decisions change between two pages: the cursor is bound to the rows of
            the pages before it, too, so that none is shown twice or passed over.

    Raises:
        Problem: not a cursor of these rows; or those of the pages before are others now.
    """
    first = first_of(cursor, bound_to, generation, keys)
    if first > len(rows):
        raise Problem(400, "the cursor is of another list", _way_on((), {}))
    return rows[first : first + limit], cursor_after(first + limit, len(rows), bound_to, generation, keys)


def first_of(
    cursor: str, bound_to: str, generation: int | Mapping[str, int] = 0, keys: Sequence[str] | None = None
) -> int:
    """How many rows the pages before a cursor hold; 0 where there is none. As :func:`page_of` otherwise."""
    if not cursor:
        return 0
    try:
        given, number, *rest = base64.urlsafe_b64decode(cursor.encode()).decode().split(".")
        first, former = int(number), tuple(map(int, rest))
    except (binascii.Error, ValueError, UnicodeError) as error:
        raise Problem(400, "not a cursor", "Leave it out to begin again.") from error
    mark, _, before = given.partition("-")
    if mark != _mark(bound_to) or first < 0:
        raise Problem(400, "the cursor is of another list", _way_on(former, _named(generation)))
    if before != _mark_of_rows(keys, first):
        raise Problem(
            400,
            "the list has changed since the page before",
            "What stood before this page stands otherwise now, as after a decision: leave the cursor out to begin again.",
        )
    return first


def cursor_after(
    following: int,
    total: int,
    bound_to: str,
    generation: int | Mapping[str, int] = 0,
    keys: Sequence[str] | None = None,
) -> str:
    """The cursor of the page that begins behind so many rows; "" where there is none. As :func:`page_of` otherwise."""
    if following >= total:
        return ""
    before = _mark_of_rows(keys, following)
    mark = f"{_mark(bound_to)}-{before}" if before else _mark(bound_to)
    place = ".".join((mark, str(following), *map(str, _named(generation).values())))
    return base64.urlsafe_b64encode(place.encode()).decode()


def _mark(bound_to: str) -> str:
    return sha256_hex(bound_to.encode())[:16]


def _mark_of_rows(keys: Sequence[str] | None, count: int) -> str:
    """Of the first rows of a list that may change; "" of one that does not."""
    return "" if keys is None else sha256_hex(orjson.dumps(list(keys[:count])))[:16]


def _named(generation: int | Mapping[str, int]) -> Mapping[str, int]:
    """Generations by the parameters that name them."""
    if isinstance(generation, int):
        return {"as_of": generation} if generation else {}
    return generation


def _way_on(former: Sequence[int], now: Mapping[str, int]) -> str:
    """What whoever shows a cursor of another list can do."""
    if len(former) == len(now) and tuple(former) != tuple(now.values()) and all(each > 0 for each in former):
        asked = " and ".join(f"{name}={number}" for name, number in zip(now, former, strict=True))
        were, are = (" and ".join(map(str, each)) for each in (former, now.values()))
        return (
            f"The page before was of generation {were}, this is of {are}: ask on with {asked} and the same "
            "cursor, or leave the cursor out to begin again."
        )
    return "Ask with the same filters and the same day as the page before, or leave it out to begin again."
