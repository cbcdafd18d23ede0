"""The Messages API: what a request must be like, and the message that answers it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import orjson

from tests.llm_server.answers import Respond, respond
from tests.llm_server.answers_misbehaving import MISBEHAVIOURS, misbehaving
from tests.llm_server.faults import Fault
from tests.llm_server.prompt_cache import InputUsage, PromptCache, tokens_of

__all__ = ["Answered", "ApiFailure", "answer", "check", "events_of", "request_sha256"]

MAX_OUTPUT_TOKENS = 128_000
MAX_CONTEXT_TOKENS = 1_000_000
_REMOVED = ("temperature", "top_p", "top_k")
_BOUNDS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
)
_CHUNK = 400


class ApiFailure(Exception):  # noqa: N818 - the service's word for what it answers
    """An answer that is an error.

    Args:
        status: of HTTP.
        kind: the service's name of it.
        message: for people.
        headers: to send with it.
    """

    def __init__(self, status: int, kind: str, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.message = message
        self.headers = headers or {}

    def body(self, request_id: str) -> dict[str, Any]:
        """As JSON."""
        return {"type": "error", "error": {"type": self.kind, "message": self.message}, "request_id": request_id}


@dataclass(frozen=True, slots=True)
class Answered:
    """A message and what it took."""

    message: dict[str, Any]
    usage: InputUsage
    output_tokens: int


def request_sha256(body: dict[str, Any]) -> str:
    """Hash of a request, less how it is delivered ("stream") and how long the service keeps what ("cache_control")."""
    kept = {name: value for name, value in body.items() if name not in ("stream", "cache_control")}
    for name in ("system", "messages"):
        if name in kept:
            kept[name] = _without_marks(kept[name])
    return hashlib.sha256(orjson.dumps(kept, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _without_marks(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {name: _without_marks(part) for name, part in value.items() if name != "cache_control"}
    return [_without_marks(part) for part in value] if isinstance(value, list) else value


def check(body: Any, *, counting: bool = False) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """The body, if the service would take it.

    Raises:
        ApiFailure: it would not.
    """
    if not isinstance(body, dict) or not isinstance(body.get("messages"), list) or not body["messages"]:
        raise _invalid("messages: Field required")
    if not str(body.get("model", "")).startswith("claude-"):
        raise ApiFailure(404, "not_found_error", f"model: {body.get('model')}")
    for name in _REMOVED:
        if name in body:
            raise _invalid(f"{name}: not supported by this version of the API")
    limit = body.get("max_tokens")
    if not counting and not (isinstance(limit, int) and 0 < limit <= MAX_OUTPUT_TOKENS):
        raise _invalid(f"max_tokens: between 1 and {MAX_OUTPUT_TOKENS}")
    blocks = _blocks(body)
    _check_blocks(blocks)
    schema = (body.get("output_config") or {}).get("format")
    if schema is not None:
        if any((block.get("citations") or {}).get("enabled") for block in blocks):
            raise _invalid("output_config.format: not together with citations")
        _check_schema(schema.get("schema"), "schema")
    return body


def _blocks(body: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for content in (body.get("system") or [], *(message["content"] for message in body["messages"])):
        found += [{"type": "text", "text": content}] if isinstance(content, str) else content
    return found


def _check_blocks(blocks: list[dict[str, Any]]) -> None:
    marks = [block["cache_control"] for block in blocks if block.get("cache_control")]
    if len(marks) > 4:
        raise _invalid(f"A maximum of 4 blocks with cache_control may be provided. Found {len(marks)}.")
    ttls = [mark.get("ttl", "5m") for mark in marks]
    if ttls != sorted(ttls):
        raise _invalid("cache_control.ttl: a block with '1h' must not come after one with '5m'")
    if not set(ttls) <= {"5m", "1h"}:
        raise _invalid("cache_control.ttl: '5m' or '1h'")
    documents = [block for block in blocks if block["type"] == "document"]
    if len({bool((document.get("citations") or {}).get("enabled")) for document in documents}) > 1:
        raise _invalid("citations: enabled on all documents or on none")
    for block in blocks:
        if block["type"] == "text" and not block["text"].strip():
            raise _invalid("messages: text content blocks must contain non-whitespace text")
        if block["type"] == "document" and block["source"]["type"] == "content" and not block["source"]["content"]:
            raise _invalid("document.source.content: at least one block")


def _check_schema(schema: Any, place: str) -> None:  # noqa: ANN401 - JSON
    """The part of JSON Schema that structured outputs know: no bounds, closed objects."""
    if not isinstance(schema, dict):
        raise _invalid(f"{place}: not a schema")
    for name in _BOUNDS:
        if name in schema:
            raise _invalid(f"{place}: '{name}' is not supported")
    if isinstance(schema.get("type"), list):
        raise _invalid(f"{place}: a list of types is not supported")
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        raise _invalid(f"{place}: 'additionalProperties' must be false")
    for name, part in {**schema.get("properties", {}), **schema.get("$defs", {})}.items():
        _check_schema(part, f"{place}.{name}")
    for name in ("anyOf", "allOf"):
        for at, part in enumerate(schema.get(name, [])):
            _check_schema(part, f"{place}.{name}[{at}]")
    if "items" in schema:
        _check_schema(schema["items"], f"{place}.items")


def _invalid(message: str) -> ApiFailure:
    return ApiFailure(400, "invalid_request_error", message)


def answer(
    body: dict[str, Any],
    sha256: str,
    cache: PromptCache,
    fault: Fault | None = None,
    *,
    model: Respond = respond,
    begins_in_s: float = 0.0,
    batched: bool = False,
) -> Answered:
    """The message that answers a request.

    Args:
        body: checked.
        sha256: of it; the message's id follows from it.
        cache: counts its input.
        fault: refusal, truncation, or a way to misbehave.
        model: answers.
        begins_in_s: until the answer begins.
        batched: within a batch.
    Raises:
        ApiFailure: too long.
    """
    usage = cache.use(body, begins_in_s)
    if usage.total > MAX_CONTEXT_TOKENS:
        raise _invalid(f"prompt is too long: {usage.total} tokens > {MAX_CONTEXT_TOKENS} maximum")
    kind = fault.kind if fault else ""
    if kind == "refusal":
        blocks, stop = [], "refusal"
    else:
        reply = (misbehaving(kind) if kind in MISBEHAVIOURS else model)(body)
        blocks, stop = reply["blocks"], reply["stop_reason"]
        length = sum(len(block["text"]) for block in blocks)
        limit = 4 * body["max_tokens"]
        if kind == "truncation" or length > limit:
            blocks, stop = _cut(blocks, min(limit, length // 2 + 1) if kind == "truncation" else limit), "max_tokens"
    output_tokens = max(1, sum(tokens_of(block["text"]) for block in blocks))
    if str(body["model"]).startswith("claude-opus"):  # its thinking cannot be turned off
        blocks = [{"type": "thinking", "thinking": "", "signature": sha256[:16]}, *blocks]
    message = {
        "id": f"msg_{sha256[:24]}",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": blocks,
        "container": None,
        "stop_reason": stop,
        "stop_sequence": None,
        "stop_details": {"type": "refusal", "category": None, "explanation": None} if stop == "refusal" else None,
        "usage": _usage(usage, output_tokens, "batch" if batched else "standard"),
    }
    return Answered(message, usage, output_tokens)


def _usage(usage: InputUsage, output_tokens: int, tier: str) -> dict[str, Any]:
    return {
        "input_tokens": usage.input_tokens,
        "cache_creation_input_tokens": usage.written_5m + usage.written_1h,
        "cache_creation": {
            "ephemeral_5m_input_tokens": usage.written_5m,
            "ephemeral_1h_input_tokens": usage.written_1h,
        },
        "cache_read_input_tokens": usage.read,
        "output_tokens": output_tokens,
        "service_tier": tier,
    }


def _cut(blocks: list[dict[str, Any]], length: int) -> list[dict[str, Any]]:
    """The first ``length`` code points."""
    kept = []
    for block in blocks:
        if length <= 0:
            break
        kept.append({**block, "text": block["text"][:length]})
        length -= len(block["text"])
    return kept


def events_of(message: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The events of a stream that delivers a message."""
    begun = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 1}}
    events: list[tuple[str, dict[str, Any]]] = [("message_start", {"message": begun}), ("ping", {})]
    for at, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty: dict[str, Any] = {
                "type": "text",
                "text": "",
                "citations": None if block.get("citations") is None else [],
            }
            deltas: list[dict[str, Any]] = [
                {"type": "citations_delta", "citation": c} for c in block.get("citations") or []
            ]
            text = block["text"]
            deltas += [{"type": "text_delta", "text": text[i : i + _CHUNK]} for i in range(0, len(text), _CHUNK)]
        else:
            empty = {**block, "signature": ""}
            deltas = [{"type": "signature_delta", "signature": block["signature"]}]
        events.append(("content_block_start", {"index": at, "content_block": empty}))
        events += [("content_block_delta", {"index": at, "delta": delta}) for delta in deltas]
        events.append(("content_block_stop", {"index": at}))
    ended = {name: message[name] for name in ("stop_reason", "stop_sequence", "stop_details", "container")}
    events.append(("message_delta", {"delta": ended, "usage": message["usage"]}))
    events.append(("message_stop", {}))
    return [(name, {"type": name, **data}) for name, data in events]
