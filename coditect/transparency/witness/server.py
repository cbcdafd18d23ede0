"""A small witness over HTTP, for tests and for those who run their own: ``POST /add-checkpoint``."""

from __future__ import annotations

import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from coditect.transparency.witness.judgement import Witness, WitnessAnswer
from coditect.transparency.witness.submission import MOST_BYTES

__all__ = ["witness_server"]

TIMEOUT_S = 10.0
"""For a request to come in: who sends slowly holds a thread no longer."""


def witness_server(
    witness: Witness, address: tuple[str, int], clock: Callable[[], float] = time.time
) -> ThreadingHTTPServer:
    """A server that is not serving yet.

    Args:
        witness: decides.
        address: (host, port) to listen at; port 0 takes a free one.
        clock: seconds since 1970.
    """

    class Handler(BaseHTTPRequestHandler):
        """One request."""

        protocol_version = "HTTP/1.1"
        timeout = TIMEOUT_S

        def do_POST(self) -> None:
            """``add-checkpoint``."""
            size = self.headers.get("Content-Length", "")
            if self.path != "/add-checkpoint":
                self._answer(WitnessAnswer(404, "only /add-checkpoint is here\n"), close=True)
            elif not size.isdecimal() or int(size) > MOST_BYTES:
                self._answer(WitnessAnswer(400, "the request does not say its length, or is too long\n"), close=True)
            else:
                self._answer(witness.add_checkpoint(self.rfile.read(int(size)), int(clock())))

        def _answer(self, answer: WitnessAnswer, close: bool = False) -> None:
            body = answer.body.encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(body)))
            if close:
                self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: what was asked is nobody else's to read."""

    return ThreadingHTTPServer(address, Handler)
