"""The service: connections in, answers out, faults in between, every call written down."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from tests.llm_server.answers import Respond, respond
from tests.llm_server.answers_reading import role_of
from tests.llm_server.batches import Batches
from tests.llm_server.delivery import fail_at_once, send_body, send_stream, send_whole
from tests.llm_server.faults import TRANSPORT_FAULTS, Asked, Fault, fault_for
from tests.llm_server.http_wire import Dropped, HttpRequest, Wire, read_request
from tests.llm_server.journal import Call, Journal, Outcome
from tests.llm_server.messages import Answered, ApiFailure, answer, check, request_sha256
from tests.llm_server.prompt_cache import PromptCache

__all__ = ["SETTLED", "Service", "Terms"]

SETTLED = "/settled"
"""Answered once the journal is complete; no part of the real service."""

_SETTLING_S = 1.0
_SETTLING_STEPS = 200
PAGE = b"<html><body>Bad gateway</body></html>"


@dataclass(slots=True)
class Terms:
    """How the service behaves; may be changed while it runs.

    Attributes:
        latency_s: from the request to the begin of its answer.
        faults: what goes wrong; see :class:`~tests.llm_server.faults.Fault`.
        model: answers.
        batch_s: from handing a batch in to its end.
        max_concurrency: message calls at a time; more are told to slow down. None: any number.
        api_key: that is accepted; "": every key.
    """

    latency_s: float = 0.0
    faults: Sequence[Fault] = ()
    model: Respond = respond
    batch_s: float = 0.0
    max_concurrency: int | None = None
    api_key: str = ""


@dataclass(slots=True)
class _Underway:
    """A message request that is being answered, as its record will say."""

    number: int
    sha256: str
    role: str
    model: str
    attempt: int
    began: float
    concurrency: int
    request_id: str
    fault: Fault | None = None
    batch_id: str = ""
    answered: Answered | None = None
    status: int = 0
    body: dict[str, Any] = field(default_factory=dict)


class Service:
    """Answers connections.

    Args:
        terms: how.
        journal: to write calls to.
    """

    def __init__(self, terms: Terms, journal: Journal) -> None:
        self.terms = terms
        self.journal = journal
        self.base_url = ""
        self._cache = PromptCache(journal.now)
        self._batches = Batches(journal.now, self._batch_result, terms.batch_s)
        self._asked = Counter[str]()
        self._numbers = 0
        self._calls = 0
        self._concurrency = 0
        self._sending = 0

    async def settled(self) -> None:
        """Wait until every call whose answer a client may have read is written down; a second at most."""
        for _ in range(_SETTLING_STEPS):
            await asyncio.sleep(_SETTLING_S / _SETTLING_STEPS)
            if not self._sending:
                return

    @property
    def under_way(self) -> int:
        """Message requests that were read and are not over."""
        return self._concurrency

    def close(self) -> None:
        """Stop batches."""
        self._batches.close()

    async def connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of a connection, one after the other."""
        wire = Wire(reader, writer)
        try:
            while (request := await read_request(reader)) is not None:
                await self._request(request, wire)
        except Dropped:
            writer.transport.abort()
        except asyncio.CancelledError:  # the server closes
            writer.transport.abort()
        finally:
            writer.close()

    async def _request(self, request: HttpRequest, wire: Wire) -> None:
        self._calls += 1
        request_id = f"req_{self._calls:08d}"
        try:
            key = request.headers.get("authorization", "").removeprefix("Bearer ") or request.headers.get(
                "x-api-key", ""
            )
            if not key or (self.terms.api_key and key != self.terms.api_key):
                raise ApiFailure(401, "authentication_error", "invalid API key")
            if (request.method, request.path) == ("POST", "/v1/messages"):
                await self._message(check(_json(request.body)), request_id, wire)
                return
            began = self.journal.now()
            if (request.method, request.path) == ("GET", SETTLED):
                await self.settled()
                await wire.whole(200, b"{}", {})
                return
            endpoint, batch_id = _endpoint(request)
            fault = self._fault_of(endpoint, request)
            if fault is not None:
                fail_at_once(fault, streamed=False)
            body = self._other(endpoint, batch_id, request)
            self._note_other(endpoint, 200, began, request_id, batch_id)
            if fault is not None and fault.kind == "not_json":
                body = PAGE
            await send_body(body, fault, {"request-id": request_id}, wire)
        except ApiFailure as failure:
            self._note_other(request.path, failure.status, self.journal.now(), request_id)
            await wire.whole(
                failure.status, orjson.dumps(failure.body(request_id)), {"request-id": request_id, **failure.headers}
            )

    def _fault_of(self, endpoint: str, request: HttpRequest) -> Fault | None:
        """What goes wrong with a call that is no message."""
        asked = self._asked[endpoint]
        self._asked[endpoint] += 1
        return fault_for(Asked(endpoint, asked, asked + 1, "", "", False, request.body), self.terms.faults)

    def _other(self, endpoint: str, batch_id: str, request: HttpRequest) -> bytes:
        """The answer of a call that is no message.

        Raises:
            ApiFailure: it is an error.
        """
        answered: dict[str, Any]
        match endpoint:
            case "count_tokens":
                body = check(_json(request.body), counting=True)
                answered = {"input_tokens": PromptCache(self.journal.now).use(body).total}
            case "batches.create":
                answered = self._batches.create(_json(request.body), self.base_url)
            case "batches.retrieve":
                answered = self._batches.retrieve(batch_id, self.base_url)
            case "batches.cancel":
                answered = self._batches.cancel(batch_id, self.base_url)
            case "batches.results":
                return self._batches.results(batch_id)
            case _:
                answered = self._batches.newest(self.base_url)
        return orjson.dumps(answered)

    async def _message(self, body: dict[str, Any], request_id: str, wire: Wire) -> None:
        """Answer a message request and write down what became of it."""
        self._concurrency += 1
        call = self._begun(body, request_id)
        outcome: Outcome = "gone"
        sending = False
        try:
            await self._wait(call)
            sending = True
            self._sending += 1
            outcome = await self._deliver(call, wire)
        except ApiFailure as failure:
            outcome, call.status = "failed", failure.status
            headers = {"request-id": request_id, **failure.headers}
            await wire.whole(failure.status, orjson.dumps(failure.body(request_id)), headers)
        except Dropped:
            outcome = "failed" if call.fault and call.fault.kind in TRANSPORT_FAULTS else "gone"
            raise
        finally:
            self._concurrency -= 1
            self._sending -= sending
            self._note(call, outcome)

    async def _wait(self, call: _Underway) -> None:
        """Compute the answer, and wait until it may begin.

        Raises:
            ApiFailure: it is an error.
            Dropped: the connection is to be closed.
        """
        limit = self.terms.max_concurrency
        if limit is not None and call.concurrency > limit:
            raise ApiFailure(429, "rate_limit_error", "too many at a time")
        fault = call.fault
        if fault is not None:
            fail_at_once(fault, streamed=bool(call.body.get("stream")))
        latency_s = self.terms.latency_s
        if fault is None or fault.kind != "not_json":
            call.answered = self._answered(call, latency_s)
        if latency_s > 0:
            await asyncio.sleep(latency_s)

    async def _deliver(self, call: _Underway, wire: Wire) -> Outcome:
        """Send the answer."""
        if wire.gone:
            raise Dropped
        fault = call.fault
        call.status = 200
        headers = {"request-id": call.request_id, "anthropic-organization-id": "org_local"}
        if call.answered is None:
            await wire.whole(200, PAGE, headers, content_type="text/html")
            return "failed"
        if call.body.get("stream"):
            return await send_stream(call.answered.message, fault, headers, wire)
        return await send_whole(call.answered.message, fault, headers, wire)

    def _begun(self, body: dict[str, Any], request_id: str, batch_id: str = "") -> _Underway:
        sha256 = request_sha256(body)
        self._asked[sha256] += 1
        role = role_of(body)
        call = _Underway(
            number=self._numbers,
            sha256=sha256,
            role=role,
            model=body["model"],
            attempt=self._asked[sha256],
            began=self.journal.now(),
            concurrency=self._concurrency,
            request_id=request_id,
            batch_id=batch_id,
            body=body,
        )
        self._numbers += 1
        if self.terms.faults:
            asked = Asked("messages", call.number, call.attempt, role, sha256, bool(batch_id), orjson.dumps(body))
            call.fault = fault_for(asked, self.terms.faults)
        return call

    def _answered(self, call: _Underway, begins_in_s: float) -> Answered:
        return answer(
            call.body,
            call.sha256,
            self._cache,
            call.fault,
            model=self.terms.model,
            begins_in_s=begins_in_s,
            batched=bool(call.batch_id),
        )

    def _batch_result(self, params: dict[str, Any], batch_id: str) -> dict[str, Any]:
        """The result of one request of a batch, written down."""
        try:
            call = self._begun(check(params), "", batch_id)
        except ApiFailure as failure:
            return {"type": "errored", "error": failure.body("")}
        outcome: Outcome = "failed"
        try:
            if call.fault is not None and call.fault.kind == "expired":
                return {"type": "expired"}
            if call.fault is not None:
                fail_at_once(call.fault, streamed=False)
            call.answered = self._answered(call, 0.0)
            outcome, call.status = "answered", 200
        except ApiFailure as failure:
            return {"type": "errored", "error": failure.body("")}
        finally:
            self._note(call, outcome)
        return {"type": "succeeded", "message": call.answered.message}

    def _note(self, call: _Underway, outcome: Outcome) -> None:
        answered = call.answered
        self.journal.write(
            Call(
                number=call.number,
                endpoint="batches.request" if call.batch_id else "messages",
                sha256=call.sha256,
                role=call.role,
                model=call.model,
                status=call.status,
                outcome=outcome,
                began=call.began,
                ended=self.journal.now(),
                concurrency=call.concurrency,
                attempt=call.attempt,
                fault=call.fault.kind if call.fault else "",
                batch_id=call.batch_id,
                stop_reason=answered.message["stop_reason"] or "" if answered else "",
                request_id=call.request_id,
                input_tokens=answered.usage.input_tokens if answered else 0,
                cache_creation_input_tokens=answered.usage.written_5m + answered.usage.written_1h if answered else 0,
                cache_creation_1h_input_tokens=answered.usage.written_1h if answered else 0,
                cache_read_input_tokens=answered.usage.read if answered else 0,
                output_tokens=answered.output_tokens if answered else 0,
            )
        )

    def _note_other(self, endpoint: str, status: int, began: float, request_id: str, batch_id: str = "") -> None:
        outcome: Outcome = "answered" if status == 200 else "failed"
        self.journal.write(
            Call(
                -1, endpoint, "", "", "", status, outcome, began, self.journal.now(), self._concurrency,
                batch_id=batch_id, request_id=request_id,
            )
        )  # fmt: skip


def _json(body: bytes) -> Any:  # noqa: ANN401 - JSON
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        raise ApiFailure(400, "invalid_request_error", "the body is not JSON") from None


def _endpoint(request: HttpRequest) -> tuple[str, str]:
    """(endpoint, batch's id) of a call that is no message.

    Raises:
        ApiFailure: there is no such thing.
    """
    match (request.method, *request.path.strip("/").split("/")):
        case ("POST", "v1", "messages", "count_tokens"):
            return "count_tokens", ""
        case ("POST", "v1", "messages", "batches"):
            return "batches.create", ""
        case ("GET", "v1", "messages", "batches"):
            return "batches.list", ""
        case ("GET", "v1", "messages", "batches", batch_id):
            return "batches.retrieve", batch_id
        case ("POST", "v1", "messages", "batches", batch_id, "cancel"):
            return "batches.cancel", batch_id
        case ("GET", "v1", "messages", "batches", batch_id, "results"):
            return "batches.results", batch_id
    raise ApiFailure(404, "not_found_error", f"{request.method} {request.path}")
