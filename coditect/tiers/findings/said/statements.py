"""Statements: selected sentences of different documents, and the words that say what they are about.

Two statements are compared by the content words that they share, weighted by how rare these are among all statements of
the corpus. In a table row only the cell that states something counts: owners and dates of two controls are alike for no reason.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from coditect.language.matched import as_matched
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.schemas import Chunk, Measure, SelectedSentence, document_order
from coditect.tiers.findings.tables import cells

__all__ = [
    "Statement",
    "clause_of",
    "content_words",
    "features",
    "likeness",
    "measured",
    "sentence_stems",
    "similarity",
    "statements_of",
    "total",
]

_TOPICS = read_table("topics")
_DULL = frozenset(terms(" ".join(_TOPICS.words("dull"))))
"""Words that say how binding or how long, not about what."""

_ROLE = re.compile(
    rf"\b(?:[A-Z][\w-]+ (?:(?:and|of) )?){{0,4}}(?:{_TOPICS.pattern('roles')})s?\b|\bHeads? of [A-Z]\w+(?: [A-Z]\w+)*"
)
"""Who acts or is told; two duties of the same officer are not about the same thing."""

_CLAUSE = re.compile(
    r"(?<=[a-z\d)”\"]);\s|(?<=[a-z\d)”\"]),\s(?=(?:and|but)\s(?:it|they|he|she|the|a|an|must|shall|may)\b)"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A selected sentence together with the chunk that it stands in."""

    chunk: Chunk
    sentence: SelectedSentence

    @property
    def place(self) -> tuple[str, int]:
        """Where the sentence stands: document id, first code point."""
        return self.chunk.document_id, self.sentence.char_start

    @property
    def order(self) -> tuple[str, int]:
        """What statements are put in order by: as :attr:`place`, and the same in every corpus."""
        return document_order(self.chunk.document_id), self.sentence.char_start


def statements_of(chunks: Iterable[Chunk]) -> list[Statement]:
    """Every selected sentence of some chunks, in their order."""
    return [Statement(chunk, sentence) for chunk in chunks for sentence in chunk.selected_sentences]


def measured(text: str, measure: Measure) -> tuple[frozenset[str], str]:
    """(features, first content word) of the clause of a sentence that fixes a measure."""
    words = content_words(clause_of(text, measure.text), measure)
    return features(words), words[0] if words else ""


def clause_of(text: str, says: str) -> str:
    """The part of a sentence that holds some of its words: the cell of a table row, else the clause."""
    text = as_matched(text)
    row = cells(text)
    if len(row) > 1:
        return next((value for value in row.values() if says in " ".join(value.split())), text)
    parts = _CLAUSE.split(text)
    return next((part for part in parts if says in " ".join(part.split())), text)


def content_words(text: str, measure: Measure | None = None) -> tuple[str, ...]:
    """Stems of a text that say what it is about, in order; those of a measure in it, and of roles, are left out."""
    inside = frozenset() if measure is None else frozenset({measure.head, *terms(measure.text), *terms(measure.verb)})
    text = as_matched(text)
    found = terms(_ROLE.sub(" ", text)) if _ROLE.search(text) else sentence_stems(text)
    return tuple(w for w in found if w not in _DULL and w not in inside and not w[0].isdigit())


@lru_cache(maxsize=1 << 15)
def sentence_stems(text: str) -> tuple[str, ...]:
    """:func:`~coditect.language.terms.terms`, remembered: conflicts, topics and sections ask for the same sentences."""
    return terms(text)


def features(words: Sequence[str]) -> frozenset[str]:
    """The words and the pairs of neighbours: "data breach" says more than "data" and "breach"."""
    return frozenset(words) | {f"{a} {b}" for a, b in pairwise(words) if a != b}


def similarity(first: frozenset[str], second: frozenset[str], weight: Mapping[str, float]) -> float:
    """How much two sets of words are about the same, 0..1: the mean of overlap by the smaller and overlap by both."""
    return likeness(first & second, total(first, weight), total(second, weight), weight)


def total(words: frozenset[str], weight: Mapping[str, float]) -> float:
    """What some words say together: the sum of their weights, the same in whatever order they come."""
    return math.fsum(weight.get(word, 0.0) for word in words)


def likeness(shared: frozenset[str], first: float, second: float, weight: Mapping[str, float]) -> float:
    """:func:`similarity` of two sets of words by what they share and by the total of each."""
    common = total(shared, weight)
    return round(0.5 * common / min(first, second) + common / (first + second), 4) if common else 0.0
