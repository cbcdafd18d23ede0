"""Tier 2 of one document: a pure function from its reading and Tier 1 to extractive summaries."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from coditect.documents.passages.structural import StructuralPassage, passages
from coditect.documents.sentences import SEGMENTER, Span
from coditect.documents.structure.outline import printed
from coditect.language.terms import terms
from coditect.schemas import (
    Chunk,
    CrossReferenceData,
    DocumentVersion,
    Duty,
    Extraction,
    ExtractionMethod,
    NormData,
    QuantityData,
    SelectedSentence,
)
from coditect.schemas.tier1.data import SPAN_KINDS
from coditect.tiers.chunks.facts import SHORT_NOTE, Marks, marks_of, missing_parts, open_point_of, place_of
from coditect.tiers.chunks.selection import (
    Selected,
    SelectionMethod,
    SelectionParameters,
    SentenceCandidate,
    document_idf,
    select,
)
from coditect.tiers.chunks.speech import spoken_weights
from coditect.tiers.chunks.weights import FIGURES, binding_share, figure_weight
from coditect.tiers.evidence import require_chunk
from coditect.tiers.extractions.document import NORMATIVE, DocumentReading
from coditect.tiers.findings.conflicts.entries import LONGEST_DUTY, OPTIONAL, forbidding_in, tells
from coditect.tiers.findings.measures import comparable_measure, head_of
from coditect.tiers.findings.missing import requires_document
from coditect.tiers.findings.naming import company_document
from coditect.tiers.findings.tables import is_row

__all__ = ["CHUNKS_VERSION", "Choice", "choices", "chunk_records"]

CHUNKS_VERSION = f"tier2/13 {SEGMENTER}"

KEY_TERMS = 24
"""Stemmed terms kept on each chunk for topics, most telling first."""

WEIGHTS = {"obligation": 1.5, "prohibition": 1.5, "definition": 1.3, "permission": 1.2}
"""Prior of a sentence in the selection, by the strongest thing that it says."""

_STANCES = frozenset(("prohibition", "permission"))
"""What each of them says, the other one rules out."""

SHARE = 0.35
"""Share of a chunk's characters that its summary aims at. Above what fits short reference summaries best (ADR 0013): what is
not selected here cannot be said above."""

MOST_SENTENCES = 10
"""Sentences of a summary, at most."""

FIXED = 1.5
"""Prior of a sentence that fixes a measure, names another company document, or leaves a point open: what auditors look for.
Those that are not salient enough for the summary are kept behind it, with a score of 0: tiers 3 and 4 compare them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a model may select of one chunk.

    Attributes:
        start: where the chunk begins, in code points.
        heading: the heading of the section that it stands in.
        sentences: verbatim, in document order; a selection names them by number, from 1.
        most: how many may be selected, at least 1.
    """

    start: int
    heading: str
    sentences: tuple[str, ...]
    most: int


def chunk_records(
    version: DocumentVersion,
    reading: DocumentReading,
    derivation_id: str,
    extractions: Iterable[Extraction],
    method: ExtractionMethod,
    selections: Mapping[int, Sequence[int]] | None = None,
    named: Sequence[tuple[int, int]] | None = None,
) -> Iterator[Chunk]:
    """Tier 2 of a document, in document order, each checked against the text and Tier 1; made as it is asked for.

    Passages without anything to select (headings alone, page numbers) have no chunk.

    Args:
        version: the document version.
        reading: its text, outline and sentences.
        derivation_id: id of the derivation that the chunks are made under.
        extractions: Tier 1 of the document, in the order of the text; no more of it is held than one chunk needs.
        method: how sentences are chosen; "llm_extractive" needs ``selections``.
        selections: chosen sentences by where their chunk begins, as numbers into its :class:`Choice`, the most salient first. A
            chunk without one is summarised by TextRank, and says so.
        named: (first, last code point) of words whose sentences alone are taken; the others are in another derivation of Tier 2.
            None: as above.
    Raises:
        NotExtractive: a selected sentence is not verbatim.
    """
    text = reading.source.text
    words = [terms(text[span.start : span.end]) for span in reading.sentences]
    idf = document_idf(words)
    binding = binding_share(words)
    spoken = spoken_weights([text[span.start : span.end] for span in reading.sentences], words)
    ranking: SelectionMethod = "tfidf" if method == "tfidf" else "textrank"
    parameters = SelectionParameters(method=ranking, ratio=SHARE, max_sentences=MOST_SENTENCES)
    marks = marks_of(reading.source, reading.sections, reading.sentences, reading.section_at)
    wanted = None if named is None else [(reading.matched.position(a), reading.matched.position(b)) for a, b in named]
    for passage, first, last, inside, stored in _passages(reading, extractions):
        own = slice(first, last)
        offered = _offer(text, reading.sentences[own], words[own], inside, marks, binding, spoken[own])
        numbers = None if selections is None else selections.get(passage.start)
        if wanted is not None:
            picked, used = _named(offered, wanted), method
        else:
            chosen = _ranked(text, offered, parameters, idf) if numbers is None else _given(offered, numbers)
            picked, used = _picked(offered, chosen), ranking if numbers is None else method
        if picked:
            record = _chunk(
                version, reading, derivation_id, passage, picked, inside, used, idf, words[first:last], last - first
            )
            require_chunk(reading.matched.verbatim, record, {each.extraction_id: each for each in stored})
            yield record


def choices(reading: DocumentReading, extractions: Iterable[Extraction]) -> list[Choice]:
    """What a model may select of each chunk, as :func:`chunk_records` is given it; those with a single sentence leave no choice."""
    text = reading.source.text
    marks = marks_of(reading.source, reading.sections, reading.sentences, reading.section_at)
    found = []
    for passage, first, last, inside, _ in _passages(reading, extractions):
        spans = reading.sentences[first:last]
        offered = _offer(
            text, spans, [()] * len(spans), inside, marks, 1.0, [1.0] * len(spans)
        )  # weights do not matter here
        if len(offered.candidates) > 1:
            texts = tuple(text[each.start : each.end] for each in offered.candidates)
            most = min(MOST_SENTENCES, max(1, round(SHARE * len(texts))))
            found.append(Choice(passage.start, printed(reading.sections[passage.section]), texts, most))
    return found


def _passages(
    reading: DocumentReading, extractions: Iterable[Extraction]
) -> Iterator[tuple[StructuralPassage, int, int, list[Extraction], list[Extraction]]]:
    """Each passage with the range of its sentences, and the extractions that begin in it: as they are read, and as stored."""
    sentence_starts = [span.start for span in reading.sentences]
    waiting = iter(extractions)
    following = next(waiting, None)
    for passage in passages(reading.source, reading.sections):
        stored: list[Extraction] = []
        while following is not None and (start := reading.matched.position(following.char_offset_start)) < passage.end:
            if start >= passage.start:
                stored.append(following)
            following = next(waiting, None)
        inside = sorted(
            reading.as_read(stored), key=lambda e: (e.char_offset_start, e.char_offset_end, e.extraction_id)
        )
        first, last = (bisect_left(sentence_starts, at) for at in (passage.start, passage.end))
        yield passage, first, last, inside, stored


@dataclass(frozen=True, slots=True)
class _Offer:
    """The sentences of a chunk that may be selected."""

    candidates: list[SentenceCandidate]
    backing: dict[tuple[int, int], SelectedSentence]
    terms_of: list[tuple[str, ...]]
    fixed: set[tuple[int, int]]


def _offer(
    text: str,
    spans: Sequence[Span],
    words: Sequence[tuple[str, ...]],
    extractions: Sequence[Extraction],
    marks: Marks,
    binding: float,
    spoken: Sequence[float],
) -> _Offer:
    offered = _Offer([], {}, [], set())
    candidates, fixed = offered.candidates, offered.fixed
    for span, own, told in zip(spans, words, spoken, strict=True):
        inside = [e for e in extractions if span.start <= e.char_offset_start and e.char_offset_end <= span.end]
        if not any(e.extraction_kind not in SPAN_KINDS for e in inside):
            continue
        sentence = _sentence(text, span, inside, marks)
        weight = max(WEIGHTS.get(e.extraction_kind, 1.0) for e in inside)
        facts = (sentence.measures, sentence.documents, sentence.places, sentence.open_point, sentence.empty)
        if any(facts) or span.start in marks.kept or _is_compared(sentence):
            fixed.add((span.start, span.end))
            weight = max(weight, FIXED)
        figures = sum(
            e.extraction_kind == "quantity" and e.read_as(QuantityData).quantity_kind in FIGURES for e in inside
        )
        weight = told * max(weight, figure_weight(figures, own, binding))
        if sentence.open_point and candidates and span.end - span.start <= SHORT_NOTE and not is_row(sentence.text):
            # "Owner to be confirmed." says nothing without what stands before it.
            fixed.add((candidates[-1].start, candidates[-1].end))
        candidates.append(SentenceCandidate(span.start, span.end, weight))
        offered.backing[span.start, span.end] = sentence
        offered.terms_of.append(own)
    return offered


def _is_compared(sentence: SelectedSentence) -> bool:
    """Whether a sentence says what others may rule out: what is forbidden or allowed, who approves, how many are needed."""
    text = sentence.text
    if len(text) > LONGEST_DUTY:
        return False
    if requires_document(text):
        return True
    stands = not _STANCES.isdisjoint(sentence.kinds)
    return bool(stands or OPTIONAL.search(text) or forbidding_in(text) or tells(text))


def _ranked(text: str, offered: _Offer, parameters: SelectionParameters, idf: dict[str, float]) -> list[Selected]:
    return list(select(text, offered.candidates, parameters, idf, terms_of=offered.terms_of))


def _given(offered: _Offer, numbers: Sequence[int]) -> list[Selected]:
    """The sentences that a model chose, the most salient first."""
    known = [
        offered.candidates[number - 1] for number in dict.fromkeys(numbers) if 0 < number <= len(offered.candidates)
    ]
    return [Selected(each.start, each.end, score=round(1.0 / rank, 6), rank=rank) for rank, each in enumerate(known, 1)]


def _picked(offered: _Offer, chosen: Sequence[Selected]) -> list[SelectedSentence]:
    """The chosen sentences, and behind them those that are kept for what they fix, in document order."""
    summary = {(s.start, s.end): s for s in chosen}
    picked: list[SelectedSentence] = []
    for place in sorted({*summary, *offered.fixed}):
        behind = len(chosen) + len([each for each in picked if each.score == 0.0]) + 1
        ranked = {"score": summary[place].score, "rank": summary[place].rank} if place in summary else {}
        picked.append(offered.backing[place].model_copy(update=ranked or {"score": 0.0, "rank": behind}))
    return picked


def _named(offered: _Offer, wanted: Sequence[tuple[int, int]]) -> list[SelectedSentence]:
    """The sentences that hold some of these words, in document order."""
    held = [place for place in sorted(offered.backing) if any(a < place[1] and place[0] < b for a, b in wanted)]
    return [offered.backing[place].model_copy(update={"rank": rank}) for rank, place in enumerate(held, 1)]


def _sentence(text: str, span: Span, inside: Sequence[Extraction], marks: Marks) -> SelectedSentence:
    strengths = {"prohibition": "prohibited", "permission": "optional"}
    norms = {e.extraction_id: e.read_as(NormData) for e in inside}
    return SelectedSentence(
        text=text[span.start : span.end],
        char_start=span.start,
        char_end=span.end,
        score=1.0,
        rank=1,
        extraction_ids=tuple(e.extraction_id for e in inside),
        kinds=tuple(sorted({e.extraction_kind for e in inside})),
        measures=tuple(
            comparable_measure(
                measure, strengths.get(e.extraction_kind) or norms[e.extraction_id].strength or "mandatory"
            )
            for e in inside
            for measure in e.measures
        ),
        duties=tuple(
            Duty(
                head=head_of(norms[e.extraction_id].action or "")[0],
                kind=cast("Literal['obligation', 'prohibition', 'permission']", e.extraction_kind),
                strength=norms[e.extraction_id].strength or "mandatory",
            )
            for e in inside
            if e.extraction_kind in NORMATIVE and not e.tier1_data.extraction_schema  # a model repeats what rules find
        ),
        documents=tuple(
            sorted(
                {
                    name
                    for e in inside
                    if (name := company_document(e.read_as(CrossReferenceData))) and not _of_itself(text, e)
                }
            )
        ),
        places=tuple(
            sorted(
                {
                    *(place for e in inside if (place := place_of(text, e, inside, marks.numbers))),
                    *missing_parts(text, span, marks.parts),
                }
            )
        ),
        open_point=open_point_of(text, span),
        empty=marks.empty.get(span.start, ()),
    )


def _of_itself(text: str, reference: Extraction) -> bool:
    """Whether a document names itself ("This Disaster Recovery Policy is maintained"): that refers to nothing."""
    before = text[max(0, reference.char_offset_start - 6) : reference.char_offset_start]
    return before.casefold().rstrip().endswith("this") or reference.source_text.casefold().startswith("this ")


def _chunk(
    version: DocumentVersion,
    reading: DocumentReading,
    derivation_id: str,
    passage: StructuralPassage,
    picked: list[SelectedSentence],
    inside: Sequence[Extraction],
    method: ExtractionMethod,
    idf: dict[str, float],
    words: Sequence[tuple[str, ...]],
    sentence_count: int,
) -> Chunk:
    section = reading.sections[passage.section]
    first, after = (bisect_left(reading.starts, at) for at in (passage.start, passage.end))
    begun = reading.sections[first:after]
    counts: dict[str, int] = {}
    for own in words:
        for term in own:
            counts[term] = counts.get(term, 0) + 1
    telling = sorted(counts, key=lambda term: (-counts[term] * idf.get(term, 1.0), term))[:KEY_TERMS]
    # A passage that was cut inside an over-long sentence ends with that sentence; the next one begins after it.
    _, start, end = reading.quote(passage.start, max(passage.end, picked[-1].char_end))
    return Chunk.create(
        corpus_id=version.corpus_id,
        document_id=version.document_id,
        version_id=version.version_id,
        derivation_id=derivation_id,
        section_id=section.section_id,
        section_ids=tuple(dict.fromkeys((section.section_id, *(s.section_id for s in begun)))),
        heading=printed(section),
        headings=tuple(dict.fromkeys(printed(s) for s in begun if s.heading)),
        parent_chain=section.parent_chain,
        char_offset_start=start,
        char_offset_end=end,
        extraction_method=method,
        sentence_count=sentence_count,
        selected_sentences=tuple(picked) if reading.matched.is_verbatim else tuple(_quoted(reading, picked)),
        source_extractions=tuple(e.extraction_id for e in inside if e.char_offset_end <= passage.end),
        entities=tuple(sorted({entity.name for e in inside for entity in e.entities})),
        key_terms=tuple(telling),
    )


def _quoted(reading: DocumentReading, picked: Sequence[SelectedSentence]) -> Iterator[SelectedSentence]:
    """The sentences as the canonical text has them."""
    for each in picked:
        text, start, end = reading.quote(each.char_start, each.char_end)
        yield each.model_copy(update={"text": text, "char_start": start, "char_end": end})
