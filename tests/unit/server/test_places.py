"""How many requests are at work, how many wait, and which take a place of another kind."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from coditect.server import protection
from coditect.server.protection import Admission
from tests.unit.server.asgi import Asked, ask, scope_of


class Gate:
    """An application whose requests wait to begin their answer, and then to end it."""

    def __init__(self) -> None:
        self.inside: list[str] = []
        self.begins: dict[str, asyncio.Event] = {}
        self.ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[Asked]] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - as ASGI has it
        name = scope["name"]
        self.inside.append(name)
        await self.begins[name].wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await self.ends[name].wait()
        await send({"type": "http.response.body", "body": b""})

    async def enter(self, app: Any, name: str, scope: dict[str, Any], pieces: tuple[bytes, ...] = (b"",)) -> None:  # noqa: ANN401 - ASGI
        """Put a request, and wait until it stands still."""
        self.begins[name], self.ends[name] = asyncio.Event(), asyncio.Event()
        self.tasks[name] = asyncio.create_task(ask(app, {**scope, "name": name}, pieces))
        await settled()

    async def leave(self, *names: str) -> None:
        """Let requests end."""
        for name in names:
            self.begins[name].set()
            self.ends[name].set()
            assert (await self.tasks[name]).status == 200

    def refused(self, name: str) -> bool:
        """Whether a request was told to come again."""
        task = self.tasks[name]
        return task.done() and task.result().status == 503


async def settled() -> None:
    """Whatever can go on has gone on."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_so_many_are_at_work_so_many_wait_and_others_come_again() -> None:
    """A place is free again when an answer begins, once; so it is where a request fails or its caller goes."""
    gate = Gate()
    app = Admission(gate, most=1, waiting=1)
    for turn in "abc":  # nothing drifts
        first, second, third, fourth = (f"{turn}{n}" for n in range(4))
        await gate.enter(app, first, scope_of())
        await gate.enter(app, second, scope_of())
        await gate.enter(app, third, scope_of())
        assert gate.refused(third)
        assert dict(gate.tasks[third].result().headers)["retry-after"] == "1"
        assert gate.inside == [first]
        gate.begins[first].set()
        await settled()
        assert gate.inside == [first, second]
        await gate.enter(app, fourth, scope_of())
        await gate.leave(first)
        assert not gate.refused(fourth)
        assert gate.inside == [first, second]
        await gate.enter(app, f"{turn}4", scope_of())
        assert gate.refused(f"{turn}4")
        await gate.leave(second, fourth)
        gate.inside.clear()


async def test_who_goes_away_while_waiting_gives_no_place_that_is_taken() -> None:
    """Nor keeps one."""
    gate = Gate()
    app = Admission(gate, most=1, waiting=1)
    await gate.enter(app, "a", scope_of())
    for name in "bc":
        await gate.enter(app, name, scope_of())
        gate.tasks[name].cancel()
        await settled()
    await gate.enter(app, "d", scope_of())
    assert gate.inside == ["a"]
    await gate.enter(app, "e", scope_of())
    assert gate.refused("e")
    await gate.leave("a", "d")


async def test_a_request_that_fails_leaves_its_place() -> None:
    """For the next one."""

    async def breaks(*_: object) -> None:
        raise ValueError("broken")

    app = Admission(breaks, most=1, waiting=0)
    for _ in range(3):
        with pytest.raises(ValueError, match="broken"):
            await ask(app, scope_of())


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/static/x.css"])
async def test_probes_and_files_of_pages_take_no_place(path: str) -> None:
    """They answer while everybody else is told to come again."""
    gate = Gate()
    app = Admission(gate, most=0, waiting=0)
    await gate.enter(app, "a", scope_of())
    assert gate.refused("a")
    await gate.enter(app, "b", scope_of(path))
    await gate.leave("b")


KINDS: dict[str, tuple[str, dict[str, str]]] = {
    "followers": ("/jobs/1/events", {}),
    "uploads": ("/c/documents", {"content_length": "1"}),
    "bodies": ("/x", {"transfer_encoding": "chunked"}),
}


@pytest.mark.parametrize("kind", KINDS)
async def test_what_takes_long_without_work_has_a_bound_of_its_own(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others of the same kind are told to come again, those of other kinds are not; nothing drifts."""
    for name in KINDS:
        monkeypatch.setitem(protection.BESIDE, name, 2)
    gate = Gate()
    app = Admission(gate, most=8, waiting=0)
    path, headers = KINDS[kind]
    for turn in "ab":
        for number in range(3):
            await gate.enter(app, f"{turn}{number}", scope_of(path, "POST", **headers))
        assert [gate.refused(f"{turn}{number}") for number in range(3)] == [False, False, True]
        for other in KINDS.keys() - {kind}:
            await gate.enter(app, f"{turn}{other}", scope_of(KINDS[other][0], "POST", **KINDS[other][1]))
            assert not gate.refused(f"{turn}{other}")
        await gate.enter(app, f"{turn}none", scope_of("/x", "POST", content_length="0"))
        assert not gate.refused(f"{turn}none")
        await gate.leave(*(f"{turn}{each}" for each in (0, 1, "none", *(KINDS.keys() - {kind}))))


async def test_events_take_no_place_among_those_at_work() -> None:
    """Nor do uploads, whose worker writes them."""
    gate = Gate()
    app = Admission(gate, most=0, waiting=0)
    for kind, refused in (("followers", False), ("uploads", False), ("bodies", True)):
        path, headers = KINDS[kind]
        await gate.enter(app, kind, scope_of(path, "POST", **headers))
        assert gate.refused(kind) == refused
    await gate.leave("followers", "uploads")
