"""Which requirements does a procedure answer: recall of a published mapping by our ranking and by other ways to search."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt

from coditect.knowledge.report.crosswalk.evidence import Inquiry
from coditect.knowledge.report.crosswalk.framework.reading import read_framework
from coditect.knowledge.report.crosswalk.nearness import nearest
from coditect.knowledge.service import Knowledge
from coditect.models.wordllama.embedder import WordLlamaEmbedder
from coditect_benchmarks.crosswalk.material import (
    COLUMNS,
    POLICIES,
    STANDARDS,
    corpus_of,
    is_development,
    read_mapping,
    rows_of,
)
from coditect_benchmarks.retrieval.cuts import whole
from coditect_benchmarks.retrieval.formats import Document
from coditect_benchmarks.retrieval.peers_bm25 import Bm25s
from coditect_benchmarks.retrieval.peers_llamaindex import AutoMerging
from coditect_benchmarks.retrieval.peers_tantivy import TantivyBm25
from coditect_benchmarks.retrieval.system import System, optional

__all__ = ["PRODUCT", "Pair", "measure", "pairs"]

K = 10
RESAMPLES = 1_000
PRODUCT = "product"
_TAG = re.compile(r"\{\{\{?[^}]*\}?\}\}")

Ranker = Callable[["Pair"], list[str]]
"""Gives ids of requirements for a procedure, best first."""


@dataclass(frozen=True)
class Pair:
    """A procedure, its text, a standard, and the requirements of it that are mapped."""

    procedure: str
    text: str
    standard: str
    mapped: frozenset[str]


def pairs(root: Path, *, development: bool) -> list[Pair]:
    """The pairs of one half that have mapped requirements."""
    known = {standard: frozenset(row[0] for row in rows_of(root, standard)) for standard in STANDARDS}
    found = []
    for (procedure, standard), ids in read_mapping(root).implements.items():
        path = root / "procedures" / f"{procedure}.md.tmpl"
        mapped = ids & known.get(standard, frozenset())
        if mapped and is_development(procedure) == development and path.is_file():
            text = path.read_text(encoding="utf-8").replace("{{companyShortName}}", "The organization")
            found.append(Pair(procedure, _TAG.sub("", text), standard, mapped))
    return found


def measure(knowledge: Knowledge, root: Path, *, development: bool) -> None:
    """Print recall@10 of each way, and what the product gains on it; intervals resample procedures."""
    embedder = WordLlamaEmbedder()
    asked = pairs(root, development=development)
    ways = {standard: _rankers(knowledge, root, standard, embedder) for standard in STANDARDS}
    recalls = {
        way: np.array([len(pair.mapped & {*ways[pair.standard][way](pair)[:K]}) / len(pair.mapped) for pair in asked])
        for way in next(iter(ways.values()))
    }
    samples = _samples([pair.procedure for pair in asked])
    print(
        f"{'development' if development else 'reported'}: {len(asked)} pairs of a procedure and a standard, recall@{K}"
    )
    for way, values in recalls.items():
        gains = recalls[PRODUCT] - values
        print(
            f"{way:24} {values.mean():.3f} {_interval(values, samples)}"
            f"  product {gains.mean():+.3f} {_interval(gains, samples)}"
        )


def _samples(procedures: Sequence[str]) -> list[npt.NDArray[np.int64]]:
    """Numbers of pairs, resampled by procedure."""
    names = sorted(set(procedures))
    of = [np.array([n for n, each in enumerate(procedures) if each == name]) for name in names]
    generator = np.random.default_rng(0)
    return [np.concatenate([of[n] for n in generator.integers(0, len(names), len(names))]) for _ in range(RESAMPLES)]


def _interval(values: npt.NDArray[np.float64], samples: Sequence[npt.NDArray[np.int64]]) -> str:
    low, high = np.percentile([values[each].mean() for each in samples], [2.5, 97.5])
    return f"[{low:.3f}, {high:.3f}]"


def _rankers(knowledge: Knowledge, root: Path, standard: str, embedder: WordLlamaEmbedder) -> dict[str, Ranker]:
    """The ways to rank the requirements of one standard."""
    rows = rows_of(root, standard)
    documents = [
        Document(identity, "", " ".join(filter(None, (section, title, said))))
        for identity, title, said, section in rows
    ]
    vectors = embedder.embed([each.text for each in documents])
    systems: list[System] = [TantivyBm25("tantivy BM25", whole), Bm25s(whole)]
    if optional("llama_index.core") is not None:
        systems.append(AutoMerging(embedder))
    for each in systems:
        each.index(documents)

    def similar(pair: Pair) -> list[str]:
        cosines = vectors @ embedder.embed([pair.text])[0]
        return [documents[n].id for n in np.argsort(-cosines, kind="stable")]

    def searched(system: System) -> Ranker:
        return lambda pair: list(dict.fromkeys(span.document for span in system.search(pair.text, 4 * K)))

    found: dict[str, Ranker] = {each.name.partition(",")[0]: searched(each) for each in systems}
    return {**found, "embedding similarity": similar, PRODUCT: _of_product(knowledge, standard, embedder)}


def _of_product(knowledge: Knowledge, standard: str, embedder: WordLlamaEmbedder) -> Ranker:
    """The requirements that the crosswalk takes a document to be near to."""
    view = knowledge.view(POLICIES, None)
    framework = read_framework(knowledge.view(corpus_of(standard), None), (), COLUMNS)
    inquiry = Inquiry(framework, view, embedder)
    names = [identity for _, identity in framework.by_requirement]
    by_procedure = {PurePosixPath(each.name).name.partition(".")[0]: key for key, each in view.documents.items()}

    def ranked(pair: Pair) -> list[str]:
        return [names[n] for n in nearest(inquiry.nearness(by_procedure[pair.procedure]), K)]

    return ranked
