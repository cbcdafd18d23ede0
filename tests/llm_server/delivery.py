"""How an answer reaches its client, and how it fails to."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson

from tests.llm_server.faults import Fault
from tests.llm_server.http_wire import Dropped, Wire
from tests.llm_server.journal import Outcome
from tests.llm_server.messages import ApiFailure, events_of

__all__ = ["fail_at_once", "send_body", "send_stream", "send_whole"]


def fail_at_once(fault: Fault, *, streamed: bool) -> None:
    """Raise what a fault makes of a request before it is answered, if it is of that kind."""
    wait = {"retry-after": fault.retry_after} if fault.retry_after else {}
    match fault.kind:
        case "rate_limited":
            raise ApiFailure(429, "rate_limit_error", "slow down", wait)
        case "overloaded":
            raise ApiFailure(529, "overloaded_error", "Overloaded", wait)
        case "stream_error" if not streamed:
            raise ApiFailure(529, "overloaded_error", "Overloaded", wait)
        case "error" | "errored":
            kind = "invalid_request_error" if 400 <= fault.status < 500 else "api_error"
            raise ApiFailure(
                fault.status, kind, "Internal server error" if kind == "api_error" else "It is refused", wait
            )
        case "drop_before":
            raise Dropped


async def send_whole(message: dict[str, Any], fault: Fault | None, headers: dict[str, str], wire: Wire) -> Outcome:
    """Send a message in one piece, or as far as a fault lets it come."""
    kind = fault.kind if fault else ""
    if kind == "no_end":
        message = {**message, "stop_reason": None}
    await send_body(orjson.dumps(message), fault, headers, wire)
    return "failed" if kind == "no_end" else "answered"


async def send_body(body: bytes, fault: Fault | None, headers: dict[str, str], wire: Wire) -> None:
    """Send a body, or as far as a fault lets it come."""
    if fault is not None and fault.kind in ("drop_after", "stall"):
        await wire.half(200, body, headers)
        await asyncio.sleep(fault.pause_s if fault.kind == "stall" else 0)
        raise Dropped
    if fault is not None and fault.kind == "slow":
        await asyncio.sleep(fault.pause_s)
    await wire.whole(200, body, headers)


async def send_stream(message: dict[str, Any], fault: Fault | None, headers: dict[str, str], wire: Wire) -> Outcome:
    """Send a message as events, or as far as a fault lets it come."""
    kind = fault.kind if fault else ""
    await wire.begin_events(headers)
    events = events_of(message)
    if kind == "no_end":
        events = events[:-2]
    for at, (name, data) in enumerate(events):
        if fault is not None and at == min(fault.events, len(events) - 1):
            if kind in ("drop_after", "stall"):
                await asyncio.sleep(fault.pause_s if kind == "stall" else 0)
                raise Dropped
            if kind == "stream_error":
                error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
                await wire.event("error", error)
                await wire.end_events()
                return "failed"
        if fault is not None and kind == "slow":
            await asyncio.sleep(fault.pause_s)
        await wire.event(name, data)
    await wire.end_events()
    return "failed" if kind == "no_end" else "answered"
