"""Speakers: which chunks speak to a topic, and which of them hold the best quotes on it, by the words of all documents."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal

import numpy as np
import numpy.typing as npt

from coditect.tiers.sections.composition import FEW_WORDS, GROUPS, MAX_QUOTES, WORTH
from coditect.tiers.sections.topics import Topic
from coditect.tiers.shares.arrays import Flags
from coditect.tiers.shares.codes import Codes, code_of
from coditect.tiers.shares.joined.blocks import blocks_of
from coditect.tiers.shares.joined.columns import JoinedShares
from coditect.tiers.shares.kept import KeptShare, Numbers
from coditect.tiers.shares.places import Looking, Standing, standing

__all__ = ["Speaker", "Speakers", "SpokenLists"]

_CLOSE = 1e-5
"""By how much two scores may differ that are the same when they are rounded as sections round them, and more."""

_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


@dataclass(frozen=True, slots=True)
class Speaker:
    """A chunk that speaks to a topic.

    Attributes:
        document: the number of its document.
        chunk: its own number in the document.
        relevance: 0..1.
    """

    document: int
    chunk: int
    relevance: float


@dataclass(frozen=True, slots=True)
class Speakers:
    """The chunks that speak to a topic, in order: of each its document, its own number and its relevance, side by side.

    Attributes:
        documents: numbers of documents.
        numbers: of chunks in their document.
        relevance: 0..1.
        leading: those among which a section on the topic finds its quotes, by their places in the arrays.
    """

    documents: Numbers
    numbers: Numbers
    relevance: npt.NDArray[np.float64]
    leading: Numbers

    @property
    def chunks(self) -> list[Speaker]:
        """All of them."""
        rows = (self.documents.tolist(), self.numbers.tolist(), self.relevance.tolist())
        return [Speaker(*row) for row in zip(*rows, strict=True)]

    @property
    def quoted(self) -> list[Speaker]:
        """Those that lead."""
        rows = (each[self.leading].tolist() for each in (self.documents, self.numbers, self.relevance))
        return [Speaker(*row) for row in zip(*rows, strict=True)]


class SpokenLists:
    """The lists of words of all documents, and who speaks to topics by them.

    Args:
        shares: of all documents, in any order.
        before: where words and phrases stood at an earlier build, by the name of the lists.
        same: documents that are as they were then.

    Attributes:
        kept: where those stand that were looked for.
    """

    def __init__(
        self,
        shares: Sequence[KeptShare],
        before: Mapping[str, Standing] = MappingProxyType({}),
        same: Collection[str] = (),
    ) -> None:
        self._shares, self._before, self._same = shares, before, same
        self._joined = JoinedShares(shares)
        self.kept: dict[str, Standing] = {}

    @cached_property
    def _sentence_documents(self) -> Numbers:
        """The number of the document of each sentence."""
        return self._joined.owners("stem_ends")

    @cached_property
    def _chunk_documents(self) -> Numbers:
        """The number of the document of each chunk."""
        return self._joined.owners("headed_ends")

    @cached_property
    def _sentence_chunks(self) -> Numbers:
        """The number of the chunk of each sentence, among all chunks."""
        return self._joined.placed("sentence_chunks", "headed_ends")

    def _standing(self, name: str, codes: Codes, ends: str, look: Looking) -> tuple[Numbers, Numbers]:
        """(number of a code, number of a list among those of all documents), sorted, each pair once."""
        counts = self._joined.lengths(ends)
        firsts = np.cumsum(counts) - counts
        numbers, lists, self.kept[name] = standing(
            codes, self._shares, firsts, look, self._before.get(name), self._same
        )
        return numbers, lists

    def speakers(self, topics: Sequence[Topic]) -> list[Speakers]:
        """The chunks that speak to each topic, in order.

        Their relevance is 1 for a topic whose words all stand in the headings of the chunk, 0.8 where they stand in one of its
        sentences, 0.6 where a sentence has some of them and the headings the others, 0.4 where they are all among its most
        telling terms.
        """
        codes = np.unique(np.array([code_of(stem) for each in topics for stem in each.stems], dtype=np.uint64))
        holding = self._holding(codes)
        count = len(self._chunk_documents)
        spoken = [_any_of(own, self._sentence_chunks, count) for own in holding[0]]
        holders = [one | other for one, other in zip(spoken, holding[1], strict=True)]
        return [self._speakers(topic, codes, holding, holders) for topic in topics]

    def _holding(self, codes: Codes) -> tuple[list[Flags], list[Flags], list[Flags]]:
        """By word: the sentences that hold it, the chunks that have it in a heading, and those that it is telling for."""
        chunks = len(self._chunk_documents)
        return (
            self._marked(codes, "stems", "stem_ends", len(self._sentence_documents)),
            self._marked(codes, "headed", "headed_ends", chunks),
            self._marked(codes, "telling", "telling_ends", chunks),
        )

    def _marked(self, codes: Codes, name: str, ends: str, count: int) -> list[Flags]:
        """For each of some codes, which of so many lists have it."""
        marked = np.zeros((len(codes), count), dtype=np.bool_)
        marked[self._standing(name, codes, ends, lambda shares: _words_in(shares, name, ends, codes))] = True
        return list(marked)

    def _speakers(
        self,
        topic: Topic,
        codes: Codes,
        holding: tuple[list[Flags], list[Flags], list[Flags]],
        holders: Sequence[Flags],
    ) -> Speakers:
        """The chunks that speak to a topic: those that hold all of its words, and of these alone the sentences are looked at.

        Args:
            topic: the topic.
            codes: of the words of all topics.
            holding: from :meth:`_holding`.
            holders: by word, the chunks that have it in a heading or in a sentence.
        """
        own = np.searchsorted(codes, np.array([code_of(each) for each in dict.fromkeys(topic.stems)], dtype=np.uint64))
        if not len(own):
            none = np.zeros(0, dtype=np.int64)
            return Speakers(none, none, np.zeros(0), none)
        chunks = np.flatnonzero(_all(holders[number] for number in own.tolist()))
        sentences, of = self._sentences_in(chunks)
        spoken = [holding[0][number][sentences] for number in own.tolist()]
        headed, telling = ([each[number][chunks] for number in own.tolist()] for each in holding[1:])
        with_headings = _all(s | h[of] for s, h in zip(spoken, headed, strict=True)) & np.logical_or.reduce(spoken)
        relevance = np.zeros(len(chunks))
        relevance[_all(telling)] = 0.4
        relevance[_any_of(with_headings, of, len(chunks))] = 0.6
        relevance[_any_of(_all(spoken), of, len(chunks))] = 0.8
        relevance[_all(headed)] = 1.0
        speaking = np.flatnonzero(relevance)
        best = self._leading(sentences, of, spoken, _all(headed) & self._headed_once[chunks], relevance)
        leading = np.searchsorted(speaking, best)
        documents = self._chunk_documents[chunks[speaking]]
        numbers = chunks[speaking] - np.searchsorted(self._chunk_documents, documents)
        return Speakers(documents, numbers, relevance[speaking], leading)

    def _sentences_in(self, chunks: Numbers) -> tuple[Numbers, Numbers]:
        """(the sentences of some chunks, the place of the chunk of each among these), in order."""
        begins, ends = (np.searchsorted(self._sentence_chunks, chunks, side=side) for side in _SIDES)
        lengths = ends - begins
        of = np.repeat(np.arange(len(chunks)), lengths)
        return np.arange(len(of)) - np.repeat(np.cumsum(lengths) - lengths - begins, lengths), of

    def _leading(
        self,
        sentences: Numbers,
        of: Numbers,
        spoken: Sequence[Flags],
        headed: Flags,
        relevance: npt.NDArray[np.float64],
    ) -> Numbers:
        """The chunks with the best quotes on a topic, by their places among some.

        Of :data:`MAX_QUOTES` documents and more the best quote of each is chosen, so that none is which is less good than the
        best one of the last of so many documents; of fewer documents any may be.

        Args:
            sentences: of these chunks, by their numbers among all.
            of: the place of the chunk of each.
            spoken: by word of the topic, which of the sentences hold it.
            headed: the chunks with all of the words in their one heading.
            relevance: of each chunk.
        """
        held = np.sum(spoken, axis=0)
        own = headed[of] | (2 * held >= len(spoken))
        own |= ~_any_of(own, of, len(headed))[of]  # of a chunk in which no sentence does, all count
        score = relevance[of] * (0.2 + 0.8 * (held / len(spoken))) * self._merits[sentences]
        score[~own] = 0.0
        best = np.zeros(len(self._shares))
        np.maximum.at(best, self._sentence_documents[sentences], score)
        speaking = np.sort(best[best > 0])[::-1]
        least = speaking[min(len(speaking), MAX_QUOTES) - 1] - _CLOSE if len(speaking) else 0.0
        least = max(least, _CLOSE) if len(speaking) >= MAX_QUOTES else _CLOSE
        return np.unique(of[score >= least])

    @cached_property
    def _merits(self) -> npt.NDArray[np.float64]:
        """What each sentence is worth as a quote, on whatever topic."""
        groups = self._joined.numbers("sentence_groups")
        merits: npt.NDArray[np.float64] = 0.6 + 0.4 * self._joined.array("sentence_scores")
        merits *= np.array([WORTH[group] for group in GROUPS])[groups & 15]
        merits[(groups >= 16) | (self._joined.array("sentence_sizes") < FEW_WORDS)] *= 0.3
        return merits

    @cached_property
    def _headed_once(self) -> Flags:
        """The chunks in which at most one heading stands."""
        return np.asarray(self._joined.array("chunk_headings") < 2)


def _words_in(shares: Sequence[KeptShare], name: str, ends: str, codes: Codes) -> tuple[Numbers, Numbers]:
    """(number of a code, number of a list of some documents that has it), in any order."""
    numbers, lists = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for block in blocks_of(shares, name, ends):
        at, told = block.among(codes)
        numbers.append(told)
        lists.append(block.owners_at(at))
    return np.concatenate(numbers), np.concatenate(lists)


def _any_of(flags: Flags, owners: Numbers, count: int) -> Flags:
    """Which of so many owners have something that is marked."""
    found = np.zeros(count, dtype=np.bool_)
    found[owners[flags]] = True
    return found


def _all(flags: Iterable[Flags]) -> Flags:
    """What is marked in each of some arrays."""
    found: Flags = np.logical_and.reduce(list(flags))
    return found
