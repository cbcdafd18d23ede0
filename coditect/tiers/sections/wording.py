"""Wording: the words of a document in which topics are found: those of its headings, its sentences and its telling terms.

They are a function of the document's chunks, the same in every corpus; which topics a corpus has is decided over all of them
(:mod:`coditect.tiers.sections.topics`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from coditect.language.tables import read_table
from coditect.language.terms import stem, terms
from coditect.schemas import Chunk
from coditect.tiers.findings.said.statements import sentence_stems

__all__ = ["LONGEST", "ChunkWords", "DocumentWords", "HeadingPhrase", "chunk_words", "document_words", "heading_stems"]

LONGEST = 3
"""Words of a topic, at most."""

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
class ChunkWords:
    """The words of one chunk, as stems.

    Attributes:
        headed: of its headings (:func:`heading_stems`).
        sentences: of each selected sentence, in order.
        telling: its most telling terms.
    """

    headed: frozenset[str]
    sentences: tuple[tuple[str, ...], ...]
    telling: frozenset[str]


@dataclass(frozen=True, slots=True)
class HeadingPhrase:
    """A phrase of a document's headings that can name a topic.

    Attributes:
        stems: its words, in order.
        names: how often it is printed how, in the headings of the document's chunks.
        is_whole: whether it is all of a heading.
    """

    stems: tuple[str, ...]
    names: Mapping[str, int]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class DocumentWords:
    """The words of a document in which topics are found.

    Attributes:
        chunks: of each chunk, in document order.
        phrases: of its headings, each once.
        has_headings: whether there is any.
    """

    chunks: tuple[ChunkWords, ...]
    phrases: tuple[HeadingPhrase, ...]
    has_headings: bool


def document_words(chunks: Sequence[Chunk]) -> DocumentWords:
    """The words of a document.

    Args:
        chunks: all of it.
    """
    names: dict[tuple[str, ...], Counter[str]] = {}
    whole: set[tuple[str, ...]] = set()
    has_headings = False
    for chunk in chunks:
        for heading in dict.fromkeys((chunk.heading, *chunk.headings, *chunk.parent_chain)):
            has_headings = has_headings or bool(heading)
            for phrase, surface, is_whole in _phrases(heading):
                names.setdefault(phrase, Counter())[surface] += 1
                if is_whole:
                    whole.add(phrase)
    phrases = tuple(HeadingPhrase(phrase, counted, phrase in whole) for phrase, counted in names.items())
    return DocumentWords(tuple(map(chunk_words, chunks)), phrases, has_headings)


def chunk_words(chunk: Chunk) -> ChunkWords:
    """The words of a chunk."""
    sentences = tuple(sentence_stems(sentence.text) for sentence in chunk.selected_sentences)
    return ChunkWords(heading_stems(chunk), sentences, frozenset(chunk.key_terms[: len(chunk.key_terms) // 2]))


def heading_stems(chunk: Chunk) -> frozenset[str]:
    """Stems of the headings of a chunk: its own, those that begin in it, and the one above."""
    headings = dict.fromkeys((chunk.heading, *chunk.headings, *chunk.parent_chain[-1:]))
    return frozenset(word for heading in headings for word in sentence_stems(heading))


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
