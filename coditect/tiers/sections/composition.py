"""Tier 3: a section quotes what several documents say about a topic, and joins the quotes by flagged transitions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from coditect.schemas import Chunk, Citation, Section, SectionPart, SelectedSentence, document_order, synthesis_ratio
from coditect.tiers.evidence import require_section
from coditect.tiers.findings.said.statements import sentence_stems
from coditect.tiers.sections.topics import Topic
from coditect.tiers.sections.wording import heading_stems

__all__ = [
    "MAX_QUOTES",
    "SECTIONS_VERSION",
    "Drawn",
    "Member",
    "MemberSentence",
    "SectionMember",
    "build_section",
    "group_of",
    "is_long",
]

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
class MemberSentence:
    """What is known of a selected sentence before it is chosen.

    Attributes:
        number: its number among the sentences of its chunk.
        char_start: where it begins.
        score: its salience, 0..1.
        group: the number of its group among :data:`GROUPS`.
        is_long: see :func:`is_long`.
        words: its stems, as the member names words.
    """

    number: int
    char_start: int
    score: float
    group: int
    is_long: bool
    words: frozenset[Hashable]


class SectionMember(Protocol):
    """A chunk that speaks to a topic, of which as much is read as is asked for."""

    @property
    def chunk(self) -> Chunk:
        """The chunk, an item of Tier 2."""
        ...

    @property
    def chunk_id(self) -> str:
        """Its id."""
        ...

    @property
    def document_id(self) -> str:
        """The document that it stands in."""
        ...

    @property
    def char_start(self) -> int:
        """Where it begins."""
        ...

    @property
    def relevance(self) -> float:
        """How much it speaks to the topic, 0..1, from :meth:`~coditect.tiers.shares.speakers.SpokenLists.speakers`."""
        ...

    @property
    def is_headed_once(self) -> bool:
        """Whether at most one heading stands in it."""
        ...

    @property
    def headed(self) -> frozenset[Hashable]:
        """The stems of its headings, as the member names words."""
        ...

    def named(self, stems: Iterable[str]) -> frozenset[Hashable]:
        """Stems as the member names words."""
        ...

    def told(self, topic: Topic) -> list[MemberSentence]:
        """Its sentences that a topic admits."""
        ...


@dataclass(frozen=True, slots=True)
class Member:
    """A chunk that is at hand, and speaks to a topic.

    Attributes:
        chunk: the chunk, an item of Tier 2.
        relevance: 0..1, from :meth:`~coditect.tiers.shares.speakers.SpokenLists.speakers`.
    """

    chunk: Chunk
    relevance: float

    @property
    def chunk_id(self) -> str:
        """Its id."""
        return self.chunk.chunk_id

    @property
    def document_id(self) -> str:
        """The document that it stands in."""
        return self.chunk.document_id

    @property
    def char_start(self) -> int:
        """Where it begins."""
        return self.chunk.char_offset_start

    @property
    def is_headed_once(self) -> bool:
        """Whether at most one heading stands in it."""
        return len(self.chunk.headings) < 2

    @property
    def headed(self) -> frozenset[Hashable]:
        """The stems of its headings."""
        return heading_stems(self.chunk)

    def named(self, stems: Iterable[str]) -> frozenset[Hashable]:
        """Stems as they are."""
        return frozenset(stems)

    def told(self, topic: Topic) -> list[MemberSentence]:
        """Its sentences that a topic admits."""
        return [
            MemberSentence(
                number, s.char_start, s.score, group_of(s), is_long(s), frozenset[Hashable](sentence_stems(s.text))
            )
            for number, s in enumerate(self.chunk.selected_sentences)
            if topic.admits(self.chunk, s)
        ]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Every chunk that speaks to a topic, where not all of them are at hand as members.

    Attributes:
        chunks: their ids, in the order of their documents (:func:`~coditect.schemas.document_order`) and then of these.
        documents: how many documents they are of.
    """

    chunks: tuple[str, ...]
    documents: int


@dataclass(frozen=True, slots=True)
class _Quote:
    member: SectionMember
    sentence: MemberSentence
    score: float

    @property
    def group(self) -> str:
        """The name of its group."""
        return GROUPS[self.sentence.group]

    @property
    def selected(self) -> SelectedSentence:
        """The sentence itself, which reads its chunk."""
        return self.member.chunk.selected_sentences[self.sentence.number]


