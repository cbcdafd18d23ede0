"""What the server was asked and what became of it: one record for every call, and for every request of a batch."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from io import TextIOBase
from pathlib import Path
from typing import IO, Literal

__all__ = ["Call", "Journal", "read_journal"]

Outcome = Literal["answered", "failed", "gone"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call, written down when it is over.

    Attributes:
        number: of message requests since the server began, from 0, batched ones included; -1 for other calls.
        endpoint: "messages", "count_tokens", "batches.create", …; "batches.request" for one request of a batch.
        sha256: of the canonical request, less how it is delivered and cached: the same request has the same, batched or
            not; "" where there is none.
        role: recognised from the request; "" if not.
        model: asked for; "" where there is none.
        status: of HTTP; 0 if none was sent.
        outcome: a message was answered in full; it failed, or was not one; or the client had gone.
        began: seconds, on the server's clock.
        ended: seconds.
        concurrency: message calls under way when it began, itself included.
        attempt: how often this request was asked, this time included.
        fault: what was made to go wrong; "" for nothing.
        batch_id: of a batch's request, or of the batch called.
        stop_reason: of the answer.
        request_id: as sent.
        input_tokens, cache_creation_input_tokens, cache_creation_1h_input_tokens, cache_read_input_tokens, output_tokens:
            what was counted. Written to the cache for an hour is part of what was written.
    """

    number: int
    endpoint: str
    sha256: str
    role: str
    model: str
    status: int
    outcome: Outcome
    began: float
    ended: float
    concurrency: int
    attempt: int = 1
    fault: str = ""
    batch_id: str = ""
    stop_reason: str = ""
    request_id: str = ""
    input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_creation_1h_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int = 0

    @property
    def paid(self) -> bool:
        """Whether tokens were counted: answers, and those that were refused or cut off."""
        return self.output_tokens > 0 or self.input_tokens > 0 or self.cache_read_input_tokens > 0

    @property
    def batched(self) -> bool:
        """Whether it is a request of a batch."""
        return self.endpoint == "batches.request"


class Journal:
    """Keeps calls in memory, and writes them to a file as JSON lines if there is one.

    Args:
        now: seconds.
        file: to write to, line by line.
    """

    def __init__(self, now: Callable[[], float], file: IO[str] | TextIOBase | None = None) -> None:
        self.now = now
        self.calls: list[Call] = []
        self._file = file

    def write(self, call: Call) -> None:
        """Note a call."""
        self.calls.append(call)
        if self._file is not None:
            self._file.write(json.dumps(asdict(call)) + "\n")
            self._file.flush()


def read_journal(path: Path) -> list[Call]:
    """The calls of a journal file; a last line that is not complete is left out."""
    names = {field.name for field in fields(Call)}
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    return [Call(**{name: value for name, value in json.loads(line).items() if name in names}) for line in lines]
