"""How good a ranked list of spans is, against gold spans or gold documents.

A gold span is hit by a passage that shares at least one character with it, a gold document by any passage of it. Where all
gold is whole documents the list is first reduced to distinct documents, each at the place of its first passage, so that the
measures are those of document retrieval. Rank measures give credit for a gold item once: a second passage of it is no gain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2

from coditect_benchmarks.retrieval.formats import Gold
from coditect_benchmarks.retrieval.system import Span

__all__ = [
    "CHARACTER_DEPTHS",
    "RANKS",
    "as_documents",
    "average_precision",
    "character_overlap",
    "document_first",
    "measures",
    "ndcg",
    "recall",
    "token_overlap",
    "union",
]

RANKS = (1, 5, 8, 10, 64)
CHARACTER_DEPTHS = (1, 5, 8, 10, 64)
_CUT = 10
_TOKEN_DEPTH = 5

Ranges = list[tuple[int, int]]


def measures(hits: Sequence[Span], gold: Sequence[Gold]) -> dict[str, float]:
    """Every measure of one question that is defined for its gold.

    Args:
        hits: best first.
        gold: at least one.
    Returns:
        by name, each 0..1, but ``chars@k`` in characters. Character measures only where every gold is a span.
    """
    whole = all(item.whole for item in gold)
    ranked = as_documents(hits) if whole else list(hits)
    found = {f"recall@{k}": recall(ranked, gold, k) for k in RANKS}
    found["MAP@10"] = average_precision(ranked, gold, _CUT)
    found["nDCG@10"] = ndcg(ranked, gold, _CUT)
    found["document first"] = document_first(hits, gold)
    if any(item.whole for item in gold):
        return found
    for k in CHARACTER_DEPTHS:
        found[f"char P@{k}"], found[f"char R@{k}"] = character_overlap(hits, gold, k)
    found["chars@8"] = float(_length(hits[:8]))
    token = token_overlap(hits, gold, _TOKEN_DEPTH)
    found |= dict(zip(("token R@5", "token P@5", "token IoU@5"), token, strict=True))
    return found


def as_documents(hits: Iterable[Span]) -> list[Span]:
    """The first passage of each document, in order."""
    first: dict[str, Span] = {}
    for hit in hits:
        first.setdefault(hit.document, hit)
    return list(first.values())


def recall(hits: Sequence[Span], gold: Sequence[Gold], k: int) -> float:
    """Share of the gold items that the first ``k`` passages hit, 0..1, not decreasing in ``k``."""
    return sum(any(_hits(hit, item) for hit in hits[:k]) for item in gold) / len(gold)


def average_precision(hits: Sequence[Span], gold: Sequence[Gold], k: int) -> float:
    """Mean of the precision at each passage that hits new gold, among the first ``k``, 0..1.

    The mean is over those passages and the gold items that were missed, at most ``k``.
    """
    gains, missed = _gains(hits, gold, k)
    precisions = [sum(gains[:rank]) / rank for rank, gain in enumerate(gains, 1) if gain]
    return sum(precisions) / min(k, len(precisions) + missed)


def ndcg(hits: Sequence[Span], gold: Sequence[Gold], k: int) -> float:
    """Normalised discounted cumulative gain of the first ``k`` passages, 0..1; gain 1 for a passage that hits new gold.

    The ideal list has those passages and one for each missed gold item first.
    Source: Jarvelin and Kekalainen, ACM TOIS 2002, with binary gains.
    """
    gains, missed = _gains(hits, gold, k)
    reached = sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1))
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(k, sum(gains) + missed) + 1))
    return reached / ideal


def document_first(hits: Sequence[Span], gold: Sequence[Gold]) -> float:
    """1.0 if the first passage is from a document with gold."""
    return float(bool(hits) and any(hits[0].document == item.document for item in gold))


def character_overlap(hits: Sequence[Span], gold: Sequence[Gold], k: int) -> tuple[float, float]:
    """Precision and recall in characters of the union of the first ``k`` passages, each 0..1; recall does not fall with ``k``.

    Args:
        hits: best first.
        gold: spans all.
        k: passages.
    """
    golden = union((item.document, item.start or 0, item.end or 0) for item in gold)
    found = union((hit.document, hit.start, hit.end) for hit in hits[:k])
    shared = _shared(found, golden)
    retrieved, wanted = _size(found), _size(golden)
    return (shared / retrieved if retrieved else 0.0), (shared / wanted if wanted else 0.0)


def token_overlap(hits: Sequence[Span], gold: Sequence[Gold], k: int) -> tuple[float, float, float]:
    """Recall, precision and intersection over union of the first ``k`` passages, each 0..1.

    Counts as the reference implementation of the chunking evaluation does: characters stand for tokens, text that two
    passages share is counted twice in the denominators, and gold that nothing covers is added to that of the third.
    Source: Smith and Troynikov, Evaluating Chunking Strategies for Retrieval, Chroma 2024.
    """
    golden = union((item.document, item.start or 0, item.end or 0) for item in gold)
    shared = _shared(union((hit.document, hit.start, hit.end) for hit in hits[:k]), golden)
    retrieved, wanted = _length(hits[:k]), _size(golden)
    together = retrieved + wanted - shared
    return (
        shared / wanted if wanted else 0.0,
        shared / retrieved if retrieved else 0.0,
        shared / together if together else 0.0,
    )


def union(spans: Iterable[tuple[str, int, int]]) -> dict[str, Ranges]:
    """Spans (document, start, end) as sorted, disjoint, non-empty ranges by document."""
    merged: dict[str, Ranges] = {}
    for document, start, end in sorted(spans):
        ranges = merged.setdefault(document, [])
        if ranges and start <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(ranges[-1][1], end))
        elif start < end:
            ranges.append((start, end))
    return merged


def _shared(one: dict[str, Ranges], other: dict[str, Ranges]) -> int:
    return sum(
        max(0, min(end, stop) - max(start, begin))
        for document, ranges in one.items()
        for start, end in ranges
        for begin, stop in other.get(document, ())
    )


def _size(ranges: dict[str, Ranges]) -> int:
    return sum(end - start for listed in ranges.values() for start, end in listed)


def _length(hits: Sequence[Span]) -> int:
    return sum(hit.end - hit.start for hit in hits)


def _hits(hit: Span, item: Gold) -> bool:
    if hit.document != item.document:
        return False
    return item.start is None or item.end is None or min(hit.end, item.end) > max(hit.start, item.start)


def _gains(hits: Sequence[Span], gold: Sequence[Gold], k: int) -> tuple[list[int], int]:
    """Whether each of the first ``k`` passages hits gold that none before it hit, and how much gold none hits."""
    left = list(gold)
    gains = []
    for hit in hits[:k]:
        rest = [item for item in left if not _hits(hit, item)]
        gains.append(int(len(rest) < len(left)))
        left = rest
    return gains, len(left)
