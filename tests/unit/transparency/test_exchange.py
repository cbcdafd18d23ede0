"""One request and its answer over HTTP: how long either may be and take; a witness' server in front of what decides."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.request import Request

import pytest

from coditect.errors import Unreachable, UsageError
from coditect.transparency import exchange as exchanges
from coditect.transparency.exchange import exchange
from coditect.transparency.witness.judgement import WitnessAnswer
from coditect.transparency.witness.server import witness_server


class _Echo(BaseHTTPRequestHandler):
    """Answers with what it was sent, under the status that its path names."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(int(self.path[1:]))
        self.send_header("Location", "/200")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def echo() -> Iterator[str]:
    """The address of a server that answers with what it was sent."""
    with HTTPServer(("127.0.0.1", 0), _Echo) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("status", [200, 302, 307, 404, 500])
def test_answers_of_any_status_are_as_long_as_they_may_be_and_no_longer(echo: str, status: int) -> None:
    """Nobody is followed anywhere else."""
    assert exchange(f"{echo}/{status}", b"12345", "text/plain", 5) == (status, b"12345")
    assert exchange(f"{echo}/{status}", b"", "text/plain", 0) == (status, b"")
    with pytest.raises(Unreachable, match="longer than it can be"):
        exchange(f"{echo}/{status}", b"123456", "text/plain", 5)


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "file:///etc/passwd", "127.0.0.1", "", "data:,x"])
def test_only_http_is_asked(url: str) -> None:
    """Nothing of another scheme, or of none."""
    with pytest.raises(UsageError, match="not a URL of HTTP"):
        exchange(url, b"", "text/plain", 10)


def test_who_does_not_answer_is_waited_for_half_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the request is what was asked to be sent."""
    asked: list[tuple[Request, float]] = []

    class Opener:
        def open(self, request: Request, timeout: float) -> object:
            asked.append((request, timeout))
            raise TimeoutError("timed out")

    monkeypatch.setattr(exchanges, "build_opener", lambda *_: Opener())
    with pytest.raises(Unreachable, match="nobody answers"):
        exchange("https://log.example.com/a", b"body", "text/x", 10)
    ((request, timeout),) = asked
    assert timeout == 30
    assert (request.method, request.data, request.headers) == ("POST", b"body", {"Content-type": "text/x"})


class _Agreeing:
    """Decides nothing, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def add_checkpoint(self, body: bytes, time_s: int) -> WitnessAnswer:
        self.asked.append((len(body), time_s))
        return WitnessAnswer(200, "ü\n")


@pytest.fixture
def agreeing() -> Iterator[tuple[_Agreeing, http.client.HTTPConnection]]:
    """A witness' server, and a connection to it."""
    witness = _Agreeing()
    with witness_server(witness, ("127.0.0.1", 0), lambda: 12.9) as server:  # type: ignore[arg-type]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        handler: Any = server.RequestHandlerClass
        assert handler.timeout == 10, "who sends slowly holds a thread no longer"
        connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=20)
        yield witness, connection
        connection.close()
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("path", "length", "status", "kept"),
    [
        ("/add-checkpoint", 64_000, 200, True),
        ("/add-checkpoint", 0, 200, True),
        ("/add-checkpoint", 64_001, 400, False),
        ("/add-checkpoint", "-1", 400, False),
        ("/add-checkpoint", "", 400, False),
        ("/add-checkpoint", None, 400, False),
        ("/", 3, 404, False),
        ("/add-checkpoint/", 3, 404, False),
    ],
)
def test_requests_of_a_length_that_can_be_read_are_decided(
    agreeing: tuple[_Agreeing, http.client.HTTPConnection], path: str, length: int | str | None, status: int, kept: bool
) -> None:
    """Whoever says no length, or too much, or asks for something else, is told so and let go."""
    witness, connection = agreeing
    connection.putrequest("POST", path, skip_accept_encoding=True)
    if length is not None:
        connection.putheader("Content-Length", str(length))
    connection.endheaders(b"x" * length if isinstance(length, int) and length <= 64_000 else None)
    answer = connection.getresponse()
    said = answer.read().decode()
    assert (answer.status, answer.getheader("Connection")) == (status, None if kept else "close")
    assert int(answer.getheader("Content-Length") or "0") == len(said.encode())
    assert answer.getheader("Content-Type") == "text/plain; charset=utf-8"
    assert witness.asked == ([(length, 12)] if kept else [])
    assert said == "ü\n" if kept else said.endswith("\n")
