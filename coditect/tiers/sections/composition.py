"""Tier 3: a section quotes what several documents say about a topic, and joins the quotes by flagged transitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from coditect.schemas import Chunk, Citation, Section, SectionPart, SelectedSentence, document_order, synthesis_ratio
from coditect.tiers.evidence import require_section
from coditect.tiers.findings.statements import sentence_stems
from coditect.tiers.sections.topics import Topic
from coditect.tiers.sections.wording import ChunkWords, heading_stems

__all__ = ["MAX_QUOTES", "SECTIONS_VERSION", "Member", "build_section"]

SECTIONS_VERSION = "tier3/2"

MAX_QUOTES = 12
"""Quotes of a section on a topic or a measure."""

MAX_REGISTERED = 96
"""Quotes of a register: everything that it is for, and what shows it."""

LONG_QUOTE = 700
"""Characters above which a quote is taken only if nothing shorter speaks for its document."""

REPEAT = 0.8
"""Share of common terms above which a quote repeats another of the same document."""

WORTH = {"definition": 0.8, "obligation": 1.0, "prohibition": 1.0, "permission": 0.8, "proposition": 0.5}
"""What a kind of statement is worth in a section on a topic."""

FEW_WORDS = 4
"""Content words below which a sentence says little when it stands alone."""

GROUPS = ("definition", "obligation", "prohibition", "permission", "proposition")
TRANSITIONS = {
    "definition": "How the documents define it:",
    "obligation": "What the documents require:",
    "prohibition": "What the documents prohibit:",
    "permission": "What the documents permit:",
    "proposition": "What else the documents say:",
}
"""The only synthetic text of Tier 3: it says what kind of statement follows, never what a document says."""


@dataclass(frozen=True, slots=True)
class Member:
    """A chunk that speaks to a topic.

    Attributes:
        chunk: the chunk, an item of Tier 2.
        relevance: 0..1, from :func:`~coditect.tiers.sections.topics.speaks_to`.
        words: of the chunk, where they were read already.
    """

    chunk: Chunk
    relevance: float
    words: ChunkWords | None = field(default=None, compare=False)

    @property
    def sentences(self) -> list[tuple[SelectedSentence, frozenset[str]]]:
        """The selected sentences of the chunk, each with its stems."""
        own = self.chunk.selected_sentences
        stems = [sentence_stems(each.text) for each in own] if self.words is None else self.words.sentences
        return [(sentence, frozenset(words)) for sentence, words in zip(own, stems, strict=True)]

    @property
    def headed(self) -> frozenset[str]:
        """The stems of its headings."""
        return heading_stems(self.chunk) if self.words is None else self.words.headed


@dataclass(frozen=True, slots=True)
class _Quote:
    chunk: Chunk
    sentence: SelectedSentence
    group: str
    score: float
    words: frozenset[str]


def build_section(
    corpus_id: str,
    derivation_id: str,
    topic: Topic,
    members: Sequence[Member],
    names: Mapping[str, str],
    max_synthesis_ratio: float,
) -> Section:
    """Compose the section on a topic.

    Args:
        corpus_id: id of the corpus that the section belongs to.
        derivation_id: id of the derivation that the section is made under.
        topic: what it is about.
        members: every chunk that speaks to it, at least one, in any order.
        names: document name by document id.
        max_synthesis_ratio: 0..1; transitions are dropped, least needed first, until the section passes.
    Raises:
        NotExtractive, SynthesisRatioExceeded: the section does not hold what Tier 3 promises.
    """
    ordered = sorted(
        members, key=lambda member: (document_order(member.chunk.document_id), member.chunk.char_offset_start)
    )
    quotes = _choose([quote for member in ordered for quote in _quotes(member, topic)], topic)
    parts = _compose(quotes, names, max_synthesis_ratio if topic.kind == "topic" else 0.0)
    section = Section.create(
        corpus_id=corpus_id,
        derivation_id=derivation_id,
        section_kind=topic.kind,
        topic=topic.name,
        topic_terms=topic.stems,
        content=parts,
        source_chunks=tuple(member.chunk.chunk_id for member in ordered),
        document_count=len({member.chunk.document_id for member in ordered}),
        quoted_document_count=len({quote.chunk.document_id for quote in quotes}),
        synthesized_content_ratio=synthesis_ratio(parts),
        max_synthesis_ratio=max_synthesis_ratio,
    )
    require_section(section, {quote.chunk.chunk_id: quote.chunk for quote in quotes})
    return section


def _quotes(member: Member, topic: Topic) -> list[_Quote]:
    """The sentences of a chunk that belong in the section, with their scores."""
    sentences = [(s, words) for s, words in member.sentences if topic.admits(member.chunk, s)]
    wanted = frozenset(topic.stems)
    if wanted:
        # Under one heading that names the topic every sentence is about it; under several, those that speak of it.
        own = len(member.chunk.headings) < 2 and wanted <= member.headed
        spoken = [(s, words) for s, words in sentences if own or 2 * len(wanted & words) >= len(wanted)]
        sentences = spoken or sentences
    return [_quote(member, topic, sentence, wanted, words) for sentence, words in sentences]


def _quote(
    member: Member, topic: Topic, sentence: SelectedSentence, wanted: frozenset[str], words: frozenset[str]
) -> _Quote:
    group = next((kind for kind in GROUPS if kind in sentence.kinds), "proposition")
    overlap = len(wanted & words) / len(wanted) if wanted else 1.0
    score = member.relevance * (0.2 + 0.8 * overlap) * (0.6 + 0.4 * sentence.score)
    score *= WORTH[group] if topic.kind == "topic" else 1.0
    score *= 0.3 if len(sentence.text) > LONG_QUOTE or len(words) < FEW_WORDS else 1.0
    score += 1.0 if (member.chunk.document_id, sentence.char_start) in topic.disputed else 0.0
    return _Quote(member.chunk, sentence, group, round(score, 6), words)


def _choose(quotes: list[_Quote], topic: Topic) -> list[_Quote]:
    """What a register is for; then the best quote of each document in turn, then the second best, …, without repeats."""
    ordered = sorted(quotes, key=_order)
    if topic.disputed:
        return [quote for quote in ordered if quote.score > 1.0][:MAX_REGISTERED]
    queues: dict[str, list[_Quote]] = {}
    for quote in ordered:
        queues.setdefault(quote.chunk.document_id, []).append(quote)
    chosen: list[_Quote] = []
    while queues and len(chosen) < MAX_QUOTES:
        for document_id in sorted(queues, key=lambda each: _order(queues[each][0])):
            if len(chosen) == MAX_QUOTES:
                break
            quote = queues[document_id].pop(0)
            if not any(_repeats(quote, other) for other in chosen):
                chosen.append(quote)
            if not queues[document_id]:
                del queues[document_id]
    return chosen


def _order(quote: _Quote) -> tuple[float, str, int]:
    return (-quote.score, document_order(quote.chunk.document_id), quote.sentence.char_start)


def _repeats(quote: _Quote, other: _Quote) -> bool:
    """Within a document a near copy says nothing new; across documents it is evidence that both say it."""
    same = quote.chunk.document_id == other.chunk.document_id
    union = len(quote.words | other.words) or 1
    return same and len(quote.words & other.words) / union >= REPEAT


def _compose(quotes: list[_Quote], names: Mapping[str, str], max_ratio: float) -> tuple[SectionPart, ...]:
    groups = {kind: [quote for quote in quotes if quote.group == kind] for kind in GROUPS}
    present = [kind for kind in GROUPS if groups[kind]]
    said = set(present if len(present) > 1 else ())
    while True:
        parts: list[SectionPart] = []
        for kind in present:
            if kind in said:
                parts.append(SectionPart(type="synthetic", content=TRANSITIONS[kind]))
            parts += [_part(quote, names) for quote in sorted(groups[kind], key=_order)]
        if synthesis_ratio(tuple(parts)) <= max_ratio or not said:
            return tuple(parts)
        said.remove(min(said, key=lambda kind: (sum(len(q.sentence.text) for q in groups[kind]), kind)))


def _part(quote: _Quote, names: Mapping[str, str]) -> SectionPart:
    chunk, sentence = quote.chunk, quote.sentence
    return SectionPart(
        type="extractive",
        content=sentence.text,
        citation=Citation(
            chunk_id=chunk.chunk_id,
            extraction_ids=sentence.extraction_ids,
            document_id=chunk.document_id,
            version_id=chunk.version_id,
            document_name=names[chunk.document_id],
            char_start=sentence.char_start,
            char_end=sentence.char_end,
        ),
    )
