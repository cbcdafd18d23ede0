"""How long a question takes: ``python -m coditect_benchmarks.retrieval.latency --data FOLDER``, where FOLDER holds the contracts.

Three measurements: the product's search over all contracts' statements and passages, beside BM25 libraries over the same
statements in the same run; one whole hybrid search among synthetic units; cutting a document of ten pages. Questions are asked
one after another in one process, ten hits each. Before each kind, some other questions are asked and not counted. All questions
are asked in several rounds, and the fastest answer to each counts, which leaves out most of what other processes take: percentiles
are over questions. What the very first question of a new process takes, and what the first round of small-to-big takes, which
reads passages that later ones find in memory, stands in rows of its own. CPU is that of all threads of the process. Ratios are to
tantivy itself, over the same statements, by the time that passed.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from coditect import Settings, open_knowledge
from coditect.errors import CoditectError, UsageError
from coditect.retrieve.local.search import HybridSearcher
from coditect.schemas import Granularity, SearchOptions
from coditect_benchmarks.retrieval.adapters import find_sets
from coditect_benchmarks.retrieval.chunking import PAGES, time_chunking
from coditect_benchmarks.retrieval.folders import working_folder
from coditect_benchmarks.retrieval.formats import RetrievalSet
from coditect_benchmarks.retrieval.peers_bm25 import Bm25s, RankBm25
from coditect_benchmarks.retrieval.peers_tantivy import TantivyBm25
from coditect_benchmarks.retrieval.product import CORPUS, Product
from coditect_benchmarks.retrieval.runner import sampled
from coditect_benchmarks.retrieval.synthetic import SyntheticUnits
from coditect_benchmarks.retrieval.system import Span, System

__all__ = ["Times", "main", "timed"]

HITS = 10
RETURN_LEVEL = 2
_UNCOUNTED = 100
_SLOW = 50
_NEW_PROCESSES = 3


@dataclass(frozen=True, slots=True)
class Times:
    """What questions took.

    Attributes:
        wall: milliseconds that passed, shape (asked,).
        cpu: milliseconds of processor time, of all threads, shape (asked,); NaN where it was not measured.
    """

    wall: npt.NDArray[np.float64]
    cpu: npt.NDArray[np.float64]

    def __sub__(self, other: Times) -> Times:
        """Question by question."""
        return Times(self.wall - other.wall, self.cpu - other.cpu)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the measurements; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m coditect_benchmarks.retrieval.latency",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--data", type=Path, required=True, metavar="FOLDER", help="contracts, or the folder that holds them"
    )
    parser.add_argument("--sample", type=int, default=500, metavar="N", help="questions (500)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how often all questions are asked (3)")
    parser.add_argument("--vectors", type=int, default=1_000_000, metavar="N", help="synthetic units (1,000,000)")
    parser.add_argument("--embedder", default="wordllama", help="wordllama, or the folder of a model")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep the built store here and use it again")
    parser.add_argument("--peers", choices=("all", "tantivy"), default="all", help="which BM25 libraries (all)")
    options = parser.parse_args(arguments)
    try:
        found = find_sets(options.data)
        if "contracts" not in found:
            raise UsageError("no contracts in this folder", folder=str(options.data), hint="Give --data their folder.")
        reader, folder = found["contracts"]
        data = sampled(reader(folder), max(options.sample, 1) + _UNCOUNTED)
        _print(_lines(data, options))
    except CoditectError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    return 0


def _print(lines: Iterator[tuple[str, Times]]) -> None:
    """A table, line by line as they come; the first line is the peer that the others are compared with."""
    print(f"{'milliseconds':52} | asked |   p50 |   p99 |   max | CPU p50 | CPU p99 | p50 / tantivy | p99 / tantivy")
    reference: tuple[float, float] | None = None
    for name, times in lines:
        p50, p99 = (float(np.percentile(times.wall, each)) for each in (50, 99))
        reference = reference or (p50, p99)
        cpu = [float(np.percentile(times.cpu, each)) for each in (50, 99)]
        print(
            f"{name:52} | {len(times.wall):5} | {p50:5.2f} | {p99:5.2f} | {times.wall.max():5.1f} | {cpu[0]:7.2f} | {cpu[1]:7.2f}"
            f" | {p50 / reference[0]:13.2f} | {p99 / reference[1]:13.2f}",
            flush=True,
        )


def timed(
    search: Callable[[str], object], queries: Sequence[str], uncounted: Sequence[str] = (), *, rounds: int = 1
) -> Times:
    """What each question takes, after some that are not counted.

    Args:
        search: answers a question.
        queries: at least one.
        uncounted: asked before; none: the first of the others.
        rounds: how often all are asked; the fastest answer to each question counts.
    """
    for query in uncounted or queries[:1]:
        search(query)
    return _fastest([_joined([_clocked(search, query) for query in queries]) for _ in range(rounds)])


def _fastest(rounds: Sequence[Times]) -> Times:
    """Of each question."""
    return Times(np.min([each.wall for each in rounds], axis=0), np.min([each.cpu for each in rounds], axis=0))


def _clocked(search: Callable[[str], object], query: str) -> Times:
    used, began = time.process_time(), time.perf_counter()
    search(query)
    wall, cpu = time.perf_counter() - began, time.process_time() - used
    return Times(np.array([wall * 1e3]), np.array([cpu * 1e3]))


def _lines(data: RetrievalSet, options: argparse.Namespace) -> Iterator[tuple[str, Times]]:
    texts = [query.text for query in data.queries]
    uncounted = texts[:: max(len(texts) // _UNCOUNTED, 1)][:_UNCOUNTED]
    queries = [text for text in texts if text not in set(uncounted)] or uncounted
    with working_folder(options.cache) as place, Product(place, options.embedder) as product:
        product.index(data.documents)
        statements = product.statements(data.documents)
        print(f"{len(statements):,} statements in {len(data.documents):,} documents", file=sys.stderr)
        peer = TantivyBm25("tantivy BM25", lambda _: statements)
        peer.index(data.documents)
        # What the benchmark itself holds is not to be walked through by the collector while the product is timed.
        gc.collect()
        gc.freeze()
        rounds = max(options.rounds, 1)
        yield "tantivy BM25, statements", timed(partial(peer.search, k=HITS), queries, uncounted, rounds=rounds)
        yield from _first_questions(product, options.embedder, queries)
        yield from _product(product, queries, uncounted, rounds)
        if options.peers == "all":
            yield from _other_peers(data, statements, queries, rounds)
    del peer
    yield from _synthetic(options, data, statements, queries[:_UNCOUNTED])
    longest = max(data.documents, key=lambda document: len(document.text))
    for name, records in (("tokens", False), ("the file", True)):
        times = time_chunking(longest.text, records=records)
        yield f"cut {PAGES} pages into passages, from {name}", Times(times, np.full(len(times), np.nan))


def _product(
    product: Product, queries: Sequence[str], uncounted: Sequence[str], rounds: int
) -> Iterator[tuple[str, Times]]:
    """Lexical, dense and hybrid search of statements and passages, and what small-to-big adds to the last."""
    tiers: tuple[Granularity, ...] = ("extraction", "passage")
    for tier in tiers:
        for options in (SearchOptions(mode="lexical"), SearchOptions(mode="dense"), SearchOptions()):
            times = timed(_asked(product, options, tier), queries, uncounted, rounds=rounds)
            yield f"coditect {options.mode}, {tier}", times
    plain, big = _asked(product, SearchOptions(), "passage"), _asked(product, _big(), "passage")
    asked = []
    for _ in range(rounds):
        # One after the other for each question: what else the machine does disturbs both alike.
        pairs = [(_clocked(plain, query), _clocked(big, query)) for query in queries]
        asked.append((_joined([before for before, _ in pairs]), _joined([after for _, after in pairs])))
    yield f"coditect small-to-big, level {RETURN_LEVEL}, first round", asked[0][1]
    yield "small-to-big over plain, first round", asked[0][1] - asked[0][0]
    before, after = _fastest([each for each, _ in asked]), _fastest([each for _, each in asked])
    yield f"coditect small-to-big, level {RETURN_LEVEL}", after
    yield "small-to-big over plain, same questions", after - before


def _big() -> SearchOptions:
    return SearchOptions(return_level=RETURN_LEVEL)


def _joined(times: Sequence[Times]) -> Times:
    return Times(np.concatenate([each.wall for each in times]), np.concatenate([each.cpu for each in times]))


def _asked(product: Product, options: SearchOptions, tier: Granularity) -> Callable[[str], object]:
    return lambda query: product.ask(query, HITS, options, tier)


def _first_questions(product: Product, embedder: str, queries: Sequence[str]) -> Iterator[tuple[str, Times]]:
    """What a new process takes to open store, replica and model, and to answer its first question; then its second."""
    searcher = product.knowledge.searcher
    if not isinstance(searcher, HybridSearcher):
        return
    settings = {
        "store": product.knowledge.store.engine.url,
        "cache": searcher.replicas.folder.parents[1],
        "embedder": embedder,
    }
    for options in (SearchOptions(mode="lexical"), SearchOptions()):
        product.ask(queries[0], HITS, options, "extraction")  # so that the replica is there
        found = []
        for each in range(_NEW_PROCESSES):
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                own = [queries[(each * 2 + n) % len(queries)] for n in range(2)]
                found.append(pool.apply(_two_questions, (settings, options, own)))
        for name, at in (("first question of a process", 0), ("its second question", 1)):
            yield f"coditect {options.mode}, extraction: {name}", _joined([pair[at] for pair in found])


def _two_questions(settings: dict[str, object], options: SearchOptions, queries: Sequence[str]) -> list[Times]:
    """In a process that has not asked before; opening is part of the first. Importing Python modules is not."""
    found = []
    used, began = time.process_time(), time.perf_counter()
    with open_knowledge(Settings.model_validate(settings)) as knowledge:
        for query in queries:
            knowledge.query(CORPUS, query, tier="extraction", limit=HITS, options=options)
            now = time.process_time(), time.perf_counter()
            found.append(Times(np.array([(now[1] - began) * 1e3]), np.array([(now[0] - used) * 1e3])))
            used, began = now
    return found


def _other_peers(
    data: RetrievalSet, statements: Sequence[Span], queries: Sequence[str], rounds: int
) -> Iterator[tuple[str, Times]]:
    makers: list[Callable[[], System]] = [
        lambda: Bm25s(lambda _: list(statements)),
        lambda: RankBm25(lambda _: list(statements)),
    ]
    for make in makers:
        try:
            peer = make()
        except UsageError as error:
            print(error.message, file=sys.stderr)
            continue
        peer.index(data.documents)
        asked = queries[: None if peer.most_queries is None else _SLOW]
        yield f"{peer.name.split(',')[0]}, statements", timed(partial(peer.search, k=HITS), asked, rounds=rounds)


def _synthetic(
    options: argparse.Namespace, data: RetrievalSet, statements: Sequence[Span], queries: Sequence[str]
) -> Iterator[tuple[str, Times]]:
    """A whole hybrid search of many units: words, vectors, and both scores of both proposals fused."""
    documents = {document.id: document.text for document in data.documents}
    texts = [documents[each.document][each.start : each.end] for each in statements]
    with tempfile.TemporaryDirectory(prefix="coditect-bench-") as folder:
        units = SyntheticUnits(Path(folder), options.embedder, texts, max(options.vectors, 1))
        count = f"{len(units):,} synthetic units"
        yield f"coditect exact vector search, {count}", timed(units.nearest, queries, rounds=max(options.rounds, 1))
        yield f"coditect hybrid, {count}", timed(units.search, queries, rounds=max(options.rounds, 1))


if __name__ == "__main__":
    sys.exit(main())
