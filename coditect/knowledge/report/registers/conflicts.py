"""Possible conflicts of a generation: the nearest pairs of sentences that fix different things, for a person to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from coditect.documents.layout import page_of
from coditect.documents.source import PageSpan
from coditect.errors import UsageError
from coditect.knowledge.progress import Progress, silent
from coditect.knowledge.query.filters import matching_documents
from coditect.knowledge.report.registers.said import SaidSentence, pages_in, said_in, title_of
from coditect.knowledge.review.doubts import possible_in
from coditect.models.port import Embedder
from coditect.schemas import ConflictDifference, ConflictPage, ConflictRow, ConflictSide, DocumentVersion
from coditect.store.view import View
from coditect.tiers.findings.conflicts.likeness.circles import comparable_among
from coditect.tiers.findings.conflicts.possible.facts import SentenceFacts, sentence_facts
from coditect.tiers.findings.conflicts.possible.nearest import Pair, nearest_pairs
from coditect.tiers.findings.standing import Standings

__all__ = ["LONGEST_RULE", "MOST_PAIRS", "comparable_in", "conflict_page", "conflict_rows"]

MOST_PAIRS = 500
"""Pairs that can be asked for."""

LONGEST_RULE = 600
"""Characters of a sentence above which it is no single rule."""


def conflict_rows(
    view: View,
    embedder: Embedder | None,
    today: str,
    *,
    documents: Sequence[str] = (),
    most: int = 20,
    progress: Progress = silent,
) -> list[ConflictRow]:
    """The nearest pairs; arguments and errors as :func:`conflict_page`."""
    return list(conflict_page(view, embedder, today, documents=documents, most=most, progress=progress).rows)


def conflict_page(
    view: View,
    embedder: Embedder | None,
    today: str,
    *,
    documents: Sequence[str] = (),
    first: int = 0,
    most: int = 20,
    progress: Progress = silent,
) -> ConflictPage:
    """Pairs of sentences that may be at odds, nearest first; what a conflict of rules tells, published or possible, is left out.

    Only documents that bind the same people on that day are compared, and no document with itself.

    Args:
        view: the generation.
        embedder: says how near sentences are.
        today: the day that decides which documents are in force, ISO 8601.
        documents: names, or patterns of names with ``*``, of which each pair has at least one; none: all.
        first: pairs that are passed over.
        most: pairs, 1 to :data:`MOST_PAIRS`.
        progress: told as documents are read and sentences compared.

    Raises:
        UsageError: no embedder; a number out of range.
        NotFound: no document is called so; the hint names some that there are.
    """
    if not 1 <= most <= MOST_PAIRS:
        raise UsageError("how many pairs?", limit=most, hint=f"A number from 1 to {MOST_PAIRS}.")
    if embedder is None:
        raise UsageError(
            "sentences are compared by meaning, and no embedder is configured",
            hint="Unset CODITECT_EMBEDDER, which is 'none' now, or name a model. "
            "What rules found is listed by coditect knowledge list --kind claim.",
        )
    wanted = matching_documents(view, documents) if documents else frozenset(view.documents)
    ordered = sorted(view.documents.values(), key=lambda each: (each.name, each.document_id))
    standings = Standings(view.documents, view.profiles, today)
    comparable = comparable_in(ordered, standings)
    told: list[_Sentence] = []
    for number, version in enumerate(ordered):
        if comparable[number].any():
            told += _telling(view, version, number)
        progress("reading", number + 1, len(ordered))
    if len(told) < 2:
        return ConflictPage(total=0)
    around = [f"{title_of(view, ordered[each.document])}. {each.said.item.heading}. {each.text}" for each in told]
    pairs = nearest_pairs(
        [embedder.embed([each.text for each in told]), embedder.embed(around)],
        np.array([each.document for each in told], dtype=np.int64),
        comparable,
        [each.facts for each in told],
        len(told),
        lambda done, of: progress("comparing", done, of),
    )
    told_by_claims = _told_by_claims(view)
    asked = [
        each for each in pairs if wanted & {ordered[told[n].document].document_id for n in (each.first, each.second)}
    ]
    kept = [each for each in asked if not _is_told(told[each.first], told[each.second], ordered, told_by_claims)]
    shown = _Shown(view, ordered, standings)
    rows = tuple(_row(each, told, shown) for each in kept[first : first + most])
    return ConflictPage(rows=rows, total=len(kept))


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence that fixes something: the number of its document, where it stands, and what it fixes."""

    document: int
    said: SaidSentence
    text: str
    facts: SentenceFacts


