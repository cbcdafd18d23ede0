"""Tier 2: which whole sentences stand for a chunk.

Nothing is written here, only chosen: the result is spans of the given text. Salience comes from TextRank or TF-IDF, the
number of sentences from the chunk's size, and a sentence that says what a chosen one says already is passed over.
The defaults are measured (``benchmarks/coditect_benchmarks/selection.py``, ADR 0013).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite
from typing import Any, Literal, get_args

import numpy as np

from coditect.errors import UsageError
from coditect.language.terms import MODAL_TERMS, terms
from coditect.tiers.chunks import textrank, tfidf
from coditect.tiers.chunks.tfidf import FloatArray, document_idf

__all__ = [
    "DUPLICATE_COSINE",
    "LONGEST_SENTENCE",
    "SELECTION_METHODS",
    "Selected",
    "Selection",
    "SelectionMethod",
    "SelectionParameters",
    "SentenceCandidate",
    "document_idf",
    "select",
    "select_with_report",
]

SelectionMethod = Literal["textrank", "tfidf"]
SELECTION_METHODS: tuple[SelectionMethod, ...] = ("textrank", "tfidf")

LONGEST_SENTENCE = 1500
"""Code points over which a "sentence" is a table or a run-on list: chosen only where there is nothing else."""

DUPLICATE_COSINE = 0.95
"""Cosine over which two sentences count as the same, if they also agree in their numbers and modal words."""

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class SentenceCandidate:
    """A sentence that may be selected.

    Attributes:
        start: first code point in the text.
        end: one past the last code point; ``end > start``.
        weight: prior, > 0; above 1 for sentences that carry obligations, definitions or deadlines.
    """

    start: int
    end: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Selected:
    """A sentence that was selected.

    Attributes:
        start: first code point in the text.
        end: one past the last code point.
        score: salience as a share of the chunk's most salient candidate, in (0, 1], rounded to 6 digits.
        rank: 1 for the most salient of the selected ones, ties in document order.
    """

    start: int
    end: int
    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class SelectionParameters:
    """How to select. Part of the identity of every chunk summary.

    Attributes:
        method: "textrank" or "tfidf".
        damping: share of the sentences' content in their salience, 0..1, 1 excluded; the rest is the prior's. In
            TextRank, the probability to follow an edge.
        tolerance: L1 distance at which TextRank stops, > 0.
        max_iterations: when TextRank gives up, > 0.
        lead: how much the chunk's first sentence is preferred, >= 0: the prior of its i-th sentence (0-based) is its
            weight times ``1 + lead / (1 + i)``. A clause tends to open with its rule.
        ratio: share of the candidates' code points to select, in (0, 1]: sentences are added while that brings the
            sum nearer to the share.
        min_sentences: floor of their number (never more than there are), >= 1.
        max_sentences: cap of their number, >= ``min_sentences``.
        redundancy: weight of salience against novelty in maximal marginal relevance, 0..1; 1 ignores redundancy.
    """

    method: SelectionMethod = "textrank"
    damping: float = 0.6
    tolerance: float = 1e-6
    max_iterations: int = 200
    lead: float = 2.0
    ratio: float = 0.2
    min_sentences: int = 1
    max_sentences: int = 8
    redundancy: float = 0.7

    def __post_init__(self) -> None:
        """Refuse values out of range.

        Raises:
            UsageError: a value is out of the range that its attribute states.
        """
        ranges = {
            "method": self.method in get_args(SelectionMethod),
            "damping": 0.0 <= self.damping < 1.0,
            "tolerance": 0.0 < self.tolerance < 1.0,
            "max_iterations": self.max_iterations > 0,
            "lead": 0.0 <= self.lead < inf,
            "ratio": 0.0 < self.ratio <= 1.0,
            "min_sentences": self.min_sentences >= 1,
            "max_sentences": self.max_sentences >= self.min_sentences,
            "redundancy": 0.0 <= self.redundancy <= 1.0,
        }
        for name, fits in ranges.items():
            if not fits:
                raise UsageError(
                    "a selection parameter is out of range",
                    hint="see SelectionParameters for the ranges",
                    parameter=name,
                    value=getattr(self, name),
                )


@dataclass(frozen=True, slots=True)
class Selection:
    """What was selected, and how the ranking ended.

    Attributes:
        selected: in document order.
        iterations: power iterations taken; 0 for TF-IDF and where there was nothing to rank.
        residual: L1 distance between the last two score vectors.
        converged: False if TextRank ran out of iterations; the selection then rests on its last scores.
    """

    selected: tuple[Selected, ...]
    iterations: int = 0
    residual: float = 0.0
    converged: bool = True


def select(
    text: str,
    candidates: Sequence[SentenceCandidate],
    parameters: SelectionParameters,
    idf: Mapping[str, float] | None = None,
    *,
    terms_of: Sequence[Sequence[str]] | None = None,
) -> tuple[Selected, ...]:
    """Select the sentences that stand for a chunk; :func:`select_with_report` without the report.

    Args:
        text: the text that the candidates point into (the document's; offsets are its code points).
        candidates: the chunk's sentences, in any order, not overlapping.
        parameters: how to select.
        idf: :func:`document_idf` of the whole document; None weighs by the candidates alone.
        terms_of: the terms of each candidate, in the candidates' order, where they are known already.

    Returns:
        The selected sentences in document order; empty only when there are no candidates.

    Raises:
        UsageError: as :func:`select_with_report`.
    """
    return select_with_report(text, candidates, parameters, idf, terms_of=terms_of).selected


def select_with_report(
    text: str,
    candidates: Sequence[SentenceCandidate],
    parameters: SelectionParameters,
    idf: Mapping[str, float] | None = None,
    *,
    terms_of: Sequence[Sequence[str]] | None = None,
) -> Selection:
    """Select the sentences that stand for a chunk, and say how the ranking ended.

    Args:
        text: the text that the candidates point into.
        candidates: the chunk's sentences, in any order, not overlapping.
        parameters: how to select.
        idf: :func:`document_idf` of the whole document; None weighs by the candidates alone.
        terms_of: the terms of each candidate, in the candidates' order, where they are known already.

    Returns:
        The selection and its report.

    Raises:
        UsageError: a candidate lies outside the text, is empty, overlaps another or has a weight that is not > 0, or
            ``terms_of`` has another length than ``candidates``.
    """
    if terms_of is not None and len(terms_of) != len(candidates):
        raise UsageError(
            "terms and candidates differ in number",
            hint="pass one term sequence per candidate",
            terms=len(terms_of),
            candidates=len(candidates),
        )
    order = sorted(range(len(candidates)), key=lambda i: (candidates[i].start, candidates[i].end))
    ordered = [candidates[i] for i in order]
    _check(text, ordered)
    if len(ordered) < 2:
        return Selection(tuple(Selected(only.start, only.end, 1.0, 1) for only in ordered))
    if terms_of is None:
        words: list[Sequence[str]] = [terms(text[candidate.start : candidate.end]) for candidate in ordered]
    else:
        words = [terms_of[i] for i in order]
    return _select(ordered, words, parameters, document_idf(words) if idf is None else idf)


def _check(text: str, ordered: Sequence[SentenceCandidate]) -> None:
    for candidate in ordered:
        if not 0 <= candidate.start < candidate.end <= len(text):
            raise UsageError(
                "a candidate does not lie in the text",
                hint="pass offsets into the text that you pass",
                start=candidate.start,
                end=candidate.end,
                length=len(text),
            )
        if not (isfinite(candidate.weight) and candidate.weight > 0.0):
            raise UsageError("a candidate's weight is not positive", hint="use 1.0", weight=candidate.weight)
    for first, second in pairwise(ordered):
        if second.start < first.end:
            raise UsageError(
                "two candidates overlap",
                hint="pass the sentences of one segmentation",
                end=first.end,
                start=second.start,
            )


def _select(
    ordered: Sequence[SentenceCandidate],
    words: Sequence[Sequence[str]],
    parameters: SelectionParameters,
    idf: Mapping[str, float],
) -> Selection:
    vectors = tfidf.sentence_vectors(words, idf)
    similarity = tfidf.cosines(vectors)
    prior = np.array(
        [candidate.weight * (1.0 + parameters.lead / (1 + i)) for i, candidate in enumerate(ordered)], dtype=np.float64
    )
    if parameters.method == "textrank":
        ranking = textrank.rank(
            similarity,
            prior,
            damping=parameters.damping,
            tolerance=parameters.tolerance,
            max_iterations=parameters.max_iterations,
        )
    else:
        ranking = textrank.Ranking(tfidf.salience(vectors, prior, content=parameters.damping), 0, 0.0, True)
    # Rounded before anything is compared, so that the last bits of a sum never decide between equal sentences.
    relative = np.maximum(np.round(ranking.scores / ranking.scores.max(), _DIGITS), 10.0**-_DIGITS)
    eligible = _eligible(ordered, words)
    lengths = [candidate.end - candidate.start for candidate in ordered]
    chosen = _choose(relative, similarity, eligible, words, lengths, parameters)
    by_salience = sorted(chosen, key=lambda i: (-relative[i], i))
    ranks = {index: position for position, index in enumerate(by_salience, start=1)}
    selected = tuple(
        Selected(ordered[i].start, ordered[i].end, round(float(relative[i]), _DIGITS), ranks[i]) for i in sorted(chosen)
    )
    return Selection(selected, ranking.iterations, ranking.residual, ranking.converged)


def _eligible(ordered: Sequence[SentenceCandidate], words: Sequence[Sequence[str]]) -> list[int]:
    """The sentences that may be chosen: neither overlong nor without a term, unless all are."""
    short = [i for i, candidate in enumerate(ordered) if candidate.end - candidate.start <= LONGEST_SENTENCE]
    worded = [i for i in short if words[i]]
    return worded or short or list(range(len(ordered)))


def _choose(
    relative: FloatArray,
    similarity: Any,  # noqa: ANN401 - a dense array or a scipy sparse one
    eligible: Sequence[int],
    words: Sequence[Sequence[str]],
    lengths: Sequence[int],
    parameters: SelectionParameters,
) -> list[int]:
    """Pick by maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998); near-duplicates at most once."""
    weight = parameters.redundancy
    budget = parameters.ratio * sum(lengths)
    nearest = np.zeros(len(relative))
    closed = np.ones(len(relative), dtype=bool)
    closed[list(eligible)] = False
    chosen: list[int] = []
    used = 0.0
    while len(chosen) < parameters.max_sentences and not closed.all():
        value = np.round(weight * relative - (1.0 - weight) * nearest, _DIGITS)
        value[closed] = -np.inf
        pick = int(np.argmax(value))  # the first of equals: document order
        # Half a sentence over the budget is as far from it as half a sentence under.
        if len(chosen) >= parameters.min_sentences and used + lengths[pick] / 2 > budget:
            break
        chosen.append(pick)
        used += lengths[pick]
        closed[pick] = True
        row = similarity[pick] if isinstance(similarity, np.ndarray) else similarity[[pick]].toarray()[0]
        np.maximum(nearest, row, out=nearest)
        for twin in np.flatnonzero(~closed & (row > DUPLICATE_COSINE)).tolist():
            closed[twin] = _binding(words[twin]) == _binding(words[pick])
    return chosen


def _binding(sentence: Sequence[str]) -> list[str]:
    """The terms in which near-duplicates must agree: "24 hours" is not "72 hours", nor "may" "may not"."""
    return sorted(term for term in sentence if term in MODAL_TERMS or term[0].isdigit())
