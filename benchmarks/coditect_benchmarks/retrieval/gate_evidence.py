"""What the relevance gate sees of hits whose relevance is known.

Relevant are hits on gold. Not relevant are all hits of questions asked of another set's documents; some may answer all the same: a
question on a contract's governing law, asked of privacy policies. The other hits of a question asked of its own documents are
not counted: gold is incomplete.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from coditect.knowledge.query.filters import resolve_filters
from coditect.knowledge.query.search import LEAST_CANDIDATES
from coditect.retrieve.gate.relevance import FEATURES, features
from coditect.retrieve.local.search import HybridSearcher
from coditect.retrieve.port import Background, Request
from coditect.retrieve.words import Words, read_words
from coditect.schemas import Granularity, Hit, SearchMode, SearchOptions
from coditect_benchmarks.retrieval.formats import Gold, Query, RetrievalSet
from coditect_benchmarks.retrieval.product import CORPUS, Product

__all__ = ["DEPTH", "Asked", "Evidence", "collect"]

DEPTH = 10
"""Hits that are judged: as many as a question gives unless more are asked for."""

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Names = npt.NDArray[np.str_]


@dataclass(frozen=True, slots=True)
class Asked:
    """A set and the corpus that was built from it."""

    data: RetrievalSet
    product: Product


@dataclass(frozen=True, slots=True)
class Evidence:
    """Hits; arrays of length n, one row each.

    Attributes:
        seen: shape (n, len(FEATURES)), of the hit.
        held: the same of what holds it.
        relevant: on gold.
        foreign: asked of another set's documents.
        sets: whose question it is.
        tiers: "passage" or "extraction".
        questions: number of the question and corpus it was asked of: hits with the same one are one answer.
    """

    seen: Floats
    held: Floats
    relevant: Flags
    foreign: Flags
    sets: Names
    tiers: Names
    questions: npt.NDArray[np.int64]

    def where(self, chosen: Flags) -> Evidence:
        """Some of the rows."""
        return Evidence(
            self.seen[chosen],
            self.held[chosen],
            self.relevant[chosen],
            self.foreign[chosen],
            self.sets[chosen],
            self.tiers[chosen],
            self.questions[chosen],
        )

    @property
    def weights(self) -> Floats:
        """What each row counts for: every set as much, and in it hits on gold as much as foreign ones; others nothing; mean 1."""
        weights = np.zeros(len(self.sets))
        for name in np.unique(self.sets):
            for kind in (self.relevant, self.foreign):
                rows = (self.sets == name) & kind
                if rows.any():
                    weights[rows] = 1.0 / rows.sum()
        return np.asarray(weights * (len(weights) / weights.sum()), np.float64)


def collect(asked: Sequence[Asked], *, mode: SearchMode = "hybrid") -> Evidence:
    """Ask every question of its own documents and of each other set's.

    Args:
        asked: sets, sampled, whose corpora are built.
        mode: hybrid, or lexical for what is fitted without an embedder.
    """
    rows: list[_Row] = []
    number = 0
    for home in asked:
        for corpus in asked:
            print(f"gate: questions of {home.data.name} in {corpus.data.name}", file=sys.stderr, flush=True)
            foreign = corpus is not home
            for query in home.data.queries:
                for tier in _tiers(query):
                    number += 1
                    for seen, held, relevant in _hits(corpus.product, query, tier, mode, foreign=foreign):
                        rows.append(_Row(seen, held, relevant, foreign, home.data.name, tier, number))
    return Evidence(
        np.asarray([row.seen for row in rows], np.float64).reshape(-1, len(FEATURES)),
        np.asarray([row.held for row in rows], np.float64).reshape(-1, len(FEATURES)),
        np.asarray([row.relevant for row in rows], np.bool_),
        np.asarray([row.foreign for row in rows], np.bool_),
        np.asarray([row.set for row in rows], np.str_),
        np.asarray([row.tier for row in rows], np.str_),
        np.asarray([row.question for row in rows], np.int64),
    )


@dataclass(frozen=True, slots=True)
class _Row:
    seen: list[float]
    held: list[float]
    relevant: bool
    foreign: bool
    set: str
    tier: str
    question: int


def _tiers(query: Query) -> tuple[Granularity, ...]:
    """Statements are judged, too, where gold is finer than documents."""
    return ("passage",) if any(item.whole for item in query.gold) else ("passage", "extraction")


def _hits(
    product: Product, query: Query, tier: Granularity, mode: SearchMode, *, foreign: bool
) -> Iterator[tuple[list[float], list[float], bool]]:
    """(features of a hit, of what holds it, whether it is relevant) for each hit of an answer."""
    text = query.bare or query.text
    # Asked without the words that name the document, a question is asked inside it.
    inside = query.within or (query.gold[0].document if query.bare else "")
    options = SearchOptions(mode=mode, gate=False, explain=True, expand="passage")
    if inside and not foreign:
        options = options.model_copy(update={"filters": product.only(inside)})
    words, background = _question(product, text, tier, options)
    for hit in product.ask(text, DEPTH, options, tier).hits:
        if hit.matched_by == "exact":
            continue
        cosine = next((part.score for part in hit.parts if part.part == "dense"), None)
        own = features(words, f"{hit.item.heading} {hit.item.text}", cosine, background)
        above = " ".join(f"{each.heading} {each.text}" for each in hit.context)
        held = features(words, above, cosine, background) if above else own
        yield _row(own), _row(held), not foreign and _relevant(product, hit, query.gold)


def _question(
    product: Product, text: str, tier: Granularity, options: SearchOptions
) -> tuple[Words, Background | None]:
    """(the words that the gate looks for, what the question says by itself), as a question finds them."""
    searcher, view = product.knowledge.searcher, product.knowledge.view(CORPUS)
    if isinstance(searcher, HybridSearcher) and searcher.everyday is not None:
        # A gate that is to be fitted sees what the card's own may not look at.
        searcher.everyday.wanted = True
    only = resolve_filters(view, options.filters, tier)
    answer = searcher.search(view, Request(text, tier, LEAST_CANDIDATES, options.mode, options.fusion, only))
    words = read_words(text).weighted(dict.fromkeys(answer.naming, 0.0)) or read_words(text)
    return words, answer.background


def _relevant(product: Product, hit: Hit, gold: Sequence[Gold]) -> bool:
    found = product.found(hit)
    return any(
        item.document == found.document
        and (item.whole or ((item.start or 0) < found.end and found.start < (item.end or 0)))
        for item in gold
    )


def _row(seen: Mapping[str, float]) -> list[float]:
    return [seen[name] for name in FEATURES]
