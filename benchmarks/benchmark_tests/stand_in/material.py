"""Requests as the product makes them, and what is said of a folder in the tests."""

from __future__ import annotations

from pathlib import Path

import orjson
from coditect_benchmarks.stand_in.folder import StandInFolder
from coditect_benchmarks.stand_in.requests import read_body

from coditect.models.claude.requests import message_parameters
from coditect.models.llm import Document, LlmRequest, TextBlock

__all__ = ["SCHEMA", "asked_folder", "citing", "prose", "shared_beginning", "structured", "written_lines"]

SCHEMA = {
    "type": "object",
    "properties": {"sentences": {"type": "array", "items": {"type": "integer"}}},
    "required": ["sentences"],
    "additionalProperties": False,
}


def prose(said: str = "Situate the passage.", system: str = "You situate passages.") -> LlmRequest:
    """A request for a text."""
    return LlmRequest("claude-haiku-5-5", (TextBlock(system, "1h"),), (TextBlock(said),), 1_500, effort="low")


def shared_beginning(document: str, passage: str) -> LlmRequest:
    """A request for a text that begins with a document which others begin with, too."""
    system = (TextBlock("You situate passages."),)
    return LlmRequest("claude-haiku-5-5", system, (TextBlock(document, "5m"), TextBlock(passage)), 1_500, effort="low")


def structured(said: str = "Select at most 2 sentences.") -> LlmRequest:
    """A request for a JSON object."""
    return LlmRequest("claude-haiku-5-5", (TextBlock("You select sentences."),), (TextBlock(said),), 2_000, SCHEMA)


def citing(*blocks: str, title: str = "policy.md (on access)") -> LlmRequest:
    """A request for cited sentences; long enough answers are allowed that they are streamed."""
    document = Document(title, blocks or ("Accounts shall be reviewed.", "Passwords shall be long."))
    content = (document, TextBlock("Summarise this document."))
    return LlmRequest("claude-opus-5-5", (TextBlock("You summarise."),), content, 16_000, citations=True)


def asked_folder(path: Path, *requests: LlmRequest) -> StandInFolder:
    """A folder in which these requests were asked, and none is answered."""
    folder = StandInFolder(path)
    for request in requests:
        assert folder.answer_to(read_body(message_parameters(request)).asked) is None
    return folder


def written_lines(path: Path, *lines: object) -> Path:
    """JSON Lines."""
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    return path
