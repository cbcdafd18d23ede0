"""Passages of several sizes, each smaller one inside its parent.

The largest level is cut first: at the structure of the document, then at paragraphs, sentence ends, and only then inside
sentences. Each smaller level cuts every passage of the level above in the same way. A passage never has more tokens than
its level allows; small neighbours are joined; sections that are long enough to stand alone are not.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from coditect.documents.passages.atoms import SENTENCE, Atoms, sentence_atoms, token_atoms
from coditect.documents.passages.division import Caps, Range, count_out, divide, keep_runs, overlapped
from coditect.documents.sentences import Span
from coditect.documents.source import SourceText
from coditect.documents.structure.outline import OutlineSection
from coditect.errors import UsageError
from coditect.models.port import FloatArray, IntArray
from coditect.schemas.passage import PassageSettings

__all__ = ["Cut", "Level", "Merging", "anchored", "count_tokens", "cut"]

_TOKENS_AT_ONCE = 1 << 16

_LAST_SPACE = 0x3000
_INK = np.array([not chr(code).isspace() for code in range(_LAST_SPACE + 2)])
"""Whether a character is no white space; the last entry stands for all that follow."""


@dataclass(frozen=True, slots=True)
class Cut:
    """One passage: where it is cut, and where it stands in the tree of passages.

    Attributes:
        start: first code point; never white space.
        end: one past the last code point; ``text[end - 1]`` is never white space.
        tokens: that begin in it; at least 1.
        parent: index into the next larger level, -1 at the largest.
        first_child: index into the next smaller level, 0 at the smallest.
        child_count: 0 at the smallest level.
    """

    start: int
    end: int
    tokens: int
    parent: int
    first_child: int = 0
    child_count: int = 0


@dataclass(frozen=True, slots=True)
class Level:
    """All passages of one size, those of one parent side by side and in the order of the parents.

    Attributes:
        level: 0 for the smallest.
        size: tokens of a passage, at most.
        cuts: its passages. Without overlap they are in the order of the text.
    """

    level: int
    size: int
    cuts: tuple[Cut, ...]


@dataclass(frozen=True, slots=True)
class Merging:
    """How eagerly neighbours are joined, for each level, the smallest first.

    Attributes:
        min_tokens: sections and clauses of at least so many tokens are not joined with others; the level's size joins
            whatever fits, 0 nothing.
        whole_tokens: a section of at most so many tokens is one passage, whatever stands in it.
    """

    min_tokens: tuple[int, ...]
    whole_tokens: tuple[int, ...]

    @classmethod
    def usual(cls, sizes: Sequence[int]) -> Merging:
        """Those of a quarter of the size stand alone, and what fits is not cut."""
        return cls(tuple(size // 4 for size in sizes), tuple(sizes))


def anchored(text: str, tokens: IntArray) -> list[int]:
    """Where tokens begin, those that begin with white space and reach into a word at the word.

    Args:
        text: canonical text.
        tokens: shape (tokens,), code points into it, not decreasing.
    Raises:
        UsageError: offsets that are not in order, or outside of the text.
    """
    _require_order(text, tokens)
    return list(_anchored(text, tokens))


def _require_order(text: str, tokens: IntArray) -> None:
    if tokens.ndim != 1 or (
        len(tokens) and (tokens[0] < 0 or tokens[-1] > len(text) or bool(np.any(np.diff(tokens) < 0)))
    ):
        raise UsageError("token offsets are out of order", hint="give those that the tokenizer found in this text")


def _anchored(text: str, tokens: IntArray) -> array[int]:
    """As :func:`anchored`, in a quarter of the memory: a document has millions of tokens."""
    starts = tokens.astype(np.int64)
    for begin in range(0, len(starts), _TOKENS_AT_ONCE):
        some = starts[begin : begin + _TOKENS_AT_ONCE]
        following = np.append(some[1:], tokens[begin + len(some) : begin + len(some) + 1])
        if len(following) < len(some):
            following = np.append(following, len(text))
        first = int(some[0])
        ink = first + np.flatnonzero(_is_ink(text[first : int(following[-1])]))
        # No further than the next token: a word is the beginning of none of those before.
        at = np.searchsorted(ink, some)
        reached = np.append(ink, len(text))[at]
        some[:] = np.where(reached < following, reached, some)
    return array("q", starts.tobytes())


def _is_ink(text: str) -> npt.NDArray[np.bool_]:
    """Which characters of a text are no white space."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return _INK[np.minimum(codes, len(_INK) - 1)]


def count_tokens(tokens: Sequence[int], start: int, end: int) -> int:
    """Tokens that begin in ``[start, end)``, at least 1.

    Args:
        tokens: from :func:`anchored`.
        start: first code point.
        end: one past the last.
    """
    return max(1, bisect_left(tokens, end) - bisect_left(tokens, start))