def build_section(
    corpus_id: str,
    derivation_id: str,
    topic: Topic,
    members: Sequence[SectionMember],
    names: Mapping[str, str],
    max_synthesis_ratio: float,
    drawn: Drawn | None = None,
) -> Section:
    """Compose the section on a topic.

    Args:
        corpus_id: id of the corpus that the section belongs to.
        derivation_id: id of the derivation that the section is made under.
        topic: what it is about.
        members: the chunks that may be quoted, at least one, in any order.
        names: document name by document id.
        max_synthesis_ratio: 0..1; transitions are dropped, least needed first, until the section passes.
        drawn: every chunk that speaks to it; None: the members are all.
    Raises:
        NotExtractive, SynthesisRatioExceeded: the section does not hold what Tier 3 promises.
    """
    ordered = sorted(members, key=lambda member: (document_order(member.document_id), member.char_start))
    quotes = _choose([quote for member in ordered for quote in _quotes(member, topic)], topic)
    if drawn is None:
        drawn = Drawn(tuple(each.chunk_id for each in ordered), len({each.document_id for each in ordered}))
    parts = _compose(quotes, names, max_synthesis_ratio if topic.kind == "topic" else 0.0)
    section = Section.create(
        corpus_id=corpus_id,
        derivation_id=derivation_id,
        section_kind=topic.kind,
        topic=topic.name,
        topic_terms=topic.stems,
        content=parts,
        source_chunks=drawn.chunks,
        document_count=drawn.documents,
        quoted_document_count=len({quote.member.document_id for quote in quotes}),
        synthesized_content_ratio=synthesis_ratio(parts),
        max_synthesis_ratio=max_synthesis_ratio,
    )
    require_section(section, {quote.member.chunk_id: quote.member.chunk for quote in quotes})
    return section


def _quotes(member: SectionMember, topic: Topic) -> list[_Quote]:
    """The sentences of a chunk that belong in the section, with their scores."""
    sentences = member.told(topic)
    wanted = member.named(topic.stems)
    if wanted:
        # Under one heading that names the topic every sentence is about it; under several, those that speak of it.
        own = member.is_headed_once and wanted <= member.headed
        spoken = [each for each in sentences if own or 2 * len(wanted & each.words) >= len(wanted)]
        sentences = spoken or sentences
    return [_quote(member, topic, sentence, wanted) for sentence in sentences]


def group_of(sentence: SelectedSentence) -> int:
    """The number of the group of :data:`GROUPS` that a sentence belongs to."""
    return next((number for number, kind in enumerate(GROUPS) if kind in sentence.kinds), len(GROUPS) - 1)


def is_long(sentence: SelectedSentence) -> bool:
    """Whether a sentence is taken only if nothing shorter speaks for its document."""
    return len(sentence.text) > LONG_QUOTE


def _quote(member: SectionMember, topic: Topic, sentence: MemberSentence, wanted: frozenset[Hashable]) -> _Quote:
    overlap = len(wanted & sentence.words) / len(wanted) if wanted else 1.0
    # The same in coditect.tiers.shares.speakers, for all sentences of a corpus at once.
    score = member.relevance * (0.2 + 0.8 * overlap) * (0.6 + 0.4 * sentence.score)
    score *= WORTH[GROUPS[sentence.group]] if topic.kind == "topic" else 1.0
    score *= 0.3 if sentence.is_long or len(sentence.words) < FEW_WORDS else 1.0
    score += 1.0 if (member.document_id, sentence.char_start) in topic.disputed else 0.0
    return _Quote(member, sentence, round(score, 6))


def _choose(quotes: list[_Quote], topic: Topic) -> list[_Quote]:
    """What a register is for; then the best quote of each document in turn, then the second best, …, without repeats."""
    ordered = sorted(quotes, key=_order)
    if topic.disputed:
        return [quote for quote in ordered if quote.score > 1.0][:MAX_REGISTERED]
    queues: dict[str, list[_Quote]] = {}
    for quote in ordered:
        queues.setdefault(quote.member.document_id, []).append(quote)
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
    return (-quote.score, document_order(quote.member.document_id), quote.sentence.char_start)


def _repeats(quote: _Quote, other: _Quote) -> bool:
    """Within a document a near copy says nothing new; across documents it is evidence that both say it."""
    if quote.member.document_id != other.member.document_id:
        return False
    ours, theirs = quote.sentence.words, other.sentence.words
    return len(ours & theirs) / (len(ours | theirs) or 1) >= REPEAT


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
        said.remove(min(said, key=lambda kind: (sum(len(q.selected.text) for q in groups[kind]), kind)))


def _part(quote: _Quote, names: Mapping[str, str]) -> SectionPart:
    chunk, sentence = quote.member.chunk, quote.selected
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
