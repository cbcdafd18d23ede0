"""Our requests in the words of the Messages API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coditect.errors import UsageError
from coditect.models.llm import CacheTtl, Document, LlmRequest, TextBlock

__all__ = ["MAX_CACHED_BLOCKS", "adapted_schema", "message_parameters"]

# "A maximum of 4 blocks with cache_control may be provided": the API refuses more.
MAX_CACHED_BLOCKS = 4
# What the library raises over a schema that it cannot express.
_NOT_A_SCHEMA = (AssertionError, AttributeError, KeyError, RecursionError, TypeError, ValueError)


def message_parameters(request: LlmRequest) -> dict[str, Any]:
    """The body of a Messages request, without how it is to be delivered.

    Args:
        request: to send. No temperature: the API refuses it since version 2026-10-21.
    Returns:
        keywords of ``messages.create`` and ``messages.stream``, and ``params`` of a batch.
    Raises:
        UsageError: a request that the API would refuse: citations with a schema, more than four cached blocks, one for an
            hour after one for five minutes, nothing to answer, a text of white space, a schema that it cannot express.
    """
    _check(request)
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [{"role": "user", "content": [_content(part, request.citations) for part in request.content]}],
    }
    if request.system:
        body["system"] = [_text(block) for block in request.system]
    output: dict[str, Any] = {}
    if request.output_schema is not None:
        output["format"] = {"type": "json_schema", "schema": adapted_schema(request.output_schema)}
    if request.effort:
        output["effort"] = request.effort
    if output:
        body["output_config"] = output
    return body


def _check(request: LlmRequest) -> None:
    """Refuse what the API would refuse, before it is sent."""
    parts = (*request.system, *request.content)
    cached = [part.cache for part in parts if part.cache]
    if len(cached) > MAX_CACHED_BLOCKS:
        raise UsageError("too many blocks of a request are to be cached", cached=len(cached), limit=MAX_CACHED_BLOCKS)
    if cached != sorted(cached):  # "1h" before "5m"
        raise UsageError("a block that is cached for an hour comes after one that is cached for five minutes")
    if request.citations and request.output_schema is not None:
        raise UsageError("an answer cannot both cite and follow a schema")
    if request.max_tokens < 1:
        raise UsageError("an answer needs at least one token", max_tokens=request.max_tokens)
    if not request.content:
        raise UsageError("a request without content")
    for part in parts:
        texts = (part.text,) if isinstance(part, TextBlock) else part.blocks
        if not texts or not all(text.strip() for text in texts):
            raise UsageError("a text of a request is empty or white space")


def adapted_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema that the API accepts: bounds stand in descriptions, objects are closed.

    The answer must be checked against the original schema.

    Args:
        schema: JSON Schema, each part of it with one type, ``anyOf``, ``enum`` or ``const``.
    Raises:
        UsageError: not a schema, or one that the API cannot express.
    """
    from anthropic import transform_schema

    try:
        return transform_schema(dict(schema))
    except _NOT_A_SCHEMA as error:
        reason = type(error).__name__
    raise UsageError(
        "a schema of answers that the service cannot express",
        hint="Give every part a type, anyOf, enum or const.",
        reason=reason,
    )


def _content(part: TextBlock | Document, citations: bool) -> dict[str, Any]:
    if isinstance(part, TextBlock):
        return _text(part)
    content = [{"type": "text", "text": text} for text in part.blocks]
    document: dict[str, Any] = {"type": "document", "source": {"type": "content", "content": content}}
    if part.title:
        document["title"] = part.title
    if citations:
        document["citations"] = {"enabled": True}
    return {**document, **_cached(part.cache)}


def _text(block: TextBlock) -> dict[str, Any]:
    return {"type": "text", "text": block.text, **_cached(block.cache)}


def _cached(ttl: CacheTtl) -> dict[str, Any]:
    return {"cache_control": {"type": "ephemeral", "ttl": ttl}} if ttl else {}
