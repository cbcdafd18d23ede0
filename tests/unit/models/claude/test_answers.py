"""What the service answers arrives typed, whole or streamed, with what it took."""

from __future__ import annotations

import json

import pytest

from coditect.errors import ModelError
from coditect.models.claude.service import ClaudeLlm
from coditect.models.llm import CitedSpan, Llm, LlmBatches, LlmRequest, TextBlock, Usage
from tests.llm_server import LlmServer
from tests.unit.models.claude.requests import HAIKU, KEY, OPUS, cited, prose, structured


async def test_answer_carries_text_usage_and_ids(claude: ClaudeLlm, server: LlmServer) -> None:
    """An answer says what was answered, by whom, to which request, and what it took as the service counted it."""
    request = prose("The gate is shut.")
    answer = await claude.complete(request)
    (call,) = server.messages
    assert answer.text == "You said: The gate is shut."
    assert answer.request_sha256 == request.sha256
    assert answer.model == HAIKU
    assert answer.request_id == call.request_id
    assert answer.stop_reason == "end_turn"
    assert not answer.batched
    assert answer.usage == Usage(call.input_tokens, 0, 0, call.output_tokens)
    assert answer.usage.input_tokens > 0


@pytest.mark.parametrize("request_", [prose("x" * 1_500), structured(), cited("Rent", "Tax"), prose(model=OPUS)])
async def test_stream_gives_the_same_answer_as_one_piece(
    claude: ClaudeLlm, streaming: ClaudeLlm, server: LlmServer, request_: LlmRequest
) -> None:
    """How an answer is delivered changes nothing in it but the service's id of the call."""
    whole = await claude.complete(request_)
    streamed = await streaming.complete(request_)
    assert streamed.parts == whole.parts
    assert streamed.usage == whole.usage
    assert (streamed.model, streamed.stop_reason) == (request_.model, whole.stop_reason)
    assert streamed.request_sha256 == whole.request_sha256
    assert streamed.request_id not in ("", whole.request_id)
    first, second = server.messages
    assert first.sha256 == second.sha256


async def test_stream_begins_above_its_limit(server: LlmServer) -> None:
    """An answer that may be longer than the limit is streamed, one that may just reach it is not."""
    llm = ClaudeLlm(KEY, server.base_url, stream_above_tokens=500)
    seen: list[bool] = []

    def note(request: dict[str, object]) -> dict[str, object]:
        seen.append(bool(request.get("stream")))
        return {"blocks": [{"type": "text", "text": "yes", "citations": None}], "stop_reason": "end_turn"}

    server.terms.model = note
    for max_tokens in (500, 501):
        await llm.complete(prose(max_tokens=max_tokens))
    await llm.close()
    assert seen == [False, True]


async def test_citations_carry_block_indexes(streaming: ClaudeLlm) -> None:
    """A cited part names its document and blocks, half-open, and repeats their text."""
    answer = await streaming.complete(cited("Rent", "Tax"))
    spans = [span for part in answer.parts for span in part.citations]
    assert spans == [
        CitedSpan(0, 0, 1, "Rent must be paid. "),
        CitedSpan(0, 2, 3, "Rent is red."),
        CitedSpan(1, 0, 1, "Tax must be paid. "),
        CitedSpan(1, 2, 3, "Tax is red."),
    ]
    assert all(part.text.strip() for part in answer.parts if part.citations)


async def test_thinking_is_no_part_of_an_answer(claude: ClaudeLlm, server: LlmServer) -> None:
    """Blocks that are not text are left out, wherever they stand."""
    answer = await claude.complete(prose("Think.", model=OPUS))
    assert [part.text for part in answer.parts] == ["You said: Think."]


async def test_schema_answer_is_json(claude: ClaudeLlm) -> None:
    """With a schema, the text of an answer is JSON; the service accepts our schema although it has bounds."""
    answer = await claude.complete(structured())
    assert json.loads(answer.text) == {"verdicts": [], "score": 1.5, "kind": "rule"}


async def test_usage_tells_what_was_kept(claude: ClaudeLlm, server: LlmServer) -> None:
    """What the service wrote to its cache and read from it is counted apart, and all of it together."""
    law = TextBlock("Article. " * 4_000, cache="5m")
    first = await claude.complete(LlmRequest(HAIKU, (law,), (TextBlock("One?"),), 100))
    second = await claude.complete(LlmRequest(HAIKU, (law,), (TextBlock("Other?"),), 100))
    assert first.usage.cache_creation_input_tokens == second.usage.cache_read_input_tokens == 9_000
    assert first.usage.cache_read_input_tokens == second.usage.cache_creation_input_tokens == 0
    assert second.usage.total_input_tokens == 9_000 + 2


async def test_count_tokens_is_what_the_answer_takes(claude: ClaudeLlm, server: LlmServer) -> None:
    """Counting tells the input tokens of the request, and answers nothing."""
    for request in (prose("Long " * 300), structured(), cited("Rent")):
        counted = await claude.count_tokens(request)
        assert not [call for call in server.messages if call.stop_reason == "end_turn" and call.input_tokens == counted]
        assert (await claude.complete(request)).usage.total_input_tokens == counted
    assert sum(call.endpoint == "count_tokens" for call in server.log) == 3


async def test_wrong_key_is_an_error_that_stays(server: LlmServer) -> None:
    """A key that the service does not know is no failure that passes, and the hint says where to look."""
    llm = ClaudeLlm("sk-other", server.base_url)
    with pytest.raises(ModelError) as caught:
        await llm.complete(prose())
    await llm.close()
    assert type(caught.value) is ModelError
    assert caught.value.context["type"] == "authentication_error"
    assert caught.value.hint == "Check the API key."


@pytest.mark.parametrize(
    ("request_", "kind"),
    [(prose(model="gpt-x"), "not_found_error"), (prose(max_tokens=200_000), "invalid_request_error")],
)
async def test_refused_request_is_an_error_that_stays(streaming: ClaudeLlm, request_: LlmRequest, kind: str) -> None:
    """An unknown model and an impossible limit are the caller's to change."""
    with pytest.raises(ModelError) as caught:
        await streaming.complete(request_)
    assert type(caught.value) is ModelError
    assert caught.value.context["type"] == kind
    assert caught.value.context["request_id"].startswith("req_")


def test_adapter_is_the_port() -> None:
    """The adapter is what the rest of the house asks for, and has a cheap and slow way."""
    llm: Llm = ClaudeLlm(KEY)
    batches: LlmBatches | None = llm.batches
    assert batches is not None


async def test_client_opens_anew_after_closing(claude: ClaudeLlm) -> None:
    """Closing lets connections go, not the adapter."""
    first = await claude.complete(prose())
    await claude.close()
    assert (await claude.complete(prose())).parts == first.parts
