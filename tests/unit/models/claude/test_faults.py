"""Every way in which a call can go wrong gives the error that the port promises, after one attempt."""

from __future__ import annotations

import asyncio

import pytest

from coditect.errors import CoditectError, Malformed, ModelError, RateLimited, Refused, Unreachable
from coditect.models.claude.service import ClaudeLlm
from coditect.models.llm import Usage
from tests.llm_server import Fault, LlmServer
from tests.unit.models.claude.requests import KEY, cited, prose, structured

FAULTS: list[tuple[Fault, type[CoditectError]]] = [
    (Fault("rate_limited"), RateLimited),
    (Fault("overloaded"), RateLimited),
    (Fault("error", status=500), Unreachable),
    (Fault("error", status=503), Unreachable),
    (Fault("drop_before"), Unreachable),
    (Fault("drop_after"), Unreachable),
    (Fault("stream_error"), RateLimited),
    (Fault("no_end"), Unreachable),
    (Fault("not_json"), Unreachable),
    (Fault("refusal"), Refused),
    (Fault("truncation"), Malformed),
]


@pytest.mark.parametrize("stream_above_tokens", [0, 100_000], ids=["stream", "whole"])
@pytest.mark.parametrize(("fault", "expected"), FAULTS, ids=[f"{fault.kind}{fault.status}" for fault, _ in FAULTS])
async def test_fault_gives_its_typed_error_after_one_attempt(
    server: LlmServer, fault: Fault, expected: type[CoditectError], stream_above_tokens: int
) -> None:
    """A call that fails is not repeated below the port, and says how it failed."""
    server.terms.faults = [fault]
    llm = ClaudeLlm(KEY, server.base_url, stream_above_tokens=stream_above_tokens)
    with pytest.raises(ModelError) as caught:
        await llm.complete(prose())
    await llm.close()
    assert type(caught.value) is expected
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert len(server.messages) == 1


@pytest.mark.parametrize("events", range(8))
async def test_broken_stream_is_never_an_answer(streaming: ClaudeLlm, server: LlmServer, events: int) -> None:
    """Wherever a stream breaks off, nothing of it passes as an answer."""
    server.terms.faults = [Fault("drop_after", events=events)]
    with pytest.raises(Unreachable):
        await streaming.complete(cited("Rent"))


@pytest.mark.parametrize("stream_above_tokens", [0, 100_000], ids=["stream", "whole"])
async def test_stalled_answer_ends_at_the_time_limit(server: LlmServer, stream_above_tokens: int) -> None:
    """An answer that stops coming is given up after the time limit of silence."""
    server.terms.faults = [Fault("stall", pause_s=30.0)]
    llm = ClaudeLlm(KEY, server.base_url, timeout_s=0.3, stream_above_tokens=stream_above_tokens)
    began = asyncio.get_running_loop().time()
    with pytest.raises(Unreachable) as caught:
        await llm.complete(prose())
    await llm.close()
    assert caught.value.context["timeout_s"] == 0.3
    assert asyncio.get_running_loop().time() - began < 10


async def test_slow_stream_arrives(server: LlmServer) -> None:
    """A stream may take longer than the time limit in all, as long as something keeps coming."""
    server.terms.faults = [Fault("slow", pause_s=0.3)]
    llm = ClaudeLlm(KEY, server.base_url, timeout_s=2.0, stream_above_tokens=0)
    began = asyncio.get_running_loop().time()
    answer = await llm.complete(prose("Hello."))
    took = asyncio.get_running_loop().time() - began
    await llm.close()
    assert answer.text == "You said: Hello."
    assert took > 2.0


@pytest.mark.parametrize(
    ("sent", "seconds"), [("", None), ("7", 7.0), ("0.25", 0.25), ("soon", None), ("-3", 0.0), ("nan", None)]
)
async def test_rate_limit_tells_how_long_to_wait(
    claude: ClaudeLlm, server: LlmServer, sent: str, seconds: float | None
) -> None:
    """The service's retry-after is handed on as seconds, None where it names no number."""
    server.terms.faults = [Fault("rate_limited", retry_after=sent)]
    with pytest.raises(RateLimited) as caught:
        await claude.complete(prose())
    assert caught.value.context["retry_after_s"] == seconds
    assert caught.value.context["status"] == 429


