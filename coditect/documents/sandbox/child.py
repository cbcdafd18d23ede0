"""What the reading process does: it is sent files, one at a time, and answers with their text, or the picture of a page, or with
what is wrong with them.

It imports the readers and little else, so that it starts in a tenth of a second. Memory is bounded in two ways, because
neither suffices alone. The operating system refuses memory beyond the budget, and Python raises MemoryError; but PDFium
leaves out what it has no memory for, and text that is silently cut must not be stored. So PDFium is given more room, and a
thread looks every 20 ms, while a PDF is read, whether the budget is passed; at the end the highest mark that the system keeps
decides.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import threading
import time
import warnings
from multiprocessing.connection import Connection
from typing import Any, NoReturn

import orjson

from coditect.documents.readers import is_pdf, read_source
from coditect.documents.readers.failures import slipped
from coditect.documents.source import SourceText
from coditect.errors import CoditectError

__all__ = ["LAST", "MEMORY_EXIT", "MORE", "READY", "serve"]

MEMORY_EXIT = 77
"""The exit code of a process whose file took more memory than is allowed."""

READY = b"ready"
"""The first message of a process that is fit to read."""

MORE, LAST = b"more", b"last"
"""The message behind each answer: whether the process reads on, or ends because earlier files left too much behind in it."""

_MIB = 1024 * 1024
_PROGRAM_BYTES = 32 * _MIB  # of the budget: what the program's own files take
_PDFIUM_BYTES = 2048 * _MIB  # the most that PDFium asks for at once
# Seldom enough that a busy machine does not spend its time on switching between two threads of Python.
_LOOK_EVERY_S = 0.02
_BLOCK_BYTES = 300  # of a block, while it is written down; orjson doubles what it writes to
_STATUS = "/proc/self/status"
_STATM = "/proc/self/statm"


def serve(descriptor: int, memory_mb: int, time_s: float) -> None:
    """Read files until the parent hangs up.

    Args:
        descriptor: of the socket to the parent.
        memory_mb: the budget of memory, MiB.
        time_s: the budget of processor time for each file, seconds.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's matter; it ends this process
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    budget = memory_mb * _MIB - _PROGRAM_BYTES
    connection = Connection(descriptor)
    watch = _Watch(budget)
    try:
        connection.send_bytes(READY)
        while True:
            asked = orjson.loads(connection.recv_bytes())
            name = asked["name"]
            _grant_time(time_s)
            _limit(resource.RLIMIT_DATA, budget)
            raw = connection.recv_bytes()
            if is_pdf(raw, name):
                _limit(resource.RLIMIT_DATA, budget + _PDFIUM_BYTES)
                with watch:
                    answer = _drawn(raw, **asked) if "page" in asked else _answer(raw, name, watch)
            else:
                answer = _answer(raw, name, watch)
            del raw
            watch.require_within(refused=len(answer) == 1)
            for part in answer:
                connection.send_bytes(part)
            del answer
            worn = watch.is_worn()
            connection.send_bytes(LAST if worn else MORE)
            if worn:
                return
    except MemoryError:
        _exit_for_memory()
    except (EOFError, OSError):  # the parent has gone
        return


def _answer(raw: bytes, name: str, watch: _Watch) -> tuple[bytes, ...]:
    """A file's text and layout as messages, or a single message that says what is wrong with it."""
    try:
        source = read_source(raw, name)
        if watch.held() + _BLOCK_BYTES * len(source.blocks) + len(source.text) > watch.budget:
            raise MemoryError  # orjson ends the process where it finds no memory, and nobody would know why
        return orjson.dumps(_described(source)), source.text.encode()
    except MemoryError:
        raise
    except CoditectError as error:
        return (_refusal(error),)
    except Exception as error:  # noqa: BLE001 - whatever a library raises on a hostile file costs that file, and is told
        return (_refusal(slipped(error)),)


