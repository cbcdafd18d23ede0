"""Questions: search at a tier, exact matches first, with the chain of evidence where it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from coditect.errors import Corrupt, UsageError
from coditect.knowledge.sources import SourceBuilder
from coditect.retrieve.exact import exact_matches, phrases
from coditect.retrieve.port import Match, Searcher
from coditect.schemas import TIER_NAMES, Chunk, Claim, Extraction, Hit, Item, QueryResult, Section, TierName
from coditect.store.live import LiveIndex
from coditect.store.view import View

__all__ = ["MOST_HITS", "Searcher", "run_query"]

MOST_HITS = 1000

CANDIDATES = 5
"""Searched for each hit wanted, so that exact matches find their lexical score."""

_TABLES: dict[TierName, tuple[str, type[Item]]] = {
    "chunk": ("chunks", Chunk),
    "extraction": ("extractions", Extraction),
}


def run_query(
    view: View,
    searcher: Searcher,
    query: str,
    *,
    tier: TierName = "section",
    include_sources: bool = False,
    limit: int = 10,
    sources: SourceBuilder | None = None,
    index: LiveIndex | None = None,
) -> QueryResult:
    """Answer a question from one tier of one generation.

    What the query names outright (a section id, a defined term, a topic, a quoted phrase) comes before what only sounds like
    it. No hits is an answer.

    Args:
        view: the generation.
        searcher: finds items by text.
        query: words; phrases in quotation marks must stand verbatim in an exact match.
        tier: which items answer.
        include_sources: fill in the chain of each hit down to Tier 1.
        limit: 1..1000 hits.
        sources: makes the nodes; one for many queries keeps its page maps.
        index: counts through the indexes; one for many queries keeps its terms.
    Raises:
        UsageError: an empty query, an unknown tier or a limit out of range.
        Corrupt: the search replica does not fit the store.
    """
    if not query.strip():
        raise UsageError("an empty query", hint="Say what you look for, e.g. --query 'incident reporting'.")
    if tier not in TIER_NAMES:
        raise UsageError("unknown tier", tier=tier, hint=f"Tiers: {', '.join(TIER_NAMES)}.")
    if not 1 <= limit <= MOST_HITS:
        raise UsageError("limit out of range", limit=limit, hint=f"Use 1 to {MOST_HITS}.")
    builder = sources or SourceBuilder(view)
    found = searcher.search(view, query, tier, max(limit * CANDIDATES, 50))
    exact = exact_matches(view, index or LiveIndex(view), query, tier)
    ranked = _rank(exact, found)[: limit if not phrases(query) else None]
    items = _items(view, tier, [match for match, _ in ranked])
    if phrases(query):
        ranked, items = _verbatim_first(ranked, items, [" ".join(p.casefold().split()) for p in phrases(query)])
    hits = [
        Hit(
            rank=number,
            score=match.score,
            matched_by="exact" if is_exact else "lexical",
            item=builder.source(item, deep=include_sources),
        )
        for number, ((match, is_exact), item) in enumerate(zip(ranked[:limit], items[:limit], strict=True), 1)
    ]
    manifest = view.manifest
    return QueryResult(
        corpus_id=view.corpus_id,
        generation=view.generation,
        build_id=manifest.build_id,
        query=query,
        tier=tier,
        hits=tuple(hits),
    )


def _rank(exact: list[Match], found: list[Match]) -> list[tuple[Match, bool]]:
    scores = {match.item_id: match.score for match in found}
    named = {match.item_id: Match(match.item_id, match.document_id, scores.get(match.item_id, 0.0)) for match in exact}
    first = sorted(named.values(), key=lambda match: -match.score)  # stable: document order where scores are equal
    return [*((match, True) for match in first), *((match, False) for match in found if match.item_id not in named)]


def _items(view: View, tier: TierName, matches: list[Match]) -> list[Item]:
    """What search found, as the store has it.

    Raises:
        Corrupt: search named what this generation does not hold. Its words are not repeated: they may be another tenant's, if
            that one's replica was put in the place of this one's.
    """
    found = [item for item in _stored(view, tier, matches) if item is not None and view.holds(item)]
    if len(found) != len(matches):
        raise Corrupt(
            "the search replica does not fit the store",
            corpus_id=view.corpus_id,
            generation=view.generation,
            hint="Delete the folder of --cache: it is made again from the store. If this stays, run 'coditect knowledge validate'.",
        )
    return found


def _stored(view: View, tier: TierName, matches: list[Match]) -> Sequence[Item | None]:
    if tier == "section":
        return [view.section_by_id.get(match.item_id) for match in matches]
    if tier == "corpus":
        return [view.claims.get(match.item_id) for match in matches]
    table, cls = _TABLES[tier]
    places = [(view.corpus_id, match.document_id, match.item_id) for match in matches]
    return view.store.get_many(table, cls, places) if places else []


def _verbatim_first(
    ranked: list[tuple[Match, bool]], items: list[Item], wanted: list[str]
) -> tuple[list[tuple[Match, bool]], list[Item]]:
    rows = []
    for (match, is_exact), item in zip(ranked, items, strict=True):
        text = " ".join(_text(item).casefold().split())
        rows.append(((match, is_exact or all(phrase in text for phrase in wanted)), item))
    rows.sort(key=lambda row: not row[0][1])
    return [row[0] for row in rows], [row[1] for row in rows]


def _text(item: Item) -> str:
    match item:
        case Extraction():
            return item.source_text
        case Chunk():
            return " ".join(sentence.text for sentence in item.selected_sentences)
        case Section():
            return " ".join(part.content for part in item.content)
        case Claim():
            return item.text
    return ""
