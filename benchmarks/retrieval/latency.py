"""How long a question takes: ``python -m benchmarks.retrieval.latency --data FOLDER``, where FOLDER holds the contracts.

Three measurements: the product's search over all contracts' statements and passages, with BM25 peers over the same
statements in the same run; nearest neighbours among synthetic vectors by brute force; cutting a document of ten pages.
Questions are asked one after another in one process, ten hits each; the first of each kind is not counted.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.retrieval.adapters import find_sets
from benchmarks.retrieval.chunking import PAGES, time_chunking
from benchmarks.retrieval.formats import RetrievalSet
from benchmarks.retrieval.peers_bm25 import Bm25s, RankBm25
from benchmarks.retrieval.peers_tantivy import TantivyBm25
from benchmarks.retrieval.product import Product
from benchmarks.retrieval.runner import sampled
from benchmarks.retrieval.system import System
from coditect.errors import CoditectError, UsageError
from coditect.schemas import Granularity, SearchOptions

__all__ = ["main", "time_vectors", "timed"]

Times = npt.NDArray[np.float64]

HITS = 10
DIMENSION = 256
RETURN_LEVEL = 2
_SLOW = 50
_BLOCK = 100_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the measurements; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.retrieval.latency",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--data", type=Path, required=True, metavar="FOLDER", help="contracts, or the folder that holds them"
    )
    parser.add_argument("--sample", type=int, default=500, metavar="N", help="questions (500)")
    parser.add_argument("--vectors", type=int, default=1_000_000, metavar="N", help="synthetic vectors (1,000,000)")
    parser.add_argument("--embedder", default="wordllama", help="wordllama, or the folder of a model")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep the built store here and use it again")
    options = parser.parse_args(arguments)
    try:
        found = find_sets(options.data)
        if "contracts" not in found:
            raise UsageError("no contracts in this folder", folder=str(options.data), hint="Give --data their folder.")
        reader, folder = found["contracts"]
        data = sampled(reader(folder), max(options.sample, 1))
        print(f"{'':44} | asked | p50 ms | p99 ms")
        for name, times in _lines(data, options):
            print(
                f"{name:44} | {len(times):5} | {np.percentile(times, 50):6.2f} | {np.percentile(times, 99):6.2f}",
                flush=True,
            )
    except CoditectError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    return 0


def timed(search: Callable[[str], object], queries: Sequence[str]) -> Times:
    """Milliseconds of each question, shape (queries,), after one that is not counted.

    Args:
        search: answers a question.
        queries: at least one.
    """
    search(queries[0])
    times = np.empty(len(queries))
    for at, query in enumerate(queries):
        began = time.perf_counter()
        search(query)
        times[at] = (time.perf_counter() - began) * 1e3
    return times


def time_vectors(count: int, questions: int, seed: int = 0) -> Times:
    """Milliseconds of exact nearest neighbours by one matrix product and a partial sort.

    Args:
        count: vectors, >= 1, unit length, 256 dimensions, float32.
        questions: as many random vectors, >= 1.
        seed: of the generator.
    """
    generator = np.random.default_rng(seed)
    vectors = np.empty((count, DIMENSION), np.float32)
    for start in range(0, count, _BLOCK):
        block = generator.standard_normal((min(_BLOCK, count - start), DIMENSION), np.float32)
        vectors[start : start + len(block)] = block / np.linalg.norm(block, axis=1, keepdims=True)
    asked = {str(at): generator.standard_normal(DIMENSION, np.float32) for at in range(questions)}
    k = min(HITS, count)

    def search(name: str) -> npt.NDArray[np.intp]:
        scores = vectors @ asked[name]
        best = np.argpartition(-scores, k - 1)[:k]
        return best[np.argsort(-scores[best], kind="stable")]

    return timed(search, list(asked))


def _lines(data: RetrievalSet, options: argparse.Namespace) -> Iterator[tuple[str, Times]]:
    queries = [query.text for query in data.queries]
    with _place(options.cache) as place, Product(place, options.embedder) as product:
        product.index(data.documents)
        yield from _product(product, queries)
        yield from _peers(product, data, queries)
    yield f"numpy, {options.vectors:,} vectors", time_vectors(max(options.vectors, 1), _SLOW)
    longest = max(data.documents, key=lambda document: len(document.text))
    yield f"cut {PAGES} pages into passages, from tokens", time_chunking(longest.text, records=False)
    yield f"cut {PAGES} pages into passages, from the file", time_chunking(longest.text, records=True)


def _product(product: Product, queries: Sequence[str]) -> Iterator[tuple[str, Times]]:
    """Lexical, dense and hybrid search of statements and passages, and what small-to-big adds to the last."""
    tiers: tuple[Granularity, ...] = ("extraction", "passage")
    for tier in tiers:
        for options in (SearchOptions(mode="lexical"), SearchOptions(mode="dense"), SearchOptions()):
            yield f"coditect {options.mode}, {tier}", timed(_asked(product, options, tier), queries)
    plain = timed(_asked(product, SearchOptions(), "passage"), queries)
    big = timed(_asked(product, SearchOptions(return_level=RETURN_LEVEL), "passage"), queries)
    yield f"coditect small-to-big, level {RETURN_LEVEL}", big
    yield "small-to-big over plain, same questions", big - plain


def _asked(product: Product, options: SearchOptions, tier: Granularity) -> Callable[[str], object]:
    return lambda query: product.ask(query, HITS, options, tier)


def _peers(product: Product, data: RetrievalSet, queries: Sequence[str]) -> Iterator[tuple[str, Times]]:
    """BM25 libraries over the product's statements."""
    statements = product.statements(data.documents)
    print(f"{len(statements):,} statements in {len(data.documents):,} documents", file=sys.stderr)
    makers: list[Callable[[], System]] = [
        lambda: TantivyBm25("tantivy BM25, statements", lambda _: statements),
        lambda: Bm25s(lambda _: statements),
        lambda: RankBm25(lambda _: statements),
    ]
    for make in makers:
        try:
            peer = make()
        except UsageError as error:
            print(error.message, file=sys.stderr)
            continue
        peer.index(data.documents)
        asked = queries[: None if peer.most_queries is None else _SLOW]
        yield f"{peer.name.split(',')[0]}, statements", timed(partial(peer.search, k=HITS), asked)


@contextmanager
def _place(cache: Path | None) -> Iterator[Path]:
    if cache is not None:
        cache.mkdir(parents=True, exist_ok=True)
        yield cache
        return
    with tempfile.TemporaryDirectory(prefix="coditect-bench-") as folder:
        yield Path(folder)


if __name__ == "__main__":
    sys.exit(main())
