"""Which requests are let in: by the name they are sent to, and by their size."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coditect.server import protection
from coditect.server.protection import Admission, HeadsAlone, SafeHeaders
from tests.unit.server.asgi import Asked, ask, scope_of


async def body_read(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - as ASGI has it
    """Answers with what it received, message by message, until the caller goes away."""
    told = []
    while (message := await receive())["type"] == "http.request":
        told.append([message["body"].decode(), message.get("more_body", False)])
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps(told).encode()})


@pytest.mark.parametrize(
    ("path", "host", "status"),
    [("/x", "one.example", 200), ("/x", "ONE.example", 200), ("/x", "one.example:80", 200), ("/x", "[::1]", 200),
     ("/x", "[::1]:80", 200), ("/x", "two.example", 421), ("/x", "two.example:80", 421), ("/x", "one.example:", 421),
     ("/x", "one.example:x", 421), ("/x", "", 421), ("/healthz", "two.example", 200), ("/readyz", "10.0.0.1:80", 200),
     ("/metrics", "two.example", 421)],
)  # fmt: skip
async def test_it_answers_to_its_names_and_probes_under_any(path: str, host: str, status: int) -> None:
    """With a port or without, in any case; where it was given none, to all."""
    app = Admission(body_read, hosts=("One.Example", "::1"))
    answer = await ask(app, scope_of(path, host=host))
    assert answer.status == status
    assert (await ask(Admission(body_read), scope_of(path, host=host))).status == 200
    if status == 421:
        told = json.loads(answer.body)
        assert (told["title"], told["instance"]) == ("the server does not answer to this name", path)


UPLOAD = 2 * 1024**3


@pytest.mark.parametrize(
    ("method", "path", "length", "status"),
    [("POST", "/x", "99", 200), ("POST", "/x", "100", 200), ("POST", "/x", "101", 413), ("POST", "/x", "-1", 400),
     ("POST", "/x", "1e2", 400), ("POST", "/x", "", 400), ("GET", "/x", "101", 413), ("POST", "/c/documents", "101", 200),
     ("POST", "/c/documents", str(UPLOAD), 200), ("POST", "/c/documents", str(UPLOAD + 1), 413),
     ("GET", "/c/documents", "101", 413), ("POST", "/c/documents/x", "101", 413)],
)  # fmt: skip
async def test_a_length_that_is_told_has_a_bound(method: str, path: str, length: str, status: int) -> None:
    """Uploads have one of their own; what is no number is refused."""
    answer = await ask(Admission(body_read, most_bytes=100), scope_of(path, method, content_length=length))
    assert answer.status == status
    if status == 413:
        bound = UPLOAD if length == str(UPLOAD + 1) else 100
        assert json.loads(answer.body)["detail"] == f"At most {bound} bytes."


def test_bodies_are_of_four_mebibytes_and_uploads_of_two_gibibytes() -> None:
    """As the documents say; so many may be on their way at one time."""
    assert (protection.BODY_BYTES, protection.UPLOAD_BYTES) == (4 * 1024**2, UPLOAD)
    assert protection.BESIDE == {"followers": 256, "uploads": 8, "bodies": 64}


@pytest.mark.parametrize(("last", "status"), [(49, 200), (50, 200), (51, 413)])
async def test_a_length_that_is_not_told_is_counted(last: int, status: int) -> None:
    """Over all pieces."""
    head = scope_of("/x", "POST", transfer_encoding="chunked")
    answer = await ask(Admission(body_read, most_bytes=100), head, (b"x" * 50, b"y" * last))
    assert answer.status == status
    assert status == 200 or json.loads(answer.body)["title"] == "the body is too large"


async def test_a_body_is_handed_on_when_all_of_it_is_there() -> None:
    """In one piece; behind it the application hears what the connection says. An upload comes as it is sent."""
    pieces = (b"one", b"two", b"three")
    for head in ({"content_length": "11"}, {"transfer_encoding": "chunked"}):
        answer = await ask(Admission(body_read), scope_of("/x", "POST", **head), pieces)
        assert json.loads(answer.body) == [["onetwothree", False]]
        answer = await ask(Admission(body_read), scope_of("/documents", "POST", **head), pieces)
        assert json.loads(answer.body) == [["one", True], ["two", True], ["three", False]]


async def test_a_body_whose_sender_goes_away_is_not_answered() -> None:
    """Nor does the application hear of it."""
    asked, entered = Asked(), list[bool]()

    async def app(*_: object) -> None:
        entered.append(True)

    messages = iter([{"type": "http.request", "body": b"x", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> Any:  # noqa: ANN401 - as ASGI has it
        return next(messages)

    await Admission(app)(scope_of("/x", "POST", content_length="2"), receive, asked.send)
    assert (asked.status, entered) == (0, [])


async def test_other_things_than_requests_go_through() -> None:
    """As the beginning and the end of the application do, whatever is sent there."""
    seen: list[Any] = []

    async def app(scope: Any, *_: object) -> None:  # noqa: ANN401 - as ASGI has it
        seen.append(scope)

    life = {"type": "lifespan"}
    for each in (Admission(app, hosts=("one.example",)), SafeHeaders(app, encrypted=True)):
        await each(life, None, None)  # type: ignore[arg-type]
    assert seen == [{"type": "lifespan"}] * 2


async def test_answers_have_safe_headers_once_each() -> None:
    """One of an answer's own stays as it is; what the server runs on is not told."""

    async def app(scope: Any, _: object, send: Any) -> None:  # noqa: ANN401 - as ASGI has it
        schemes.append(scope.get("scheme", ""))
        headers = [(b"X-Frame-Options", b"SAMEORIGIN"), (b"Server", b"x"), (b"a", b"b")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"x"})

    schemes: list[str] = []
    for encrypted in (False, True):
        answer = await ask(SafeHeaders(app, encrypted), scope_of())
        names = [name.lower() for name, _ in answer.headers]
        assert len(names) == len(set(names))
        assert "server" not in names
        assert answer.headers[:2] == [("X-Frame-Options", "SAMEORIGIN"), ("a", "b")]
        assert ("strict-transport-security" in names) == encrypted
        assert {"content-security-policy", "x-content-type-options", "referrer-policy"} <= set(names)
        assert answer.body == b"x"
    assert schemes == ["", "https"]


@pytest.mark.parametrize(("path", "asked", "body"), [("/x", "GET", b""), ("/jobs/1/events", "HEAD", b"said")])
async def test_head_has_the_headers_of_get_and_no_body(path: str, asked: str, body: bytes) -> None:
    """RFC 9110, 9.3.2; what is told as it happens is left to whoever tells it."""
    seen: list[str] = []

    async def answers(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - as ASGI has it
        seen.append(scope["method"])
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
        await send({"type": "http.response.body", "body": b"said"})

    for method, says in (("GET", b"said"), ("HEAD", body)):
        answer = await ask(HeadsAlone(answers), scope_of(path, method))
        assert (answer.status, dict(answer.headers)["content-length"], answer.body) == (200, "4", says)
    assert seen == ["GET", asked]


async def test_a_head_is_counted_under_the_route_that_answered_it() -> None:
    """Figures and refusals are told by the route and the caller that the answer found."""

    async def answers(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - as ASGI has it
        scope["route"], scope["state"] = "x", {"caller": "Ada"}
        await send({"type": "http.response.start", "status": 403, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    scope = scope_of("/x", "HEAD")
    await ask(HeadsAlone(answers), scope)
    assert (scope["method"], scope["route"], scope["state"]) == ("HEAD", "x", {"caller": "Ada"})
