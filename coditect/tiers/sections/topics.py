"""Topics: what the chunks of a corpus are about, named in the corpus' own words.

A topic is a phrase of two or three words that stands in a heading, or a word that is a whole heading of several documents.
Its worth is the geometric mean of the documents that have it in a heading and those that use it, so that neither a phrase that
every text uses nor a heading of one text alone wins. Phrases are taken greedily: each time the one that brings the most
statements that no earlier topic has, until nothing is left worth a section. The result is a function of the set of chunks
alone: no order, no history, no randomness. They are found, and chunks that speak to them, over the shares of all documents
(:mod:`coditect.tiers.shares.spoken`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from coditect.language.terms import terms
from coditect.schemas import Chunk, SelectedSentence
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.gaps import Gap

__all__ = ["COMMONEST", "FRESH", "MIN_PLACES", "TOPICS_VERSION", "Topic", "TopicKind", "given_topics"]

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
        """Whether a sentence may be quoted: for a register only what belongs in it; a topic may quote any."""
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
