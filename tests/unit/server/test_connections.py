"""When a connection is let go: by what it sent and read from one look to the next, never by what an earlier request left."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from coditect.server.connections import PatientProtocol

LEAST = 10_240
"""Bytes from one look to the next: a kibibyte a second, for ten seconds."""


class Line:
    """A connection that is looked at by hand."""

    def __init__(self, now: float = 0.0) -> None:
        self.now, self.unread, self.aborted = now, 0, False
        self.timers: list[Any] = []
        loop: Any = SimpleNamespace(time=lambda: self.now, call_later=self._later)
        transport: Any = SimpleNamespace(
            get_write_buffer_size=lambda: self.unread,
            abort=self._abort,
            get_extra_info=lambda _: None,
            close=lambda: None,
        )
        self.protocol = PatientProtocol(Config(lambda: None), ServerState(), {}, loop)
        self.protocol.connection_made(transport)

    def _later(self, seconds: float, _: object) -> Any:  # noqa: ANN401 - a double
        timer = SimpleNamespace(seconds=seconds, ends=0)
        timer.cancel = lambda: setattr(timer, "ends", timer.ends + 1)
        self.timers.append(timer)
        return timer

    def _abort(self) -> None:
        self.aborted = True

    def request(self, *, sending: bool = False, answered: bool = False) -> None:
        """A new one."""
        self.protocol.cycle = SimpleNamespace(more_body=sending, response_complete=answered)  # type: ignore[assignment]

    def look(self, *, received: int = 0, unread: int = 0, paused: bool = False) -> bool:
        """Look ten seconds later; whether the connection is let go."""
        self.now += 10.0
        self.unread, self.protocol.flow.write_paused = unread, paused
        self.protocol._received += received
        self.protocol._look()
        return self.aborted


@pytest.mark.parametrize(("waited", "let_go"), [(19.5, False), (20.0, True), (20.5, True)])
def test_a_head_is_waited_for_for_twenty_seconds(waited: float, let_go: bool) -> None:
    """Counted from the answer before."""
    for answered in (False, True):
        line = Line(100.0)
        if answered:
            line.now = 500.0
            line.request(answered=True)
            line.protocol._waiting_since = 500.0
        line.now += waited - 10.0
        assert line.look() is let_go
        assert [each.seconds for each in line.timers] == [10.0] * (1 if let_go else 2)


@pytest.mark.parametrize(("read", "let_go"), [(LEAST - 1, True), (LEAST, False), (LEAST + 1, False), (-1, True)])
def test_an_answer_that_was_handed_over_whole_is_read_at_a_least_rate(read: int, let_go: bool) -> None:
    """The first look only sees how much there is; what is nearly read has to go on being read at all."""
    line = Line()
    line.request(answered=True)
    line.now = 100.0  # a head would have been waited for for too long
    assert not line.look(unread=50_000)
    assert line.look(unread=50_000 - read) is let_go


@pytest.mark.parametrize(("left", "let_go"), [(100, True), (1, True), (0, False)])
def test_the_rest_of_an_answer_is_read_to_its_end(left: int, let_go: bool) -> None:
    """Less than the least may be left, but not for another look."""
    line = Line()
    line.request(answered=True)
    line.protocol._waiting_since = 20.0
    assert not line.look(unread=100)
    assert line.look(unread=left) is let_go


def test_an_answer_that_has_only_begun_to_be_read_is_not_held_against_the_one_before() -> None:
    """Neither where nothing was unread, nor where the end of another answer was."""
    for before in (0, 300):
        line = Line()
        line.request(answered=True)
        assert not line.look(unread=before)
        line.request(answered=True)
        assert not line.look(unread=2_000_000)
        assert line.look(unread=2_000_000)
        line = Line()
        line.request(answered=True)
        assert not line.look(unread=before)
        line.request()
        assert not line.look(unread=100_000, paused=True)
        assert line.look(unread=100_000, paused=True)


@pytest.mark.parametrize(("received", "let_go"), [(0, True), (LEAST - 1, True), (LEAST, False), (LEAST + 1, False)])
def test_a_body_comes_at_a_least_rate(received: int, let_go: bool) -> None:
    """From the second look on; each counts what came since the one before."""
    line = Line()
    line.request(sending=True)
    assert not line.look(received=1)
    assert line.look(received=received) is let_go
    if not let_go:
        assert not line.look(received=LEAST)
        assert line.look()


def test_a_body_that_has_only_begun_is_not_held_against_the_one_before() -> None:
    """Nor one that the server did not take for a while."""
    line = Line()
    line.request(sending=True)
    assert not line.look()
    line.request(sending=True)
    assert not line.look()
    line.protocol.flow.read_paused = True
    assert not line.look()
    line.protocol.flow.read_paused = False
    assert not line.look()
    assert line.look()


def test_a_request_at_work_is_waited_for() -> None:
    """However long it takes: its caller can do nothing about it."""
    line = Line()
    line.request(sending=True)
    assert not line.look()
    line.protocol.cycle.more_body = False
    for _ in range(5):
        assert not line.look()


@pytest.mark.parametrize(("read", "let_go"), [(0, True), (LEAST - 1, True), (LEAST, False), (LEAST + 1, False)])
def test_an_answer_on_its_way_is_read_at_a_least_rate(read: int, let_go: bool) -> None:
    """While it waits for its reader; one that does not wait just now is not looked at."""
    line = Line()
    line.request()
    assert not line.look(unread=1)
    assert not line.look(unread=90_000, paused=True)
    assert line.look(unread=90_000 - read, paused=True) is let_go
    if not let_go:
        assert not line.look(unread=90_000)
        assert not line.look(unread=90_000, paused=True)
        assert line.look(unread=90_000, paused=True)


def test_a_connection_that_is_lost_is_not_looked_at() -> None:
    """Its timer ends with it, once; one that was let go has none."""
    line = Line()
    line.protocol.connection_lost(OSError("gone"))
    line.protocol.connection_lost(OSError("gone"))
    assert [each.ends for each in line.timers] == [1]
    line = Line()
    line.now = 50.0
    assert line.look()
    line.protocol.connection_lost(None)
    assert [each.ends for each in line.timers] == [0]
