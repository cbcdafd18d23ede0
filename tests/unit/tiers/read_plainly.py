"""Topics and entries as they are read from the words themselves, document by document: what shares must come to.

A plain reading for tests: no arrays, no codes, nothing kept.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Self

from coditect.schemas import Chunk
from coditect.tiers.findings.conflicts.entries import AGAINST, Entry, ReadEntries
from coditect.tiers.sections.topics import COMMONEST, FRESH, MIN_PLACES, Topic
from coditect.tiers.sections.wording import LONGEST, ChunkWords, DocumentWords, chunk_words, document_words

__all__ = ["find_topics", "merged", "speaks_to"]


def merged(parts: Sequence[ReadEntries]) -> list[Entry]:
    """The entries of several documents together, as :func:`entries_of` gives them of all their statements.

    Args:
        parts: of each document, in the order of the documents.
    """
    values: dict[str, set[str]] = defaultdict(set)
    for entry in (entry for part in parts for entry in part.stances):
        values[entry.head].add(str(entry.value))
    disputed = {head for head, each in values.items() if any(against <= each for against in AGAINST)}
    return [
        *(entry for part in parts for entry in part.measured),
        *(e for part in parts for e in part.stances if e.head in disputed or e.value != "must"),
        *(entry for part in parts for entry in part.told),
        *(entry for part in parts for entry in part.limits),
    ]


def find_topics(chunks: Iterable[Chunk], most: int) -> tuple[Topic, ...]:
    """At most ``most`` topics that cover the chunks, the most shared first."""
    return topics_in(_words_of(chunks), most)


def topics_in(documents: Sequence[DocumentWords], most: int) -> tuple[Topic, ...]:
    """The same by the words of all documents, in any order."""
    candidates = candidates_of(documents)
    spellings = _Spellings.of(candidates)
    places: dict[tuple[str, ...], set[_Place]] = defaultdict(set)
    for number, document in enumerate(documents):
        for place, phrases in spellings.spoken(document):
            for phrase in phrases:
                places[phrase].add((number, place))
    speaking = sum(bool(document.chunks) for document in documents)
    kept = {}
    for phrase, candidate in candidates.items():
        users = len({number for number, _ in places[phrase]}) if len(phrase) == 1 else 0
        common = users > COMMONEST * speaking > 2
        if len(places[phrase]) >= MIN_PLACES and not (common and len(candidate.documents) < 3):
            kept[phrase] = candidate
    return _cover(kept, places, most)


def _words_of(chunks: Iterable[Chunk]) -> list[DocumentWords]:
    """The words of some chunks, by document."""
    by_document: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        by_document[chunk.document_id].append(chunk)
    return [document_words(own) for own in by_document.values()]


_Place = tuple[int, int]
"""The number of a document, and of a sentence in it."""


@dataclass(slots=True)
class _Candidate:
    names: Counter[str] = field(default_factory=Counter)
    documents: set[int] = field(default_factory=set)
    whole: set[int] = field(default_factory=set)


def candidates_of(documents: Sequence[DocumentWords]) -> dict[tuple[str, ...], _Candidate]:
    """Phrases of headings: whole headings, and what is part of the headings of several documents."""
    found: dict[tuple[str, ...], _Candidate] = defaultdict(_Candidate)
    for number, document in enumerate(documents):
        for phrase in document.phrases:
            candidate = found[phrase.stems]
            candidate.names.update(phrase.names)
            candidate.documents.add(number)
            if phrase.is_whole:
                candidate.whole.add(number)
    return {
        phrase: candidate
        for phrase, candidate in found.items()
        if (len(candidate.whole) > 1 if len(phrase) == 1 else candidate.whole or len(candidate.documents) > 1)
    }


@dataclass(frozen=True, slots=True)
class _Spellings:
    """Candidates by their words, so that a sentence is looked through once for all of them.

    Attributes:
        alone: those of one word.
        followed: of those of two and three words, what may follow the first two: "" for nothing more.
    """

    alone: frozenset[str]
    followed: Mapping[str, Mapping[str, frozenset[str]]]

    @classmethod
    def of(cls, candidates: Iterable[tuple[str, ...]]) -> Self:
        """The candidates, by their words."""
        alone: set[str] = set()
        followed: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for first, *others in candidates:
            if others:
                followed[first][others[0]].add(others[1] if len(others) > 1 else "")
            else:
                alone.add(first)
        told = {first: {each: frozenset(thirds) for each, thirds in own.items()} for first, own in followed.items()}
        return cls(frozenset(alone), told)

    def spoken(self, document: DocumentWords) -> Iterator[tuple[int, list[tuple[str, ...]]]]:
        """(number of a sentence, candidates whose words stand side by side in it)."""
        alone, followed = self.alone, self.followed
        sentences = (stems for chunk in document.chunks for stems in chunk.sentences)
        for number, stems in enumerate(sentences):
            found: list[tuple[str, ...]] = [(each,) for each in stems if each in alone]
            for at, (first, second) in enumerate(pairwise(stems)):
                if first in followed and (thirds := followed[first].get(second)) is not None:
                    if "" in thirds:
                        found.append((first, second))
                    found += [(first, second, each) for each in stems[at + 2 : at + LONGEST] if each in thirds]
            if found:
                yield number, found


def _cover(
    candidates: dict[tuple[str, ...], _Candidate],
    places: dict[tuple[str, ...], set[_Place]],
    most: int,
) -> tuple[Topic, ...]:
    def worth(phrase: tuple[str, ...], found: set[_Place]) -> float:
        users = {number for number, _ in found}
        headed = len(candidates[phrase].documents) + len(candidates[phrase].whole)
        return round(math.sqrt(headed * len(users)) * (1.0 if len(phrase) == 1 else 1.5) + 0.001 * len(found), 6)

    heap = [(-worth(phrase, places[phrase]), phrase) for phrase in candidates]
    heapq.heapify(heap)
    taken: list[tuple[str, ...]] = []
    covered: set[_Place] = set()
    while heap and len(taken) < most:
        bound, phrase = heapq.heappop(heap)
        # A worth from an earlier round is an upper bound, so the best one is certain once it is counted afresh.
        fresh = places[phrase] - covered
        told = any(set(phrase) <= set(other) or set(other) <= set(phrase) for other in taken)
        if told or len(fresh) < MIN_PLACES or len(fresh) < FRESH * len(places[phrase]):
            continue
        value = worth(phrase, fresh)
        if value < -bound:
            heapq.heappush(heap, (-value, phrase))
        else:
            taken.append(phrase)
            covered |= places[phrase]
    return tuple(Topic(_surface(candidates[phrase].names), phrase) for phrase in taken)


def _surface(names: Counter[str]) -> str:
    return min(names, key=lambda name: (-names[name], name))


def speaks_to(chunk: Chunk, topics: Sequence[Topic]) -> list[tuple[int, float]]:
    """(index, relevance 0..1] of the topics that a chunk speaks to. See :func:`spoken_by`."""
    return spoken_by(chunk_words(chunk), topics)


def spoken_by(chunk: ChunkWords, topics: Sequence[Topic]) -> list[tuple[int, float]]:
    """(index, relevance 0..1] of the topics that a chunk of these words speaks to.

    1 for a topic whose words all stand in the chunk's headings, 0.8 where they stand in one of its sentences, 0.6 where a sentence
    has some of them and the headings the others, 0.4 where they are all among its most telling terms.
    """
    everything = chunk.headed.union(*chunk.sentences)
    found = []
    for index, topic in enumerate(topics):
        stems = frozenset(topic.stems)
        if not stems or not stems <= everything:
            continue
        sentences = [frozenset(each) for each in chunk.sentences]
        if stems <= chunk.headed:
            found.append((index, 1.0))
        elif any(stems <= words for words in sentences):
            found.append((index, 0.8))
        elif any(stems & words and stems <= words | chunk.headed for words in sentences):
            found.append((index, 0.6))
        elif stems <= chunk.telling:
            found.append((index, 0.4))
    return found
