"""The search page: what was found, why, and what to say where the corpus does not speak of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from coditect.errors import UsageError
from coditect.knowledge.review.doubts import possible_in
from coditect.reports.claims import possible_counted
from coditect.reports.wording import EXTRACTION_NAMES
from coditect.schemas import (
    ExtractionKind,
    Granularity,
    Hit,
    Modality,
    QueryResult,
    SearchFilters,
    SearchMode,
    SearchOptions,
    Source,
)
from coditect.server.answers import answered_before
from coditect.server.explorer.paging import ListPage, page_of
from coditect.server.explorer.shown.reading.pieces import MarkedPiece, Overlay
from coditect.server.explorer.shown.wording import TIER_WORDS, kind_name
from coditect.server.explorer.visit import Visit

__all__ = ["FORCES", "MODES", "HitRow", "Question", "Results", "answering", "search"]

HITS = 20
"""Hits of a page."""

MOST_HITS = 1_000
"""Hits of a question, at most; so many the use case gives."""

MODES: tuple[tuple[SearchMode, str], ...] = (
    ("hybrid", "words and meaning"),
    ("lexical", "words"),
    ("dense", "meaning"),
    ("exact", "exactly these words"),
)

FIRST_HITS = 200
"""Hits that are asked for until somebody goes on behind them."""

FORCES: tuple[tuple[Modality, str], ...] = (
    ("mandatory", "mandatory"),
    ("recommended", "recommended"),
    ("optional", "optional"),
    ("prohibited", "prohibited"),
)

_PARTS = {
    "lexical": "its words",
    "dense": "its meaning",
    "exact": "it names it",
    "document": "its document",
    "section": "its section",
    "rerank": "the reranker",
    "gate": "the relevance gate",
}


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Attributes:
        words: of the visitor.
        tier: which items answer.
        mode: how they are looked for.
        document: a name, or a pattern of names; "" for all.
        kind: of statement; "" for all.
        force: of statement; "" for all.
        gate: whether what is not relevant is left out.
        page: from 1.
    """

    words: str
    tier: str = "passage"
    mode: str = "hybrid"
    document: str = ""
    kind: str = ""
    force: str = ""
    gate: bool = True
    page: int = 1

    @property
    def is_filtered(self) -> bool:
        """Whether anything but the words restricts it."""
        return bool(self.document or self.kind or self.force) or self.mode != "hybrid"


@dataclass(frozen=True, slots=True)
class HitRow:
    """An item that answers.

    Attributes:
        rank: its place.
        pieces: its words; what answers is highlighted.
        kind: what it is, in words.
        where: document, heading and page, in words.
        href: where it leads: into the document, or to the item's page.
        item_href: the item's page.
        relevance: what the gate says: correct or ambiguous; "" where it was not asked.
        probability: that it is relevant, 0..1; None where nobody says.
        matched: by what it was found, in words.
        parts: (part of the search, its rank, what it added) of the explanation.
        mark: of what is no answer itself: what it has to do with the passage that answers; else "".
        answered_href: that passage, in its document; "" where there is no mark, or this is it.
    """

    rank: int
    pieces: tuple[MarkedPiece, ...]
    kind: str
    where: str
    href: str
    item_href: str
    relevance: str
    probability: float | None
    matched: str
    parts: tuple[tuple[str, str, str], ...]
    mark: str = ""
    answered_href: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    """The page.

    Attributes:
        question: as it was asked.
        page: the hits.
        note: how it was read, or why nothing answers.
        is_silent: whether the gate left everything out: the corpus does not speak of it.
        ungated: the address that shows what is nearest all the same.
        tiers: (keyword, word, address, whether it is the one) of the switch.
        waiting: among findings, how many are only possible, which nobody finds by a question; "" where there is none.
        waiting_href: the page that lists them.
    """

    question: Question
    page: ListPage[HitRow]
    note: str
    is_silent: bool
    ungated: str
    tiers: tuple[tuple[str, str, str, bool], ...]
    waiting: str = ""
    waiting_href: str = ""


def answering(visit: Visit) -> Visit:
    """The visit of the generation that answers: the one that is named, or the newest of which search is made here.

    So it is the current one, too, where search of none of the last few is made.
    """
    if visit.links.as_of is not None:
        return visit
    number = visit.knowledge.searched_generation(visit.corpus_id)
    return visit if number == visit.view.generation else replace(visit, links=visit.links.at(number))


