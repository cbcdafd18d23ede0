"""The parent's side of the reading process: it is started when a file comes, used for many, and replaced when one ends it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any

import orjson

from coditect.documents.readers import is_pdf
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.sandbox.budget import ReadBudget
from coditect.documents.sandbox.child import MEMORY_EXIT, MORE, READY
from coditect.documents.source import Block, PageSpan, Proposal, SourceText
from coditect.errors import ReadError, Unavailable

__all__ = ["ReadingProcess"]

_CLOCK_SECONDS = 10  # of the clock for each processor second: a busy machine refuses nothing that an idle one reads
_START_S = 120.0
_END_S = 10.0
_MOST_TEXT_BYTES = 4 * ReadLimits().max_text_chars
_MOST_LAYOUT_BYTES = 256 * 1024 * 1024

# The path to import from is handed over, and nothing else of the parent: neither its open store nor its main module.
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from coditect.documents.sandbox.child import serve; serve(int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))"
)
# One arena, and large blocks given back at once: what glibc keeps for later would count as the next file's.
_MALLOC = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "1048576", "MALLOC_TRIM_THRESHOLD_": "1048576"}

# Of the environment, what a Python program needs to start: keys and passwords are often there, and no parser's business.
_PASSED_ON = re.compile("(?:PYTHON|LC_|LD_|DYLD_).*|HOME|LANG|PATH|TMPDIR|TZ")


class ReadingProcess:
    """Reads files in another process, one at a time. Not to be shared by threads, but for :meth:`kill`.

    What comes back is bounded in length and parsed as JSON: a parser that a file has taken over can lie about the text of that
    file, but it can run nothing here.

    Args:
        budget: what one file may take.
    """

    def __init__(self, budget: ReadBudget) -> None:
        self.budget = budget
        self._child: _Child | None = None
        self._is_closed = False

    def __enter__(self) -> ReadingProcess:
        """Start nothing yet."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the process and wait until it has."""
        self.close()

    @property
    def pid(self) -> int | None:
        """The number of the process; None where none runs."""
        child = self._child
        return None if child is None or child.has_ended else child.pid

    def kill(self) -> None:
        """End the process, whatever it is doing; a thread that waits for it gets a ReadError, and no other is started."""
        self._is_closed = True
        child = self._child
        if child is not None:
            child.kill()

    def close(self) -> None:
        """End the process and wait until it has; no thread may be waiting for it."""
        self.kill()
        if self._child is not None:
            self._child.end()
            self._child = None

    def read(self, raw: bytes, name: str) -> SourceText:
        """Read a file as :func:`coditect.documents.readers.read_source` does, within the budget.

        Args:
            raw: the whole file.
            name: its relative name.
        Raises:
            ReadError: what the readers raise; or the file takes more memory or time than is granted, or ends the process.
            Unavailable: the process cannot be started.
        """
        return _source(*self._asked(raw, {"name": name}), name)

    def draw(self, raw: bytes, name: str, page: int, width_px: int) -> tuple[int, bytes]:
        """Draw a page of a PDF as :func:`coditect.documents.readers.pdf.picture.draw` does, within the budget.

        Args:
            raw: the whole file.
            name: its relative name.
            page: 1-based.
            width_px: of the picture.
        Returns:
            How many pages there are, and the page as PNG; b"" where there is no such page.

        Raises:
            ReadError: no PDF, or it cannot be drawn, or takes more memory or time than is granted, or ends the process.
            Unavailable: the process cannot be started.
        """
        if not is_pdf(raw, name):
            raise ReadError("only pages of a PDF can be drawn", hint="Read its text instead.", name=name)
        told, picture = self._asked(raw, {"name": name, "page": page, "width_px": width_px})
        return _pages(told, picture, name), picture

    def _asked(self, raw: bytes, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """The answer of the process to a file."""
        child = self._child
        if child is not None and child.has_ended:  # somebody ended it between two files
            child.end()
            child = None
        child = self._child = child or _Child(self.budget)
        if self._is_closed:
            child.kill()
        reads_on = False
        try:
            answer, reads_on = child.ask(raw, request)
        except (EOFError, OSError) as gone:
            raise self._reason(child.end(), late=child.late, name=request["name"]) from gone
        finally:
            if not reads_on:
                child.end()
                self._child = None
        return answer

    def _reason(self, code: int, *, late: bool, name: str) -> ReadError:
        """Why a process ended before it answered."""
        memory_mb, time_s = self.budget.memory_mb, self.budget.time_s
        if late or code == -signal.SIGXCPU:
            return ReadError(
                "reading the file takes longer than is allowed",
                hint="Split the file, or save it in a simpler format; if it can be trusted, raise CODITECT_READ_TIME_S.",
                name=name,
                limit_s=time_s,
            )
        if code == MEMORY_EXIT:
            return ReadError(
                "reading the file takes more memory than is allowed",
                hint="Split the file, or save it in a simpler format; if it can be trusted, raise CODITECT_READ_MEMORY_MB.",
                name=name,
                limit_mb=memory_mb,
            )
        return ReadError(
            "the reader's process died on this file", hint="Repair the file, or convert it to plain text.", name=name
        )


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if _PASSED_ON.fullmatch(name)} | _MALLOC


