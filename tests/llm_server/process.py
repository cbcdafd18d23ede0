"""The service as a process of its own: a client that is killed does not take it down."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from tests.llm_server.faults import Fault, faults_to_json
from tests.llm_server.journal import Call, read_journal
from tests.llm_server.service import SETTLED

__all__ = ["LlmProcess", "llm_process"]

_CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class LlmProcess:
    """A running service.

    Attributes:
        base_url: of it, for the library.
        log_file: of its calls.
        pid: of the process.
    """

    base_url: str
    log_file: Path
    pid: int

    @property
    def log(self) -> list[Call]:
        """All calls that are over, as they ended."""
        with suppress(OSError), closing(HTTPConnection(self.base_url.removeprefix("http://"), timeout=5)) as connection:
            connection.request("GET", SETTLED, headers={"x-api-key": "any"})
            connection.getresponse().read()
        return read_journal(self.log_file)

    @property
    def messages(self) -> list[Call]:
        """The message requests among them, batched or not, as they ended."""
        return [call for call in self.log if call.number >= 0]

    @property
    def answered(self) -> list[Call]:
        """The requests that were answered in full."""
        return [call for call in self.messages if call.outcome == "answered"]


@contextmanager
def llm_process(
    log_file: Path,
    *,
    latency_s: float = 0.0,
    faults: Sequence[Fault] = (),
    batch_s: float = 0.0,
    max_concurrency: int | None = None,
) -> Iterator[LlmProcess]:
    """The service on a free port in a process of its own, until the block ends.

    Args:
        log_file: for its calls, JSON lines; begun anew.
        latency_s, faults, batch_s, max_concurrency: see :class:`~tests.llm_server.service.Terms`.
    """
    log_file.write_text("", encoding="utf-8")
    command = [sys.executable, "-m", "tests.llm_server", "--until-eof", "--log", str(log_file)]
    command += ["--latency", str(latency_s), "--batch", str(batch_s), "--faults", faults_to_json(faults)]
    if max_concurrency is not None:
        command += ["--max-concurrency", str(max_concurrency)]
    with subprocess.Popen(command, cwd=_CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None or not (line := process.stdout.readline()):
                raise RuntimeError("the service did not start")
            yield LlmProcess(json.loads(line)["base_url"], log_file, process.pid)
        finally:
            process.terminate()
