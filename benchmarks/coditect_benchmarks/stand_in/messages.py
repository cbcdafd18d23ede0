"""A reader's answer as the message of the Messages API that delivers it, in one piece or as events."""

from __future__ import annotations

from typing import Any

import orjson

from coditect_benchmarks.stand_in.checking import cited_blocks, parts_of
from coditect_benchmarks.stand_in.records import AnswerValue, PartOfAnswer
from coditect_benchmarks.stand_in.requests import CitableDocument, RequestRead, estimated_tokens

__all__ = ["events_of_message", "message_of"]


def message_of(request: RequestRead, answer: AnswerValue) -> dict[str, Any]:
    """The message.

    Args:
        request: what it answers.
        answer: without faults.
    Returns:
        parts of an answer that cites stand on lines of their own. Tokens are estimated; nothing is read from a cache, or written.
        An answer that is longer than the request allows ends for "max_tokens".
    Raises:
        ValueError: a part cites a block that there is not, or the answer has another shape.
    """
    content: list[dict[str, Any]] = []
    for part in parts_of(answer, citations=request.asked.citations):
        if content:
            content.append({"type": "text", "text": "\n", "citations": None})
        content.append({"type": "text", "text": part.text, "citations": _citations(part, request.documents) or None})
    output_tokens = estimated_tokens(sum(len(block["text"]) for block in content))
    most = request.asked.max_tokens
    return {
        "id": f"msg_standin_{request.asked.key[:24]}",
        "type": "message",
        "role": "assistant",
        "model": request.asked.model,
        "content": content,
        "container": None,
        "stop_reason": "max_tokens" if most and output_tokens > most else "end_turn",
        "stop_sequence": None,
        "stop_details": None,
        "usage": {
            "input_tokens": request.input_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": output_tokens,
        },
    }


def events_of_message(message: dict[str, Any]) -> bytes:
    """The stream that delivers a message: each text, and each of its citations, as one event."""
    begun = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 0}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
    for at, block in enumerate(message["content"]):
        cites = block["citations"]
        empty: dict[str, Any] = {"type": "text", "text": "", "citations": None if cites is None else []}
        events.append({"type": "content_block_start", "index": at, "content_block": empty})
        deltas = [{"type": "text_delta", "text": block["text"]}]
        deltas += [{"type": "citations_delta", "citation": cite} for cite in cites or ()]
        events += [{"type": "content_block_delta", "index": at, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": at})
    ended = {name: message[name] for name in ("stop_reason", "stop_sequence", "stop_details", "container")}
    events += [{"type": "message_delta", "delta": ended, "usage": message["usage"]}, {"type": "message_stop"}]
    return b"".join(b"event: %s\ndata: %s\n\n" % (each["type"].encode(), orjson.dumps(each)) for each in events)


def _citations(part: PartOfAnswer, documents: tuple[CitableDocument, ...]) -> list[dict[str, Any]]:
    return [
        {
            "type": "content_block_location",
            "document_index": document,
            "document_title": documents[document].title,
            "start_block_index": block,
            "end_block_index": block + 1,
            "cited_text": documents[document].blocks[block],
            "file_id": None,
        }
        for document, block in cited_blocks(part.cites, [len(each.blocks) for each in documents])
    ]
