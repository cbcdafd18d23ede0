"""How probable it is that a sentence of another document rests on each provision of the documents that changed.

A company says a duty in words of its own, so that no single measure finds its provision. A sentence is ranked against *all*
provisions, not only against those that changed: by words (BM25), by meaning (cosine) and word for word by meaning (the nearest
word of a provision for each of the sentence's), each of the provision's own words and of these with the headings and lead-ins
around them, and half as much of the sentence with its own heading. The rankings are standardised and summed, those by words with
what is around counting twice; the mean of a provision's section is added, since what explains a paragraph stands in its section,
and so is, three times, what the other sentences under the same heading give to that section, since a policy treats one matter
under one heading. Half of the sums are read as logarithms of odds: the rankings say much the same. What is closer to something
that stayed does not rest on what changed.

A sentence speaks of the documents at all only if it comes nearer to their provisions than everyday words come to it, to one alone
and to one with what is around it, it and what stands beside it under one heading together. Figures: ADR 56.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from coditect.knowledge.report.changes.nearness import TokenRanking
from coditect.knowledge.report.rankings import Groups, Scores, TextRanking, standardised
from coditect.language.terms import terms
from coditect.models.port import Embedder, FloatArray, TokenVectors
from coditect.retrieve.gate.background import Everyday

__all__ = [
    "LEAST_NEAR",
    "LINKED",
    "LinkedProvision",
    "Meanings",
    "ProvisionLinks",
    "StandingSentence",
    "meanings_of",
    "section_of",
]

LINKED = 1 / 4
"""Probability of resting on what changed from which a sentence is listed: overlooking one costs as much as three looks in vain."""

LEAST_NEAR = 0.13
"""How much nearer provisions have to come than everyday words, at least: cosine; mean of the nearest provision alone and of the
nearest with what is around it, of a sentence and those under its heading."""

_LEAST_SAID = 0.25
"""Without an embedder: the share of a sentence's words, by how rare they are, that its best provision has, at least."""

_WITH_HEADING = 0.5
"""What a sentence together with its heading counts, beside the sentence alone."""

_AROUND = 2.0
"""What the rankings by words, and word for word, with what is around a provision count."""

_SHARPNESS = 0.5
"""What sums of rankings are multiplied with to be logarithms of odds."""

_BESIDE = 3.0
"""What the other sentences under a heading give to a section counts, beside what the sentence itself does."""

_BATCH = 256
"""Sentences that are ranked at once: bounds memory. Under a heading with more of them, so many are taken together."""

_LABEL = re.compile(r"(\d{3,5}-\w+)(?:-.*)?")
"""An id of RegML, the interpretation of a section among what belongs to it: "1016-3-b-1", "1016-3-b-Interp-2"."""
_NUMBER = re.compile(r"(?:§\s*[\w.]+|(?:\w+\s+)?[A-Za-z]{0,3}-?\d+[A-Za-z]?)")
"""What the number of a section begins with: "§ 4.2", "Article 5", "4", "ac-2"."""


@dataclass(frozen=True, slots=True)
class LinkedProvision:
    """A provision that sentences may rest on.

    Attributes:
        text: its own words.
        around: those of the headings and lead-ins that it stands under.
        section: what it belongs to, see :func:`section_of`.
        is_heading: it counts for what its section is about, and nothing rests on it: it says nothing by itself.
    """

    text: str
    around: str
    section: str
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class StandingSentence:
    """A sentence of another document.

    Attributes:
        text: its words.
        heading: what it stands under; "" for nothing.
    """

    text: str
    heading: str


@dataclass(frozen=True, slots=True)
class Meanings:
    """What an embedder makes of the sentences of a batch.

    Attributes:
        alone: shape (sentences, dimension), unit length: of their words.
        headed: the same of their words with their headings.
        ordinary: shape (sentences,): how near everyday words come to each alone, a cosine.
    """

    alone: FloatArray
    headed: FloatArray
    ordinary: npt.NDArray[np.float64]

    @classmethod
    def of(cls, sentences: Sequence[StandingSentence], embedder: Embedder, everyday: Everyday) -> Meanings:
        """Embed the sentences of a batch.

        Args:
            sentences: at least one.
            embedder: of the provisions, too.
            everyday: everyday words by the same embedder.
        """
        alone = embedder.embed([each.text for each in sentences])
        headed = embedder.embed([_headed(each) for each in sentences])
        return cls(alone, headed, np.array([everyday.ordinary(each) for each in alone]))


def meanings_of(sentences: Sequence[StandingSentence], embedder: Embedder) -> list[Meanings]:
    """What sentences mean, batch by batch as :meth:`ProvisionLinks.shares` takes them: for whoever asks several indexes the same.

    Args:
        sentences: all that are asked of at once.
        embedder: of the provisions, too.
    """
    everyday = Everyday(embedder)
    batches = [[number for group in groups for number in group] for groups in _batches(sentences)]
    return [Meanings.of([sentences[number] for number in numbers], embedder, everyday) for numbers in batches]


def _headed(sentence: StandingSentence) -> str:
    return f"{sentence.text} {sentence.heading}"


def section_of(place: str) -> str:
    """The section that a place belongs to, by its printed number or the format's id; "" of no place."""
    found = _LABEL.fullmatch(place)
    if found is not None:
        return found[1]
    number = _NUMBER.match(place)
    return number[0] if number is not None else place


