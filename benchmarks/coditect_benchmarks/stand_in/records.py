"""The lines of the files in a stand-in's folder: what was asked, and what was answered."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["AnswerGiven", "AnswerValue", "PartOfAnswer", "RequestAsked"]

AnswerValue = str | dict[str, Any] | list[Any]
"""Text; the JSON object that follows a schema; or the cited parts of an answer that cites."""


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class RequestAsked(_Line):
    """A request as a reader sees it.

    Attributes:
        key: of what the answer depends on, 64 hex digits.
        model: as the product names it.
        system: the system prompt.
        user: the turn; documents that may be cited stand in it between tags, block by block.
        shared_chars: code points at its beginning that the product marks as shared with other requests: a document of which
            several passages are asked about.
        output_schema: JSON Schema of the answer ("schema" in the file), or None for prose.
        max_tokens: of the answer.
        effort: how hard the model was to think; "" where the product does not say.
        citations: whether the answer cites the documents.
        documents: how many blocks each document has.
    """

    key: str = Field(pattern="^[0-9a-f]{64}$")
    model: str
    system: str
    user: str
    output_schema: dict[str, Any] | None = Field(alias="schema")
    max_tokens: int
    effort: str = ""
    shared_chars: int = 0
    citations: bool = False
    documents: tuple[int, ...] = ()


class AnswerGiven(_Line):
    """An answer. Of two with one key the last one counts."""

    key: str = Field(pattern="^[0-9a-f]{64}$")
    answer: AnswerValue


class PartOfAnswer(_Line):
    """A part of an answer that cites: most often one sentence.

    Attributes:
        text: what is said.
        cites: blocks, each "document.block", both from 1.
    """

    text: str = Field(min_length=1)
    cites: tuple[str, ...] = ()
