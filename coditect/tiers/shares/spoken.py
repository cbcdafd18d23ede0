"""Spoken: which topics a corpus has, and which chunks speak to each, read from the arrays of all shares.

By which rules topics are found, :mod:`coditect.tiers.sections.topics` says.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal

import numpy as np
import numpy.typing as npt

from coditect.tiers.sections.composition import FEW_WORDS, GROUPS, MAX_QUOTES, WORTH
from coditect.tiers.sections.topics import COMMONEST, FRESH, MIN_PLACES, Topic
from coditect.tiers.shares.blocks import blocks_of
from coditect.tiers.shares.codes import Codes, code_of, followed_by, is_among
from coditect.tiers.shares.kept import KeptShare, Numbers
from coditect.tiers.shares.places import Looking, Standing, standing

__all__ = ["Speaker", "Speakers", "SpokenWords"]

_CLOSE = 1e-5
"""By how much two scores may differ that are the same when they are rounded as sections round them, and more."""

PHRASES = "phrases"
"""The name under which places of phrases that may become topics are kept; those of words have the name of their lists."""

_FETCHED = 48
"""Phrases whose words are read together."""

_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")

_Flags = npt.NDArray[np.bool_]


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


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Phrases that may become topics, in any order.

    Attributes:
        codes: of each, sorted.
        lengths: how many words each has.
        headed: in how many documents each stands in a heading.
        whole: in how many it is all of one.
        first: the place of the first of each among the phrases of all documents.
    """

    codes: Codes
    lengths: Numbers
    headed: Numbers
    whole: Numbers
    first: Numbers