@pytest.mark.parametrize("kind", ["refusal", "truncation"])
async def test_paid_failure_tells_its_usage(streaming: ClaudeLlm, server: LlmServer, kind: str) -> None:
    """A refusal and a cut-off answer cost tokens, and say how many."""
    server.terms.faults = [Fault(kind)]  # type: ignore[arg-type] # one of its kinds
    with pytest.raises((Refused, Malformed)) as caught:
        await streaming.complete(prose("Tell me all of it. " * 20))
    (call,) = server.messages
    assert caught.value.context["usage"] == Usage(call.input_tokens, 0, 0, call.output_tokens)
    assert caught.value.context["request_id"] == call.request_id


async def test_answer_longer_than_its_limit_is_truncated(claude: ClaudeLlm) -> None:
    """An answer that would be longer than allowed is an error that says that it was cut off."""
    with pytest.raises(Malformed) as caught:
        await claude.complete(prose("word " * 50, max_tokens=3))
    assert caught.value.context["truncated"] is True
    assert caught.value.context["stop_reason"] == "max_tokens"


async def test_malformed_json_is_malformed(claude: ClaudeLlm, server: LlmServer) -> None:
    """With a schema, text that is not JSON is no answer; it is told apart from a cut-off one."""
    server.terms.faults = [Fault("malformed_json")]
    with pytest.raises(Malformed) as caught:
        await claude.complete(structured())
    assert caught.value.context["truncated"] is False
    assert caught.value.context["usage"].output_tokens > 0


async def test_impossible_citation_is_malformed(claude: ClaudeLlm, server: LlmServer) -> None:
    """A citation of blocks that end before they start cannot be one."""
    server.terms.model = lambda _: {
        "blocks": [
            {
                "type": "text",
                "text": "x",
                "citations": [
                    {
                        "type": "content_block_location",
                        "document_index": 0,
                        "start_block_index": 2,
                        "end_block_index": 2,
                        "cited_text": "",
                    }
                ],
            }
        ],
        "stop_reason": "end_turn",
    }
    with pytest.raises(Malformed):
        await claude.complete(cited("Rent"))


@pytest.mark.parametrize("kind", ["altered_text", "invented_quote", "wrong_index"])
async def test_false_citation_is_handed_on_to_be_judged(claude: ClaudeLlm, server: LlmServer, kind: str) -> None:
    """The adapter tells what the service says it cites; whether that stands there is the reader's to check."""
    server.terms.faults = [Fault(kind)]  # type: ignore[arg-type] # one of its kinds
    request = cited("Rent")
    (span, *_) = [span for part in (await claude.complete(request)).parts for span in part.citations]
    document = request.content[0]
    assert not hasattr(document, "text")
    assert "".join(document.blocks[span.start : span.end]) != span.cited_text


@pytest.mark.parametrize(
    ("kind", "expected"), [("overloaded", RateLimited), ("error", Unreachable), ("not_json", ModelError)]
)
async def test_failed_count_is_typed(
    claude: ClaudeLlm, server: LlmServer, kind: str, expected: type[ModelError]
) -> None:
    """Counting fails as answering does, and what is no number is no count."""
    server.terms.faults = [Fault(kind, endpoint="count_tokens")]  # type: ignore[arg-type] # one of its kinds
    with pytest.raises(expected):
        await claude.count_tokens(prose())


async def test_no_server_is_unreachable() -> None:
    """An address where nobody answers is an error that may pass."""
    llm = ClaudeLlm(KEY, "http://127.0.0.1:9", timeout_s=5.0)
    with pytest.raises(Unreachable) as caught:
        await llm.complete(prose())
    await llm.close()
    assert caught.value.context["reason"]


@pytest.mark.parametrize("stream_above_tokens", [0, 100_000], ids=["stream", "whole"])
async def test_cancelled_call_ends_at_once(server: LlmServer, stream_above_tokens: int) -> None:
    """Cancelling a call, in the middle of its answer too, is not turned into an error, and the next call works."""
    llm = ClaudeLlm(KEY, server.base_url, stream_above_tokens=stream_above_tokens)
    server.terms.faults = [Fault("stall", pause_s=30.0)]
    task = asyncio.create_task(llm.complete(prose()))
    await asyncio.sleep(0.5)
    task.cancel()
    began = asyncio.get_running_loop().time()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert asyncio.get_running_loop().time() - began < 5
    server.terms.faults = []
    assert (await llm.complete(prose())).text
    await llm.close()
