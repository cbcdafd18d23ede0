"""Consecutive passages of a document in groups that a model reads in one request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["GROUP_TOKENS", "PassageGroup", "PassageSpan", "group_passages"]

GROUP_TOKENS = 6_000
"""Tokens of a group, by default: the instructions are then a tenth of the request, and the answer fits."""


@dataclass(frozen=True, slots=True)
class PassageSpan:
    """A passage to be read.

    Attributes:
        start: first code point in the document.
        end: one past the last, > start.
        tokens: of it, > 0.
    """

    start: int
    end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class PassageGroup:
    """Consecutive passages of one document.

    Attributes:
        document_name: what the model is told that it reads.
        text: the document's text from ``offset`` on, as far as the group goes; not empty.
        offset: where it begins in the document, in code points.
    """

    document_name: str
    text: str
    offset: int


def group_passages(
    document_name: str, text: str, passages: Iterable[PassageSpan], budget_tokens: int = GROUP_TOKENS
) -> tuple[PassageGroup, ...]:
    """Consecutive passages, as many in a group as its budget takes, and always one; no character is in two groups.

    Args:
        document_name: the name of the document.
        text: the canonical text of the document.
        passages: of one level, in document order; they may overlap.
        budget_tokens: of a group, > 0.
    """
    spans: list[tuple[int, int]] = []
    tokens = 0
    for passage in passages:
        start = max(passage.start, spans[-1][1]) if spans else passage.start
        if start >= passage.end:
            continue
        if spans and tokens + passage.tokens <= budget_tokens:
            spans[-1] = (spans[-1][0], passage.end)
            tokens += passage.tokens
        else:
            spans.append((start, passage.end))
            tokens = passage.tokens
    return tuple(
        PassageGroup(document_name, text[start:end], start) for start, end in spans if not text[start:end].isspace()
    )
