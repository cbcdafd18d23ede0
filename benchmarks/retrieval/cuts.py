"""Passages for peers that have none of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from benchmarks.retrieval.formats import Document
from benchmarks.retrieval.system import Span

__all__ = ["PASSAGE_CHARS", "Cut", "fixed", "whole"]

PASSAGE_CHARS = 500
"""The reference figures' passages hold up to this many characters."""

Cut = Callable[[Sequence[Document]], list[Span]]
"""Documents to passages, in document order."""


def fixed(documents: Sequence[Document], size: int = PASSAGE_CHARS) -> list[Span]:
    """Passages of up to ``size`` characters that end at white space where there is any, and cover all text but that."""
    return [Span(document.id, start, end) for document in documents for start, end in _pieces(document.text, size)]


def whole(documents: Sequence[Document]) -> list[Span]:
    """Each document as one passage."""
    return [Span(document.id, 0, len(document.text)) for document in documents if document.text]


def _pieces(text: str, size: int) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        if text[start].isspace():
            start += 1
            continue
        end = min(start + size, len(text))
        if end < len(text) and not text[end].isspace():
            # Back to the last white space; a word longer than a passage is cut.
            end = next((at for at in range(end, start, -1) if text[at - 1].isspace()), end)
        yield start, start + len(text[start:end].rstrip())
        start = end