def _drawn(raw: bytes, name: str, page: int, width_px: int) -> tuple[bytes, ...]:
    """A page of a PDF as messages, or a single message that says what is wrong with the file."""
    from coditect.documents.readers.pdf.picture import draw

    try:
        pages, picture = draw(raw, name, page, width_px)
    except MemoryError:
        raise
    except CoditectError as error:
        return (_refusal(error),)
    except Exception as error:  # noqa: BLE001 - as above, of a picture
        return (_refusal(slipped(error)),)
    return orjson.dumps({"pages": pages}), picture


def _described(source: SourceText) -> dict[str, Any]:
    return {
        "media_type": source.media_type,
        "title": source.title,
        "reader": source.reader,
        "warnings": source.warnings,
        "blocks": [(b.start, b.end, b.kind, b.level, b.label) for b in source.blocks],
        "pages": [(p.number, p.start, p.end, p.label) for p in source.pages],
        "places": source.places,
        "proposed": [(p.start, p.end, p.author, p.day) for p in source.proposed],
    }


def _refusal(error: CoditectError) -> bytes:
    told = {"refused": error.message, "hint": error.hint, "context": error.context}
    return orjson.dumps(told, default=str, option=orjson.OPT_NON_STR_KEYS)


def _exit_for_memory() -> NoReturn:
    os._exit(MEMORY_EXIT)  # at once: there may be no memory to end in an orderly way


def _limit(kind: int, most: int) -> None:
    """Lower or raise a limit of this process, as far as whoever started it allows."""
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _grant_time(time_s: float) -> None:
    """So much processor time from now on; then the system ends the process with SIGXCPU."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _limit(resource.RLIMIT_CPU, math.ceil(used.ru_utime + used.ru_stime + time_s))


class _Watch:
    """Ends the process when it holds more memory than its budget, or when its parent is gone, while a PDF is read.

    Where the system does not tell how much memory a process holds (it does on Linux), only its own limits bound it.

    Attributes:
        budget: the most memory that it may hold, bytes.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._parent = os.getppid()
        self._begin = _mark("VmSize")
        self._reading = threading.Event()
        self._tells = os.path.exists(_STATM)  # noqa: PTH110 - pathlib is an import that costs more than it says
        threading.Thread(target=self._run, daemon=True).start()

    def __enter__(self) -> None:
        """Begin to look."""
        self._reading.set()

    def __exit__(self, *_: object) -> None:
        """Cease to look."""
        self._reading.clear()

    def require_within(self, *, refused: bool) -> None:
        """End the process if it ever held more than its budget, however short the moment was.

        Args:
            refused: whether the file was refused. Then nearly the budget is enough: a library that is refused memory often says
                that the file is damaged.
        """
        if self._peak() > (self.budget * 7 // 8 if refused else self.budget):
            _exit_for_memory()

    def held(self) -> int:
        """Memory that the process holds now, bytes; 0 where the system does not tell."""
        return _data_bytes() if self._tells else 0

    def is_worn(self) -> bool:
        """Whether the files so far left so much behind, or took so much, that the next would be judged by them."""
        return self.held() > self.budget // 4 or self._peak() > self.budget * 3 // 4

    def _peak(self) -> int:
        return _mark("VmPeak") - self._begin

    def _run(self) -> None:
        while self._reading.wait():
            if self.held() > self.budget:
                _exit_for_memory()
            if os.getppid() != self._parent:
                os._exit(1)
            time.sleep(_LOOK_EVERY_S)


def _data_bytes() -> int:
    """Memory that this process asked for and did not give back."""
    with open(_STATM, "rb", buffering=0) as file:  # noqa: PTH123 - as above
        return int(file.read().split()[5]) * resource.getpagesize()


def _mark(name: str) -> int:
    """A figure that the system keeps about this process, bytes; 0 where it keeps none."""
    try:
        with open(_STATUS, encoding="ascii") as file:  # noqa: PTH123 - as above
            line = next(each for each in file if each.startswith(name + ":"))
    except OSError:
        return 0
    return int(line.split()[1]) * 1024
