"""The protocol itself, by the client of the SDK: an assistant finds, reads, cites and verifies, over both transports."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import httpx2
import pytest
import uvicorn
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from coditect.assistants.fencing import unfenced
from coditect.assistants.serving import http_application
from coditect.assistants.tools import INSTRUCTIONS
from coditect.server.access.gatekeeper import Keeper
from coditect.server.access.sessions import Sessions
from coditect.server.access.tokens import TokenRegister, new_token, revoke_token
from coditect.server.service import Service
from tests.integration.server.served import OTHER
from tests.places import options_at

TOOLS = {
    *("corpora", "documents", "search", "read", "chain", "verify", "crosswalk", "changes"),
    *("obligations", "deadlines", "definitions", "agreements", "waivers"),
}


async def _assists(client: Client) -> None:
    """What an assistant does with a question."""
    listed = {each["corpus_id"] for each in await _called(client, "corpora", "corpora")}
    assert "policies" in listed
    found = await client.call_tool(
        "search", {"corpus_id": "policies", "question": "how soon must an incident be reported?"}
    )
    assert not found.is_error
    best = found.structured_content["items"][0]
    citation = best["citations"][0]
    resource = await client.read_resource(citation["uri"])
    words = unfenced(resource.contents[0].text)  # type: ignore[union-attr]
    assert words == unfenced(citation["text"])
    around = await client.call_tool("read", {"corpus_id": "policies", "document": citation["document"]})
    assert words in unfenced(around.structured_content["text"])
    steps = await client.call_tool("chain", {"corpus_id": "policies", "item_id": best["item_id"]})
    assert steps.structured_content["links"][0]["item_id"] == best["item_id"]
    said = "Employees shall report an incident to the security team within 4 hours. Pigs fly on Mondays."
    checked = await client.call_tool("verify", {"corpus_id": "policies", "text": said})
    labels = [each["label"] for each in checked.structured_content["sentences"]]
    assert labels[0] == "supported"
    assert labels[1] != "supported"
    item = await client.read_resource(best["uri"])
    assert best["item_id"] in item.contents[0].text  # type: ignore[union-attr]


async def _called(client: Client, tool: str, field: str, **arguments: object) -> Any:  # noqa: ANN401 - any JSON value
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    return answer.structured_content[field]


def _stdio(place: Path, *options: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=["-m", "coditect", *options_at(place), "mcp", *options], env=None
    )


async def test_an_assistant_over_standard_input(place: Path) -> None:
    """A process of its own; nothing but the protocol is on its output, or the client would fail."""
    async with Client(_stdio(place)) as client:
        tools = (await client.list_tools()).tools
        assert {each.name for each in tools} == TOOLS
        assert all(each.annotations is not None and each.annotations.read_only_hint for each in tools)
        assert all(each.output_schema and each.description for each in tools)
        templates = (await client.list_resource_templates()).resource_templates
        assert len(templates) == 2
        assert client.instructions == INSTRUCTIONS
        await _assists(client)
        prompts = (await client.list_prompts()).prompts
        assert {each.name for each in prompts} == {"answer_with_citations", "review_draft"}
        made = await client.get_prompt("review_draft", {"corpus_id": "policies", "draft": "All is well."})
        assert "All is well." in made.messages[0].content.text  # type: ignore[union-attr]


async def test_corpora_that_were_not_named_are_hidden(place: Path) -> None:
    """And a reader cannot verify."""
    async with Client(_stdio(place, "--corpus", "policies", "--role", "reader")) as client:
        assert [each["corpus_id"] for each in await _called(client, "corpora", "corpora")] == ["policies"]
        refused = await client.call_tool("search", {"corpus_id": OTHER, "question": "merger"})
        assert refused.is_error
        assert "unknown corpus" in refused.content[0].text  # type: ignore[union-attr]
        refused = await client.call_tool("verify", {"corpus_id": "policies", "text": "x"})
        assert "role" in refused.content[0].text  # type: ignore[union-attr]


BAD: list[tuple[str, dict[str, object]]] = [
    ("search", {"corpus_id": "policies"}),
    ("search", {"corpus_id": "policies", "question": ""}),
    ("search", {"corpus_id": "policies", "question": "x" * 5000}),
    ("search", {"corpus_id": "policies", "question": "x", "tier": "cellar"}),
    ("search", {"corpus_id": "policies", "question": "x", "limit": 10_000}),
    ("search", {"corpus_id": "policies", "question": "x", "documents": ["../../etc/passwd"]}),
    ("search", {"corpus_id": "nothing", "question": "x"}),
    ("search", {"corpus_id": "policies", "question": "x", "generation": 99}),
    ("read", {"corpus_id": "policies", "document": "../incident.md"}),
    ("read", {"corpus_id": "policies", "document": "incident.md", "start": -1}),
    ("read", {"corpus_id": "policies", "document": "incident.md", "start": 10**9}),
    ("chain", {"corpus_id": "policies", "item_id": "claim_0"}),
    ("chain", {"corpus_id": "policies", "item_id": "\x00"}),
    ("verify", {"corpus_id": "policies", "text": ""}),
    ("verify", {"corpus_id": "policies", "text": "x. " * 10_000}),
    ("search", {"corpus_id": "policies", "question": "   "}),
    ("chain", {"corpus_id": "policies", "item_id": "extraction_" + "0" * 52}),
    ("crosswalk", {"corpus_id": "policies"}),
    ("crosswalk", {"corpus_id": "policies", "framework": "nothing.json"}),
    ("crosswalk", {"corpus_id": "policies", "framework": "incident.md", "labels": ["fine"]}),
    ("documents", {"corpus_id": "policies", "cursor": "ten"}),
    ("changes", {"corpus_id": "policies", "before": 7}),
    ("nothing", {}),
]


async def test_bad_input_is_an_error_that_says_why(service: Service, place: Path) -> None:
    """None of it ends the server, and none names a path of this machine."""
    async with _served(service) as (address, token), _client(address, token(name="Ada", role="analyst")) as client:
        for tool, arguments in BAD:
            answer = await client.call_tool(tool, arguments)
            assert answer.is_error, (tool, arguments)
            said = answer.content[0].text  # type: ignore[union-attr]
            assert "Error executing tool" not in said or ":" in said, said
            assert "--" not in said, said
            assert "coditect knowledge" not in said, said
            assert str(place.parent) not in said
        for uri in (
            "coditect://corpora/policies/1/documents/version_0",
            "coditect://corpora/policies/x/documents/version_0",
            "coditect://corpora/nothing/1/items/claim_0",
            "coditect://corpora/..%2F..%2F/1/items/claim_0",
            "file:///etc/passwd",
        ):
            with pytest.raises(MCPError):
                await client.read_resource(uri)
        await _assists(client)


# over HTTP


@asynccontextmanager
async def _served(service: Service) -> AsyncIterator[tuple[str, Callable[..., str]]]:
    """(address, makes tokens) of a server in this process."""
    registers = {
        name: TokenRegister(each.store, each.clock, now_s=_always_later()) for name, each in service.tenants.items()
    }
    keeper = Keeper(registers, Sessions())
    app = http_application(service, keeper.by_token, keeper.count, ("127.0.0.1",))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        await _breath()
    port = server.servers[0].sockets[0].getsockname()[1]
    store = next(iter(service.tenants.values()))

    def token(**given: Any) -> str:  # noqa: ANN401 - as new_token takes it
        return new_token(store.store, clock=store.clock, **given)[1]

    try:
        yield f"http://127.0.0.1:{port}/mcp", token
    finally:
        server.should_exit = True
        thread.join()


def _always_later() -> Callable[[], float]:
    times = iter(range(0, 10**9, 60))
    return lambda: float(next(times))


async def _breath() -> None:
    import anyio

    await anyio.sleep(0.01)


@asynccontextmanager
async def _client(address: str, token: str) -> AsyncIterator[Client]:
    own = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=own) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


async def test_an_assistant_over_http(service: Service) -> None:
    """The same, with a token; two callers at once see what each was granted."""
    async with _served(service) as (address, token):
        everything = token(name="Ada", role="analyst")
        little = token(name="Bob", role="reader", corpora=("policies",))
        async with _client(address, everything) as ada, _client(address, little) as bob:
            await _assists(ada)
            for client, expected in ((ada, True), (bob, False)):
                listed = {each["corpus_id"] for each in await _called(client, "corpora", "corpora")}
                assert (OTHER in listed) == expected
            refused = await bob.call_tool("search", {"corpus_id": OTHER, "question": "merger"})
            assert refused.is_error


LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


async def test_nobody_gets_in_without_a_token_that_holds(service: Service) -> None:
    """No token, none that was made, a revoked one, another host's name, another site, too much at once."""
    async with _served(service) as (address, token), httpx.AsyncClient(headers=ACCEPT) as http:
        good = token(name="Ada", role="analyst")
        own = {"Authorization": f"Bearer {good}"}
        first = await http.post(address, json=LIST, headers=own)
        assert first.status_code == 200
        assert len(first.json()["result"]["tools"]) == len(TOOLS)
        for header in ({}, {"Authorization": "Bearer x"}, {"Authorization": f"Basic {good}"}, {"Authorization": good}):
            refused = await http.post(address, json=LIST, headers=header)
            assert refused.status_code == 401
            assert "Bearer" in refused.headers["www-authenticate"]
        for header in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
            assert (await http.post(address, json=LIST, headers={**own, **header})).status_code in (403, 421)
        large = {**LIST, "params": {"x": "y" * (300 << 10)}}
        assert (await http.post(address, json=large, headers=own)).status_code == 413
        store = next(iter(service.tenants.values()))
        revoke_token(store.store, good.split("_")[1], reason="lost", clock=store.clock)
        assert (await http.post(address, json=LIST, headers=own)).status_code == 401
