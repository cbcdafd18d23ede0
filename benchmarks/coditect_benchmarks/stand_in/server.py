"""The local service: ``POST /v1/messages`` and ``POST /v1/messages/count_tokens``, nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson

from coditect.errors import UsageError
from coditect_benchmarks.stand_in.folder import StandInFolder
from coditect_benchmarks.stand_in.messages import events_of_message, message_of
from coditect_benchmarks.stand_in.requests import RequestRead, read_body

__all__ = ["StandInServer", "stand_in_server"]

# The product does not repeat it, keeps no answer for it, and goes on with what it has: the next build asks again.
NOT_ANSWERED = 400


class StandInServer(ThreadingHTTPServer):
    """The service, on loopback.

    Args:
        folder: what was asked and answered.
        port: 0: any that is free.
    Attributes:
        answered: requests that were answered.
        refused: requests that nobody has answered yet.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, folder: StandInFolder, port: int = 0) -> None:
        self.folder = folder
        self.answered = self.refused = 0
        self._counting = threading.Lock()
        super().__init__(("127.0.0.1", port), _Handler)

    @property
    def base_url(self) -> str:
        """Its address, for ``CODITECT_LLM_BASE_URL``."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def respond(self, path: str, body: bytes) -> tuple[int, str, bytes]:
        """(status, content type, body) of the answer to a POST."""
        try:
            if path not in ("/v1/messages", "/v1/messages/count_tokens"):
                return _failed(404, "not_found_error", f"the stand-in has no {path}: ask without batches")
            request = read_body(orjson.loads(body))
            if path.endswith("/count_tokens"):
                return 200, "application/json", orjson.dumps({"input_tokens": request.input_tokens})
            return self._message(request)
        except orjson.JSONDecodeError:
            return _failed(400, "invalid_request_error", "the body is not JSON")
        except (UsageError, ValueError) as error:
            return _failed(400, "invalid_request_error", str(error))

    def _message(self, request: RequestRead) -> tuple[int, str, bytes]:
        answer = self.folder.answer_to(request.asked)
        with self._counting:
            self.answered += answer is not None
            self.refused += answer is None
        if answer is None:
            number = self.folder.number_of(request.asked.key)
            return _failed(
                NOT_ANSWERED, "invalid_request_error", f"nobody has answered this yet: it is request {number}"
            )
        message = message_of(request, answer)
        if request.streamed:
            return 200, "text/event-stream; charset=utf-8", events_of_message(message)
        return 200, "application/json", orjson.dumps(message)


class _Handler(BaseHTTPRequestHandler):
    """One request of one connection, which is closed behind it."""

    server: StandInServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        status, kind, answer = self.server.respond(self.path.partition("?")[0], body)
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(answer)))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: ANN401 - the library's names
        """Nothing: what was asked stands in the folder."""


@contextmanager
def stand_in_server(folder: StandInFolder) -> Iterator[StandInServer]:
    """The service in a thread of this process, on a free port, until the block ends."""
    with StandInServer(folder) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def _failed(status: int, kind: str, message: str) -> tuple[int, str, bytes]:
    body = {"type": "error", "error": {"type": kind, "message": message}}
    return status, "application/json", orjson.dumps(body)
