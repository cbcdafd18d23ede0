"""Answers of language models in their two forms: as the service gave them, and as they are stored.

A refusal and an answer that cannot be used are stored, too; :func:`stored_error` gives the error again that came then.
"""

from __future__ import annotations

from typing import Any, Literal

from coditect.errors import Malformed, ModelError, Refused
from coditect.models.llm import CitedSpan, LlmAnswer, TextPart, Usage
from coditect.schemas import AnswerCitation, AnswerPart, AnswerUsage, ModelAnswer

__all__ = ["answer_usage", "failed_answer", "llm_answer", "llm_usage", "model_answer", "stored_error"]


def model_answer(answer: LlmAnswer, corpus_id: str, role: str, at: str) -> ModelAnswer:
    """An answer as it is stored.

    Args:
        answer: from the service.
        corpus_id: whose build asked.
        role: who asked.
        at: when, RFC 3339.
    """
    parts = tuple(
        AnswerPart(
            text=part.text,
            citations=tuple(
                AnswerCitation(document=c.document, start=c.start, end=c.end, cited_text=c.cited_text)
                for c in part.citations
            ),
        )
        for part in answer.parts
    )
    return ModelAnswer(
        request_sha256=answer.request_sha256,
        corpus_id=corpus_id,
        role=role,
        model=answer.model,
        parts=parts,
        usage=answer_usage(answer.usage),
        stop_reason=answer.stop_reason,
        service_request_id=answer.request_id,
        batched=answer.batched,
        answered_at=at,
    )


def failed_answer(
    error: Refused | Malformed, request_sha256: str, corpus_id: str, role: str, at: str, *, batched: bool = False
) -> ModelAnswer:
    """What came instead of an answer, as it is stored.

    Args:
        error: from the service; its context has ``usage``, and ``model`` and ``request_id`` where they are known.
        request_sha256: the SHA-256 of the request.
        corpus_id: whose build asked.
        role: who asked.
        at: when, RFC 3339.
        batched: it came in a batch.
    """
    outcome: Literal["refused", "truncated", "malformed"] = "malformed"
    if isinstance(error, Refused):
        outcome = "refused"
    elif error.context.get("truncated"):
        outcome = "truncated"
    usage = error.context.get("usage")
    return ModelAnswer(
        request_sha256=request_sha256,
        corpus_id=corpus_id,
        role=role,
        model=str(error.context.get("model") or ""),
        outcome=outcome,
        usage=answer_usage(usage if isinstance(usage, Usage) else Usage()),
        service_request_id=str(error.context.get("request_id") or ""),
        batched=batched,
        answered_at=at,
    )


def answer_usage(usage: Usage) -> AnswerUsage:
    """Token counts as they are stored."""
    return AnswerUsage(
        input_tokens=usage.input_tokens,
        cache_creation_input_tokens=usage.cache_creation_input_tokens,
        cache_read_input_tokens=usage.cache_read_input_tokens,
        output_tokens=usage.output_tokens,
    )


def llm_usage(stored: ModelAnswer) -> Usage:
    """Token counts of a stored answer, all attempts together."""
    return Usage(**stored.usage.model_dump())


def stored_error(stored: ModelAnswer) -> ModelError | None:
    """Refused or Malformed, as when it came, for what is stored instead of an answer; None for an answer."""
    if stored.outcome == "answered":
        return None
    took: dict[str, Any] = {"model": stored.model, "request_id": stored.service_request_id, "usage": llm_usage(stored)}
    if stored.outcome == "refused":
        return Refused("the model declined to answer", request=stored.request_sha256, **took)
    if stored.outcome == "truncated":
        return Malformed(
            "an answer was cut off",
            hint="Allow more tokens, or ask for less at once.",
            truncated=True,
            request=stored.request_sha256,
            **took,
        )
    return Malformed("an answer cannot be used", truncated=False, request=stored.request_sha256, **took)


def llm_answer(stored: ModelAnswer) -> LlmAnswer:
    """A stored answer as the service gave it; its usage is that of all attempts.

    Raises:
        Refused, Malformed: what is stored is not an answer.
    """
    error = stored_error(stored)
    if error is not None:
        raise error
    parts = tuple(
        TextPart(part.text, tuple(CitedSpan(c.document, c.start, c.end, c.cited_text) for c in part.citations))
        for part in stored.parts
    )
    return LlmAnswer(
        request_sha256=stored.request_sha256,
        model=stored.model,
        parts=parts,
        usage=llm_usage(stored),
        stop_reason=stored.stop_reason,
        request_id=stored.service_request_id,
        batched=stored.batched,
    )
