"""Spoken: which topics a corpus has, read from the arrays of all shares.

By which rules topics are found, :mod:`coditect.tiers.sections.topics` says; who speaks to them, tells the module ``speakers``.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from coditect.tiers.sections.topics import COMMONEST, FRESH, MIN_PLACES, Topic
from coditect.tiers.shares.arrays import Flags
from coditect.tiers.shares.codes import Codes, followed_by, is_among
from coditect.tiers.shares.joined.blocks import blocks_of
from coditect.tiers.shares.kept import KeptShare, Numbers
from coditect.tiers.shares.speakers import SpokenLists

__all__ = ["SpokenWords"]

PHRASES = "phrases"
"""The name under which places of phrases that may become topics are kept; those of words have the name of their lists."""

_FETCHED = 48
"""Phrases whose words are read together."""


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


class SpokenWords(SpokenLists):
    """The words of all documents in which topics are found."""

    @cached_property
    def _candidates(self) -> _Candidates:
        """Phrases of headings: whole headings, and what is part of the headings of several documents."""
        codes = self._phrase_codes
        kinds = self._joined.numbers("phrase_kinds")
        known, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
        headed = np.bincount(inverse, minlength=len(known))
        whole = np.bincount(inverse, weights=kinds >= 16, minlength=len(known)).astype(np.int64)
        lengths = kinds[first] & 15
        kept = np.where(lengths == 1, whole > 1, (whole > 0) | (headed > 1))
        return _Candidates(known[kept], lengths[kept], headed[kept], whole[kept], first[kept])

    @cached_property
    def _phrase_codes(self) -> Codes:
        """The phrases of the headings of all documents."""
        return self._joined.array("phrases")

    @cached_property
    def _phrase_ends(self) -> Numbers:
        """The place behind the last phrase of each document."""
        return np.cumsum(self._joined.lengths("phrases"))

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


def _changes(values: Numbers) -> Flags:
    """Which of some values differ from the one before; the first does."""
    found = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=found[1:])
    return found


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
