"""Claude over the anthropic library: one attempt per call, typed answers, typed errors."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import structlog

from coditect.errors import Malformed
from coditect.models.claude.answers import answer_from
from coditect.models.claude.batches import ClaudeBatches
from coditect.models.claude.connection import ClaudeConnection
from coditect.models.claude.requests import message_parameters
from coditect.models.llm import LlmAnswer, LlmRequest

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

__all__ = ["ClaudeLlm"]

log = structlog.wrap_logger(logging.getLogger(__name__))


class ClaudeLlm:
    """The Messages API. An :class:`~coditect.models.llm.Llm`.

    Repeating, and how many calls there are at a time, is the caller's business.

    Args:
        api_key: sent as a header, shown and logged nowhere.
        base_url: of the service; None: the library's own.
        timeout_s: longest silence, > 0. An answer that comes in one piece is silent until it is complete.
        stream_above_tokens: answers that may be longer than this are streamed, >= 0.
    Raises:
        UsageError: the library is not installed, or an argument cannot be one.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str | None = None,
        *,
        timeout_s: float = 120.0,
        stream_above_tokens: int = 2048,
    ) -> None:
        self._connection = ClaudeConnection(api_key, base_url, timeout_s)
        self._stream_above_tokens = stream_above_tokens
        self._batches = ClaudeBatches(self._connection)

    @property
    def batches(self) -> ClaudeBatches:
        """The Message Batches API."""
        return self._batches

    async def complete(self, request: LlmRequest) -> LlmAnswer:
        """Answer one request; one attempt.

        Raises:
            UsageError: the API would refuse it.
            RateLimited, Refused, Malformed, Unreachable, ModelError: see :class:`~coditect.models.llm.Llm`.
        """
        body = message_parameters(request)
        whole = request.max_tokens <= self._stream_above_tokens

        async def call(client: AsyncAnthropic) -> LlmAnswer:
            return await (_whole(client, body, request) if whole else _streamed(client, body, request))

        answer = await self._connection.attempt(call, "messages", model=request.model, request=request.sha256)
        log.info(
            "claude_answered",
            request=answer.request_sha256,
            request_id=answer.request_id,
            model=answer.model,
            stop_reason=answer.stop_reason,
            **asdict(answer.usage),
        )
        return answer

    async def count_tokens(self, request: LlmRequest) -> int:
        """Input tokens of a request.

        Raises:
            UsageError: the API would refuse it.
            ModelError: or one of its kinds, as for :meth:`complete`.
        """
        body = message_parameters(request)
        del body["max_tokens"]

        async def call(client: AsyncAnthropic) -> int:
            counted: Any = (await client.messages.count_tokens(**body)).input_tokens
            if not isinstance(counted, int):
                raise Malformed("the service's count is not a number", truncated=False)
            return counted

        return await self._connection.attempt(call, "count_tokens", model=request.model)

    async def close(self) -> None:
        """Let the connections go."""
        await self._connection.close()


async def _whole(client: AsyncAnthropic, body: dict[str, Any], request: LlmRequest) -> LlmAnswer:
    response = await client.messages.with_raw_response.create(**body)
    return answer_from(await response.read(), request, request_id=response.request_id or "")


async def _streamed(client: AsyncAnthropic, body: dict[str, Any], request: LlmRequest) -> LlmAnswer:
    """An answer as it is written: the time limit counts from one event to the next, and a gap ends it."""
    async with client.messages.stream(**body) as stream:
        message = await stream.get_final_message()
        return answer_from(message.to_dict(mode="json", warnings=False), request, request_id=stream.request_id or "")
