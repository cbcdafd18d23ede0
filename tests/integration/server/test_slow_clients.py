"""Clients that send or read slowly, or not at all: they are let go, and meanwhile the server answers others."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from coditect.server import connections
from coditect.server.connections import PatientProtocol
from coditect.server.protection import BESIDE
from tests.corpora import CORPUS
from tests.integration.server.served import Served

BIG = 40 << 20
"""More than the buffers of a connection hold."""


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds on time that a test can wait for."""
    monkeypatch.setattr(connections, "LOOK_S", 0.1)
    monkeypatch.setattr(connections, "HEAD_S", 0.3)


@contextmanager
def listening(app: FastAPI) -> Iterator[int]:
    """The port of an application with connections as 'coditect serve' has them."""
    config = uvicorn.Config(app, port=0, log_level="error", http=PatientProtocol, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def is_let_go(connection: socket.socket) -> bool:
    """Whether the server closes a connection within ten seconds; what it says first does not count."""
    connection.settimeout(10.0)
    try:
        while connection.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return True


def answers(server: Served, port: int) -> bool:
    """Whether somebody else has an answer."""
    head = {"Authorization": f"Bearer {server.tokens['reader']}"}
    return httpx.get(f"http://127.0.0.1:{port}/api/v1/corpora", headers=head, timeout=10.0).status_code == 200


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("begun", [b"", b"GET /api/v1/corpora HTTP/1.1\r\nHost: 127"])
def test_a_head_that_never_ends_is_let_go(server: Served, begun: bytes) -> None:
    """Nothing, or half a head: closed; so is a connection that is kept after an answer."""
    with listening(server.app) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(begun)
        assert answers(server, port)
        assert is_let_go(connection)


@pytest.mark.usefixtures("hasty")
def test_bodies_byte_by_byte_are_let_go_and_hold_no_place(server: Served) -> None:
    """As many as the server has places, and more: reading goes on, further bodies are told to come again."""
    head = (
        f"POST /api/v1/corpora/{CORPUS}/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Content-Length: 100000\r\n\r\n{"
    ).encode()
    with listening(server.app) as port, ExitStack() as stack:
        many = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(BESIDE["bodies"] + 20)
        ]
        for each in many:
            each.sendall(head)
        assert answers(server, port)
        assert all(is_let_go(each) for each in many)


def test_more_bodies_than_there_is_room_for_are_refused(server: Served) -> None:
    """With when to come again; and whoever has sent all of it is answered in the end."""
    head = (
        f"POST /api/v1/corpora/{CORPUS}/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {server.tokens['analyst']}\r\nConnection: close\r\nContent-Length: 18\r\n\r\n"
    ).encode()
    with listening(server.app) as port, ExitStack() as stack:
        many = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(BESIDE["bodies"])]
        for each in many:
            each.sendall(head)
        time.sleep(0.5)
        assert answers(server, port)
        with socket.create_connection(("127.0.0.1", port)) as late:
            late.sendall(head)
            said = late.recv(1 << 16)
        assert said.startswith(b"HTTP/1.1 503")
        assert b"retry-after: 1" in said.lower()
        many[0].sendall(b'{"text": "A plan"}')
        many[0].settimeout(30.0)
        assert many[0].recv(1 << 16).startswith(b"HTTP/1.1 200")


@pytest.mark.usefixtures("hasty")
def test_an_answer_that_nobody_reads_is_let_go_and_one_that_is_read_comes_whole() -> None:
    """Not read: aborted. Read slowly but steadily: all of it."""
    app = FastAPI()

    @app.get("/big")
    def big() -> object:
        from starlette.responses import Response

        return Response(b"x" * BIG)

    with listening(app) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(2.0)
        connection.settimeout(10.0)
        got, whole = 0, False
        try:
            while piece := connection.recv(1 << 20):
                got += len(piece)
            whole = got > BIG
        except ConnectionError:
            pass
        assert not whole
        assert got < BIG
        with socket.create_connection(("127.0.0.1", port)) as steady:
            steady.sendall(b"GET /big HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            got = 0
            while piece := steady.recv(1 << 20):
                got += len(piece)
                time.sleep(0.01)
        assert got > BIG
