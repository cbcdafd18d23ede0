"""What the rest of the house knows of language models: a typed request, a typed answer with usage, and who answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

from coditect.errors import ModelError
from coditect.schemas.record import canonical_json, sha256_hex

__all__ = [
    "BatchEntry",
    "BatchState",
    "CacheTtl",
    "CitedSpan",
    "Document",
    "Effort",
    "Llm",
    "LlmAnswer",
    "LlmBatches",
    "LlmRequest",
    "StopReason",
    "TextBlock",
    "TextPart",
    "Usage",
]

CacheTtl = Literal["", "5m", "1h"]
Effort = Literal["", "low", "medium", "high"]
StopReason = Literal["end_turn", "stop_sequence", "pause_turn"]
BatchState = Literal["in_progress", "canceling", "ended"]


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Text of a request.

    Attributes:
        text: what is said; not empty.
        cache: keep everything up to and with this block for requests that begin alike; "" for not.
    """

    text: str
    cache: CacheTtl = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A document that the answer may cite by block.

    Attributes:
        title: what the model is told that it is.
        blocks: the text of each, cited whole; at least one.
        cache: as in :class:`TextBlock`.
    """

    title: str
    blocks: tuple[str, ...]
    cache: CacheTtl = ""


@dataclass(frozen=True, slots=True)
class LlmRequest:
    """One user turn. Equal requests have equal hashes, and are sent once.

    Attributes:
        model: as the service names it.
        system: instructions, first to last.
        content: the turn, first to last.
        max_tokens: of the answer, thinking included, > 0.
        output_schema: JSON Schema of the answer, each part with one type, ``anyOf``, ``enum`` or ``const``; None for prose. Not
            together with ``citations``.
        citations: the answer cites the documents of ``content``.
        effort: how hard the model thinks; "" leaves it to the service.
    """

    model: str
    system: tuple[TextBlock, ...]
    content: tuple[TextBlock | Document, ...]
    max_tokens: int
    output_schema: Mapping[str, Any] | None = None
    citations: bool = False
    effort: Effort = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts of it, first to last, titles of documents included."""
        parts = (
            (part.title, *part.blocks) if isinstance(part, Document) else (part.text,)
            for part in (*self.system, *self.content)
        )
        return tuple(text for texts in parts for text in texts)

    @property
    def longest_cache(self) -> CacheTtl:
        """The longest time that the service is to keep a part of it; "" for none."""
        kept = {part.cache for part in (*self.system, *self.content)}
        return "1h" if "1h" in kept else "5m" if "5m" in kept else ""

    @property
    def sha256(self) -> str:
        """Hash of everything that can change the answer, 64 hex digits; how long the service caches a prefix cannot."""
        body = asdict(self)
        for block in (*body["system"], *body["content"]):
            del block["cache"]
        return sha256_hex(canonical_json(body))


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the service counted them.

    Attributes:
        input_tokens: neither read from nor written to its cache.
        cache_creation_input_tokens: written to its cache.
        cache_read_input_tokens: read from its cache.
        output_tokens: of the answer, thinking included.
    """

    input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int = 0

    @property
    def total_input_tokens(self) -> int:
        """All tokens of the request."""
        return self.input_tokens + self.cache_creation_input_tokens + self.cache_read_input_tokens

    def __add__(self, other: Usage) -> Usage:
        """Tokens of both together."""
        return Usage(
            self.input_tokens + other.input_tokens,
            self.cache_creation_input_tokens + other.cache_creation_input_tokens,
            self.cache_read_input_tokens + other.cache_read_input_tokens,
            self.output_tokens + other.output_tokens,
        )


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """Blocks of a document that a part of an answer cites.

    Attributes:
        document: index among the documents of the request, from 0.
        start: its first block.
        end: after the last block, > start.
        cited_text: what the service says stands there; to be compared with the request.
    """

    document: int
    start: int
    end: int
    cited_text: str


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of an answer with what it cites."""

    text: str
    citations: tuple[CitedSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class LlmAnswer:
    """A complete answer. A refused or truncated one is an error, not an answer.

    Attributes:
        request_sha256: of what it answers.
        model: which one answered.
        parts: its text, in order.
        usage: the tokens that it took.
        stop_reason: why the answer ends.
        request_id: the service's, for its support.
        batched: answered in a batch, at half the price.
    """

    request_sha256: str
    model: str
    parts: tuple[TextPart, ...]
    usage: Usage
    stop_reason: StopReason = "end_turn"
    request_id: str = ""
    batched: bool = False

    @property
    def text(self) -> str:
        """The text of all parts."""
        return "".join(part.text for part in self.parts)


class Llm(Protocol):
    """A language model: it answers requests."""

    @property
    def batches(self) -> LlmBatches | None:
        """Its cheap and slow way; None if it has none."""
        ...

    async def complete(self, request: LlmRequest) -> LlmAnswer:
        """Answer one request; one attempt, the caller repeats.

        Raises:
            RateLimited: slow down; ``context["retry_after_s"]`` is a number of seconds or None. Also for an overloaded service.
            Refused: the model declined; ``context["usage"]`` is what it took.
            Malformed: the answer was cut off at ``max_tokens`` (``context["truncated"]``) or has not the asked-for shape;
                ``context["usage"]`` is what it took.
            Unreachable: no answer: connection, timeout, or an error of the service that may pass.
            ModelError: an error that stays: bad request, no permission, unknown model.
        """
        ...

    async def count_tokens(self, request: LlmRequest) -> int:
        """Input tokens of a request, as the service would count them. Costs nothing.

        Raises:
            ModelError: as for :meth:`complete`.
        """
        ...

    async def close(self) -> None:
        """Let the connections to the service go."""
        ...


@dataclass(frozen=True, slots=True)
class BatchEntry:
    """The result of one request of a batch.

    Attributes:
        request_sha256: its ``custom_id``.
        answer: what came if the request succeeded.
        error: what went wrong otherwise: Refused, Malformed, RateLimited or ModelError; expired and canceled requests are
            Unreachable: they may be sent again.
    """

    request_sha256: str
    answer: LlmAnswer | None
    error: ModelError | None = None


class LlmBatches(Protocol):
    """Many requests at half the price, answered within a day."""

    async def submit(self, requests: Sequence[LlmRequest]) -> str:
        """Hand in a batch of different requests, at least one; returns its id."""
        ...

    async def state(self, batch_id: str) -> BatchState:
        """How far a batch is; its results can be read once it has ended."""
        ...

    async def results(self, batch_id: str, requests: Mapping[str, LlmRequest]) -> Sequence[BatchEntry]:
        """The results of an ended batch, in no particular order.

        Args:
            batch_id: from :meth:`submit`.
            requests: what was asked, by hash: the answers are read against them.
        """
        ...

    async def cancel(self, batch_id: str) -> None:
        """Stop it; what is answered stays answered, and paid."""
        ...
