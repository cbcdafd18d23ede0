"""``python -m tests.llm_server``: serve until a signal comes; the first line of output is JSON."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import time
from pathlib import Path
from typing import IO

from tests.llm_server.faults import faults_from_json
from tests.llm_server.journal import Journal
from tests.llm_server.server import serve
from tests.llm_server.service import Service, Terms


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0: a free one, told on the first line")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds from a request to its answer")
    parser.add_argument("--batch", type=float, default=0.0, help="seconds from a batch to its end")
    parser.add_argument("--max-concurrency", type=int, help="more message calls at a time are told to slow down")
    parser.add_argument("--faults", default="[]", help="JSON: a list of faults")
    parser.add_argument("--log", type=Path, help="file for the calls, JSON lines, appended to")
    parser.add_argument("--until-eof", action="store_true", help="stop when the standard input ends")
    given = parser.parse_args()
    terms = Terms(
        given.latency, faults_from_json(given.faults), batch_s=given.batch, max_concurrency=given.max_concurrency
    )
    if given.log is None:
        asyncio.run(_run(terms, None, given.port, until_eof=given.until_eof))
        return
    with given.log.open("a", encoding="utf-8") as file:
        asyncio.run(_run(terms, file, given.port, until_eof=given.until_eof))


async def _run(terms: Terms, file: IO[str] | None, port: int, *, until_eof: bool) -> None:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if until_eof:  # whoever started us is gone when the pipe is
        loop.add_reader(sys.stdin, stop.set)

    service = Service(terms, Journal(time.time, file))

    def ready() -> None:
        print(json.dumps({"base_url": service.base_url}), flush=True)  # noqa: T201 - for whoever started us

    await serve(service, stop, ready, port=port)


if __name__ == "__main__":
    main()