def search(visit: Visit, question: Question, *, answers: Visit | None = None, asks: bool = True) -> Results:
    """Ask, and make the page.

    Args:
        visit: the page's.
        question: what is asked.
        answers: the visit of the generation that answers, from :func:`answering`; None: that of the page.
        asks: False: only the form is shown.

    Raises:
        NotFound: a filter names what is not there.
        UsageError: an unknown tier or mode, or a question that cannot be asked.
    """
    if question.tier not in TIER_WORDS:
        raise UsageError("an unknown tier", tier=question.tier, hint=f"One of: {', '.join(TIER_WORDS)}.")
    of = answers or visit
    result = _ask(of, question) if question.words and asks else None
    hits = () if result is None else result.hits
    note = "" if result is None else f"{result.note[:1].upper()}{result.note[1:]}"
    if of.view.generation != visit.view.generation:
        note = answered_before(note, visit.view.generation, of.view.generation)

    def link(page: int) -> str:
        return _link(visit, question, page=page)

    shown = page_of(hits, question.page, link, HITS)
    rows = tuple(_row(of, question, hit) for hit in shown.rows)
    return Results(
        question=question,
        page=ListPage(rows, shown.number, shown.first, shown.total, shown.previous, shown.next),
        note=note,
        is_silent=result is not None and not hits and question.gate,
        ungated=_link(visit, question, gate="off", page=None),
        tiers=tuple(
            (tier, word, _link(visit, question, tier=tier, page=None), tier == question.tier)
            for tier, word in TIER_WORDS.items()
        ),
        waiting=_waiting(of) if question.tier == "corpus" else "",
        waiting_href=visit.links.to("claims", show="possible"),
    )


def _waiting(visit: Visit) -> str:
    return possible_counted([each.claim_kind for each in possible_in(visit.view)])


def _ask(visit: Visit, question: Question) -> QueryResult:
    """As many hits as the first ten pages hold; all that there are to whoever goes on."""
    filters = SearchFilters(
        documents=(question.document,) if question.document else (),
        kinds=(cast("ExtractionKind", question.kind),) if question.kind in EXTRACTION_NAMES else (),
        modalities=tuple(force for force, _ in FORCES if force == question.force),
    )
    mode: SearchMode = next((mode for mode, _ in MODES if mode == question.mode), "hybrid")
    return visit.knowledge.query(
        visit.corpus_id,
        question.words,
        tier=cast("Granularity", question.tier),
        limit=MOST_HITS if question.page > FIRST_HITS // HITS else FIRST_HITS,
        as_of=visit.view.generation,
        options=SearchOptions(mode=mode, filters=filters, gate=question.gate, explain=True),
    )


def _link(visit: Visit, question: Question, **other: object) -> str:
    given: dict[str, Any] = {
        "q": question.words,
        "tier": question.tier,
        "mode": "" if question.mode == "hybrid" else question.mode,
        "document": question.document,
        "kind": question.kind,
        "force": question.force,
        "gate": "" if question.gate else "off",
        "page": None,
    }
    return visit.links.to("search", **{**given, **other})


def _row(visit: Visit, question: Question, hit: Hit) -> HitRow:
    item = hit.item
    item_href = visit.links.item(item.item_id)
    return HitRow(
        rank=hit.rank,
        pieces=_pieces(item, hit.focus),
        kind=kind_name(item.kind),
        where=" · ".join(_where(item)),
        href=_place(visit, item, hit.focus) or item_href,
        item_href=item_href,
        relevance=hit.relevance or "",
        probability=hit.probability,
        matched={"exact": "named outright", "hybrid": "by words and meaning"}.get(
            hit.matched_by, f"by {hit.matched_by}"
        ),
        parts=tuple(
            (_PARTS.get(part.part, part.part), "" if part.rank is None else f"{part.rank}", f"{part.contribution:.3f}")
            for part in hit.parts
        ),
        mark=hit.mark,
        answered_href=""
        if hit.answered_by is None or hit.answered_by.item_id == item.item_id
        else _place(visit, hit.answered_by, hit.answered_focus),
    )


def _where(item: Source) -> Iterator[str]:
    if item.document_name:
        yield item.document_name
    if item.heading:
        yield item.heading
    if item.locator and item.locator not in item.heading:
        yield item.locator
    if item.page is not None:
        yield f"page {item.page}"


def _place(visit: Visit, item: Source, focus: Source | None) -> str:
    """The words in the document: the sentences that answer, where those are known."""
    at = focus if focus is not None and focus.char_offset_start is not None else item
    if not item.version_id or at.char_offset_start is None or at.char_offset_end is None:
        return ""
    chosen = item.item_id if item.item_id.startswith("extraction_") else ""
    return visit.links.place(item.version_id, at.char_offset_start, at.char_offset_end, item=chosen)


def _pieces(item: Source, focus: Source | None) -> tuple[MarkedPiece, ...]:
    """The words of an item, those that answer highlighted."""
    begin = item.char_offset_start
    if focus is None or begin is None or focus.char_offset_start is None or focus.char_offset_end is None:
        return (MarkedPiece(item.text),) if item.text else ()
    hit = (focus.char_offset_start - begin, focus.char_offset_end - begin)
    if hit[0] < 0 or hit[1] > len(item.text) or item.text[hit[0] : hit[1]] != focus.text:
        return (MarkedPiece(item.text),)
    return Overlay([hit]).pieces(item.text, 0, len(item.text))
