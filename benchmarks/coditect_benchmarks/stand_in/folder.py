"""A stand-in's folder: ``asked.jsonl`` and ``answers.jsonl``, both only ever appended to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from coditect.errors import UsageError
from coditect_benchmarks.stand_in.records import AnswerGiven, AnswerValue, RequestAsked

__all__ = ["StandInFolder"]

L = TypeVar("L", bound=BaseModel)


class StandInFolder:
    """What was asked and answered. Threads may share one; answers that another process adds are seen.

    Args:
        folder: made if it is not there. One server at a time.
    Raises:
        UsageError: a file in it cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.asked_file = folder / "asked.jsonl"
        self.answers_file = folder / "answers.jsonl"
        self._lock = Lock()
        self._seen = (-1, -1)
        self._answers: dict[str, AnswerValue] = {}
        self._numbers = {asked.key: number for number, asked in self.asked().items()}
        self._last = max((number for number, _ in _lines(self.asked_file, RequestAsked)), default=0)
        self.answers()

    def asked(self) -> dict[int, RequestAsked]:
        """All requests by their numbers: their lines of the file, from 1, in the order in which they came first."""
        found: dict[str, tuple[int, RequestAsked]] = {}
        for number, asked in _lines(self.asked_file, RequestAsked):
            found.setdefault(asked.key, (number, asked))
        return dict(found.values())

    def answers(self) -> dict[str, AnswerValue]:
        """All answers by the keys of their requests."""
        with self._lock:
            return dict(self._current())

    def open_requests(self) -> dict[int, RequestAsked]:
        """The requests that nobody answered yet, by their numbers."""
        answers = self.answers()
        return {number: asked for number, asked in self.asked().items() if asked.key not in answers}

    def answer_to(self, asked: RequestAsked) -> AnswerValue | None:
        """The answer to a request; None if there is none, and then the request is kept, once."""
        with self._lock:
            answer = self._current().get(asked.key)
            if answer is None and asked.key not in self._numbers:
                _append(self.asked_file, asked)
                self._last += 1
                self._numbers[asked.key] = self._last
            return answer

    def number_of(self, key: str) -> int:
        """The number of a request that was kept."""
        return self._numbers[key]

    def add(self, *answers: AnswerGiven) -> None:
        """Keep answers, in order."""
        with self._lock:
            _append(self.answers_file, *answers)

    def _current(self) -> dict[str, AnswerValue]:
        """The answers; the file is read again when it has changed."""
        try:
            found = self.answers_file.stat()
        except FileNotFoundError:
            return self._answers
        if (found.st_size, found.st_mtime_ns) != self._seen:
            self._answers = {line.key: line.answer for _, line in _lines(self.answers_file, AnswerGiven)}
            self._seen = (found.st_size, found.st_mtime_ns)
        return self._answers


def _lines(path: Path, shape: type[L]) -> Iterator[tuple[int, L]]:
    """The lines of a file with their numbers; one that has no end yet is still being written."""
    content = path.read_bytes() if path.exists() else b""
    for number, line in enumerate(content.split(b"\n")[:-1], 1):
        if not line.strip():
            continue
        try:
            yield number, shape.model_validate_json(line)
        except ValidationError as error:
            fault = error.errors()[0]
        else:
            continue
        raise UsageError(
            "a line of a stand-in's file cannot be read",
            hint="Mend the line or take it out.",
            file=str(path),
            line=number,
            reason=f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}",
        )


def _append(path: Path, *lines: BaseModel) -> None:
    """Add lines in one write, so that a reader sees all of a line or none."""
    written = b"".join(orjson.dumps(line.model_dump(mode="json", by_alias=True)) + b"\n" for line in lines)
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        while written:
            written = written[os.write(target, written) :]
    finally:
        os.close(target)
