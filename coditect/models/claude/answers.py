"""What the Messages API answers, as answers or errors of ours."""

from __future__ import annotations

from typing import Any, Literal, get_args

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from coditect.errors import Malformed, Refused, Unreachable
from coditect.models.llm import CitedSpan, LlmAnswer, LlmRequest, StopReason, TextPart, Usage

__all__ = ["answer_from"]

_CUT_OFF = ("max_tokens", "model_context_window_exceeded")


class _Wire(BaseModel):
    """The part of the service's answer that we read; it may say more."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class _Usage(_Wire):
    input_tokens: int
    output_tokens: int
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


class _StopDetails(_Wire):
    category: str | None = None


class _Message(_Wire):
    type: Literal["message"]
    model: str
    content: list[dict[str, Any]]
    stop_reason: str | None
    stop_details: _StopDetails | None = None
    usage: _Usage


class _Citation(_Wire):
    type: Literal["content_block_location"]
    document_index: int
    start_block_index: int
    end_block_index: int
    cited_text: str


class _AnswerText(_Wire):
    text: str
    citations: list[_Citation] | None = None


def answer_from(
    message: bytes | dict[str, Any], request: LlmRequest, *, request_id: str = "", batched: bool = False
) -> LlmAnswer:
    """Read an answer.

    Blocks are picked by their type: thinking and whatever else comes beside text is left out.

    Args:
        message: as the service sent it.
        request: what was asked.
        request_id: what the service calls the request, for its support.
        batched: came in a batch.
    Raises:
        Refused: the model declined.
        Malformed: cut off, cited by something else than blocks, or not JSON although a schema was given.
        Unreachable: no message at all, as from a proxy, or one that stops without a reason: it is not complete.
    """
    read = _read(message, request_id)
    usage = Usage(
        input_tokens=read.usage.input_tokens,
        cache_creation_input_tokens=read.usage.cache_creation_input_tokens or 0,
        cache_read_input_tokens=read.usage.cache_read_input_tokens or 0,
        output_tokens=read.usage.output_tokens,
    )
    took: dict[str, Any] = {"model": read.model, "request_id": request_id, "usage": usage}
    if read.stop_reason == "refusal":
        raise Refused("the model declined to answer", category=read.stop_details and read.stop_details.category, **took)
    if read.stop_reason in _CUT_OFF:
        raise Malformed(
            "an answer was cut off",
            hint="Allow more tokens, or ask for less at once.",
            truncated=True,
            stop_reason=read.stop_reason,
            **took,
        )
    if read.stop_reason is None:
        raise Unreachable("an answer is not complete", **took)
    if read.stop_reason not in get_args(StopReason):
        raise Malformed("an answer ends for an unknown reason", truncated=False, stop_reason=read.stop_reason, **took)
    answer = LlmAnswer(
        request_sha256=request.sha256,
        model=read.model,
        parts=tuple(_part(block, took) for block in read.content if block.get("type") == "text"),
        usage=usage,
        stop_reason=read.stop_reason,  # type: ignore[arg-type] # checked above
        request_id=request_id,
        batched=batched,
    )
    _check_text(answer.text, request, took)
    return answer


def _read(message: bytes | dict[str, Any], request_id: str) -> _Message:
    try:
        if isinstance(message, bytes):
            return _Message.model_validate_json(message)
        return _Message.model_validate(message)
    except ValidationError as error:
        reasons = sorted({found["type"] for found in error.errors()})
    raise Unreachable("the service's answer is not a message", request_id=request_id, reason=", ".join(reasons))


def _part(block: dict[str, Any], took: dict[str, Any]) -> TextPart:
    try:
        read = _AnswerText.model_validate(block)
    except ValidationError:
        read = None
    if read is None:
        raise Malformed("an answer's text or citation has an unknown shape", truncated=False, **took)
    return TextPart(read.text, tuple(_span(found, took) for found in read.citations or ()))


def _span(found: _Citation, took: dict[str, Any]) -> CitedSpan:
    if found.document_index < 0 or not 0 <= found.start_block_index < found.end_block_index:
        raise Malformed("an answer cites blocks that cannot be", truncated=False, **took)
    return CitedSpan(found.document_index, found.start_block_index, found.end_block_index, found.cited_text)


def _check_text(text: str, request: LlmRequest, took: dict[str, Any]) -> None:
    """An answer can be stored, and is JSON if a schema was given."""
    try:
        encoded = text.encode()
        if request.output_schema is not None:
            orjson.loads(encoded)
    except ValueError:  # also what orjson and str.encode raise; neither may stay in the context: they hold the text
        pass
    else:
        return
    raise Malformed("an answer is not the text or the JSON that was asked for", truncated=False, **took)
