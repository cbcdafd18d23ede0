"""Requests to ask a service with."""

from __future__ import annotations

from typing import Any

from coditect.models.llm import CacheTtl, Document, LlmRequest, TextBlock

__all__ = ["HAIKU", "KEY", "OPUS", "SCHEMA", "SECRET_TEXT", "cited", "prose", "structured"]

KEY = "sk-test-0f1e2d3c4b5a69788796a5b4c3d2e1f0"
HAIKU = "claude-haiku-5-5"
OPUS = "claude-opus-5-5"
SECRET_TEXT = "the merger with Quillfeather is off"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "verdicts": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        "score": {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "null"}]},
        "kind": {"enum": ["rule", "advice"]},
    },
    "required": ["verdicts", "score", "kind"],
    "additionalProperties": False,
}


def prose(text: str = "What do you say?", *, model: str = HAIKU, max_tokens: int = 500) -> LlmRequest:
    """A request for prose."""
    return LlmRequest(model, (TextBlock("You repeat what is said."),), (TextBlock(text),), max_tokens)


def structured(text: str = "Judge this.") -> LlmRequest:
    """A request for JSON."""
    return LlmRequest(HAIKU, (), (TextBlock(text),), 500, output_schema=SCHEMA)


def cited(*titles: str, cache: CacheTtl = "") -> LlmRequest:
    """A request for sentences that cite the blocks of documents of three blocks each."""
    documents = tuple(
        Document(title, (f"{title} must be paid. ", f"{title} must not be eaten. ", f"{title} is red."), cache)
        for title in titles
    )
    return LlmRequest(OPUS, (), (*documents, TextBlock("At most 10 sentences.")), 2_000, citations=True)
