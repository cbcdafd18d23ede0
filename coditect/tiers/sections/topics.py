"""Topics: what the chunks of a corpus are about, named in the corpus' own words.

A topic is a phrase of two or three words that stands in a heading, or a word that is a whole heading of several documents.
Its worth is the geometric mean of the documents that have it in a heading and those that use it, so that neither a phrase that
every text uses nor a heading of one text alone wins. Phrases are taken greedily: each time the one that brings the most
statements that no earlier topic has, until nothing is left worth a section. The result is a function of the set of chunks
alone: no order, no history, no randomness.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, Self

from coditect.language.terms import terms
from coditect.schemas import Chunk, SelectedSentence
from coditect.tiers.findings.conflicts.detection import StatementConflict
from coditect.tiers.findings.gaps import Gap
from coditect.tiers.sections.wording import LONGEST, ChunkWords, DocumentWords, chunk_words, document_words

__all__ = [
    "TOPICS_VERSION",
    "Topic",
    "TopicKind",
    "find_topics",
    "given_topics",
    "speaks_to",
    "spoken_by",
    "topics_in",
    "why_no_topics",
]

TOPICS_VERSION = "topics/2"

TopicKind = Literal["topic", "conflict", "measure", "missing", "open", "uncovered", "standing"]

MIN_PLACES = 2
"""A found topic has at least so many statements of its own."""

FRESH = 0.5
"""Share of a topic's statements that no earlier topic may have."""

COMMONEST = 0.9
"""A single word that stands in the statements of a larger share of documents says nothing, but in headings."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a section is about.

    Attributes:
        name: what the topic is called where it is shown.
        stems: what a chunk is matched by; all of them must be there.
        kind: "topic", or one of the kinds of :mod:`coditect.tiers.sections.registers`.
        measure: for measures and conflicts, (kind, head).
        documents: ids of the documents that a register quotes.
        disputed: (document id, first code point) of sentences that a register is for.
        gaps: what a register of gaps found, in order.
        conflict: what a register of a conflict found.
    """

    name: str
    stems: tuple[str, ...]
    kind: TopicKind = "topic"
    measure: tuple[str, str] = ("", "")
    documents: frozenset[str] = frozenset()
    disputed: frozenset[tuple[str, int]] = frozenset()
    gaps: tuple[Gap, ...] = field(default=(), compare=False)
    conflict: StatementConflict | None = field(default=None, compare=False)

    def admits(self, chunk: Chunk, sentence: SelectedSentence) -> bool:
        """Whether a sentence may be quoted: for a register only what belongs in it; for a topic see :func:`speaks_to`."""
        if self.kind == "topic":
            return True
        if self.kind == "measure":
            return any((m.kind, m.head) == self.measure for m in sentence.measures)
        return (chunk.document_id, sentence.char_start) in self.disputed


def given_topics(names: Sequence[str]) -> tuple[Topic, ...]:
    """The user's own topics, without repeats, in their order."""
    found: dict[tuple[str, ...], Topic] = {}
    for name in names:
        stems = tuple(dict.fromkeys(terms(name)))
        if stems:
            found.setdefault(stems, Topic(" ".join(name.split()), stems))
    return tuple(found.values())


def find_topics(chunks: Iterable[Chunk], most: int) -> tuple[Topic, ...]:
    """At most ``most`` topics that cover the chunks, the most shared first."""
    return topics_in(_words_of(chunks), most)


def topics_in(documents: Sequence[DocumentWords], most: int) -> tuple[Topic, ...]:
    """The same by the words of all documents, in any order."""
    candidates = _candidates(documents)
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


def why_no_topics(documents: Sequence[DocumentWords]) -> str:
    """Why :func:`topics_in` finds none in some documents, as a phrase."""
    if not any(document.has_headings for document in documents):
        return "topics are named by headings, and no document has any"
    if not _candidates(documents):
        return (
            "no heading names a topic: they hold names, numbers or single words, or each stands in one document alone"
        )
    return "no topic that a heading names is spoken of in two statements"


_Place = tuple[int, int]
"""The number of a document, and of a sentence in it."""


@dataclass(slots=True)
class _Candidate:
    names: Counter[str] = field(default_factory=Counter)
    documents: set[int] = field(default_factory=set)
    whole: set[int] = field(default_factory=set)


def _candidates(documents: Sequence[DocumentWords]) -> dict[tuple[str, ...], _Candidate]:
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
