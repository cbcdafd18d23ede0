"""Questions: search at a granularity, exact matches first, with the chain of evidence where it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from coditect.errors import UsageError
from coditect.knowledge.query.calibrated import fitted_fusion
from coditect.knowledge.query.filters import lets_through, resolve_filters
from coditect.knowledge.query.hits import Hits
from coditect.knowledge.query.items import Ranked, items_of, text_of
from coditect.knowledge.query.opened import Opened
from coditect.knowledge.query.shown.beside import Beside, beside, told_of
from coditect.knowledge.query.shown.notes import note_on
from coditect.knowledge.query.shown.withholding import best_of, gated
from coditect.knowledge.query.small_to_big import Ancestor, to_level
from coditect.language.matched import as_matched
from coditect.retrieve.lookup.cited import as_cited
from coditect.retrieve.lookup.exact import exact_first, exact_matches, phrases
from coditect.retrieve.port import Answer, Filter, Found, Match, Request, Searcher
from coditect.retrieve.rerank import RERANKED
from coditect.retrieve.words import stems
from coditect.schemas import (
    GRANULARITIES,
    Passage,
    QueryResult,
    SearchOptions,
)
from coditect.store.acts.calibrations import calibration_in_force
from coditect.store.view import View

if TYPE_CHECKING:
    from coditect.schemas import (
        Calibration,
        Granularity,
        Item,
        Relevance,
    )

__all__ = ["MOST_HITS", "run_query"]

BESIDE_NAMED = 0.9
"""How well what stands under a number's section is named beside what prints the number itself."""

JUDGED = 10
"""Passages among which it is decided whether the corpus speaks of what is asked, however many are wanted."""

_QUOTING: tuple[Granularity, ...] = ("section", "corpus")
"""Tiers whose items quote what stands in many places."""

SILENT = "the corpus does not speak of it"
UNNAMED = (
    "nothing of this tier is named so; another tier may hold it, and without the mode exact it is searched by words"
)

MOST_HITS = 1000

MOST_NAMED = 5
"""Units of a document that a number is said to name: what stands below it prints it, too."""

CANDIDATES = 3
LEAST_CANDIDATES = 50
"""Searched for each hit wanted, and at least: exact matches find their score there, and small-to-big its children. So many are read
for each hit wanted if some of them may hold a phrase verbatim."""


