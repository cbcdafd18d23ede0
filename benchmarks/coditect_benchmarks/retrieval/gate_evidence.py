"""What the relevance gate sees of passages whose relevance is known.

Relevant are hits on gold. Not relevant are all hits of questions asked of another set's documents, and of short questions on
everyday matters; some may answer all the same: a question on a contract's governing law, asked of privacy policies. Sets that speak
of the same things are not asked of each other. The other hits of a question asked of its own documents are not counted: gold is
incomplete.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from coditect.knowledge.query.filters import resolve_filters
from coditect.knowledge.query.search import LEAST_CANDIDATES
from coditect.retrieve.gate.relevance import FEATURES, features
from coditect.retrieve.local.search import HybridSearcher
from coditect.retrieve.port import Background, Request
from coditect.retrieve.words import Words, read_words
from coditect.schemas import Hit, SearchMode, SearchOptions
from coditect_benchmarks.retrieval.formats import Gold, Query, RetrievalSet
from coditect_benchmarks.retrieval.product import CORPUS, Product

__all__ = ["DEPTH", "EVERYDAY", "Asked", "Evidence", "collect", "everyday_questions"]

DEPTH = 10
"""Hits that are judged: as many as a question gives unless more are asked for."""

EVERYDAY = "everyday matters"

SPEAKING_OF_THE_SAME = ({"nist", "policies"}, {"rulebooks", "rulebook passages"})
"""Sets of which each answers many of the other's questions."""

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
        sets: whose question it is; :data:`EVERYDAY` for none's.
        corpora: the set whose documents were asked.
        questions: number of the question and corpus it was asked of: hits with the same one are one answer.
    """

    seen: Floats
    held: Floats
    relevant: Flags
    foreign: Flags
    sets: Names
    corpora: Names
    questions: npt.NDArray[np.int64]

    def where(self, chosen: Flags | npt.NDArray[np.intp]) -> Evidence:
        """Some of the rows, by a flag for each or by their numbers."""
        return Evidence(
            self.seen[chosen],
            self.held[chosen],
            self.relevant[chosen],
            self.foreign[chosen],
            self.sets[chosen],
            self.corpora[chosen],
            self.questions[chosen],
        )

    @property
    def weights(self) -> Floats:
        """What each row counts for: in every corpus hits on gold, foreign and everyday ones as much, others nothing; mean 1."""
        weights = np.zeros(len(self.sets))
        everyday = self.sets == EVERYDAY
        for name in np.unique(self.corpora):
            for kind in (self.relevant, self.foreign & ~everyday, everyday):
                rows = (self.corpora == name) & kind
                if rows.any():
                    weights[rows] = 1.0 / rows.sum()
        return np.asarray(weights * (len(weights) / weights.sum()), np.float64)


def collect(asked: Sequence[Asked], *, mode: SearchMode = "hybrid", foreign: int | None = None) -> Evidence:
    """Ask every question of its own documents, and some of each other set's.

    Args:
        asked: sets, sampled, whose corpora are built.
        mode: hybrid, or lexical for what is fitted without an embedder.
        foreign: questions of each set that are asked of each other one; None: all.
    """
    rows: list[_Row] = []
    number = 0
    everyday = tuple(Query(text, ()) for text in everyday_questions())
    for corpus in asked:
        name = corpus.data.name
        questions = [(each.data.name, each.data.queries[: None if each is corpus else foreign]) for each in asked]
        for own, queries in (*questions, (EVERYDAY, everyday)):
            if {own, name} in SPEAKING_OF_THE_SAME:
                continue
            print(f"gate: questions of {own} in {name}", file=sys.stderr, flush=True)
            for query in queries:
                number += 1
                for seen, held, relevant in _hits(corpus.product, query, mode, foreign=own != name):
                    rows.append(_Row(seen, held, relevant, own != name, own, name, number))
    return Evidence(
        np.asarray([row.seen for row in rows], np.float64).reshape(-1, len(FEATURES)),
        np.asarray([row.held for row in rows], np.float64).reshape(-1, len(FEATURES)),
        np.asarray([row.relevant for row in rows], np.bool_),
        np.asarray([row.foreign for row in rows], np.bool_),
        np.asarray([row.set for row in rows], np.str_),
        np.asarray([row.corpus for row in rows], np.str_),
        np.asarray([row.question for row in rows], np.int64),
    )


@dataclass(frozen=True, slots=True)
class _Row:
    seen: list[float]
    held: list[float]
    relevant: bool
    foreign: bool
    set: str
    corpus: str
    question: int


def everyday_questions() -> tuple[str, ...]:
    """Short questions that no set's documents are about."""
    text = files("coditect_benchmarks.retrieval").joinpath("everyday_questions.txt").read_text(encoding="utf-8")
    return tuple(text.splitlines())


def _hits(
    product: Product, query: Query, mode: SearchMode, *, foreign: bool
) -> Iterator[tuple[list[float], list[float], bool]]:
    """(features of a hit, of what holds it, whether it is relevant) for each hit of an answer."""
    text = query.bare or query.text
    if not foreign:
        text = query.text  # whoever names a document of the corpus asks of this corpus
    inside = query.within
    options = SearchOptions(mode=mode, gate=False, explain=True, expand="passage")
    if inside and not foreign:
        options = options.model_copy(update={"filters": product.only(inside)})
    words, background = _question(product, text, options)
    for hit in product.ask(text, DEPTH, options).hits:
        if hit.matched_by == "exact":
            continue
        cosine = next((part.score for part in hit.parts if part.part == "dense"), None)
        own = features(words, f"{hit.item.heading} {hit.item.text}", cosine, background)
        above = " ".join(f"{each.heading} {each.text}" for each in hit.context)
        held = features(words, above, cosine, background) if above else own
        yield _row(own), _row(held), not foreign and _relevant(product, hit, query.gold)


def _question(product: Product, text: str, options: SearchOptions) -> tuple[Words, Background | None]:
    """(the words that the gate looks for, what the question says by itself), as a question finds them."""
    searcher, view = product.knowledge.searcher, product.knowledge.view(CORPUS)
    if isinstance(searcher, HybridSearcher) and searcher.everyday is not None:
        # A gate that is to be fitted sees what the card's own may not look at.
        searcher.everyday.wanted = True
    only = resolve_filters(view, options.filters, "passage")
    answer = searcher.search(view, Request(text, "passage", LEAST_CANDIDATES, options.mode, options.fusion, only))
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
