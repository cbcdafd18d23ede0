"""Answers by idempotency key: a change that is asked for twice is made once, also over a restart of the server."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from coditect.server.access.callers import Caller
from coditect.server.access.turns import Turns
from coditect.server.problems import Problem

__all__ = ["KEPT", "Replies"]

log = logging.getLogger(__name__)

KEPT = 10_000
"""Answers that are kept; the oldest go."""

_FORMAT = "reply/1"


class Replies:
    """Remembers what was answered to whom by which key. Safe for threads.

    A kill between the change and its answer is the one moment that is not covered here: what is changed has to tell by itself that
    it is made already, as decisions do.

    Args:
        folder: of the server's own; made if it is not there.
        kept: answers, at most.
    """

    def __init__(self, folder: Path, kept: int = KEPT) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._kept = kept
        self._turns = Turns()
        self._lock = threading.Lock()
        for place in folder.glob("*.new"):
            place.unlink(missing_ok=True)
        every = sorted(folder.glob("*.json"), key=lambda each: (each.stat().st_mtime_ns, each.name))
        self._order = dict.fromkeys(each.stem for each in every)

    def once(self, caller: Caller, key: str | None, asked: Any, make: Callable[[], Any]) -> Any:  # noqa: ANN401 - any JSON value
        """What was answered to the same request with the same key; else what ``make`` gives, remembered.

        Args:
            caller: who asks: keys of others are others.
            key: the caller's own name for this request; None: it is made.
            asked: the request, any JSON value.
            make: makes the change, and gives a JSON value.

        Raises:
            Problem: 409, the key is of another request.
        """
        if not key:
            return make()
        name = hashlib.sha256(f"{caller.tenant}\0{caller.name}\0{key}".encode()).hexdigest()
        request = hashlib.sha256(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)).hexdigest()
        with self._turns.of(name):
            before = self._read(name)
            if before is None:
                answered = make()
                self._write(name, {"format": _FORMAT, "request_sha256": request, "answer": answered})
                return answered
        if before["request_sha256"] != request:
            raise Problem(409, "the idempotency key is of another request", "Use a new one.")
        return before["answer"]

    def _read(self, name: str) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = orjson.loads((self._folder / f"{name}.json").read_bytes())
        except FileNotFoundError:
            return None
        except ValueError:
            log.warning("%s.json is no answer of this release; the request is made", name)
            return None
        return found if found.get("format") == _FORMAT else None

    def _write(self, name: str, value: dict[str, Any]) -> None:
        fresh = self._folder / f"{name}.new"
        with fresh.open("wb") as file:
            file.write(orjson.dumps(value))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._folder / f"{name}.json")
        with self._lock:
            self._order[name] = None
            gone = [next(iter(self._order))] if len(self._order) > self._kept else []
            for each in gone:
                del self._order[each]
        for each in gone:
            (self._folder / f"{each}.json").unlink(missing_ok=True)