class _Child:
    """A process that reads, and the socket to it.

    Attributes:
        late: whether it was given up because it did not answer in time.

    Raises:
        Unavailable: it cannot be started.
    """

    def __init__(self, budget: ReadBudget) -> None:
        ours, theirs = socket.socketpair()
        self.late = False
        self._patience_s = _CLOCK_SECONDS * budget.time_s
        self._connection = Connection(ours.detach())
        with theirs:
            given = (str(theirs.fileno()), str(budget.memory_mb), str(budget.time_s))
            path = json.dumps([each for each in sys.path if isinstance(each, str)])
            self._process = subprocess.Popen(  # noqa: S603 - this very program
                [sys.executable, "-c", _PROGRAM, path, *given],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=_environment(),
            )
        try:
            self._receive(time.monotonic() + _START_S, len(READY))
        except (EOFError, OSError) as error:
            raise Unavailable(
                "the process that reads files cannot be started",
                exit_code=self.end(),
                hint="Check the memory and the number of processes that this user may have.",
            ) from error

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.poll() is not None

    def ask(self, raw: bytes, request: dict[str, Any]) -> tuple[tuple[dict[str, Any], bytes], bool]:
        """What is answered to a file, its text or the picture of a page, and whether the process reads on.

        Raises:
            EOFError, OSError: it ended, or did not answer in time, or answers more than anybody may.
        """
        deadline = time.monotonic() + self._patience_s
        self._connection.send_bytes(orjson.dumps(request))
        self._connection.send_bytes(raw)
        told = orjson.loads(self._receive(deadline, _MOST_LAYOUT_BYTES))
        text = b"" if "refused" in told else self._receive(deadline, _MOST_TEXT_BYTES)
        return (told, text), self._receive(deadline, len(MORE)) == MORE

    def _receive(self, deadline: float, most: int) -> bytes:
        if not self._connection.poll(max(0.0, deadline - time.monotonic())):
            self.late = True
            raise EOFError
        return self._connection.recv_bytes(most)

    def kill(self) -> None:
        """End the process at once; whoever waits for its answer is told that it ended."""
        self._process.kill()

    def end(self) -> int:
        """End the process if it has not ended, and say how it did: its exit code, or the negative number of a signal."""
        if self.late:
            self._process.kill()
        self._connection.close()
        try:
            return self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


def _refused(told: dict[str, Any], name: str) -> None:
    if "refused" in told:
        context = {**told["context"], "name": name}
        raise ReadError(str(told["refused"]), hint=told["hint"], **context)


def _odd(name: str) -> ReadError:
    return ReadError(
        "the reader's process answered what no reader would",
        hint="Repair the file, or convert it to plain text.",
        name=name,
    )


def _pages(told: dict[str, Any], picture: bytes, name: str) -> int:
    """The number of pages, from the messages of the process; the picture must begin as a PNG does.

    Raises:
        ReadError: PDFium refused the file; or the messages are not what is sent for a picture.
    """
    try:
        _refused(told, name)
        pages = int(told["pages"])
    except (KeyError, TypeError, ValueError) as error:
        raise _odd(name) from error
    if picture and not picture.startswith(b"\x89PNG\r\n\x1a\n"):
        raise _odd(name)
    return pages


def _source(told: dict[str, Any], text: bytes, name: str) -> SourceText:
    """What was read, from the messages of the process.

    Raises:
        ReadError: the readers refused the file; or the messages are not what a reader sends.
    """
    try:
        _refused(told, name)
        return SourceText(
            text=text.decode(),
            media_type=str(told["media_type"]),
            title=str(told["title"]),
            blocks=tuple(Block(*each) for each in told["blocks"]),
            pages=tuple(PageSpan(*each) for each in told["pages"]),
            reader=str(told["reader"]),
            warnings=tuple(map(str, told["warnings"])),
            places=str(told["places"]),
            proposed=tuple(Proposal(*each) for each in told["proposed"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise _odd(name) from error
