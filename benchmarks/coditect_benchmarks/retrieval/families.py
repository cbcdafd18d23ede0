"""The development families, their questions in several wordings, and what a ranking finds for them.

A family is a set; a case is a family in one wording. Rankings are asked through the searcher itself, without the chain of evidence
around an answer, so that many of them can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from coditect.knowledge.query.filters import resolve_filters
from coditect.retrieve.local.parameters import RankingParameters
from coditect.retrieve.local.search import HybridSearcher
from coditect.retrieve.port import Request
from coditect.schemas import SearchMode
from coditect_benchmarks.retrieval.adapters import Found
from coditect_benchmarks.retrieval.formats import Query, RetrievalSet
from coditect_benchmarks.retrieval.metrics import measures
from coditect_benchmarks.retrieval.product import CORPUS, Product
from coditect_benchmarks.retrieval.runner import sampled
from coditect_benchmarks.retrieval.system import Span, System
from coditect_benchmarks.retrieval.wordings import WORDINGS, in_wording

__all__ = ["MEASURES", "Case", "Family", "scores_of_system"]

Values = npt.NDArray[np.float64]

MEASURES = ("recall@10", "MAP@10", "char R@8", "char P@1")
"""What a case is judged by: the last two where gold is spans, and contracts' are long."""

_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Case:
    """Questions of a family in one wording.

    Attributes:
        family: name of the set.
        wording: how they are asked.
        queries: sampled.
    """

    family: str
    wording: str
    queries: tuple[Query, ...]

    @property
    def name(self) -> str:
        """For tables."""
        return f"{self.family}, {self.wording}"


class Family:
    """A set whose corpus is built, and its cases.

    Args:
        data: the set.
        product: its corpus; opened by the caller.
        sample: questions of each wording, the same ones in all of them.
    """

    def __init__(self, data: RetrievalSet, product: Product, sample: int) -> None:
        self.data = data
        self.product = product
        chosen = sampled(data, sample)
        worded = ((wording, in_wording(chosen, wording)) for wording in WORDINGS)
        self.cases = tuple(Case(data.name, wording, each.queries) for wording, each in worded if each is not None)
        self._spans: dict[str, Span] = {}

    @classmethod
    def open(cls, found: Found, name: str, product: Product, sample: int) -> Self:
        """A set of those that a folder holds, indexed."""
        reader, folder = found[name]
        data = reader(folder)
        product.index(data.documents)
        return cls(data, product, sample)

    def ranked_by(self, ranking: RankingParameters, case: Case, mode: SearchMode = "hybrid") -> dict[str, Values]:
        """Each question's measures by what a ranking finds."""
        return self.measured(case, self._searches(ranking, case, mode))

    def _searches(self, ranking: RankingParameters, case: Case, mode: SearchMode) -> Iterator[list[Span]]:
        known = self.product.knowledge.searcher
        assert isinstance(known, HybridSearcher)
        searcher = known.with_ranking(ranking)
        view = self.product.knowledge.view(CORPUS)
        spans = self._passages()
        for query in case.queries:
            only = resolve_filters(view, self.product.only(query.within), "passage") if query.within else None
            found = searcher.search(view, Request(query.text, "passage", _DEPTH, mode, only=only)).found
            yield [spans[each.item_id] for each in found]

    def _passages(self) -> dict[str, Span]:
        if not self._spans:
            self._spans = dict(self.product.passages_by_id())
        return self._spans

    @staticmethod
    def measured(case: Case, found: Iterator[list[Span]]) -> dict[str, Values]:
        """The measures of each question, shape (queries,) by name; NaN where one is not defined."""
        rows = [measures(hits, query.gold) for query, hits in zip(case.queries, found, strict=True)]
        return {name: np.array([row.get(name, np.nan) for row in rows]) for name in MEASURES}


def scores_of_system(system: System, cases: Sequence[Case]) -> dict[str, dict[str, Values]]:
    """What an indexed system finds for some cases: measures by the case's name."""
    return {
        case.name: Family.measured(
            case, (system.search(query.text, _DEPTH, query.within or None) for query in case.queries)
        )
        for case in cases
    }
