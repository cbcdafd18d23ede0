"""The Message Batches API: takes requests, answers them in its own time, hands results out in no order."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from tests.llm_server.messages import ApiFailure

__all__ = ["MAX_REQUESTS", "Batches"]

MAX_REQUESTS = 100_000
_STATES = ("succeeded", "errored", "canceled", "expired")
_AT_ONCE = 20
Answer = Callable[[dict[str, Any], str], dict[str, Any]]
"""From the parameters of a request and its batch's id: its result."""


@dataclass(slots=True)
class _Batch:
    batch_id: str
    created: float
    requests: list[tuple[str, dict[str, Any]]]
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    canceled: asyncio.Event = field(default_factory=asyncio.Event)
    canceled_at: float | None = None
    ended_at: float | None = None
    task: asyncio.Task[None] | None = None


class Batches:
    """All batches of a server.

    Args:
        now: seconds, since 1970 or another beginning.
        answer: computes the result of one request.
        seconds: from handing a batch in to its end.
    """

    def __init__(self, now: Callable[[], float], answer: Answer, seconds: float) -> None:
        self.seconds = seconds
        self._now = now
        self._answer = answer
        self._batches: dict[str, _Batch] = {}

    def create(self, body: Any, base_url: str) -> dict[str, Any]:  # noqa: ANN401 - JSON
        """Take a batch.

        Raises:
            ApiFailure: not a batch, too many requests, or a name twice.
        """
        requests = body.get("requests") if isinstance(body, dict) else None
        if not isinstance(requests, list) or not 0 < len(requests) <= MAX_REQUESTS:
            raise ApiFailure(400, "invalid_request_error", f"requests: between 1 and {MAX_REQUESTS}")
        names = [each.get("custom_id", "") for each in requests]
        if len(set(names)) < len(names) or not all(0 < len(name) <= 64 for name in names):
            raise ApiFailure(400, "invalid_request_error", "requests.custom_id: 1 to 64 characters, each once")
        digest = hashlib.sha256(f"{len(self._batches)} {names[0]}".encode()).hexdigest()
        batch = _Batch(
            f"msgbatch_{digest[:24]}", self._now(), [(each["custom_id"], each["params"]) for each in requests]
        )
        self._batches[batch.batch_id] = batch
        batch.task = asyncio.get_running_loop().create_task(self._process(batch))
        return self._described(batch, base_url)

    def retrieve(self, batch_id: str, base_url: str) -> dict[str, Any]:
        """Describe a batch."""
        return self._described(self._known(batch_id), base_url)

    def newest(self, base_url: str) -> dict[str, Any]:
        """All batches, newest first, on one page."""
        described = [self._described(batch, base_url) for batch in reversed(self._batches.values())]
        ends = [described[at]["id"] if described else None for at in (0, -1)]
        return {"data": described, "has_more": False, "first_id": ends[0], "last_id": ends[1]}

    def cancel(self, batch_id: str, base_url: str) -> dict[str, Any]:
        """Stop a batch: what is answered stays."""
        batch = self._known(batch_id)
        if batch.ended_at is None and batch.canceled_at is None:
            batch.canceled_at = self._now()
            batch.canceled.set()
        return self._described(batch, base_url)

    def results(self, batch_id: str) -> bytes:
        """The results as JSON lines, shuffled.

        Raises:
            ApiFailure: it has not ended.
        """
        batch = self._known(batch_id)
        if batch.ended_at is None:
            raise ApiFailure(404, "not_found_error", "the batch has not ended")
        lines = [orjson.dumps({"custom_id": name, "result": result}) + b"\n" for name, result in batch.results.items()]
        random.Random(batch_id).shuffle(lines)  # noqa: S311 - an order, no secret
        return b"".join(lines)

    def close(self) -> None:
        """Stop working."""
        for batch in self._batches.values():
            if batch.task is not None:
                batch.task.cancel()

    async def _process(self, batch: _Batch) -> None:
        """Answer some at a time, evenly over its time; what is left when it is cancelled is not answered."""
        begun = asyncio.get_running_loop().time()
        for at, (name, params) in enumerate(batch.requests):
            if at % _AT_ONCE == 0:
                await _until(begun + self.seconds * at / len(batch.requests), batch.canceled)
            if batch.canceled_at is not None:
                batch.results[name] = {"type": "canceled"}
            else:
                batch.results[name] = self._answer(params, batch.batch_id)
        await _until(begun + self.seconds, batch.canceled)
        batch.ended_at = self._now()

    def _known(self, batch_id: str) -> _Batch:
        if batch_id not in self._batches:
            raise ApiFailure(404, "not_found_error", f"no batch {batch_id}")
        return self._batches[batch_id]

    def _described(self, batch: _Batch, base_url: str) -> dict[str, Any]:
        ended = batch.ended_at is not None
        counts = dict.fromkeys(("processing", *_STATES), 0)
        for result in batch.results.values() if ended else ():
            counts[result["type"]] += 1
        counts["processing"] = 0 if ended else len(batch.requests)
        state = "ended" if ended else "in_progress" if batch.canceled_at is None else "canceling"
        return {
            "id": batch.batch_id,
            "type": "message_batch",
            "processing_status": state,
            "request_counts": counts,
            "created_at": _rfc3339(batch.created),
            "expires_at": _rfc3339(batch.created + 86_400),
            "ended_at": None if batch.ended_at is None else _rfc3339(batch.ended_at),
            "cancel_initiated_at": None if batch.canceled_at is None else _rfc3339(batch.canceled_at),
            "archived_at": None,
            "results_url": f"{base_url}/v1/messages/batches/{batch.batch_id}/results" if ended else None,
        }


async def _until(time: float, canceled: asyncio.Event) -> None:
    """Wait until a time of the loop, or for the cancellation; let others run in any case."""
    await asyncio.sleep(0)
    left = time - asyncio.get_running_loop().time()
    if left > 0:
        with suppress(TimeoutError):
            await asyncio.wait_for(canceled.wait(), left)


def _rfc3339(seconds: float) -> str:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).isoformat()
