"""The words of a passage that answer: the run of its sentences that holds most of what the question says (ADR 0017).

A passage is as long as a search needs to judge it; what answers is often one sentence of it. A hit is focused after it was found:
its sentences are weighed by the question's words in them and beside them, and the run that is worth most is what an auditor is
shown. Words alone decide, so this takes no model, and means the same with every one of them.

The figures below are round ones from a plateau on contracts, privacy policies and the chunking evaluation's texts together, whole
passages and those one level above (``python -m coditect_benchmarks.retrieval``, rows "focus").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.errors import UsageError
from coditect.retrieve.words import Words, stems

__all__ = ["NAMING", "FocusableHit", "Stretch", "focuses"]

NEIGHBOUR = 0.5
"""What a sentence gains from the better of those beside it: an answer goes on where its words were said before."""

OUTSIDE = 0.1
"""What a sentence loses that does not stand in the smaller passage that was matched."""

WITHIN = 0.15
"""Share of a passage's best sentence that others must reach."""

HIT = 2.0
"""What the score of a hit counts for beside the words of its sentences: of a poor hit only a good sentence is kept."""

NAMING = 0.1
"""What a word counts for that says which document is meant: it does so by chance, too, and then it is asked for."""

AMONG = 2 / 3
"""Share of the best sentence of all hits so far, with its hit's score, that others must reach with theirs."""

Stretch = tuple[int, int]
"""Code points of a text, half-open, not empty."""


@dataclass(frozen=True, slots=True)
class FocusableHit:
    """A hit of which the answering sentences are to be found.

    Attributes:
        text: of the passage.
        score: of the hit, in any unit; higher is better.
        matched: where the smaller passage stands in ``text`` that was matched; None: the passage itself was.
    """

    text: str
    score: float
    matched: Stretch | None = None


def focuses(words: Words, hits: Sequence[FocusableHit]) -> list[Stretch | None]:
    """Find the run of sentences that answers in each hit.

    The focus of a hit depends on it and on the hits before it, not on how many follow. It begins and ends with a sentence.

    Args:
        words: of the question; those that only name the document count for little (:data:`NAMING`).
        hits: best first.
    Returns:
        for each hit a stretch of its text; where none of the words stands in it, what was matched, or None.
    Raises:
        UsageError: a matched stretch is empty or outside its text.
    """
    found: list[Stretch | None] = []
    best = highest = 0.0
    for hit in hits:
        if hit.matched is not None and not 0 <= hit.matched[0] < hit.matched[1] <= len(hit.text):
            raise UsageError("a matched stretch is not inside its passage", matched=hit.matched, length=len(hit.text))
        sentences = list(_sentences(hit.text))
        worth = _worth(words, hit, sentences)
        if not worth:
            found.append(hit.matched)
            continue
        highest = max(highest, hit.score)
        standing = HIT * (min(1.0, max(0.0, hit.score / highest)) if highest > 0 else 1.0)
        own = max(worth)
        best = max(best, own + standing)
        least = max(WITHIN * own, AMONG * best - standing)
        first, last = _best_run([each - least for each in worth])
        found.append((sentences[first][0], sentences[last][1]))
    return found


def _sentences(text: str) -> Iterator[Stretch]:
    # Loading the segmenter takes 20 ms, and only questions of passages need it.
    from coditect.documents.sentences import sentences
    from coditect.documents.source import SourceText

    return ((each.start, each.end) for each in sentences(SourceText(text=text, media_type="text/plain"), ()))


def _worth(words: Words, hit: FocusableHit, sentences: Sequence[Stretch]) -> list[float]:
    """What each sentence is worth by the question's words; empty where none of them stands in the text."""
    total = sum(words.weights.values())
    shares = []
    for start, end in sentences:
        own = words.weights.keys() & stems(hit.text[start:end])
        # In the question's order: a sum of floats depends on it.
        shares.append(sum(weight for stem, weight in words.weights.items() if stem in own) / total if own else 0.0)
    if not any(shares):
        return []
    begin, stop = hit.matched or (0, len(hit.text))
    beside = [max(pair) for pair in zip([0.0, *shares[:-1]], [*shares[1:], 0.0], strict=True)]
    return [
        share + NEIGHBOUR * near - (0.0 if begin < end and start < stop else OUTSIDE)
        for share, near, (start, end) in zip(shares, beside, sentences, strict=True)
    ]


def _best_run(gains: Sequence[float]) -> tuple[int, int]:
    """The run of the highest sum, as its first and last position; the earliest of equal ones, at least one long.

    Source: Kadane's algorithm, in Bentley, Programming Pearls, CACM 1984.
    """
    best = (gains[0], 0, 0)
    total, first = 0.0, 0
    for at, gain in enumerate(gains):
        if total <= 0:
            total, first = 0.0, at
        total += gain
        if total > best[0]:
            best = (total, first, at)
    return best[1], best[2]
