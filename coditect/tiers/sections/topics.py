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
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from coditect.language.tables import read_table
from coditect.language.terms import stem, terms
from coditect.schemas import Chunk, SelectedSentence
from coditect.tiers.findings.conflicts.detection import StatementConflict
from coditect.tiers.findings.gaps import Gap
from coditect.tiers.findings.statements import sentence_stems

__all__ = [
    "TOPICS_VERSION",
    "Topic",
    "TopicKind",
    "find_topics",
    "given_topics",
    "heading_stems",
    "speaks_to",
    "why_no_topics",
]

TOPICS_VERSION = "topics/2"

TopicKind = Literal["topic", "conflict", "measure", "missing", "open", "uncovered", "standing"]

LONGEST = 3
"""Words of a topic, at most."""

MIN_PLACES = 2
"""A found topic has at least so many statements of its own."""

FRESH = 0.5
"""Share of a topic's statements that no earlier topic may have."""

COMMONEST = 0.9
"""A single word that stands in the statements of a larger share of documents says nothing, but in headings."""

_TOPICS = read_table("topics")
_STRUCTURE = frozenset(stem(word) for word in _TOPICS.words("structure"))
"""Words that say where a text stands or what kind of text it is, not what it is about."""

_WEAK = frozenset(stem(word) for word in _TOPICS.words("weak"))
"""Words that name a topic together with another word only: "data retention", not "data"."""

_LABEL = re.compile(
    r"^\s*(?:(?:article|section|§|schedule|exhibit|annex|appendix)\s*)?[\divxlcIVXLC.()\[\]a-zA-Z]{0,6}[.)\]]\s+|^\s*[\d.]+\s+"
)
_WORD = re.compile(r"[^\W\d_][\w'’]*")
_NUMERAL = re.compile(
    r"(?=[ivxlc])(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE
)  # "iii)" marks an item, and is no topic
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}")  # of a template: a name that is not there yet
_JOIN = re.compile(r"\W+(?:(?:of|and|for|to|in|at|from|with|on|or|the|an?)\W+){0,2}\Z|\W+\Z")


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
    known = list(chunks)
    candidates = _candidates(known)
    places: dict[tuple[str, ...], set[tuple[int, int]]] = defaultdict(set)
    users: dict[tuple[str, ...], set[str]] = defaultdict(set)
    documents = {chunk.document_id for chunk in known}
    by_first: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for phrase in candidates:
        by_first[phrase[0]].add(phrase)
    for index, chunk in enumerate(known):
        for number, sentence in enumerate(chunk.selected_sentences):
            for phrase in _spoken(sentence_stems(sentence.text), by_first):
                places[phrase].add((index, number))
                users[phrase].add(chunk.document_id)
    kept = {}
    for phrase, candidate in candidates.items():
        common = len(phrase) == 1 and len(users[phrase]) > COMMONEST * len(documents) > 2
        if len(places[phrase]) >= MIN_PLACES and not (common and len(candidate.documents) < 3):
            kept[phrase] = candidate
    return _cover(kept, places, known, most)


def why_no_topics(chunks: Sequence[Chunk]) -> str:
    """Why :func:`find_topics` finds none in some chunks, as a phrase."""
    if not any(heading for chunk in chunks for heading in (chunk.heading, *chunk.headings, *chunk.parent_chain)):
        return "topics are named by headings, and no document has any"
    if not _candidates(chunks):
        return (
            "no heading names a topic: they hold names, numbers or single words, or each stands in one document alone"
        )
    return "no topic that a heading names is spoken of in two statements"


@dataclass(slots=True)
class _Candidate:
    names: Counter[str] = field(default_factory=Counter)
    documents: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)


def _candidates(chunks: Sequence[Chunk]) -> dict[tuple[str, ...], _Candidate]:
    """Phrases of headings: whole headings, and what is part of the headings of several documents."""
    found: dict[tuple[str, ...], _Candidate] = defaultdict(_Candidate)
    for chunk in chunks:
        for heading in dict.fromkeys((chunk.heading, *chunk.headings, *chunk.parent_chain)):
            for phrase, surface, whole in _phrases(heading):
                candidate = found[phrase]
                candidate.names[surface] += 1
                candidate.documents.add(chunk.document_id)
                if whole:
                    candidate.whole.add(chunk.document_id)
    return {
        phrase: candidate
        for phrase, candidate in found.items()
        if (len(candidate.whole) > 1 if len(phrase) == 1 else candidate.whole or len(candidate.documents) > 1)
    }


