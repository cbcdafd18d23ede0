"""Sentences that the reducer names and Tier 2 has not: they join it by a derivation of their own, so that claims can cite them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from coditect.documents.layout import version_source
from coditect.knowledge.derivation.plan import DocumentPlan
from coditect.knowledge.derivation.run import BuildRun
from coditect.knowledge.derivation.source import stored_text
from coditect.knowledge.model_roles.agency import Agency
from coditect.knowledge.model_roles.at_odds.sentences import ReportedPair, ReportedSide
from coditect.knowledge.model_roles.documents import unfinished
from coditect.schemas import Derivation
from coditect.store.view import View
from coditect.tiers.chunks.summaries import CHUNKS_VERSION, chunk_records
from coditect.tiers.extractions.document import read_document

__all__ = ["Place", "PlacedPair", "name_sentences", "placed", "places_of_sides"]

Place = tuple[str, int]
"""(document id, first code point of a sentence of Tier 2)."""


@dataclass(frozen=True, slots=True)
class PlacedPair:
    """Two sentences of Tier 2 that a model finds at odds.

    Attributes:
        pair: what it says.
        places: of the two sentences, in the order of the pair's sides.
    """

    pair: ReportedPair
    places: tuple[Place, Place]


def name_sentences(
    agency: Agency, run: BuildRun, view: View, documents: Sequence[DocumentPlan], sides: Iterable[ReportedSide]
) -> bool:
    """Add to Tier 2 the sentences of named words that it has not; entered into the plans of their documents.

    Args:
        agency: says by which version of the reducer they are named.
        run: the run of the build; its report counts what is made.
        view: a draft without them.
        documents: the documents of the build; their plans are changed.
        sides: the words that the reducer names.
    Returns:
        Whether a plan was changed.
    """
    wanted = _missing(view, list(sides))
    plans = [each for each in documents if each.version.document_id in wanted]
    by = agency.version_of("reducer")

    def step_of(document: DocumentPlan) -> Derivation:
        version, spans = document.version, wanted[document.version.document_id]
        parameters = {"by": by, "named": [list(each) for each in spans]}
        inputs = document.chunks.inputs_of(document.chunks.tier1_id(version))
        return Derivation.create(version.corpus_id, "chunks", inputs, "llm_extractive", parameters, CHUNKS_VERSION)

    def enter(document: DocumentPlan, step: Derivation) -> None:
        document.named_id = step.derivation_id if step.outputs else ""

    for document, step in unfinished(run, plans, step_of, enter):
        version = document.version
        reading = read_document(version_source(version, *stored_text(run.store, version)))
        spans = wanted[version.document_id]
        # What the mapper found stands behind what rules found.
        found = sorted(view.extractions(version.document_id), key=lambda each: each.char_offset_start)
        made = chunk_records(version, reading, step.derivation_id, found, "llm_extractive", named=spans)
        chunks = list(made)
        run.store.put_items(chunks)
        finished = step.giving(chunks)
        run.store.put_derivations([finished])
        run.report.derived["chunks"] += len(chunks)
        enter(document, finished)
    return any(document.named_id for document in plans)


def placed(view: View, pairs: Sequence[ReportedPair]) -> list[PlacedPair]:
    """Pairs with the sentences of Tier 2 that hold their words; those that Tier 2 cannot hold, or as one sentence, are left out."""
    found = []
    held = places_of_sides(view, [side for pair in pairs for side in pair.sides])
    for pair in pairs:
        first, second = (held[side] for side in pair.sides)
        if first is not None and second is not None and first != second:
            found.append(PlacedPair(pair, (first, second)))
    return found


def places_of_sides(view: View, sides: Sequence[ReportedSide]) -> dict[ReportedSide, Place | None]:
    """The place of the sentence of Tier 2 that holds most of each named words; None where none holds any of them."""
    sentences = _sentences(view, sides)
    return {side: _held(sentences[side.document_id], side) for side in sides}


def _missing(view: View, sides: Sequence[ReportedSide]) -> dict[str, list[tuple[int, int]]]:
    """(first, last code point) of words that no sentence of Tier 2 holds, by document."""
    missing: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for side, place in places_of_sides(view, sides).items():
        if place is None:
            missing[side.document_id].add((side.start, side.end))
    return {document_id: sorted(spans) for document_id, spans in missing.items()}


def _sentences(view: View, sides: Iterable[ReportedSide]) -> Mapping[str, list[tuple[str, int, int]]]:
    """(document id, first, last code point) of the sentences of Tier 2, by the documents of named words."""
    ids = sorted({side.document_id for side in sides})
    return {
        each: [
            (each, sentence.char_start, sentence.char_end)
            for chunk in view.chunks(each)
            for sentence in chunk.selected_sentences
        ]
        for each in ids
    }


def _held(sentences: Sequence[tuple[str, int, int]], side: ReportedSide) -> Place | None:
    """The sentence that holds most of a side's words, the first of those that hold as much; None where none holds any."""
    shared = [(min(end, side.end) - max(start, side.start), -start, own) for own, start, end in sentences]
    most = max(shared, default=(0, 0, ""))
    return (most[2], -most[1]) if most[0] > 0 else None
