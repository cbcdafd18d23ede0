"""Wrong arguments of a tool: told by their names, with what is allowed, and never as a report of the check itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra [mcp]")

from mcp.client.client import Client

from coditect.assistants.tools import assistant_server


@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        (
            "search",
            {"corpus_id": "c", "question": "x", "limit": 500},
            "search was not called: 'limit' is 500, and has to be a whole number from 1 to 20. It takes corpus_id, question, "
            "tier (optional), limit (optional), documents (optional), generation (optional).",
        ),
        (
            "search",
            {"corpus_id": "c", "question": "x", "tier": "chunks"},
            "'tier' is 'chunks', and has to be one of ",
        ),
        ("search", {"corpus_id": "c"}, "'question' is missing: it has to be text of 1 to 2,000 characters."),
        (
            "search",
            {"corpus_id": "c", "query": "x"},
            "'question' is missing: it has to be text of 1 to 2,000 characters; 'query' is no argument of it.",
        ),
        (
            "search",
            {"corpus_id": "c", "question": "x", "documents": "a.md"},
            "'documents' is 'a.md', and has to be a list of at most 50, each text or left out.",
        ),
        (
            "search",
            {"corpus_id": "c", "question": "x", "document": "a.md"},
            "search was not called: 'document' is no argument of it. It takes corpus_id, question, ",
        ),
        ("corpora", {"all": True}, "corpora was not called: 'all' is no argument of it. It takes no arguments."),
        (
            "documents",
            {"corpus_id": "c", "generation": 0},
            "'generation' is 0, and has to be a whole number from 1 on or left out.",
        ),
        (
            "read",
            {"corpus_id": "c", "document": "", "start": "first"},
            "'document' is '', and has to be text of 1 to 1,000 characters; ",
        ),
        (
            "serach",
            {},
            "there is no tool 'serach'. The tools are corpora, documents, search, read, chain, verify, obligations, "
            "deadlines, definitions, agreements, waivers, crosswalk, changes.",
        ),
    ],
)
async def test_wrong_arguments_are_told_in_sentences(tool: str, given: dict[str, Any], told: str) -> None:
    """By the argument's name, with what was given and what is allowed."""
    async with Client(assistant_server(lambda _: SimpleNamespace())) as client:  # type: ignore[arg-type,return-value]
        answer = await client.call_tool(tool, given)
    said = answer.content[0].text  # type: ignore[union-attr]
    assert answer.is_error
    assert told in said
    for raw in ("validation error", "input_value", "pydantic", "Error executing"):
        assert raw not in said


async def test_a_long_value_is_cut_short() -> None:
    async with Client(assistant_server(lambda _: SimpleNamespace())) as client:  # type: ignore[arg-type,return-value]
        answer = await client.call_tool("search", {"corpus_id": "c", "question": 3000 * "x"})
    said = answer.content[0].text  # type: ignore[union-attr]
    assert "x…', and has to be text of 1 to 2,000 characters" in said
    assert len(said) < 300
