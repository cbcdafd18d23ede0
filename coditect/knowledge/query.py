"""Questions: search at a granularity, exact matches first, with the chain of evidence where it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from coditect.errors import Corrupt, UsageError
from coditect.knowledge.context import Surroundings
from coditect.knowledge.filters import lets_through, resolve_filters
from coditect.knowledge.following import Links
from coditect.knowledge.small_to_big import Ancestor, to_level
from coditect.knowledge.sources import SourceBuilder
from coditect.models.cards import gate_for
from coditect.retrieve.exact import exact_matches, phrases
from coditect.retrieve.gate import judge, judge_again
from coditect.retrieve.merge import exact_first
from coditect.retrieve.port import Answer, Filter, Found, Match, Request, Searcher
from coditect.retrieve.search import RERANKED
from coditect.retrieve.units import asked_as
from coditect.retrieve.words import read_words, stems
from coditect.schemas import (
    GRANULARITIES,
    Chunk,
    Claim,
    Extraction,
    Granularity,
    Hit,
    Item,
    PartScore,
    Passage,
    QueryResult,
    Relevance,
    SearchOptions,
    Section,
)
from coditect.store.live import LiveIndex
from coditect.store.view import View

__all__ = ["MOST_HITS", "Opened", "Searcher", "run_query"]

MOST_HITS = 1000

Ranked = list[tuple[Found, bool]]

CANDIDATES = 3
LEAST_CANDIDATES = 50
"""Searched for each hit wanted, and at least: exact matches find their score there, and small-to-big its children."""

_TABLES: dict[Granularity, tuple[str, type[Item]]] = {
    "chunk": ("chunks", Chunk),
    "extraction": ("extractions", Extraction),
    "proposition": ("extractions", Extraction),
    "passage": ("passages", Passage),
}


@dataclass(frozen=True, slots=True)
class Opened:
    """A generation that is kept open between questions.

    Attributes:
        view: the generation.
        sources: makes the nodes, and keeps page maps and texts.
        index: counts through the indexes, and keeps terms.
        surroundings: finds what holds an item, and keeps outlines and passages.
        links: follows cross-references and defined terms.
    """

    view: View
    sources: SourceBuilder
    index: LiveIndex
    surroundings: Surroundings = field(init=False)
    links: Links = field(init=False)

    def __post_init__(self) -> None:
        """What follows from them."""
        object.__setattr__(self, "surroundings", Surroundings(self.view, self.sources))
        object.__setattr__(self, "links", Links(self.view, self.index, self.sources))


def run_query(
    opened: Opened,
    searcher: Searcher,
    query: str,
    *,
    tier: Granularity = "section",
    include_sources: bool = False,
    limit: int = 10,
    options: SearchOptions | None = None,
) -> QueryResult:
    """Answer a question from one granularity of one generation.

    What the query names outright (a section id, a defined term, a topic, a quoted phrase) comes before what only sounds like
    it. No hits is an answer.

    Args:
        opened: the generation.
        searcher: finds items by text and meaning.
        query: words; phrases in quotation marks must stand verbatim in an exact match.
        tier: which items answer: one of the four tiers, passages, or propositions.
        include_sources: fill in the chain of each hit down to Tier 1.
        limit: 1..1000 hits.
        options: mode, filters, gate and what else is wanted; None: the defaults.
    Raises:
        UsageError: an empty query, an unknown tier, a limit or level out of range, dense search without an embedder.
        NotFound: a filter names what is not there.
        Corrupt: the search replica does not fit the store.
    """
    chosen = options or SearchOptions()
    _require(query, tier, limit, chosen)
    view = opened.view
    only = resolve_filters(view, chosen.filters, tier)
    request = Request(query, tier, max(limit * CANDIDATES, LEAST_CANDIDATES), chosen.mode, chosen.fusion, only)
    answer = searcher.search(view, request)
    exact = _exact(opened, query, tier, only) if chosen.mode in ("hybrid", "exact") else []
    ranked = exact_first(exact, answer.found)
    ancestors: dict[str, Ancestor] = {}
    if chosen.return_level is not None:
        named = {found.item_id for found, is_exact in ranked if is_exact}
        below = [found for found, _ in ranked]
        passages = [item for item in _items(view, tier, below) if isinstance(item, Passage)]
        above = to_level(opened.surroundings, below, passages, chosen.return_level)
        ancestors = {each.passage.passage_id: each for each in above}
        ranked = [(each.found, not named.isdisjoint(each.children)) for each in above]
    # A phrase that only names the document is not what is looked for inside it.
    wanted = [phrase for phrase in phrases(query) if not set(stems(phrase)) <= answer.naming]
    ranked = ranked[: limit if not wanted and not chosen.rerank else None]
    items: list[Item] = (
        [ancestors[found.item_id].passage for found, _ in ranked]
        if chosen.return_level is not None
        else _items(view, tier, [found for found, _ in ranked])
    )
    if chosen.rerank:
        ranked, items = _reranked(opened, searcher, query, ranked, items)
    if wanted:
        ranked, items = _verbatim_first(opened, ranked, items, [" ".join(p.casefold().split()) for p in wanted])
    ranked, items, judged = _gated(opened, query, answer, chosen, ranked[:limit], items[:limit])
    hits = [
        _hit(opened, number, found, is_exact, item, ancestors.get(found.item_id), answer, chosen, include_sources)
        for number, ((found, is_exact), item) in enumerate(zip(ranked, items, strict=True), 1)
    ]
    return QueryResult(
        corpus_id=view.corpus_id,
        generation=view.generation,
        build_id=view.manifest.build_id,
        query=query,
        tier=tier,
        mode=answer.mode,
        relevance=_best_of(judged),
        embedder=answer.embedder,
        hits=tuple(hits),
    )


def _require(query: str, tier: Granularity, limit: int, options: SearchOptions) -> None:
    if not query.strip():
        raise UsageError("an empty query", hint="Say what you look for, e.g. --query 'incident reporting'.")
    if tier not in GRANULARITIES:
        raise UsageError("unknown tier", tier=tier, hint=f"Tiers: {', '.join(GRANULARITIES)}.")
    if not 1 <= limit <= MOST_HITS:
        raise UsageError("limit out of range", limit=limit, hint=f"Use 1 to {MOST_HITS}.")
    if options.return_level is not None and tier != "passage":
        raise UsageError("only passages have levels", tier=tier, hint="Use a return level with the tier passage.")
    if (options.expand is not None or options.follow) and tier in ("corpus", "section"):
        raise UsageError(
            "claims and sections are expanded by drilling down",
            tier=tier,
            hint="Use --expand and --follow with the tiers chunk, extraction, proposition or passage.",
        )


def _exact(opened: Opened, query: str, tier: Granularity, only: Filter | None) -> list[Match]:
    """What the query names outright, as far as the filters let it through."""
    found = exact_matches(opened.view, opened.index, query, tier)
    if only is None:
        return found
    return [match for match in found if lets_through(opened, only, tier, match)]


def _hit(
    opened: Opened,
    number: int,
    found: Found,
    is_exact: bool,
    item: Item,
    ancestor: Ancestor | None,
    answer: Answer,
    options: SearchOptions,
    deep: bool,
) -> Hit:
    ranked_by: Literal["lexical", "dense", "hybrid"] = "hybrid" if answer.mode == "exact" else answer.mode
    passage = item if isinstance(item, Passage) else None
    matched = None if passage is None else passage.level if ancestor is None else ancestor.matched_level
    return Hit(
        rank=number,
        score=found.score,
        matched_by="exact" if is_exact else ranked_by,
        item=opened.sources.source(item, deep=deep),
        relevance=found.relevance,
        probability=found.probability,
        token_count=None if passage is None else passage.token_count,
        matched_at_level=matched,
        returned_at_level=None if passage is None else passage.level,
        matched_child_ids=() if ancestor is None else ancestor.children,
        parts=tuple(
            PartScore(part=p.name, rank=p.rank, score=p.score, weight=p.weight, contribution=p.contribution)
            for p in found.parts
        )
        if options.explain
        else (),
        context=() if options.expand is None else opened.surroundings.around(item, options.expand),
        references=() if not options.follow else opened.links.follow(item),
    )


def _gated(
    opened: Opened, query: str, answer: Answer, options: SearchOptions, ranked: Ranked, items: list[Item]
) -> tuple[Ranked, list[Item], list[Relevance]]:
    """What the relevance gate lets through; ambiguous hits are judged again with the passage that holds them."""
    if not options.gate:
        return ranked, items, []
    gate = gate_for(answer.embedder)
    words = read_words(query).weighted(dict.fromkeys(answer.naming, 0.0)) or read_words(query)
    kept: Ranked = []
    left: list[Item] = []
    judged: list[Relevance] = []
    for (found, is_exact), item in zip(ranked, items, strict=True):
        relevance: Relevance = "correct"
        probability = None
        if not is_exact:
            cosine = next((part.score for part in found.parts if part.name == "dense"), None)
            verdict = judge(words, f"{_heading(item)} {_text(opened, item)}", cosine, gate=gate)
            if verdict.relevance == "ambiguous" and isinstance(item, Extraction | Passage | Chunk):
                holders = opened.surroundings.around(item, "passage")
                verdict = judge_again(words, verdict, " ".join(f"{h.heading} {h.text}" for h in holders), gate=gate)
            relevance, probability = verdict.relevance, verdict.probability
        if relevance != "incorrect":
            kept.append((replace(found, relevance=relevance, probability=probability), is_exact))
            left.append(item)
            judged.append(relevance)
    return kept, left, judged or ["incorrect"]


def _best_of(judged: list[Relevance]) -> Relevance | None:
    return next((each for each in ("correct", "ambiguous", "incorrect") if each in judged), None)


def _heading(item: Item) -> str:
    match item:
        case Extraction() | Chunk() | Passage():
            return item.heading
        case Section():
            return item.topic
        case Claim():
            return f"{item.topic} {asked_as(item)}"
    return ""


def _items(view: View, tier: Granularity, found: list[Found]) -> list[Item]:
    """What search found, as the store has it.

    Raises:
        Corrupt: search named what this generation does not hold. Its words are not repeated: they may be another tenant's, if
            that one's replica was put in the place of this one's.
    """
    items = [item for item in _stored(view, tier, found) if item is not None and view.holds(item)]
    if len(items) != len(found):
        raise Corrupt(
            "the search replica does not fit the store",
            corpus_id=view.corpus_id,
            generation=view.generation,
            hint="Delete the folder of --cache: it is made again from the store. If this stays, run 'coditect knowledge validate'.",
        )
    return items


def _stored(view: View, tier: Granularity, found: list[Found]) -> Sequence[Item | None]:
    if tier == "section":
        return [view.section_by_id.get(each.item_id) for each in found]
    if tier == "corpus":
        return [view.claims.get(each.item_id) for each in found]
    table, cls = _TABLES[tier]
    places = [(view.corpus_id, each.document_id, each.item_id) for each in found]
    return view.store.get_many(table, cls, places) if places else []


def _reranked(
    opened: Opened, searcher: Searcher, query: str, ranked: Ranked, items: list[Item]
) -> tuple[Ranked, list[Item]]:
    texts = [_text(opened, item) for item in items[:RERANKED]]
    named = {found.item_id for found, is_exact in ranked if is_exact}
    by_id = {item.item_id: item for item in items}
    order = searcher.rerank(query, [found for found, _ in ranked], texts)
    return [(found, found.item_id in named) for found in order], [by_id[found.item_id] for found in order]


def _verbatim_first(opened: Opened, ranked: Ranked, items: list[Item], wanted: list[str]) -> tuple[Ranked, list[Item]]:
    rows = []
    for (found, is_exact), item in zip(ranked, items, strict=True):
        text = " ".join(_text(opened, item).casefold().split())
        rows.append(((found, is_exact or all(phrase in text for phrase in wanted)), item))
    rows.sort(key=lambda row: not row[0][1])
    return [row[0] for row in rows], [row[1] for row in rows]


def _text(opened: Opened, item: Item) -> str:
    match item:
        case Extraction():
            return item.source_text
        case Chunk():
            return " ".join(sentence.text for sentence in item.selected_sentences)
        case Passage():
            return opened.sources.passage(item).text
        case Section():
            return " ".join(part.content for part in item.content)
        case Claim():
            return item.text
    return ""
