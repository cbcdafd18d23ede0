"""What language models answered, under the hash of what they were asked; who is asking at the moment; open batches."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["AnswerCitation", "AnswerPart", "AnswerUsage", "Asked", "ModelAnswer", "OpenBatch"]


class AnswerCitation(Record):
    """Blocks of a document of the request that a part of an answer cites."""

    document: int = Field(ge=0, description="Among the documents of the request.")
    start: int = Field(ge=0, description="First block.")
    end: int = Field(ge=0, description="After the last block.")
    cited_text: str


class AnswerPart(Record):
    """A piece of an answer."""

    text: str
    citations: tuple[AnswerCitation, ...] = ()


class AnswerUsage(Record):
    """Tokens as the service counted them."""

    input_tokens: int = Field(default=0, ge=0, description="Neither read from nor written to the service's cache.")
    cache_creation_input_tokens: int = Field(default=0, ge=0)
    cache_read_input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)


class ModelAnswer(Record):
    """An answer, or what was paid for instead of one: the same request is not sent again by anybody who shares the store.

    It is stored once. Only one that cannot be used is replaced, once, by what a second attempt brought.
    """

    record_kind: ClassVar[str] = "answer"

    request_sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="Hash of everything that can change the answer.")
    corpus_id: str = Field(description="The build of which asked.")
    role: str = Field(description="Who asked: mapper, validator, …")
    model: str
    outcome: Literal["answered", "refused", "truncated", "malformed"] = Field(
        default="answered", description="What is not an answer has no parts."
    )
    parts: tuple[AnswerPart, ...] = ()
    usage: AnswerUsage = Field(description="Of all attempts.")
    attempts: int = Field(default=1, ge=1, description="Calls that were answered, malformed answers among them.")
    stop_reason: Literal["end_turn", "stop_sequence", "pause_turn"] = "end_turn"
    service_request_id: str = Field(default="", description="The service's id of the call, for its support.")
    batched: bool = False
    answered_at: str = Field(description="RFC 3339, UTC.")


class Asked(Record):
    """Somebody is asking this at the moment; others wait for the answer instead of asking, too."""

    record_kind: ClassVar[str] = "asked"

    request_sha256: str
    owner: str = Field(description="Whose claim: unique to a process' client.")
    expires_at: float = Field(description="Seconds since 1970; renewed while the owner lives.")
    batch_id: str = Field(default="", description="The batch that it is part of; such a claim outlives its owner.")


class OpenBatch(Record):
    """A batch that was handed in and not yet read to its end."""

    record_kind: ClassVar[str] = "batch"

    corpus_id: str
    batch_id: str
    role: str
    requests: tuple[str, ...] = Field(description="Hashes of what was asked, ordered.")
    submitted_at: str = Field(description="RFC 3339, UTC.")
