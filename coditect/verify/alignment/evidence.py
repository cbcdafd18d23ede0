"""Evidence as an index of its words: which of its sentences hold what a claim says, and how much a word of it says at all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from coditect.language.reading.oppositions import poles
from coditect.language.reading.sentence import SentenceReading, read_sentence
from coditect.language.reading.words import Word, WordKind
from coditect.verify.alignment.passages import EvidenceStatement, read_statements

__all__ = ["EVIDENCE_LIMIT", "EvidenceIndex", "EvidenceSentence"]

EVIDENCE_LIMIT = 2_000
"""Sentences of evidence that are read."""

_KIND_WEIGHT = {WordKind.FUNCTION: 0.0, WordKind.CONTENT: 1.0, WordKind.NAME: 1.3, WordKind.NUMBER: 1.3}
_APART = 50
_PREFIX = 4
_NUL = str.maketrans({"\0": " "})


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """A sentence of the evidence, or a list of it that was composed to one.

    Attributes:
        text_index: which of the evidence texts it stands in.
        statement: its words, and where they stand in that text.
        reading: the sentence, read.
    """

    text_index: int
    statement: EvidenceStatement
    reading: SentenceReading

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where words of the sentence stand in its text, code points, half-open."""
        return self.statement.place(start, end)


class EvidenceIndex:
    """The words of evidence texts by key, sentence by sentence; built once a claim, and not changed.

    Attributes:
        texts: the evidence as given.
        sentences: those of all texts, at most :data:`EVIDENCE_LIMIT`.
        positions: key to flat positions, ascending; positions of different sentences are at least 50 apart.
        inside: key to the sentences that have it, ascending.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(texts)
        self.sentences = tuple(islice(_sentences(self.texts), EVIDENCE_LIMIT))
        self.positions: dict[str, list[int]] = {}
        self.inside: dict[str, list[int]] = {}
        flat = 0
        for number, sentence in enumerate(self.sentences):
            for word in sentence.reading.words:
                self.positions.setdefault(word.key, []).append(flat)
                flat += 1
                where = self.inside.setdefault(word.key, [])
                if not where or where[-1] != number:
                    where.append(number)
            flat += _APART

    @cached_property
    def folded(self) -> str:
        """All sentences, casefolded, one a line, white space collapsed."""
        return "\n".join(" ".join(each.reading.text.casefold().split()) for each in self.sentences)

    @cached_property
    def _whole(self) -> tuple[str, ...]:
        """The texts as given, casefolded, white space collapsed."""
        return tuple(" ".join(each.translate(_NUL).casefold().split()) for each in self.texts)

    def is_said(self, claim: str) -> bool:
        """Whether a claim is one of the texts, word for word."""
        return " ".join(claim.translate(_NUL).casefold().split()) in self._whole

    def holds(self, sentence: str) -> bool:
        """Whether a sentence stands in a text word for word, however its lines are broken.

        A line that begins with "4.2 million" looks like a provision of that number.
        """
        words = " ".join(sentence.translate(_NUL).casefold().split())
        return bool(words) and any(f" {words} " in f" {each} " for each in self._whole)

    @cached_property
    def initials(self) -> str:
        """The first letters of the words of each sentence, casefolded, between spaces."""
        return " ".join("".join(word.low[0] for word in each.reading.words) for each in self.sentences)

    @cached_property
    def poles(self) -> frozenset[tuple[int, int]]:
        """The poles of all axes on which the evidence has a word: (axis, +1 or -1)."""
        return frozenset(place for key in self.inside for place in poles().get(key, ()))

    def with_prefix(self, prefix: str) -> list[str]:
        """The keys that begin with four letters, sorted."""
        return self._prefixes.get(prefix, [])

    @cached_property
    def _prefixes(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key in sorted(self.inside):
            if len(key) >= _PREFIX and not key[0].isdigit():
                found.setdefault(key[:_PREFIX], []).append(key)
        return found

    def weight(self, word: Word) -> float:
        """How much a word of the claim says: more where it is rare in the evidence, a name or a number; 0 for function words."""
        count = len(self.inside.get(word.key, ()))
        return _KIND_WEIGHT[word.kind] * math.log(2.0 + (len(self.sentences) + 1) / (count + 0.5))

    def rank(self, words: Iterable[Word]) -> list[tuple[float, int]]:
        """The sentences that hold anything of some words, best first, each with the share of their weight that it holds, 0..1."""
        weights = self._weights(words)
        total = sum(weights.values())
        gains = self._gains(weights)
        return sorted(((gain / total, n) for n, gain in gains.items()), key=lambda each: (-round(each[0], 6), each[1]))

    def cover(self, words: Iterable[Word], most: int = 3) -> tuple[float, tuple[int, ...]]:
        """The sentences that together hold most of some words, and the share of their weight that they hold.

        Args:
            words: the words of a claim or of a part of it.
            most: how many sentences are chosen, one after another.
        """
        left = self._weights(words)
        total = sum(left.values())
        chosen: list[int] = []
        held = 0.0
        while left and len(chosen) < most and (gains := self._gains(left)):
            best = max(gains, key=lambda each: (gains[each], -each))
            chosen.append(best)
            held += gains[best]
            left = {key: weight for key, weight in left.items() if best not in self.inside.get(key, ())}
        return (held / total if total else 0.0), tuple(chosen)

    def _weights(self, words: Iterable[Word]) -> dict[str, float]:
        return {word.key: self.weight(word) for word in words if word.kind != WordKind.FUNCTION}

    def _gains(self, weights: Mapping[str, float]) -> dict[int, float]:
        """Sentence to the weight of the words that it holds."""
        gains: dict[int, float] = {}
        for key, weight in weights.items():
            for sentence in self.inside.get(key, ()):
                gains[sentence] = gains.get(sentence, 0.0) + weight
        return gains


def _sentences(texts: Sequence[str]) -> Iterable[EvidenceSentence]:
    for number, text in enumerate(texts):
        for statement in read_statements(text.translate(_NUL)):
            yield EvidenceSentence(number, statement, read_sentence(statement.text))
