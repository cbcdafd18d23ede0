"""Passages for peers that have none of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np

from coditect.models.port import IntArray, Tokenizer
from coditect_benchmarks.retrieval.formats import Document
from coditect_benchmarks.retrieval.system import Span

__all__ = ["PASSAGE_CHARS", "PASSAGE_TOKENS", "Cut", "fixed", "recursive", "whole"]

PASSAGE_CHARS = 500
"""The reference figures' passages hold up to this many characters."""

PASSAGE_TOKENS = (200, 400)
"""Tokens of a passage at most in the chunking evaluation's settings without overlap."""

_SEPARATORS = ("\n\n", "\n", ".", "?", "!", " ", "")

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


def recursive(documents: Sequence[Document], size: int) -> list[Span]:
    """Passages of up to ``size`` tokens without overlap, cut at the coarsest separator that lets them fit.

    Paragraphs, then lines, sentence marks, spaces, characters; neighbours are joined again while they fit. Tokens are those of
    the product's own tokenizer.
    Source: the recursive character splitter of Smith and Troynikov, Evaluating Chunking Strategies for Retrieval, Chroma 2024,
    with its separators; written anew.
    """
    found = []
    for document in documents:
        splitter = _Splitter(document.text, _tokenizer().starts(document.text), size)
        for start, end in splitter.split(0, len(document.text), 0):
            text = document.text[start:end]
            if text.strip():
                first = start + len(text) - len(text.lstrip())
                found.append(Span(document.id, first, first + len(text.strip())))
    return found


class _Splitter:
    """One document; spans are half-open and cover it without gaps.

    Args:
        text: of the document.
        starts: where its tokens begin.
        size: tokens of a passage at most.
    """

    def __init__(self, text: str, starts: IntArray, size: int) -> None:
        self._text = text
        self._starts = starts
        self._size = size

    def split(self, start: int, end: int, separator: int) -> Iterator[tuple[int, int]]:
        """Passages of a stretch, by this separator and finer ones."""
        if self._fits(start, end) or end - start <= 1:
            yield start, end
            return
        held: tuple[int, int] | None = None
        for first, last in self._pieces(start, end, _SEPARATORS[separator]):
            if held and self._fits(held[0], last):
                held = (held[0], last)
                continue
            if held:
                yield held
            held = (first, last)
            if not self._fits(first, last):
                yield from self.split(first, last, min(separator + 1, len(_SEPARATORS) - 1))
                held = None
        if held:
            yield held

    def _fits(self, start: int, end: int) -> bool:
        first, last = np.searchsorted(self._starts, (start, end))
        return bool(last - first <= self._size)

    def _pieces(self, start: int, end: int, separator: str) -> Iterator[tuple[int, int]]:
        """A stretch cut before each separator, or into single characters."""
        at = start
        while at < end:
            after = at + 1 if not separator else self._text.find(separator, at + 1, end)
            after = end if after < 0 else after
            yield at, after
            at = after


@cache
def _tokenizer() -> Tokenizer:
    from coditect.models.wordllama.embedder import WordLlamaTokenizer

    return WordLlamaTokenizer()
