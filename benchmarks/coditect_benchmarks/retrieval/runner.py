"""Ask every system every question, and keep each question's measures apart so that systems can be compared in pairs."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from coditect_benchmarks.retrieval.formats import Query, RetrievalSet
from coditect_benchmarks.retrieval.metrics import measures
from coditect_benchmarks.retrieval.system import System

__all__ = ["Measured", "Table", "run", "sampled"]

Values = npt.NDArray[np.float64]

SPAN_DEPTH = 64
DOCUMENT_DEPTH = 200
"""Passages asked for where gold is documents: enough that 64 different ones are among them."""

SEED = 0


@dataclass(frozen=True, slots=True)
class Measured:
    """A system on the questions of a set.

    Attributes:
        system: its name.
        index_s: seconds to index the documents.
        asked: questions it was asked.
        values: by measure, shape (queries,), NaN where not asked or not defined.
        latency_ms: shape (asked,), of single questions, one after another.
    """

    system: str
    index_s: float
    asked: int
    values: dict[str, Values]
    latency_ms: Values

    def mean(self, measure: str) -> float:
        """Over the questions that were asked and where it is defined; NaN where there is none."""
        found = self.values.get(measure)
        if found is None or np.isnan(found).all():
            return float("nan")
        return float(np.nanmean(found))

    def percentile_ms(self, percent: float) -> float:
        """Of the latency."""
        return float(np.percentile(self.latency_ms, percent)) if len(self.latency_ms) else float("nan")


@dataclass(frozen=True, slots=True)
class Table:
    """All systems on one set, or on its questions asked inside the right document.

    Attributes:
        name: of the set, and how it was asked.
        documents: how many.
        characters: in them.
        queries: how many, after sampling.
        rows: in the order of the systems.
        note: of the set.
    """

    name: str
    documents: int
    characters: int
    queries: int
    rows: tuple[Measured, ...]
    note: str = ""

    def row(self, system: str) -> Measured | None:
        """The row of a system."""
        return next((row for row in self.rows if row.system == system), None)


def sampled(data: RetrievalSet, sample: int | None) -> RetrievalSet:
    """A set with a random sample of its questions, and in the order in which slow systems take the first of them."""
    queries = list(data.queries)
    random.Random(SEED).shuffle(queries)  # noqa: S311 - a sample, not a secret
    return replace(data, queries=tuple(queries[:sample]))


def run(data: RetrievalSet, systems: Sequence[System]) -> list[Table]:
    """Index the documents with each system and ask it all questions.

    Args:
        data: already sampled.
        systems: not indexed yet.
    Returns:
        one table; one more where questions have a brief form; and where the set asks for it others for the questions inside
        their gold's document: as they stand, and without the words that only name the document.
    """
    passes: list[tuple[str, Sequence[Query]]] = [(data.name, data.queries)]
    brief = [replace(query, text=query.brief) for query in data.queries if query.brief]
    if brief:
        passes.append((f"{data.name}, one party named", brief))
    if data.also_within:
        inside = [replace(query, within=query.gold[0].document) for query in data.queries]
        passes.append((f"{data.name}, within the right document", inside))
        if all(query.bare for query in inside):
            bare = [replace(query, text=query.bare) for query in inside]
            passes.append((f"{data.name}, within the right document, question alone", bare))
    rows: list[list[Measured]] = [[] for _ in passes]
    for system in systems:
        print(f"{data.name}: {system.name}", file=sys.stderr, flush=True)
        began = time.perf_counter()
        told_s = system.index(data.documents)
        index_s = time.perf_counter() - began if told_s is None else told_s
        for listed, (_, queries) in zip(rows, passes, strict=True):
            listed.append(_ask(system, queries, index_s))
    characters = sum(len(document.text) for document in data.documents)
    return [
        Table(name, len(data.documents), characters, len(queries), tuple(listed), data.note)
        for listed, (name, queries) in zip(rows, passes, strict=True)
    ]


def _ask(system: System, queries: Sequence[Query], index_s: float) -> Measured:
    asked = queries[: system.most_queries]
    # What is opened on the first question is no part of the others' latency.
    system.search(asked[0].text, 1, asked[0].within or None)
    values: dict[str, Values] = {}
    latency = np.empty(len(asked))
    for at, query in enumerate(asked):
        depth = DOCUMENT_DEPTH if all(item.whole for item in query.gold) else SPAN_DEPTH
        began = time.perf_counter()
        hits = system.search(query.text, depth, query.within or None)
        latency[at] = (time.perf_counter() - began) * 1e3
        for name, value in measures(hits, query.gold).items():
            values.setdefault(name, np.full(len(queries), np.nan))[at] = value
    return Measured(system.name, index_s, len(asked), values, latency)