def comparable_in(ordered: Sequence[DocumentVersion], standings: Standings) -> npt.NDArray[np.bool_]:
    """(documents, documents): whether two of them bind the same people."""
    numbers = {each.document_id: number for number, each in enumerate(ordered)}
    found = np.zeros((len(ordered), len(ordered)), dtype=bool)
    for one, others in comparable_among(standings, sorted(numbers)).items():
        for other in others:
            found[numbers[one], numbers[other]] = True
    return found


def _telling(view: View, version: DocumentVersion, number: int) -> list[_Sentence]:
    text = view.text_of(version)
    found = []
    for each in said_in(view, version.document_id, text)[0]:
        sentence = text[each.start : each.end]
        if len(sentence) <= LONGEST_RULE and (facts := sentence_facts(sentence)):
            found.append(_Sentence(number, each, sentence, facts))
    return found


def _told_by_claims(view: View) -> list[frozenset[tuple[str, int, int]]]:
    """The places, as (document id, first, last code point), that each conflict quotes that is told, or what is stricter."""
    found = []
    for claim in (*(view.claims[each] for each in view.summary.claims), *possible_in(view)):
        if claim.claim_kind in ("conflict", "stricter"):
            parts = [view.section_by_id[each.section_id].content[each.part].citation for each in claim.citations]
            found.append(frozenset((c.document_id, c.char_start, c.char_end) for c in parts if c is not None))
    return found


def _is_told(
    first: _Sentence,
    second: _Sentence,
    ordered: Sequence[DocumentVersion],
    published: Sequence[frozenset[tuple[str, int, int]]],
) -> bool:
    def quoted(sentence: _Sentence, places: frozenset[tuple[str, int, int]]) -> bool:
        own = ordered[sentence.document].document_id
        return any(d == own and a < sentence.said.end and sentence.said.start < b for d, a, b in places)

    return any(quoted(first, each) and quoted(second, each) for each in published)


class _Shown:
    """Sides as they are shown; the pages of a document are read once."""

    def __init__(self, view: View, ordered: Sequence[DocumentVersion], standings: Standings) -> None:
        self._view, self._ordered, self._standings = view, ordered, standings
        self._pages: dict[int, tuple[PageSpan, ...]] = {}

    def side(self, sentence: _Sentence) -> ConflictSide:
        """A sentence with where it stands."""
        version, item = self._ordered[sentence.document], sentence.said.item
        if sentence.document not in self._pages:
            self._pages[sentence.document] = pages_in(self._view, version)
        pages = self._pages[sentence.document]
        return ConflictSide(
            document=version.name,
            document_id=version.document_id,
            title=title_of(self._view, version),
            role=self._standings.role(version.document_id),
            item_id=item.extraction_id,
            locator=item.locator,
            heading=item.heading,
            page=page_of(pages, sentence.said.start) if pages else None,
            text=sentence.text,
            char_start=sentence.said.start,
            char_end=sentence.said.end,
        )


def _row(pair: Pair, told: Sequence[_Sentence], shown: _Shown) -> ConflictRow:
    return ConflictRow(
        nearness=pair.nearness,
        differences=tuple(
            ConflictDifference(family=each.family, first=each.first, second=each.second) for each in pair.differences
        ),
        first=shown.side(told[pair.first]),
        second=shown.side(told[pair.second]),
    )