def cut(
    source: SourceText,
    sections: Sequence[OutlineSection],
    sentences: Sequence[Span],
    tokens: IntArray,
    settings: PassageSettings,
    similarity: FloatArray | None = None,
    merging: Merging | None = None,
) -> tuple[Level, ...]:
    """Cut a document into passages.

    Every child lies inside its one parent; the children of a parent hold all of its text that is not white space; none
    lies inside another one of the same parent. No passage has more tokens than its level's size, unless more begin at
    one code point.

    Args:
        source: the text.
        sections: its outline, from :func:`coditect.documents.structure.outline.outline`.
        sentences: from :func:`coditect.documents.sentences.sentences`.
        tokens: where each token of the whole text begins, shape (tokens,).
        settings: sizes, overlap, and where passages end.
        similarity: cosine of each sentence with the next, shape (sentences - 1,), for semantic boundaries.
        merging: how eagerly neighbours are joined; :meth:`Merging.usual` if None.
    Returns:
        one entry for each of ``settings.chunk_levels``, the smallest first; without passages if the text is blank.
    Raises:
        UsageError: semantic boundaries without similarities, or values of another number than there are.
    """
    sizes = settings.chunk_levels
    merging = merging or Merging.usual(sizes)
    if not len(merging.min_tokens) == len(merging.whole_tokens) == len(sizes):
        raise UsageError("as many least sizes as levels are needed", levels=len(sizes))
    _require_order(source.text, tokens)
    starts = _anchored(source.text, tokens)
    is_fixed = settings.boundaries == "fixed"
    atoms = (
        token_atoms(source.text, starts) if is_fixed else sentence_atoms(source, sections, sentences, starts, sizes[0])
    )
    drops = _drops(atoms, len(sentences), similarity) if settings.boundaries == "semantic" else []
    ratio = settings.overlap_ratio
    parents: list[Range] = [(0, len(atoms))] if len(atoms) else []
    levels: list[tuple[list[Range], list[int]]] = []
    for size, least, whole in zip(
        reversed(sizes), reversed(merging.min_tokens), reversed(merging.whole_tokens), strict=True
    ):
        caps = Caps(size, size - int(size * ratio), min(whole, size), min(least, size))
        ranks = keep_runs(atoms, caps.core)
        ranges: list[Range] = []
        parent_of: list[int] = []
        for index, (low, high) in enumerate(parents):
            pieces = count_out(atoms, low, high, caps) if is_fixed else divide(atoms, ranks, drops, low, high, caps)
            ranges += overlapped(atoms, pieces, caps, ratio)
            parent_of += [index] * len(pieces)
        levels.append((ranges, parent_of))
        parents = ranges
    return _linked(atoms, sizes, levels)


def _linked(atoms: Atoms, sizes: Sequence[int], levels: Sequence[tuple[list[Range], list[int]]]) -> tuple[Level, ...]:
    """Levels of passages that know their parents and children; ``levels`` come with the largest first."""
    linked = []
    for depth, (ranges, parent_of) in enumerate(levels):
        below = levels[depth + 1][1] if depth + 1 < len(levels) else []
        cuts = []
        for index, (low, high) in enumerate(ranges):
            first, after = bisect_left(below, index), bisect_left(below, index + 1)
            cuts.append(
                Cut(
                    start=atoms.starts[low],
                    end=atoms.ends[high - 1],
                    tokens=max(1, atoms.size(low, high)),
                    parent=parent_of[index] if depth else -1,
                    first_child=first if below else 0,
                    child_count=after - first,
                )
            )
        level = len(sizes) - 1 - depth
        linked.append(Level(level, sizes[level], tuple(cuts)))
    return tuple(reversed(linked))


def _drops(atoms: Atoms, sentence_count: int, similarity: FloatArray | None) -> list[float]:
    """For each atom how far the similarity between sentences falls before it, from the peaks on both sides.

    Source: Hearst, TextTiling, Computational Linguistics 23 (1997), depth scores.
    """
    wanted = max(0, sentence_count - 1)
    if similarity is None:
        raise UsageError("semantic boundaries need similarities", hint="choose 'sentence', or give an embedder")
    if similarity.shape != (wanted,) or not bool(np.all(np.isfinite(similarity))):
        raise UsageError("there is not one similarity for each pair of neighbouring sentences", pairs=wanted)
    values: list[float] = similarity.tolist()
    left, right = _peaks(values), _peaks(values[::-1])[::-1]
    depths = [0.0, *(a + b - 2 * value for a, b, value in zip(left, right, values, strict=True))]
    drops = []
    for index, rank in enumerate(atoms.ranks):
        drops.append(depths[atoms.sentence[index]] if rank <= SENTENCE else 0.0)
    return drops


def _peaks(values: Sequence[float]) -> list[float]:
    """For each value the top of the slope that rises from it towards the front."""
    peaks: list[float] = []
    for index, value in enumerate(values):
        peaks.append(peaks[-1] if index and values[index - 1] >= value else value)
    return peaks
