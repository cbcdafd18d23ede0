"""A server of one's own: started, measured, killed and started again."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

from coditect.settings import Settings

__all__ = ["ServerProcess", "load_average", "new_token"]


class ServerProcess:
    """``coditect serve`` in a process of its own, on loopback.

    Args:
        settings: which store.
        work: its folder for jobs.
        port: 0: any that is free.
        options: more of them.
    """

    def __init__(self, settings: Settings, work: Path, port: int = 0, options: tuple[str, ...] = ()) -> None:
        command = [
            *(sys.executable, "-m", "coditect", "serve", "--port", str(port), "--work", str(work)),
            *("--rate", "100000000/minute", *options),
        ]
        environment = {
            **os.environ,
            "CODITECT_STORE": settings.store,
            "CODITECT_CACHE": str(settings.cache),
            "CODITECT_TENANT": settings.tenant,
        }
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self.process = subprocess.Popen(command, env=environment, stderr=self._said, stdout=subprocess.DEVNULL)
        self.port = self._listening()

    def _listening(self) -> int:
        for _ in range(600):
            said = os.pread(self._said.fileno(), 1 << 16, 0).decode()
            if "listening on" in said and "\n" in said:
                return int(said.partition("listening on ")[2].splitlines()[0].rstrip("/").rpartition(":")[2])
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended: {said}")
            time.sleep(0.1)
        raise RuntimeError("the server does not listen")

    def rss_mb(self) -> float:
        """Resident memory, MiB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return round(pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20), 1)

    def own_mb(self) -> float:
        """Memory that is the process' own, MiB: without pages of mapped files, of which the system keeps as many as it likes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return round(int(status.partition("RssAnon:")[2].split()[0]) / 1024, 1)

    def connections(self) -> int:
        """How many sockets it holds, the one where it listens included."""
        held = 0
        for each in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                held += each.readlink().as_posix().startswith("socket:")
        return held

    def said(self) -> str:
        """What it wrote on its standard error."""
        return os.pread(self._said.fileno(), 1 << 20, 0).decode("utf-8", "replace")

    def is_alive(self) -> bool:
        """Whether it answers within five seconds."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def kill(self) -> None:
        """End it without a chance to tidy up."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """End it; its exit code."""
        self.process.terminate()
        return self.process.wait(timeout=60)


def new_token(settings: Settings) -> str:
    """A token of an administrator."""
    from coditect.compose import open_knowledge
    from coditect.knowledge.progress import utc_now
    from coditect.server.access.tokens import new_token as made

    with open_knowledge(settings) as knowledge:
        return made(knowledge.store, name="load", role="administrator", clock=utc_now)[1]


def load_average() -> float:
    """Of the machine, over the last minute: figures of a machine that others use mean nothing without it."""
    return round(os.getloadavg()[0], 1)