class ProvisionLinks:
    """An index of provisions by their words and their meaning.

    Args:
        provisions: of the documents that changed, as they were; at least one.
        embedder: None leaves meaning out.
        words: vectors of tokens; None: they are not compared word for word.
    """

    def __init__(
        self, provisions: Sequence[LinkedProvision], embedder: Embedder | None, words: TokenVectors | None = None
    ) -> None:
        own = [each.text for each in provisions]
        whole = [f"{each.around} {each.text}" for each in provisions]
        self._own, self._whole = TextRanking(own), TextRanking(whole)
        self._sections = Groups([each.section for each in provisions])
        self._embedder = embedder
        self._vectors: tuple[FloatArray, FloatArray] | None = None
        if embedder is not None:
            self._vectors = embedder.embed(own), embedder.embed(whole)
        self._near: tuple[TokenRanking, TokenRanking] | None = None
        if words is not None:
            self._near = TokenRanking(own, words), TokenRanking(whole, words)
        headings = np.array([each.is_heading for each in provisions])
        self._saying = np.where(headings & ~headings.all(), -np.inf, 0.0)

    def shares(self, sentences: Sequence[StandingSentence], meanings: Sequence[Meanings] | None = None) -> Scores:
        """How probable it is that each sentence rests on each provision.

        Args:
            sentences: of one document, all of them, since those under one heading say together what they are about.
            meanings: of these, from :func:`meanings_of`; None: they are embedded here.

        Returns:
            shape (sentences, provisions); rows sum to 1, or are all 0 where a sentence speaks of none of the documents.
        """
        if not sentences:
            return np.zeros((0, len(self._saying)))
        shares, nearest = np.zeros((len(sentences), len(self._saying))), np.zeros(len(sentences))
        for batch, groups in enumerate(_batches(sentences)):
            numbers = [number for group in groups for number in group]
            known = None if meanings is None else meanings[batch]
            scores, near = self._scores([sentences[number] for number in numbers], known)
            scores += self._beside(scores, [len(group) for group in groups]) + self._saying
            odds = np.exp(_SHARPNESS * (scores - scores.max(axis=1, keepdims=True)))
            shares[numbers] = np.round(odds / odds.sum(axis=1, keepdims=True), 6)
            nearest[numbers] = near
        speaks = _together(nearest, sentences) >= (LEAST_NEAR if self._embedder else _LEAST_SAID)
        return np.asarray(shares * speaks[:, None], dtype=np.float64)

    def _beside(self, scores: Scores, sizes: Sequence[int]) -> Scores:
        """The mean of a provision's section, and what the other sentences of each group give to that section."""
        sections = self._sections.means(scores)
        beside = np.zeros_like(sections)
        first = 0
        for size in sizes:
            group = sections[first : first + size]
            if size > 1:
                beside[first : first + size] = (group.sum(axis=0) - group) / (size - 1)
            first += size
        return np.asarray(sections + _BESIDE * beside, dtype=np.float64)

    def _scores(
        self, sentences: Sequence[StandingSentence], known: Meanings | None = None
    ) -> tuple[Scores, npt.NDArray[np.float64]]:
        """(summed rankings, how near the nearest provision comes)."""
        texts = [each.text for each in sentences]
        headed = [_headed(each) for each in sentences]
        own = self._own.scores(texts)
        total = standardised(own) + _AROUND * standardised(self._whole.scores(texts))
        total += _WITH_HEADING * standardised(self._whole.scores(headed))
        if self._embedder is None or self._vectors is None:
            total *= 2.0  # in place of meaning
            near = own.max(axis=1) / np.array([self._weight(each) for each in texts])
        else:
            asked = Meanings.of(sentences, self._embedder, self._everyday) if known is None else known
            alone, around = (_cosines(asked.alone, of) for of in self._vectors)
            total += standardised(alone) + standardised(around)
            total += _WITH_HEADING * standardised(_cosines(asked.headed, self._vectors[1]))
            near = (alone.max(axis=1) + around.max(axis=1)) / 2.0
            near -= asked.ordinary
        if self._near is not None:
            total += standardised(self._near[0].scores(texts)) + _AROUND * standardised(self._near[1].scores(texts))
            total += _WITH_HEADING * standardised(self._near[1].scores(headed))
        return total, np.asarray(near, dtype=np.float64)

    @cached_property
    def _everyday(self) -> Everyday:
        assert self._embedder is not None  # noqa: S101 - asked for beside vectors only
        return Everyday(self._embedder)

    def _weight(self, text: str) -> float:
        """What the best provision would score if it had all words of a text, each once."""
        return max(self._own.weight(terms(text)), 1e-9)


def _cosines(asked: FloatArray, of: FloatArray) -> Scores:
    return np.asarray(asked @ of.T, dtype=np.float64)


def _batches(sentences: Sequence[StandingSentence]) -> Iterator[list[list[int]]]:
    """The numbers of sentences by the heading that they stand under, some headings at once."""
    under: dict[str, list[int]] = defaultdict(list)
    for number, each in enumerate(sentences):
        under[each.heading].append(number)
    batch: list[list[int]] = []
    for numbers in under.values():
        for first in range(0, len(numbers), _BATCH):
            group = numbers[first : first + _BATCH]
            if batch and sum(map(len, batch)) + len(group) > _BATCH:
                yield batch
                batch = []
            batch.append(group)
    if batch:
        yield batch


def _together(near: npt.NDArray[np.float64], sentences: Sequence[StandingSentence]) -> npt.NDArray[np.float64]:
    """The mean of how near a sentence comes and how near those under its heading come on average."""
    under: dict[str, list[float]] = defaultdict(list)
    for each, value in zip(sentences, near, strict=True):
        under[each.heading].append(float(value))
    means = {heading: float(np.mean(values)) for heading, values in under.items()}
    return np.array([(value + means[each.heading]) / 2 for each, value in zip(sentences, near, strict=True)])