@lru_cache(maxsize=1 << 14)
def _phrases(heading: str) -> tuple[tuple[tuple[str, ...], str, bool], ...]:
    """(stems in order, surface, whether it is the whole heading) of the phrases of a heading that can name a topic."""
    text = _PLACEHOLDER.sub(" ", _LABEL.sub("", heading, count=1))
    words = [(match, _topic_stem(match.group().lower())) for match in list(_WORD.finditer(text))[:16]]
    content = [(match, found) for match, found in words if found]
    phrases = []
    for begin in range(len(content)):
        for size in range(1, LONGEST + 1):
            run = content[begin : begin + size]
            whole = begin == 0 and size == len(content)
            stems = tuple(found for _, found in run)
            if len(run) < size or not _joined(text, run) or len(set(stems)) < size:
                break
            if all(found in _WEAK for found in stems) and not (whole and size > 1):
                continue
            if size == 1 and len(words) > 1:
                continue  # "Entire Agreement" is not about "entire"
            surface = " ".join(text[run[0][0].start() : run[-1][0].end()].split())
            phrases.append((stems, _cased(surface, heading), whole))
    return tuple(phrases)


def _joined(text: str, run: Sequence[tuple[re.Match[str], str]]) -> bool:
    """Whether only short words stand between the words of a run: "restoration from backup", not "scope; purpose"."""
    between = (text[a.end() : b.start()] for (a, _), (b, _) in pairwise(run))
    return all(_JOIN.match(gap) and not re.search(r"[.;:,()/|&]", gap) for gap in between)


def _cased(surface: str, heading: str) -> str:
    """Lower case, but for abbreviations in a heading that is not all capitals."""
    if heading.upper() == heading:
        return surface.lower()
    return " ".join(word if word.upper() == word and len(word) > 1 else word.lower() for word in surface.split())


@lru_cache(maxsize=1 << 14)
def _topic_stem(word: str) -> str:
    """The stem of a word that can stand in a topic, or ""."""
    found = () if _NUMERAL.fullmatch(word) else terms(word)
    return found[0] if len(word) > 2 and len(found) == 1 and found[0] not in _STRUCTURE else ""


def _spoken(stems: Sequence[str], candidates: dict[str, set[tuple[str, ...]]]) -> Iterable[tuple[str, ...]]:
    """The candidates, by their first word, whose words stand side by side in a sentence."""
    for begin, first in enumerate(stems):
        if first in candidates:
            own = candidates[first]
            for size in range(1, LONGEST + 1):
                phrase = stems[begin : begin + size]
                if phrase in own and len(phrase) == size:
                    yield tuple(phrase)


def _cover(
    candidates: dict[tuple[str, ...], _Candidate],
    places: dict[tuple[str, ...], set[tuple[int, int]]],
    chunks: Sequence[Chunk],
    most: int,
) -> tuple[Topic, ...]:
    def worth(phrase: tuple[str, ...], found: set[tuple[int, int]]) -> float:
        users = {chunks[index].document_id for index, _ in found}
        headed = len(candidates[phrase].documents) + len(candidates[phrase].whole)
        return round(math.sqrt(headed * len(users)) * (1.0 if len(phrase) == 1 else 1.5) + 0.001 * len(found), 6)

    heap = [(-worth(phrase, places[phrase]), phrase) for phrase in candidates]
    heapq.heapify(heap)
    taken: list[tuple[str, ...]] = []
    covered: set[tuple[int, int]] = set()
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


def heading_stems(chunk: Chunk) -> frozenset[str]:
    """Stems of the headings of a chunk: its own, those that begin in it, and the one above."""
    headings = dict.fromkeys((chunk.heading, *chunk.headings, *chunk.parent_chain[-1:]))
    return frozenset(word for heading in headings for word in sentence_stems(heading))


def speaks_to(chunk: Chunk, topics: Sequence[Topic]) -> list[tuple[int, float]]:
    """(index, relevance 0..1] of the topics that a chunk speaks to.

    1 for a topic whose words all stand in the chunk's headings, 0.8 where they stand in one of its sentences, 0.6 where a sentence
    has some of them and the headings the others, 0.4 where they are all among its most telling terms.
    """
    headed = heading_stems(chunk)
    sentences = [frozenset(sentence_stems(s.text)) for s in chunk.selected_sentences]
    telling = frozenset(chunk.key_terms[: len(chunk.key_terms) // 2])
    everything = headed.union(*sentences)
    found = []
    for index, topic in enumerate(topics):
        stems = frozenset(topic.stems)
        if not stems or not stems <= everything:
            continue
        if stems <= headed:
            found.append((index, 1.0))
        elif any(stems <= words for words in sentences):
            found.append((index, 0.8))
        elif any(stems & words and stems <= words | headed for words in sentences):
            found.append((index, 0.6))
        elif stems <= telling:
            found.append((index, 0.4))
    return found