class SpokenWords:
    """The words of all documents in which topics are found.

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
        self.kept: dict[str, Standing] = {}

    # where words stand

    @cached_property
    def _sentence_documents(self) -> Numbers:
        """The number of the document of each sentence."""
        return np.repeat(np.arange(len(self._shares)), [len(s.array("stem_ends", "<u4")) for s in self._shares])

    @cached_property
    def _chunk_documents(self) -> Numbers:
        """The number of the document of each chunk."""
        return np.repeat(np.arange(len(self._shares)), [len(s.array("headed_ends", "<u4")) for s in self._shares])

    @cached_property
    def _sentence_chunks(self) -> Numbers:
        """The number of the chunk of each sentence, among all chunks."""
        before = np.searchsorted(self._chunk_documents, np.arange(len(self._shares)))
        own = [s.numbers("sentence_chunks") + first for s, first in zip(self._shares, before, strict=True)]
        return np.concatenate([np.zeros(0, dtype=np.int64), *own])

    # topics

    @cached_property
    def _candidates(self) -> _Candidates:
        """Phrases of headings: whole headings, and what is part of the headings of several documents."""
        codes = self._phrase_codes
        kinds = np.concatenate([np.zeros(0, dtype=np.int64), *(s.numbers("phrase_kinds", "|u1") for s in self._shares)])
        known, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
        headed = np.bincount(inverse, minlength=len(known))
        whole = np.bincount(inverse, weights=kinds >= 16, minlength=len(known)).astype(np.int64)
        lengths = kinds[first] & 15
        kept = np.where(lengths == 1, whole > 1, (whole > 0) | (headed > 1))
        return _Candidates(known[kept], lengths[kept], headed[kept], whole[kept], first[kept])

    @cached_property
    def _phrase_codes(self) -> Codes:
        """The phrases of the headings of all documents."""
        return np.concatenate([np.zeros(0, dtype=np.uint64), *(s.array("phrases", "<u8") for s in self._shares)])

    @cached_property
    def _phrase_ends(self) -> Numbers:
        """The place behind the last phrase of each document."""
        return np.cumsum([len(share.array("phrases", "<u8")) for share in self._shares])

    def topics(self, most: int) -> tuple[Topic, ...]:
        """At most ``most`` topics that cover the documents, the most shared first."""
        found = self._candidates
        phrases, sentences = self._places(found)
        users = self._users(phrases, sentences, len(found.codes))
        times = np.bincount(phrases, minlength=len(found.codes))
        speaking = len(np.unique(self._chunk_documents))
        common = (found.lengths == 1) & (users > COMMONEST * speaking) & (COMMONEST * speaking > 2)
        kept = np.flatnonzero((times >= MIN_PLACES) & ~(common & (found.headed < 3)))
        begins = np.searchsorted(phrases, kept)
        places = {n: sentences[b : b + times[n]] for n, b in zip(kept.tolist(), begins.tolist(), strict=True)}
        worth = _Worth(found, self._sentence_documents)
        first = [
            worth.of(n, u, t)
            for n, u, t in zip(*(each.tolist() for each in (kept, users[kept], times[kept])), strict=True)
        ]
        return self._cover(places, dict(zip(kept.tolist(), first, strict=True)), worth, most)

    def _places(self, found: _Candidates) -> tuple[Numbers, Numbers]:
        """(number of a candidate, number of a sentence in which its words stand side by side), sorted, each pair once."""
        lengths = [np.flatnonzero(found.lengths == length) for length in range(1, 4)]
        return self._standing(
            PHRASES, found.codes, "stem_ends", lambda shares: _phrases_in(shares, found.codes, lengths)
        )

    def _standing(self, name: str, codes: Codes, ends: str, look: Looking) -> tuple[Numbers, Numbers]:
        """(number of a code, number of a list among those of all documents), sorted, each pair once."""
        counts = [len(share.array(ends, "<u4")) for share in self._shares]
        firsts = np.cumsum([0, *counts])[:-1]
        numbers, lists, self.kept[name] = standing(
            codes, self._shares, firsts, look, self._before.get(name), self._same
        )
        return numbers, lists

    def _users(self, phrases: Numbers, sentences: Numbers, count: int) -> Numbers:
        """In how many documents each candidate is spoken of."""
        own = _changes(phrases) | _changes(self._sentence_documents[sentences])
        return np.bincount(phrases[own], minlength=count)

    def _phrases(self, numbers: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """The words of candidates by their number, each read from the first document that has it in a heading."""
        ends = self._phrase_ends
        first = self._candidates.first[np.array(numbers, dtype=np.int64)]
        owners = np.searchsorted(ends, first, side="right")
        rows = first - np.concatenate([[0], ends])[owners]
        found: dict[int, tuple[str, ...]] = {}
        for document in np.unique(owners).tolist():
            share = self._shares[document]
            names, words = share.container.value("phrase_names"), share.words
            for at in np.flatnonzero(owners == document).tolist():
                found[numbers[at]] = tuple(words[each] for each in names[rows[at]][0])
        return found

    def _cover(
        self, places: dict[int, Numbers], first: dict[int, float], worth: _Worth, most: int
    ) -> tuple[Topic, ...]:
        """The phrases that bring the most statements that no earlier one has, one after the other."""
        # The words of a phrase are read when it may be next: of most phrases nobody asks for them.
        waiting = sorted(first, key=lambda number: first[number])
        heap: list[tuple[float, tuple[str, ...], int]] = []
        stems: dict[int, tuple[str, ...]] = {}
        taken: list[int] = []
        covered = np.zeros(len(self._sentence_documents), dtype=np.bool_)
        while (heap or waiting) and len(taken) < most:
            if waiting and (not heap or first[waiting[-1]] >= -heap[0][0]):
                fetched = _best_of(waiting, first)
                stems |= self._phrases(fetched)
                for number in fetched:
                    heapq.heappush(heap, (-first[number], stems[number], number))
                continue
            bound, phrase, number = heapq.heappop(heap)
            # A worth from an earlier round is an upper bound, so the best one is certain once it is counted afresh.
            fresh = places[number][~covered[places[number]]]
            others = (set(stems[other]) for other in taken)
            told = any(set(phrase) <= other or other <= set(phrase) for other in others)
            if told or len(fresh) < MIN_PLACES or len(fresh) < FRESH * len(places[number]):
                continue
            value = worth.of(number, worth.users(fresh), len(fresh))
            if value < -bound:
                heapq.heappush(heap, (-value, phrase, number))
            else:
                taken.append(number)
                covered[places[number]] = True
        names = self._surfaces([int(self._candidates.codes[number]) for number in taken])
        return tuple(Topic(name, stems[number]) for name, number in zip(names, taken, strict=True))

    def _surfaces(self, codes: Sequence[int]) -> list[str]:
        """How phrases are printed most often in the headings of all documents."""
        names: dict[int, Counter[str]] = {code: Counter() for code in codes}
        at = np.flatnonzero(is_among(self._phrase_codes, np.sort(np.array(codes, dtype=np.uint64))))
        owners = np.searchsorted(self._phrase_ends, at, side="right")
        firsts = np.concatenate([[0], self._phrase_ends])
        for document in np.unique(owners).tolist():
            rows = self._shares[document].container.value("phrase_names")
            for place in at[owners == document].tolist():
                names[int(self._phrase_codes[place])].update(rows[place - int(firsts[document])][1])
        return [min(names[code], key=lambda name: (-names[code][name], name)) for code in codes]

    def why_none(self) -> str:
        """Why there are no topics, as a phrase."""
        if not any(share.container.value("headings") for share in self._shares):
            return "topics are named by headings, and no document has any"
        if not len(self._candidates.codes):
            return "no heading names a topic: they hold names, numbers or single words, or each stands in one document alone"
        return "no topic that a heading names is spoken of in two statements"

    # speakers

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

    def _holding(self, codes: Codes) -> tuple[list[_Flags], list[_Flags], list[_Flags]]:
        """By word: the sentences that hold it, the chunks that have it in a heading, and those that it is telling for."""
        chunks = len(self._chunk_documents)
        return (
            self._marked(codes, "stems", "stem_ends", len(self._sentence_documents)),
            self._marked(codes, "headed", "headed_ends", chunks),
            self._marked(codes, "telling", "telling_ends", chunks),
        )

    def _marked(self, codes: Codes, name: str, ends: str, count: int) -> list[_Flags]:
        """For each of some codes, which of so many lists have it."""
        marked = np.zeros((len(codes), count), dtype=np.bool_)
        marked[self._standing(name, codes, ends, lambda shares: _words_in(shares, name, ends, codes))] = True
        return list(marked)

    def _speakers(
        self,
        topic: Topic,
        codes: Codes,
        holding: tuple[list[_Flags], list[_Flags], list[_Flags]],
        holders: Sequence[_Flags],
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
        spoken: Sequence[_Flags],
        headed: _Flags,
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
        groups = self._joined("sentence_groups", "|u1")
        merits = np.concatenate([np.zeros(0), *(share.array("sentence_scores", "<f8") for share in self._shares)])
        merits = 0.6 + 0.4 * merits
        merits *= np.array([WORTH[group] for group in GROUPS])[groups & 15]
        merits[(groups >= 16) | (self._joined("sentence_sizes", "<u2") < FEW_WORDS)] *= 0.3
        return merits

    @cached_property
    def _headed_once(self) -> _Flags:
        """The chunks in which at most one heading stands."""
        return self._joined("chunk_headings", "|u1") < 2

    def _joined(self, name: str, kind: str) -> Numbers:
        return np.concatenate([np.zeros(0, dtype=np.int64), *(share.numbers(name, kind) for share in self._shares)])


@dataclass(frozen=True, slots=True)
class _Worth:
    """What phrases are worth as topics."""

    candidates: _Candidates
    documents: Numbers

    def users(self, sentences: Numbers) -> int:
        """In how many documents some sentences stand, which are in order."""
        return int(np.count_nonzero(_changes(self.documents[sentences])))

    def of(self, number: int, users: int, places: int) -> float:
        """The worth of a phrase by in how many documents, and in how many sentences, it is spoken of."""
        headed = int(self.candidates.headed[number]) + int(self.candidates.whole[number])
        longer = 1.0 if self.candidates.lengths[number] == 1 else 1.5
        return round(math.sqrt(headed * users) * longer + 0.001 * places, 6)


def _best_of(waiting: list[int], worth: Mapping[int, float]) -> list[int]:
    """The last so many of what is in the order of its worth, and all that are worth as much as the first of them; taken out."""
    at = max(len(waiting) - _FETCHED, 0)
    while at and worth[waiting[at - 1]] == worth[waiting[at]]:
        at -= 1
    best = waiting[at:]
    del waiting[at:]
    return best


def _changes(values: Numbers) -> _Flags:
    """Which of some values differ from the one before; the first does."""
    found = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=found[1:])
    return found


def _words_in(shares: Sequence[KeptShare], name: str, ends: str, codes: Codes) -> tuple[Numbers, Numbers]:
    """(number of a code, number of a list of some documents that has it), in any order."""
    numbers, lists = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for block in blocks_of(shares, name, ends):
        at, told = block.among(codes)
        numbers.append(told)
        lists.append(block.owners_at(at))
    return np.concatenate(numbers), np.concatenate(lists)


def _phrases_in(shares: Sequence[KeptShare], codes: Codes, lengths: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
    """(number of a phrase, number of a sentence of some documents in which its words stand side by side), in any order.

    Args:
        shares: of the documents.
        codes: of the phrases.
        lengths: the numbers of those of one word, of two and of three.
    """
    phrases, sentences = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    single, *longer = lengths
    for block in blocks_of(shares, "stems", "stem_ends"):
        at, numbers = block.among(codes[single])
        phrases.append(single[numbers])
        sentences.append(block.owners_at(at))
        words = run = block.codes
        for length, own in enumerate(longer, 2):
            run = followed_by(run[:-1], words[length - 1 :])
            known = codes[own]
            at = np.flatnonzero(is_among(run, known))
            owners = block.owners_at(at)
            whole = owners == block.owners_at(at + (length - 1))
            phrases.append(own[np.searchsorted(known, run[at[whole]])])
            sentences.append(owners[whole])
    return np.concatenate(phrases), np.concatenate(sentences)


def _any_of(flags: _Flags, owners: Numbers, count: int) -> _Flags:
    """Which of so many owners have something that is marked."""
    found = np.zeros(count, dtype=np.bool_)
    found[owners[flags]] = True
    return found


def _all(flags: Iterable[_Flags]) -> _Flags:
    """What is marked in each of some arrays."""
    found: _Flags = np.logical_and.reduce(list(flags))
    return found
