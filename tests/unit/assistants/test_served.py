"""What stands around the tools: what errors tell, which addresses are numbers, and to whom HTTP answers."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra [mcp]")

from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from starlette.testclient import TestClient

from coditect.assistants.admission import Admitted
from coditect.assistants.serving import STATE, http_application
from coditect.assistants.tools import assistant_server
from coditect.errors import NotFound, UsageError
from coditect.server.access.callers import Caller, ModelUse
from coditect.server.problems import Problem
from tests.unit.assistants.desks import desk_of


def _failing(error: Exception) -> Any:  # noqa: ANN401 - a double
    """A desk whose first use case fails."""

    def fails() -> None:
        raise error

    return SimpleNamespace(corpora=fails)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (NotFound("unknown corpus"), "unknown corpus."),
        (NotFound("unknown corpus", hint="Look."), "unknown corpus. Look."),
        (UsageError("too much", characters=9, store="lmdb:///x", folder="/x"), "too much (characters 9)."),
        (
            UsageError("too much", path="/x", characters=9, role="r", hint="Less."),
            "too much (characters 9; role r). Less.",
        ),
    ],
)
async def test_errors_reach_the_assistant_with_the_way_out(error: Exception, told: str) -> None:
    """And with what they are about, but nothing of this machine."""
    async with Client(assistant_server(lambda _: _failing(error))) as client:
        answer = await client.call_tool("corpora", {})
    assert answer.is_error
    assert answer.content[0].text.endswith(told)  # type: ignore[union-attr]
    assert "/x" not in answer.content[0].text  # type: ignore[union-attr]


async def test_addresses_hold_numbers_of_up_to_fifteen_digits() -> None:
    """Each goes to its place; what is no number is no resource."""
    asked: Any = []
    desk: Any = SimpleNamespace(words=lambda *given: asked.append(given) or "words")
    at = "coditect://corpora/c/{}/documents/v?start={}&end={}"
    async with Client(assistant_server(lambda _: desk)) as client:
        await client.read_resource(at.format(7, 1, 20))
        await client.read_resource(at.format(7, 0, "9" * 15))
        await client.read_resource("coditect://corpora/c/0/documents/v")
        for wrong in ("9" * 16, "x", "-1", "1.5", "\u0663"):
            for uri in (at.format(wrong, 1, 2), at.format(1, wrong, 2), at.format(1, 2, wrong)):
                with pytest.raises(MCPError):
                    await client.read_resource(uri)
    assert asked == [("c", 7, "v", 1, 20), ("c", 7, "v", 0, int("9" * 15)), ("c", 0, "v", None, None)]


async def test_lists_that_are_left_out_are_empty() -> None:
    """Those that are given are handed on."""
    asked: list[tuple[Any, ...]] = []

    def noted(*given: object) -> None:
        asked.append(given)
        raise NotFound("nothing")

    desk: Any = SimpleNamespace(search=noted, crosswalk=noted)
    async with Client(assistant_server(lambda _: desk)) as client:
        for more in ({}, {"documents": ["a*"]}):
            await client.call_tool("search", {"corpus_id": "c", "question": "who?", **more})
        for labels in ({}, {"labels": ["no evidence"], "columns": "id=A,statement=B"}):
            await client.call_tool("crosswalk", {"corpus_id": "c", "framework": "f", **labels})
    assert [tuple(each[4]) for each in asked[:2]] == [(), ("a*",)]
    assert [tuple(each[3]) for each in asked[2:]] == [(), ("no evidence",)]
    assert [each[6] for each in asked[2:]] == ["", "id=A,statement=B"]


CALLER = Caller("Ada", "t", "reader")


def _admitted(refused: Problem | None = None) -> tuple[Any, list[Any]]:
    """An application behind the token "good", and the callers that got in."""
    inside: list[Any] = []

    async def inner(scope: Any, _receive: Any, send: Any) -> None:  # noqa: ANN401 - as ASGI has it
        inside.append(scope.get("who"))
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"in"})

    def count(_: Caller) -> None:
        if refused is not None:
            raise refused

    return Admitted(inner, lambda token: CALLER if token == "good" else None, count, "who"), inside


@pytest.mark.parametrize(
    ("header", "status"),
    [("Bearer good", 200), ("bearer  good ", 200), ("Bearer bad", 401), ("Basic good", 401), ("good", 401), ("", 401)],
)
def test_a_token_in_its_header_is_let_in(header: str, status: int) -> None:
    """Under its caller; nothing else is."""
    app, inside = _admitted()
    answer = TestClient(app).get("/mcp", headers={"Authorization": header} if header else {})
    assert (answer.status_code, inside) == (status, [CALLER] if status == 200 else [])


def test_who_asks_too_often_is_refused() -> None:
    """With when to come again."""
    app, inside = _admitted(Problem(429, "too many requests", headers={"Retry-After": "10"}))
    answer = TestClient(app).get("/mcp", headers={"Authorization": "Bearer good"})
    assert (answer.status_code, answer.headers["retry-after"], inside) == (429, "10", [])


async def test_what_is_no_request_needs_no_token() -> None:
    """Beginning and end of the application go through."""
    app, inside = _admitted()
    await app({"type": "lifespan"}, None, None)
    assert inside == [None]


def _http(hosts: tuple[str, ...]) -> Any:  # noqa: ANN401 - an application
    """Two corpora over HTTP, for anybody."""
    desk = desk_of()
    service: Any = SimpleNamespace(knowledge=lambda _: desk.knowledge, work=Path("nowhere"), model_use=ModelUse())
    return http_application(service, lambda _: CALLER, lambda _: None, hosts)


OWN = {"Authorization": "Bearer x", "Accept": "application/json, text/event-stream"}


def test_nothing_is_told_of_by_itself() -> None:
    """Whoever wants to know asks: a server without sessions has nobody to tell."""
    asked = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {}}
    with TestClient(_http(("testserver",))) as client:
        said = client.post("/mcp", json=asked, headers=OWN).json()
    assert said["error"]["code"] == -32601


HOSTS = ("plain.example", "ported.example:8443", "[::1]", "[::2]:99")


@pytest.mark.parametrize(
    ("host", "answered"),
    [("plain.example", True), ("plain.example:1", True), ("ported.example:8443", True), ("ported.example", False),
     ("ported.example:1", False), ("[::1]", True), ("[::1]:1", True), ("[::2]:99", True), ("[::2]", False),
     ("[::2]:98", False), ("other.example", False)],
)  # fmt: skip
def test_hosts_with_a_port_are_answered_there_alone_and_others_at_any(host: str, answered: bool) -> None:
    """Each request by itself, as JSON, without a session."""
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "corpora", "arguments": {}}}
    with TestClient(_http(HOSTS)) as client:
        answer = client.post("/mcp", json=asked, headers={**OWN, "Host": host})
    assert (answer.status_code == 200) == answered
    if answered:
        assert answer.headers["content-type"].startswith("application/json")
        assert "mcp-session-id" not in answer.headers
        assert [each["corpus_id"] for each in answer.json()["result"]["structuredContent"]["corpora"]] == ["c", "d"]
    assert STATE == "coditect.caller"
