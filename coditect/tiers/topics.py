"""Topics: what the chunks of a corpus are about, named in the corpus' own words.

A topic is a phrase of one to three words that stands in the headings of chunks. Phrases are taken greedily: each
time the one that brings the most documents and chunks that no earlier topic has, until nothing is left worth a section.
The result is a function of the set of chunks alone: no order, no history, no randomness.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from coditect.schemas import Chunk, SelectedSentence
from coditect.text.terms import stem, terms

__all__ = ["TOPICS_VERSION", "Topic", "find_topics", "given_topics", "speaks_to"]

TOPICS_VERSION = "topics/1"

LONGEST = 3
"""Words of a topic, at most."""

MIN_CHUNKS = 2
"""A found topic has at least so many chunks of its own."""

_STRUCTURE = frozenset(
    stem(word)
    for word in (
        "article section clause paragraph exhibit schedule annex appendix attachment page table contents part chapter "
        "title version history general miscellaneous introduction overview background purpose scope statement summary "
        "other certain item note i ii iii iv v vi vii viii ix x a b c d e f the this these following each such party "
        "shall may must not will definition document sheet"
    ).split()
)
"""Words that say where a text stands, not what it is about."""

_WEAK = frozenset(
    stem(word)
    for word in (
        "data control review role responsibility responsible requirement term service information system record report "
        "right obligation use plan procedure policy agreement standard change management selection meeting process action "
        "result time date period rule principle program company customer product provision condition notice right payment work "
        "open close decision owner register operation activity event request measure objective approval exception"
    ).split()
)
"""Words that name a topic together with another word only: "data retention", not "data"."""

_WORD = re.compile(r"[^\W\d_][\w'’-]*")


@dataclass(frozen=True, slots=True)
class Topic:
    """What a section is about.

    Attributes:
        name: as shown.
        stems: what a chunk is matched by; all of them must be there.
        kind: "topic", or one of the kinds of :mod:`coditect.tiers.registers`.
        measure: for measures, (kind, head).
        documents: for missing documents, their names.
        disputed: (document id, first code point) of sentences on which documents disagree; these are quoted first.
    """

    name: str
    stems: tuple[str, ...]
    kind: Literal["topic", "measure", "modality", "missing", "open"] = "topic"
    measure: tuple[str, str] = ("", "")
    documents: frozenset[str] = frozenset()
    disputed: frozenset[tuple[str, int]] = frozenset()

    def admits(self, chunk: Chunk, sentence: SelectedSentence) -> bool:
        """Whether a sentence may be quoted: any for a topic, and for a register only what belongs in it."""
        if self.kind == "modality":
            return (chunk.document_id, sentence.char_start) in self.disputed
        if self.kind == "measure":
            return any((m.kind, m.head) == self.measure for m in sentence.measures)
        if self.kind == "missing":
            return not self.documents.isdisjoint(sentence.documents)
        return bool(sentence.open_point) if self.kind == "open" else True


def given_topics(names: Sequence[str]) -> tuple[Topic, ...]:
    """The user's own topics, without repeats, in their order."""
    found: dict[tuple[str, ...], Topic] = {}
    for name in names:
        stems = tuple(dict.fromkeys(terms(name)))
        if stems:
            found.setdefault(stems, Topic(" ".join(name.split()), stems))
    return tuple(found.values())


def find_topics(chunks: Iterable[Chunk], most: int) -> tuple[Topic, ...]:
    """At most ``most`` topics that cover the chunks, in the order in which they were taken."""
    names: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    members: dict[tuple[str, ...], set[int]] = defaultdict(set)
    documents: list[str] = []
    for chunk in chunks:
        index = len(documents)
        documents.append(chunk.document_id)
        for heading in _headings(chunk):
            for stems, surface in _phrases(heading):
                members[stems].add(index)
                names[stems][surface] += 1
    kept = {stems: found for stems, found in members.items() if len(found) >= MIN_CHUNKS}
    return _cover(kept, names, documents, most)


def _cover(
    members: dict[tuple[str, ...], set[int]],
    names: dict[tuple[str, ...], Counter[str]],
    documents: Sequence[str],
    most: int,
) -> tuple[Topic, ...]:
    heap = [(-_worth(stems, found, documents), stems) for stems, found in members.items()]
    heapq.heapify(heap)
    taken: list[Topic] = []
    covered: set[int] = set()
    while heap and len(taken) < most:
        bound, stems = heapq.heappop(heap)
        # A worth from an earlier round is an upper bound, so the best one is certain once it is counted afresh.
        fresh = members[stems] - covered
        if len(fresh) < MIN_CHUNKS or 2 * len(fresh) < len(members[stems]):
            continue
        worth = _worth(stems, fresh, documents)
        if worth < -bound:
            heapq.heappush(heap, (-worth, stems))
        else:
            taken.append(Topic(_surface(names[stems]), stems))
            covered |= members[stems]
    return tuple(taken)


def _worth(stems: tuple[str, ...], chunks: set[int], documents: Sequence[str]) -> float:
    """Documents count more than chunks, and a phrase more than a word."""
    spread = len({documents[index] for index in chunks})
    return (spread + 0.1 * len(chunks)) * (1.0, 1.5, 1.6)[len(stems) - 1]


def _surface(names: Counter[str]) -> str:
    return min(names, key=lambda name: (-names[name], name))


def _headings(chunk: Chunk) -> tuple[str, ...]:
    return tuple(dict.fromkeys((chunk.heading, *chunk.headings, *chunk.parent_chain[-1:])))


def _phrases(heading: str) -> Iterable[tuple[tuple[str, ...], str]]:
    words = [word.lower() for word in _WORD.findall(heading)[:16]]
    stems = [_topic_stem(word) for word in words]
    for begin, first in enumerate(stems):
        if not first:
            continue
        inner: list[str] = []
        for end in range(begin, len(words)):
            inner += [stems[end]] if stems[end] else []
            if len(inner) > LONGEST:
                break
            if stems[end] and not all(each in _WEAK for each in inner):
                yield tuple(sorted(set(inner))), " ".join(words[begin : end + 1])


@cache
def _topic_stem(word: str) -> str:
    """The stem of a word that can stand in a topic, or ""."""
    found = terms(word)
    return found[0] if len(word) > 2 and len(found) == 1 and found[0] not in _STRUCTURE else ""


def speaks_to(
    chunk: Chunk, topics: Sequence[Topic], heading_stems: frozenset[str] | None = None
) -> list[tuple[int, float]]:
    """(index, relevance 0..1] of the topics that a chunk speaks to.

    A topic whose words all stand in the chunk's headings has relevance 1; one whose words stand in its headings and its
    telling terms together has less, by how telling they are.
    """
    stems = (
        heading_stems
        if heading_stems is not None
        else frozenset(word for heading in _headings(chunk) for word in terms(heading))
    )
    rank = {term: position for position, term in enumerate(chunk.key_terms)}
    found = []
    for index, topic in enumerate(topics):
        outside = [word for word in topic.stems if word not in stems]
        if not outside:
            found.append((index, 1.0))
        elif all(word in rank for word in outside):
            relevance = 0.8 - 0.7 * max(rank[word] for word in outside) / max(len(chunk.key_terms), 1)
            limit = 0.45 if len(topic.stems) == 1 else 0.2
            if relevance >= limit:
                found.append((index, round(relevance, 4)))
    return found
