"""Where the assistants' server listens, to which names it answers there, and under whose name it asks."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import ClassVar

import pytest
import uvicorn
from starlette.testclient import TestClient

pytest.importorskip("mcp", reason="needs the extra [mcp]")

from mcp.client.client import Client

from coditect.assistants.serving import ON_STDIO, Alone, opened_server, run_http
from coditect.compose import open_knowledge
from coditect.errors import NotFound, UsageError
from coditect.knowledge.progress import utc_now
from coditect.server.access.tokens import new_token
from coditect.server.service import Service, open_service
from tests.integration.server.served import OTHER, settings_at

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


class Stopped:
    """In place of what serves: asks once by each name instead, and ends."""

    token = ""
    configs: ClassVar[list[uvicorn.Config]] = []
    nodelay: ClassVar[list[int]] = []
    answers: ClassVar[dict[str, int]] = {}

    def __init__(self, config: uvicorn.Config) -> None:
        self.configs[:] = [config]

    def run(self, sockets: list[socket.socket]) -> None:
        """Ask."""
        self.nodelay[:] = [each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for each in sockets]
        head = {"Authorization": f"Bearer {self.token}", "Accept": "application/json, text/event-stream"}
        with TestClient(self.configs[0].app) as client:  # type: ignore[arg-type]
            for name in ("localhost", "127.0.0.1:7", "[::1]", "own.example", "evil.example"):
                self.answers[name] = client.post("/mcp", json=LIST, headers={**head, "Host": name}).status_code
        for each in sockets:
            each.close()


def _has(host: str) -> bool:
    """Whether this machine has an address."""
    try:
        with socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            return True
    except OSError:
        return False


def _token_at(place: Path) -> str:
    with open_knowledge(settings_at(place)) as knowledge:
        return new_token(knowledge.store, name="Ada", role="analyst", clock=utc_now)[1]


@pytest.mark.parametrize(
    ("host", "shown", "refused"),
    [
        ("127.0.0.1", r"http://127\.0\.0\.1:[1-9]\d*/mcp", {"evil.example"}),
        ("::1", r"http://\[::1\]:[1-9]\d*/mcp", {"evil.example"}),
        ("0.0.0.0", r"http://0\.0\.0\.0:[1-9]\d*/mcp", {"evil.example", "localhost", "127.0.0.1:7", "[::1]"}),  # noqa: S104 - refused by its names
    ],
)
def test_it_answers_to_its_names_alone(
    place: Path, monkeypatch: pytest.MonkeyPatch, host: str, shown: str, refused: set[str]
) -> None:
    """On loopback to the usual ones, too; it sends short answers at once, and tells nobody what it runs on or who asked."""
    if not _has(host):
        pytest.skip("the machine has no such address")
    said: list[str] = []
    monkeypatch.setattr(uvicorn, "Server", Stopped)
    monkeypatch.setattr(Stopped, "token", _token_at(place))
    run_http(settings_at(place), host, 0, ("own.example",), said.append)
    (line,) = said
    assert re.fullmatch(f"listening on {shown}", line)
    assert {name for name, status in Stopped.answers.items() if status != 200} == refused
    assert len(Stopped.nodelay) == 1
    assert all(Stopped.nodelay)
    (config,) = Stopped.configs
    assert (config.access_log, config.server_header) == (False, False)


def test_others_are_answered_under_a_name_alone(place: Path) -> None:
    """That the operator gives."""
    with pytest.raises(UsageError, match="names"):
        run_http(settings_at(place), "0.0.0.0", 0, (), print)  # noqa: S104 - it is refused


async def test_an_assistant_on_this_machine_is_who_is_configured_or_its_own_name(place: Path) -> None:
    """In the audit trail; and it may ask what it was given."""
    for principal, corpora, who in ((None, (OTHER,), ON_STDIO), ("Bob", (), "Bob")):
        settings = settings_at(place).model_copy(update={"principal": principal} if principal else {})
        with opened_server(settings, Alone("reader", corpora)) as server:
            async with Client(server) as client:
                listed = (await client.call_tool("corpora", {})).structured_content["corpora"]
                assert {each["corpus_id"] for each in listed} >= {OTHER}
                assert len(listed) == 1 or not corpora
                await client.call_tool("documents", {"corpus_id": OTHER})
        with open_service(settings_at(place), work=place.parent / "work2") as service:
            assert who in _readers(service)


def test_a_corpus_that_there_is_not_is_refused_at_once(place: Path) -> None:
    """With the names of those that there are; else an assistant would find nothing to ask, and nobody would say why."""
    with (
        pytest.raises(NotFound, match="unknown corpus") as refused,
        opened_server(settings_at(place), Alone("reader", ("nope",))),
    ):
        pass
    assert OTHER in str(refused.value.hint)


def _readers(service: Service) -> set[str]:
    (knowledge,) = service.tenants.values()
    return {each.who for each in knowledge.audit() if each.kind == "access"}


async def test_a_comparison_is_kept_where_the_server_works(service: Service, place: Path) -> None:
    """Under its own folder."""
    from coditect.assistants.serving import _desk
    from coditect.server.access.callers import Caller

    desk = _desk(service, Caller("Ada", settings_at(place).tenant, "analyst"))
    assert desk.cache == service.work / "crosswalks"
    of_itself = desk.crosswalk("policies", "incident.md", "policies", (), "", 3)
    assert of_itself == desk.crosswalk("policies", "incident.md", "", (), "", 3)
    other = desk.crosswalk("policies", "", OTHER, (), "", 3)
    assert [each.text for each in other.lines] != [each.text for each in of_itself.lines]
    assert "merger" in str([each.text for each in other.lines])
