"""Limits of the service and of its client: what is streamed, how long is waited, which status is which failure."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.errors import CoditectError, Malformed, ModelError, RateLimited, Unreachable, UsageError
from coditect.models.claude import batches as batch_module
from coditect.models.claude import service
from coditect.models.claude.answers import answer_from
from coditect.models.claude.batches import MAX_BATCH_REQUESTS, ClaudeBatches, _entry
from coditect.models.claude.connection import ClaudeConnection
from coditect.models.claude.failures import failure_of_status, retry_after_s
from coditect.models.claude.service import ClaudeLlm
from tests.unit.models.claude.requests import SCHEMA, prose

KEY = "sk-test"


@pytest.mark.parametrize(
    ("timeout_s", "connect_s"), [(120.0, 10.0), (10.0, 10.0), (10.5, 10.0), (9.0, 9.0), (0.5, 0.5)]
)
def test_a_connection_is_waited_for_ten_seconds_or_less(timeout_s: float, connect_s: float) -> None:
    """An answer as long as it may take; nothing is tried again behind our back, and there is one client."""
    connection = ClaudeConnection(KEY, None, timeout_s)
    client = connection.client
    assert connection.client is client
    assert (client.timeout.read, client.timeout.connect, client.max_retries) == (timeout_s, connect_s, 0)  # type: ignore[union-attr]


def test_two_minutes_of_silence_end_a_call_unless_told_otherwise() -> None:
    """Of the client as it is opened by default."""
    assert ClaudeLlm(KEY)._connection.client.timeout.read == 120.0  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("tokens", "above", "whole"),
    [(2048, None, True), (2049, None, False), (1, 0, False), (5, 5, True), (6, 5, False)],
)
async def test_long_answers_are_streamed(
    monkeypatch: pytest.MonkeyPatch, tokens: int, above: int | None, whole: bool
) -> None:
    """Those that may have more than two thousand tokens, if nothing else is said."""
    taken: list[bool] = []

    def noted(is_whole: bool) -> Any:  # noqa: ANN401 - a function
        async def call(client: object, body: object, request: object) -> None:
            taken.append(is_whole)
            raise Unreachable("enough was seen")

        return call

    monkeypatch.setattr(service, "_whole", noted(True))
    monkeypatch.setattr(service, "_streamed", noted(False))
    llm = ClaudeLlm(KEY) if above is None else ClaudeLlm(KEY, stream_above_tokens=above)
    with pytest.raises(Unreachable):
        await llm.complete(replace(prose(), max_tokens=tokens))
    assert taken == [whole]


@pytest.mark.parametrize("key", ["", "  ", "a\nb", "ä", "a\x7f"])
def test_a_key_is_what_can_stand_in_a_header(key: str) -> None:
    """Spaces around it do not count."""
    with pytest.raises(UsageError, match="API key"):
        ClaudeConnection(key, None, 1.0)
    assert ClaudeConnection(f" {KEY}\n", None, 1.0).client.api_key == KEY


@pytest.mark.parametrize(
    ("url", "good"),
    [
        ("https://a", True), ("http://a:1", True), ("https://a:65535/b", True), ("https://a:0", False),
        ("https://a:65536", False), ("https://", False), ("ftp://a", False), ("a", False), ("", False), ("https://[", False),
    ],
)  # fmt: skip
def test_an_address_has_a_scheme_a_host_and_a_port_that_there_is(url: str, good: bool) -> None:
    """Or no port at all."""
    if good:
        ClaudeConnection(KEY, url, 1.0)
    else:
        with pytest.raises(UsageError, match="address of a service"):
            ClaudeConnection(KEY, url, 1.0)


@pytest.mark.parametrize(
    ("status", "named", "kind", "error"),
    [
        (429, None, "rate_limit_error", RateLimited), (529, None, "overloaded_error", RateLimited),
        (400, None, "invalid_request_error", ModelError), (401, None, "authentication_error", ModelError),
        (402, None, "billing_error", ModelError), (403, None, "permission_error", ModelError),
        (404, None, "not_found_error", ModelError), (408, None, "timeout_error", Unreachable),
        (409, None, "conflict_error", Unreachable), (413, None, "request_too_large", ModelError),
        (418, None, "invalid_request_error", ModelError), (499, None, "invalid_request_error", ModelError),
        (500, None, "api_error", Unreachable), (502, None, "api_error", Unreachable), (200, None, "api_error", Unreachable),
        (399, None, "api_error", Unreachable), (400, "new_error", "invalid_request_error", ModelError),
        (500, "new_error", "api_error", Unreachable), (500, "rate_limit_error", "rate_limit_error", RateLimited),
    ],
)  # fmt: skip
def test_a_failure_is_what_its_type_says_or_else_its_status(
    status: int, named: str | None, kind: str, error: type[CoditectError]
) -> None:
    """A type that nobody knows says no more than none."""
    response = SimpleNamespace(headers={"retry-after": "3"})
    found = failure_of_status(SimpleNamespace(type=named, status_code=status, response=response, request_id=None))  # type: ignore[arg-type]
    assert (type(found), found.context["type"], found.context["status"], found.context["request_id"]) == (
        error, kind, status, "",
    )  # fmt: skip
    assert found.context.get("retry_after_s") == (3.0 if error is RateLimited else None)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("0", 0.0), ("1.5", 1.5), ("-2", 0.0), ("inf", None), ("nan", None), ("", None), ("soon", None)],
)
def test_what_a_response_asks_to_wait_is_a_number_from_nothing_on(value: str, seconds: float | None) -> None:
    """Or it does not say."""
    assert retry_after_s({"retry-after": value}) == seconds


def _answer(*citations: dict[str, Any], text: str = "Yes.", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as it is sent
    block: dict[str, Any] = {"type": "text", "text": text, "citations": list(citations) or None}
    usage = {"input_tokens": 3, "output_tokens": 2}
    return {
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [block],
        "stop_reason": "end_turn",
        "usage": usage,
        **more,
    }


def _cited(document: int, start: int, end: int) -> dict[str, Any]:
    return {
        "type": "content_block_location", "document_index": document, "start_block_index": start, "end_block_index": end,
        "cited_text": "x",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("place", "good"),
    [
        ((0, 0, 1), True),
        ((2, 1, 3), True),
        ((-1, 0, 1), False),
        ((0, -1, 1), False),
        ((0, 1, 1), False),
        ((0, 2, 1), False),
    ],
)
def test_blocks_that_are_cited_can_be(place: tuple[int, int, int], good: bool) -> None:
    """From the first on, and at least one of them."""
    if good:
        (part,) = answer_from(_answer(_cited(*place)), prose(), request_id="r").parts
        (span,) = part.citations
        assert (span.document, span.start, span.end) == place
    else:
        with pytest.raises(Malformed, match="cites blocks that cannot be"):
            answer_from(_answer(_cited(*place)), prose(), request_id="r")


def test_an_answer_that_follows_a_schema_is_json() -> None:
    """Without a schema it is words; what the cache took is nothing where it is not told."""
    found = answer_from(_answer(), prose(), request_id="r")
    assert (found.text, found.batched, found.request_id) == ("Yes.", False, "r")
    assert (found.usage.cache_creation_input_tokens, found.usage.cache_read_input_tokens) == (0, 0)
    asked = replace(prose(), output_schema=SCHEMA)
    assert answer_from(_answer(text="{}"), asked, request_id="r").text == "{}"
    for wrong in ("Yes.", ""):
        with pytest.raises(Malformed) as caught:
            answer_from(_answer(text=wrong), asked, request_id="r")
        assert caught.value.context["truncated"] is False


async def test_a_batch_has_as_many_requests_as_the_service_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """One at least, none of them twice; the service's limit is a hundred thousand."""
    assert MAX_BATCH_REQUESTS == 100_000
    monkeypatch.setattr(batch_module, "MAX_BATCH_REQUESTS", 2)
    sent: list[int] = []

    class Connection:
        async def attempt(self, call: object, what: str, requests: int) -> tuple[str, str]:
            sent.append(requests)
            return "batch", ""

    service_ = ClaudeBatches(Connection())  # type: ignore[arg-type]
    several = [replace(prose(), max_tokens=each) for each in (1, 2, 3)]
    for count in (1, 2):
        assert await service_.submit(several[:count]) == "batch"
    for wrong, says in (([], "empty or too large"), (several, "empty or too large"), (several[:1] * 2, "twice")):
        with pytest.raises(UsageError, match=says):
            await service_.submit(wrong)
    assert sent == [1, 2]


@pytest.mark.parametrize(
    ("result", "error"),
    [
        ({"type": "canceled"}, Unreachable),
        ({"type": "expired"}, Unreachable),
        ({"type": "poem"}, Malformed),
        ({}, Malformed),
        ({"type": "errored"}, Unreachable),
        ({"type": "errored", "error": {"error": {"type": "rate_limit_error"}, "request_id": "r"}}, RateLimited),
        ({"type": "errored", "error": {"error": {"type": "billing_error"}}}, ModelError),
        ({"type": "succeeded"}, Unreachable),
        ({"type": "succeeded", "message": _answer()}, None),
    ],
)
def test_results_of_a_batch_are_answers_or_failures(result: dict[str, Any], error: type[CoditectError] | None) -> None:
    """Each of its own; an answer says that it came in a batch, which costs half."""
    entry = _entry(result, prose(), "own")
    assert entry.request_sha256 == "own"
    if error is None:
        assert entry.answer is not None
        assert (entry.error, entry.answer.batched) == (None, True)
    else:
        assert (entry.answer, type(entry.error)) == (None, error)
