"""Answers for programs: their tags, their pages, and what refusals tell."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.requests import Request

from coditect import errors
from coditect.schemas import sha256_hex
from coditect.server.answers import IMMUTABLE, answer, not_modified, page_of
from coditect.server.problems import Problem, as_problem, problem_response
from tests.unit.server.asgi import scope_of


def asked(method: str = "GET", **headers: str) -> Request:
    """A request."""
    return Request(scope_of("/x", method, **headers))


TAG = f'"{sha256_hex(b"[]" + chr(10).encode())[:32]}"'


def test_an_answer_is_known_by_its_bytes_or_by_a_tag_of_its_own() -> None:
    """It belongs to its caller, and is asked for again unless it never changes."""
    plain = answer(asked(), [])
    assert (plain.status_code, plain.body, plain.headers["etag"]) == (200, b"[]\n", TAG)
    assert plain.headers["cache-control"] == "private, no-cache"
    assert plain.headers["vary"] == "Authorization, Cookie"
    assert plain.headers["content-type"] == "application/json"
    own = answer(asked(), [], tag="v1", immutable=True, status=201, Retry_After="1")
    assert (own.status_code, own.headers["etag"], own.headers["retry-after"]) == (201, '"v1"', "1")
    assert own.headers["cache-control"] == IMMUTABLE


@pytest.mark.parametrize(
    ("method", "given", "has"),
    [("GET", TAG, True), ("HEAD", TAG, True), ("POST", TAG, False), ("GET", f"W/{TAG}", True), ("GET", f'"x", {TAG}', True),
     ("GET", '"x"', False), ("GET", "", False), ("GET", TAG.strip('"'), False)],
)  # fmt: skip
def test_what_the_caller_has_is_not_sent_again(method: str, given: str, has: bool) -> None:
    """Whoever reads; a change is always answered, and so is what is not the usual answer."""
    request = asked(method, if_none_match=given)
    assert not_modified(request, TAG) is has
    found = answer(request, [])
    assert (found.status_code, found.body) == ((304, b"") if has else (200, b"[]\n"))
    assert found.headers["etag"] == TAG
    assert answer(request, [], status=202).status_code == 202


def pages(rows: list[int], limit: int) -> Iterator[list[int]]:
    """All pages of rows."""
    cursor = ""
    while True:
        page, cursor = page_of(rows, cursor, limit, "rows")
        yield list(page)
        if not cursor:
            return


@pytest.mark.parametrize(
    ("count", "limit", "sizes"),
    [(0, 3, [0]), (1, 3, [1]), (3, 3, [3]), (4, 3, [3, 1]), (6, 3, [3, 3]), (7, 3, [3, 3, 1]), (3, 1, [1, 1, 1])],
)
def test_pages_add_up_and_none_is_empty(count: int, limit: int, sizes: list[int]) -> None:
    """Unless there is nothing at all."""
    rows = list(range(count))
    found = list(pages(rows, limit))
    assert ([len(each) for each in found], [row for page in found for row in page]) == (sizes, rows)


def cursor_of(text: str) -> str:
    """A cursor as the program makes it."""
    return base64.urlsafe_b64encode(text.encode()).decode()


def test_a_cursor_of_another_generation_tells_the_way_on() -> None:
    """Ask for the generation of the first page, or begin again; a cursor of one generation is of another question else."""
    _, cursor = page_of([1, 2, 3], "", 2, "build 1", 7)
    with pytest.raises(Problem, match="another list") as refused:
        page_of([1, 2, 3], cursor, 2, "build 2", 8)
    assert "as_of=7" in refused.value.detail
    with pytest.raises(Problem, match="another list") as refused:
        page_of([1, 2, 3], cursor, 2, "build 1 other filters", 7)
    assert refused.value.detail.startswith("Ask with the same filters")
    assert page_of([1, 2, 3], cursor, 2, "build 1", 7) == ([3], "")


MARK = sha256_hex(b"rows")[:16]


@pytest.mark.parametrize(
    ("cursor", "title"),
    [(cursor_of(f"{MARK}.0"), None), (cursor_of(f"{MARK}.2"), None), (cursor_of(f"{MARK}.3"), None),
     (cursor_of(f"{MARK}.4"), "another list"), (cursor_of(f"{MARK}.-1"), "another list"),
     (cursor_of(f"{MARK[:-1]}.1"), "another list"), (cursor_of(f"{sha256_hex(b'other')[:16]}.1"), "another list"),
     (cursor_of(MARK), "not a cursor"), ("nonsense!", "not a cursor"), ("\u00e9", "not a cursor")],
)  # fmt: skip
def test_a_cursor_is_of_its_list(cursor: str, title: str | None) -> None:
    """From the first row to the end; everything else is refused."""
    if title is None:
        first = int(base64.urlsafe_b64decode(cursor).decode().partition(".")[2])
        assert page_of([7, 8, 9], cursor, 5, "rows") == ([7, 8, 9][first:], "")
    else:
        with pytest.raises(Problem, match=title) as refused:
            page_of([7, 8, 9], cursor, 5, "rows")
        assert refused.value.status == 400


@pytest.mark.parametrize(
    ("error", "status"),
    [(errors.NotFound, 404), (errors.UsageError, 400), (errors.SchemaError, 400), (errors.ReadError, 422),
     (errors.Conflict, 409), (errors.TooLarge, 413), (errors.Unavailable, 503), (errors.RateLimited, 503),
     (errors.ModelError, 502), (errors.StoreError, 500), (errors.Corrupt, 500)],
)  # fmt: skip
def test_errors_are_problems_of_the_caller_or_of_the_server(error: type[errors.CoditectError], status: int) -> None:
    """The former with the way out, and without what only the operator should know; the latter say nothing."""
    told = as_problem(error("so it is", corpus_id="c", number=3, store="s", path="/p", names=["x"], hint="Do this."))
    assert told.status == status
    if status == 500:
        assert (told.title, told.detail) == ("the server could not answer", "The operator's log says why.")
    else:
        assert (told.title, told.detail) == ("so it is", "corpus_id c; number 3. Do this.")
    assert told.headers == ({"Retry-After": "1"} if status == 503 else {})
    assert as_problem(error("so it is", hint=None)).detail == ("" if status != 500 else "The operator's log says why.")


@pytest.mark.parametrize(
    ("problem", "instance", "body"),
    [
        (Problem(404, "Unknown  job!", "x"), "/p", {"type": "urn:coditect:problem:unknown-job", "title": "Unknown  job!",
         "status": 404, "detail": "x", "instance": "/p"}),
        (Problem(404, ""), "", {"type": "about:blank", "title": "Not Found", "status": 404}),
    ],
)  # fmt: skip
def test_a_problem_says_what_there_is_to_say(problem: Problem, instance: str, body: dict[str, Any]) -> None:
    """Without a title the status' own words; what is empty is left out."""
    told = problem_response(problem, instance)
    assert (told.status_code, json.loads(bytes(told.body))) == (problem.status, body)
    assert told.headers["content-type"] == "application/problem+json"
    assert Problem(429, "x", headers={"Retry-After": "9"}).headers == {"Retry-After": "9"}