def run_query(
    opened: Opened,
    searcher: Searcher,
    query: str,
    *,
    tier: Granularity = "section",
    include_sources: bool = False,
    limit: int = 10,
    options: SearchOptions | None = None,
    is_calibrated: bool = True,
) -> QueryResult:
    """Answer a question from one granularity of one generation.

    What the query names outright (a section id, a defined term, a topic, a quoted phrase) comes before what only sounds like
    it. In the mode "exact" nothing else answers, but for statements that mention an entity of that name. No hits is an answer.

    Args:
        opened: the generation.
        searcher: finds items by text and meaning.
        query: words; phrases in quotation marks must stand verbatim in an exact match.
        tier: which items answer: one of the four tiers, passages, or propositions.
        include_sources: fill in the chain of each hit down to Tier 1.
        limit: 1..1000 hits.
        options: mode, filters, gate and what else is wanted; None: the defaults.
        is_calibrated: False where the corpus is known to be answered with the shipped figures.
    Raises:
        UsageError: an empty query, an unknown tier, a limit or level out of range, dense search without an embedder.
        NotFound: a filter names what is not there.
        Corrupt: the search replica does not fit the store.
    """
    chosen, words = options or SearchOptions(), as_cited(as_matched(query))
    _require(words, tier, limit, chosen)
    view = opened.view
    only = resolve_filters(view, chosen.filters, tier)
    calibration = calibration_in_force(view.store, view.corpus_id) if is_calibrated else None
    asked = _Asked(opened, searcher, words, tier, limit, chosen, only, calibration is not None)
    most = max(limit * CANDIDATES, LEAST_CANDIDATES)
    request = Request(words, tier, most, chosen.mode, chosen.fusion, only, fitted=fitted_fusion(calibration))
    answer = searcher.search(view, request)
    ranked, items, ancestors = _candidates(asked, answer)
    shown, judged = _judged(asked, answer, ranked, items, calibration)
    hits = Hits(opened, answer.read_as or words, chosen, answer, ancestors, include_sources, shown.marks)
    return QueryResult(
        corpus_id=view.corpus_id,
        generation=view.generation,
        build_id=view.manifest.build_id,
        query=query,
        tier=tier,
        mode=answer.mode,
        relevance=best_of(judged),
        embedder=answer.embedder,
        hits=hits.of(shown.ranked, shown.items),
        note=_note(query, tier, answer, shown, is_judged=bool(judged), explain=chosen.explain),
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question of one granularity of one generation, as :func:`run_query` takes it; ``only`` lets its filters through.

    It is calibrated where figures of the corpus' own are in force.
    """

    opened: Opened
    searcher: Searcher
    query: str
    tier: Granularity
    limit: int
    options: SearchOptions
    only: Filter | None
    is_calibrated: bool

    @property
    def most_judged(self) -> int:
        """How many of what is found are judged, at most."""
        return max(self.limit, JUDGED) if self.options.gate else self.limit


def _candidates(asked: _Asked, answer: Answer) -> tuple[Ranked, list[Item], dict[str, Ancestor]]:
    """What was found, best first, with the items; what is named outright before the rest. And what encloses them, by id."""
    opened, tier, chosen = asked.opened, asked.tier, asked.options
    exact: list[Match] = []
    if chosen.mode in ("hybrid", "exact"):
        exact = _named_first(opened.view, tier, answer.named, _exact(asked))
    ranked = exact_first(exact, answer.found)
    ancestors: dict[str, Ancestor] = {}
    if chosen.return_level is not None:
        ranked, ancestors = _enclosing(opened, tier, ranked, chosen.return_level)
    wanted = _phrases_inside(asked.query, answer)
    if not chosen.rerank:
        ranked = ranked[: asked.most_judged * CANDIDATES if wanted else asked.most_judged]
    enclosing: list[Item] = [ancestors[found.item_id].passage for found, _ in ranked if found.item_id in ancestors]
    items = enclosing or items_of(opened.view, tier, [found for found, _ in ranked])
    if chosen.rerank:
        ranked, items = _reranked(asked, ranked, items)
    if wanted:
        ranked, items = _verbatim_first(opened, ranked, items, wanted)
    return ranked, items, ancestors


def _judged(
    asked: _Asked, answer: Answer, ranked: Ranked, items: list[Item], calibration: Calibration | None
) -> tuple[Beside, list[Relevance]]:
    """What is shown of what was found, and how relevant each of what was judged is."""
    tier, chosen = asked.tier, asked.options
    told = asked.most_judged if tier == "passage" else asked.limit
    first = {found.item_id for found, _ in ranked[:JUDGED]}
    ranked, items, judged = gated(asked.opened, asked.query, answer, chosen, ranked[:told], items[:told], calibration)
    if tier == "passage" and chosen.gate and first.isdisjoint(found.item_id for found, _ in ranked):
        ranked, items, judged = [], [], ["incorrect"]
    shown = Beside(tier, ranked[: asked.limit], items[: asked.limit], {})
    if tier != "passage" and chosen.gate and answer.mode != "exact":
        shown = _as_passages_say(asked, shown, answer)
        judged = [found.relevance or "correct" for found, _ in shown.ranked] or ["incorrect"]
    return shown, judged


def _note(asked: str, tier: Granularity, answer: Answer, shown: Beside, *, is_judged: bool, explain: bool) -> str:
    """How the question was read, why nothing answers it, what is shown in the place of answers; "" where nothing is to be said."""
    note = note_on(asked, answer, shown.items, explain=explain)
    if not (shown.items or note) and is_judged:
        note = UNNAMED if answer.mode == "exact" else SILENT
    if shown.marks:
        note = "; ".join(each for each in (note, told_of(tier, shown)) if each)
    return note


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


def _exact(asked: _Asked) -> list[Match]:
    """What the query names outright, as far as the filters let it through.

    Statements that only mention what it names are looked for where nothing else is: elsewhere they are found by their words.
    """
    opened, only = asked.opened, asked.only
    found = exact_matches(opened.view, opened.index, asked.query, asked.tier, mentions=asked.options.mode == "exact")
    if only is None:
        return found
    items = items_of(opened.view, asked.tier, [Found(each.item_id, each.document_id, each.score) for each in found])
    return [match for match, item in zip(found, items, strict=True) if lets_through(opened, only, item)]


def _named_first(view: View, tier: Granularity, named: Sequence[Match], exact: list[Match]) -> list[Match]:
    """What prints a number that the question names, in front of what else it names outright, which then counts less."""
    first = _in_order(view, tier, named)
    if not first:
        return exact
    numbered = {each.item_id for each in first}
    others = (each for each in exact if each.item_id not in numbered)
    return [*first, *(replace(each, score=min(each.score, BESIDE_NAMED)) for each in others)]


def _as_passages_say(asked: _Asked, own: Beside, answer: Answer) -> Beside:
    """What a tier shows, by whether passages answer: nothing, its own answers, or what rests on passages.

    Whether a corpus speaks of something is decided among passages, which hold all that it says; a tier holds some of it. Where the
    tier answers surely, they need not be asked. Sections and claims that may answer give way to those that rest on a passage that
    answers surely (ADR 152).
    """
    if any(is_exact or found.relevance == "correct" for found, is_exact in own.ranked):
        return own
    options, opened = asked.options, asked.opened
    plain = SearchOptions(mode=options.mode, fusion=options.fusion, filters=options.filters, focus=False)
    passages = run_query(
        opened,
        asked.searcher,
        asked.query,
        tier="passage",
        limit=JUDGED,
        options=plain,
        is_calibrated=asked.is_calibrated,
    ).hits
    if not passages:
        return Beside(own.tier, [], [], {})
    is_told = own.tier not in _QUOTING or all(hit.relevance != "correct" for hit in passages)
    return own if own.items and is_told else beside(opened, own.tier, passages, answer.found, asked.only, asked.limit)


def _in_order(view: View, tier: Granularity, named: Sequence[Match]) -> list[Match]:
    """The first units of each document that print a number which the question names, in document order."""
    items = items_of(view, tier, [Found(each.item_id, each.document_id, each.score) for each in named])
    placed = sorted(
        (match.document_id, getattr(item, "char_offset_start", 0), getattr(item, "char_offset_end", 0), at)
        for at, (match, item) in enumerate(zip(named, items, strict=True))
    )
    counts: Counter[str] = Counter()
    found = []
    for document_id, _, _, at in placed:
        counts[document_id] += 1
        if counts[document_id] <= MOST_NAMED:
            # The first of them is where the provision begins, and stands first.
            found.append(replace(named[at], score=1.0 - counts[document_id] / 1_000))
    return found


def _enclosing(opened: Opened, tier: Granularity, ranked: Ranked, level: int) -> tuple[Ranked, dict[str, Ancestor]]:
    """Passages of a level in the place of those in them that were found, best first; and by id, with what they hold of those."""
    named = {found.item_id for found, is_exact in ranked if is_exact}
    below = [found for found, _ in ranked]
    passages = [item for item in items_of(opened.view, tier, below) if isinstance(item, Passage)]
    above = to_level(opened.enclosures, below, passages, level)
    found = [(each.found, not named.isdisjoint(each.children)) for each in above]
    return found, {each.passage.passage_id: each for each in above}


def _reranked(asked: _Asked, ranked: Ranked, items: list[Item]) -> tuple[Ranked, list[Item]]:
    texts = [text_of(asked.opened, item) for item in items[:RERANKED]]
    named = {found.item_id for found, is_exact in ranked if is_exact}
    by_id = {item.item_id: item for item in items}
    order = asked.searcher.rerank(asked.query, [found for found, _ in ranked], texts)
    return [(found, found.item_id in named) for found in order], [by_id[found.item_id] for found in order]


def _phrases_inside(query: str, answer: Answer) -> list[str]:
    """The quoted phrases that are looked for in the items: one that only names a document is not looked for inside it."""
    return [phrase for phrase in phrases(query) if not set(stems(phrase)) <= answer.naming]


def _verbatim_first(opened: Opened, ranked: Ranked, items: list[Item], wanted: list[str]) -> tuple[Ranked, list[Item]]:
    """Those that hold all the phrases to the letter, whatever their case and white space, before the others."""
    phrases_folded = [" ".join(phrase.casefold().split()) for phrase in wanted]
    rows = []
    for (found, is_exact), item in zip(ranked, items, strict=True):
        text = " ".join(as_matched(text_of(opened, item)).casefold().split())
        rows.append(((found, is_exact or all(phrase in text for phrase in phrases_folded)), item))
    rows.sort(key=lambda row: not row[0][1])
    return [row[0] for row in rows], [row[1] for row in rows]
