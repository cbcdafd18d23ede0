"""Message Batches: half the price, within a day, in no order."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import structlog

from coditect.errors import Malformed, ModelError, Refused, Unreachable, UsageError
from coditect.models.claude.answers import answer_from
from coditect.models.claude.connection import ClaudeConnection
from coditect.models.claude.failures import failure_of_type
from coditect.models.claude.requests import message_parameters
from coditect.models.llm import BatchEntry, BatchState, LlmRequest

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

__all__ = ["MAX_BATCH_REQUESTS", "ClaudeBatches"]

log = structlog.wrap_logger(logging.getLogger(__name__))

# The API's limit; it also refuses more than 256 MB.
MAX_BATCH_REQUESTS = 100_000


class ClaudeBatches:
    """The Message Batches API. An :class:`~coditect.models.llm.LlmBatches`.

    Args:
        connection: how the service is reached.
    """

    def __init__(self, connection: ClaudeConnection) -> None:
        self._connection = connection

    async def submit(self, requests: Sequence[LlmRequest]) -> str:
        """Hand in a batch of different requests; returns its id. A request's hash is its ``custom_id``.

        Raises:
            UsageError: no request, too many, one of them twice, or one that the API would refuse.
            ModelError: or one of its kinds, as for :meth:`ClaudeLlm.complete`.
        """
        if not 0 < len(requests) <= MAX_BATCH_REQUESTS:
            raise UsageError("a batch is empty or too large", requests=len(requests), limit=MAX_BATCH_REQUESTS)
        body = {request.sha256: message_parameters(request) for request in requests}
        if len(body) < len(requests):
            raise UsageError("a batch asks the same twice", requests=len(requests), different=len(body))

        async def call(client: AsyncAnthropic) -> tuple[str, str]:
            entries: Any = [{"custom_id": name, "params": params} for name, params in body.items()]
            batch = await client.messages.batches.create(requests=entries)
            return batch.id, batch._request_id or ""

        batch_id, request_id = await self._connection.attempt(call, "batch.create", requests=len(requests))
        log.info("claude_batch_submitted", batch_id=batch_id, requests=len(requests), request_id=request_id)
        return batch_id

    async def state(self, batch_id: str) -> BatchState:
        """How far a batch is.

        Raises:
            ModelError: or one of its kinds; ``context["type"]`` is "not_found_error" for an unknown batch.
        """

        async def call(client: AsyncAnthropic) -> BatchState:
            return (await client.messages.batches.retrieve(_known(batch_id))).processing_status

        return await self._connection.attempt(call, "batch.retrieve", batch_id=batch_id)

    async def results(self, batch_id: str, requests: Mapping[str, LlmRequest]) -> Sequence[BatchEntry]:
        """The results of an ended batch, in no particular order; those of requests that are not asked for are left out.

        Args:
            batch_id: from :meth:`submit`.
            requests: what was asked, by hash.
        Raises:
            ModelError: or one of its kinds: it has not ended, or its results are gone. Nothing is returned unless all
                results came.
        """

        async def call(client: AsyncAnthropic) -> list[BatchEntry]:
            batch = await client.messages.batches.retrieve(_known(batch_id))
            if batch.results_url is None:
                raise ModelError("a batch has no results", batch_id=batch_id, state=batch.processing_status)
            found: dict[str, BatchEntry] = {}
            lines = await client.messages.batches.results(batch_id)
            try:
                async for line in lines:
                    request = requests.get(line.custom_id)
                    if request is not None:
                        result = line.result.to_dict(mode="json", warnings=False)
                        found[line.custom_id] = _entry(result, request, line.custom_id)
            finally:
                await lines.close()
            return list(found.values())

        entries = await self._connection.attempt(call, "batch.results", batch_id=batch_id)
        log.info("claude_batch_read", batch_id=batch_id, asked=len(requests), read=len(entries))
        return entries

    async def cancel(self, batch_id: str) -> None:
        """Stop a batch.

        Raises:
            ModelError: or one of its kinds.
        """

        async def call(client: AsyncAnthropic) -> None:
            await client.messages.batches.cancel(_known(batch_id))

        await self._connection.attempt(call, "batch.cancel", batch_id=batch_id)


def _known(batch_id: str) -> str:
    if not batch_id:
        raise ModelError("a batch without an id", batch_id=batch_id)
    return batch_id


def _entry(result: Mapping[str, Any], request: LlmRequest, custom_id: str) -> BatchEntry:
    error: ModelError
    kind = result.get("type")
    if kind == "succeeded":
        try:
            return BatchEntry(custom_id, answer_from(result.get("message") or {}, request, batched=True))
        except (Malformed, Refused, Unreachable) as failure:
            error = failure
    elif kind == "errored":
        response = result.get("error") or {}
        error = failure_of_type(
            (response.get("error") or {}).get("type") or "api_error", request_id=response.get("request_id") or ""
        )
    elif kind in ("canceled", "expired"):
        error = Unreachable("a batch ended before a request was answered", type=kind)
    else:
        error = Malformed("a batch's result is of an unknown type", truncated=False)
    return BatchEntry(custom_id, None, error)
