"""The product's own adapter, over the real library, asks the stand-in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from coditect_benchmarks.stand_in.folder import StandInFolder
from coditect_benchmarks.stand_in.server import StandInServer, stand_in_server
from coditect_benchmarks.stand_in.sheets import take_answers, write_sheets

from benchmark_tests.stand_in.material import asked_folder, citing, prose, structured, written_lines
from coditect.errors import Malformed, ModelError, RateLimited, Unreachable
from coditect.models.claude.service import ClaudeLlm
from coditect.models.llm import CitedSpan, LlmRequest, Usage


@asynccontextmanager
async def _claude(server: StandInServer) -> AsyncIterator[ClaudeLlm]:
    llm = ClaudeLlm("sk-of-tests", server.base_url, timeout_s=10.0)
    try:
        yield llm
    finally:
        await llm.close()


def _answered(path: Path, *answers: tuple[LlmRequest, object]) -> StandInFolder:
    """A folder in which a reader answered requests by a sheet."""
    folder = asked_folder(path / "f", *(request for request, _ in answers))
    (sheet,) = write_sheets(folder, 1, path / "sheets")
    lines = [{"n": number, "answer": answer} for number, (_, answer) in enumerate(answers, 1)]
    assert not take_answers(folder, sheet, written_lines(path / "answers.jsonl", *lines)).invalid
    return folder


async def test_unanswered_requests_are_kept_once_and_refused_for_good(tmp_path: Path) -> None:
    """The error is one that the product does not repeat; what a reader needs to answer is kept."""
    folder = StandInFolder(tmp_path)
    with stand_in_server(folder) as server:
        async with _claude(server) as llm:
            for request in (structured(), prose(), structured(), citing()):
                with pytest.raises(ModelError, match="refuses") as refused:
                    await llm.complete(request)
                assert not isinstance(refused.value, RateLimited | Unreachable | Malformed)
    assert (server.answered, server.refused) == (0, 4)
    first, second, third = folder.asked().values()
    assert (first.system, first.user, first.effort) == ("You select sentences.", "Select at most 2 sentences.", "")
    assert first.output_schema is not None
    assert "sentences" in first.output_schema["properties"]
    assert (second.output_schema, second.effort, second.max_tokens) == (None, "low", 1_500)
    assert third.citations
    assert third.documents == (2,)


async def test_a_readers_object_comes_as_the_answer(tmp_path: Path) -> None:
    """JSON that follows the schema, with tokens estimated from characters, and nothing from a cache."""
    with stand_in_server(_answered(tmp_path, (structured(), {"sentences": [2, 1]}))) as server:
        async with _claude(server) as llm:
            answer = await llm.complete(structured())
            assert await llm.count_tokens(structured()) == answer.usage.input_tokens
    assert answer.text == '{"sentences":[2,1]}'
    assert answer.usage == Usage(input_tokens=answer.usage.input_tokens, output_tokens=5)
    assert answer.usage.input_tokens > len("You select sentences.Select at most 2 sentences.") / 4
    assert (answer.model, answer.stop_reason) == ("claude-haiku-5-5", "end_turn")


async def test_citations_come_as_the_service_gives_them(tmp_path: Path) -> None:
    """Streamed, each part on a line of its own, with the words of the block that it cites."""
    parts = [
        {"text": "Accounts are reviewed.", "cites": ["1.1"]},
        {"text": "Both are asked for.", "cites": ["1.1", "1.2"]},
    ]
    with stand_in_server(_answered(tmp_path, (citing(), parts))) as server:
        async with _claude(server) as llm:
            answer = await llm.complete(citing())
    assert answer.text == "Accounts are reviewed.\nBoth are asked for."
    assert [part.citations for part in answer.parts if part.text.strip()] == [
        (CitedSpan(0, 0, 1, "Accounts shall be reviewed."),),
        (CitedSpan(0, 0, 1, "Accounts shall be reviewed."), CitedSpan(0, 1, 2, "Passwords shall be long.")),
    ]


async def test_what_the_service_is_to_keep_does_not_change_the_key(tmp_path: Path) -> None:
    """A batch keeps the system prompt for longer than a single call does; the answer is the same."""
    kept, asked = prose(), prose()
    other = LlmRequest(asked.model, (type(asked.system[0])(asked.system[0].text),), asked.content, 1_000, effort="low")
    with stand_in_server(_answered(tmp_path, (kept, "It is about access."))) as server:
        async with _claude(server) as llm:
            assert (await llm.complete(other)).text == "It is about access."
            with pytest.raises(ModelError, match="refuses"):
                await llm.complete(prose("Situate another passage."))


async def test_answers_that_are_taken_while_it_serves_are_given(tmp_path: Path) -> None:
    """Another process may add to the file: it is read again."""
    folder = asked_folder(tmp_path / "f", prose())
    with stand_in_server(folder) as server:
        async with _claude(server) as llm:
            with pytest.raises(ModelError, match="refuses"):
                await llm.complete(prose())
            (sheet,) = write_sheets(StandInFolder(tmp_path / "f"), 1, tmp_path / "sheets")
            answers = written_lines(tmp_path / "answers.jsonl", {"n": 1, "answer": "Now."})
            take_answers(StandInFolder(tmp_path / "f"), sheet, answers)
            assert (await llm.complete(prose())).text == "Now."


async def test_an_answer_longer_than_allowed_is_cut_off_for_the_product(tmp_path: Path) -> None:
    """As the service would have done; a sheet's answers are refused before."""
    folder = asked_folder(tmp_path, prose())
    key = folder.asked()[1].key
    written_lines(folder.answers_file, {"key": key, "answer": "word " * 2_000})
    with stand_in_server(folder) as server:
        async with _claude(server) as llm:
            with pytest.raises(Malformed, match="cut off"):
                await llm.complete(prose())


async def test_batches_are_not_there(tmp_path: Path) -> None:
    """A build must ask without them, and is told at once."""
    with stand_in_server(StandInFolder(tmp_path)) as server:
        async with _claude(server) as llm:
            with pytest.raises(ModelError, match="refuses"):
                await llm.batches.submit([prose()])
