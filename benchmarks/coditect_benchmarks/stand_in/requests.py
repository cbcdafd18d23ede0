"""Bodies of the Messages API, as far as the product writes them, read into what a reader sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from coditect.agents.roles.fences import Fence
from coditect.errors import UsageError
from coditect.schemas.record import canonical_json, sha256_hex
from coditect_benchmarks.stand_in.records import RequestAsked

__all__ = ["CitableDocument", "RequestRead", "estimated_tokens", "read_body"]

CHARS_A_TOKEN = 4
_BETWEEN = "\n\n"
_KEYED = ("model", "system", "messages", "output_config")


@dataclass(frozen=True, slots=True)
class CitableDocument:
    """A document of a request."""

    title: str
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RequestRead:
    """A request.

    Attributes:
        asked: what a reader sees.
        documents: that may be cited.
        input_tokens: estimated from the characters of all texts and of the schema.
        streamed: whether the answer is to come as events.
    """

    asked: RequestAsked
    documents: tuple[CitableDocument, ...]
    input_tokens: int
    streamed: bool


def estimated_tokens(characters: int) -> int:
    """Four characters for one token, rounded up; at least one."""
    return max(1, -(-characters // CHARS_A_TOKEN))


def read_body(body: Any) -> RequestRead:  # noqa: ANN401 - JSON
    """Read the body of a request for a message, or for the count of its tokens.

    Raises:
        UsageError: it is none, or has what the product never sends: more than one turn, pictures, tools.
    """
    if not isinstance(body, dict) or not isinstance(body.get("model"), str):
        raise UsageError("the body is no request for a message")
    if body.get("tools"):
        raise UsageError("the stand-in knows no tools")
    messages = body.get("messages")
    if not isinstance(messages, list) or len(messages) != 1 or messages[0].get("role") != "user":
        raise UsageError("the stand-in reads requests of one user turn")
    system = "\n\n".join(_text(block) for block in _blocks(body.get("system") or []))
    content = _blocks(messages[0].get("content"))
    documents = tuple(_document(block) for block in content if block.get("type") == "document")
    shown = _shown(content, documents)
    config = body.get("output_config") or {}
    schema = (config.get("format") or {}).get("schema")
    asked = RequestAsked(
        key=sha256_hex(canonical_json(_keyed(body))),
        model=body["model"],
        system=system,
        user=_BETWEEN.join(shown),
        shared_chars=_shared_chars(content, shown),
        output_schema=schema,
        max_tokens=body.get("max_tokens") or 0,
        effort=config.get("effort") or "",
        citations=any((block.get("citations") or {}).get("enabled") for block in content),
        documents=tuple(len(document.blocks) for document in documents),
    )
    characters = len(system) + sum(len(_text(block)) for block in content if block.get("type") == "text")
    characters += sum(len(text) for document in documents for text in (document.title, *document.blocks))
    characters += len(canonical_json(schema).decode()) if schema else 0
    return RequestRead(asked, documents, estimated_tokens(characters), bool(body.get("stream")))


def _keyed(body: dict[str, Any]) -> dict[str, Any]:
    """What the answer depends on: not how it is delivered, nor what the service is to keep of the request."""
    kept = {name: body[name] for name in _KEYED if name in body}
    if "system" in kept:
        kept["system"] = _unmarked(kept["system"])
    kept["messages"] = [
        {"role": message.get("role"), "content": _unmarked(message.get("content"))} for message in kept["messages"]
    ]
    return kept


def _unmarked(content: Any) -> Any:  # noqa: ANN401 - JSON
    if not isinstance(content, list):
        return content
    return [{name: value for name, value in block.items() if name != "cache_control"} for block in content]


def _blocks(content: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - JSON
    """Content as blocks; a string is one."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list) or not all(isinstance(block, dict) for block in content):
        raise UsageError("the content of a request is neither text nor blocks")
    return content


def _text(block: dict[str, Any]) -> str:
    if block.get("type") != "text" or not isinstance(block.get("text"), str):
        raise UsageError("the stand-in reads text alone", type=block.get("type"))
    return str(block["text"])


def _document(block: dict[str, Any]) -> CitableDocument:
    source = block.get("source") or {}
    if source.get("type") != "content":
        raise UsageError("the stand-in reads documents in blocks of text alone", type=source.get("type"))
    return CitableDocument(block.get("title") or "", tuple(_text(part) for part in _blocks(source.get("content"))))


def _shared_chars(content: list[dict[str, Any]], shown: list[str]) -> int:
    """Up to the last block that the service is to keep, the turn's last one left aside."""
    kept = [at for at, block in enumerate(content[:-1]) if block.get("cache_control")]
    return len(_BETWEEN.join(shown[: kept[-1] + 1])) if kept else 0


def _shown(content: list[dict[str, Any]], documents: tuple[CitableDocument, ...]) -> list[str]:
    """The blocks of the turn as texts: text as it is, documents between tags that no text can close."""
    fence = Fence.around(text for document in documents for text in (document.title, *document.blocks))
    shown: list[str] = []
    number = 0
    for block in content:
        if block.get("type") != "document":
            shown.append(_text(block))
            continue
        document = documents[number]
        number += 1
        blocks = [fence.wrap("block", text, n=f"{number}.{at}") for at, text in enumerate(document.blocks, 1)]
        shown.append(fence.wrap("document", "\n".join(blocks), n=number, title=document.title))
    return shown
