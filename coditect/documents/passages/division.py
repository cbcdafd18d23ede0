"""Where a stretch of atoms is cut: at its structure, at sentence ends, where the meaning changes, or by counting."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from coditect.documents.passages.atoms import DEEPEST, KEEP, LINE, SENTENCE, Atoms

__all__ = ["Caps", "Range", "count_out", "divide", "keep_runs", "overlapped"]

Range = tuple[int, int]
"""Atoms: the first, and one past the last."""

TINY = 4
"""A piece of less than a fourth of the least size is joined to whatever stands beside it."""


@dataclass(frozen=True, slots=True)
class Caps:
    """How large the passages of a level are, in tokens.

    Attributes:
        size: no passage has more.
        core: neither have stretches that are put together, so that an overlap finds room; 1..size.
        whole: a section of no more is not cut; 0..size.
        least: pieces of at least so many stand alone at the borders of sections; 0..size.
    """

    size: int
    core: int
    whole: int
    least: int


def divide(atoms: Atoms, ranks: Sequence[int], drops: Sequence[float], low: int, high: int, caps: Caps) -> list[Range]:
    """Cut the atoms ``low`` up to ``high`` at their structure first.

    Args:
        atoms: the atoms of the text.
        ranks: how good a place to cut lies before each, from :func:`keep_runs`.
        drops: for each atom how much the meaning drops before it, >= 0; empty if that does not matter.
        low: index of the first atom.
        high: one past the last, > low.
        caps: how large the passages of the level are.
    Returns:
        consecutive ranges that cover all, each of at most ``caps.size`` tokens.
    """
    if atoms.size(low, high) <= caps.whole or high - low == 1:
        return [(low, high)]
    best = min(ranks[low + 1 : high])
    if best > DEEPEST:
        return _cut_text(atoms, ranks, drops, low, high, caps)
    borders = [low, *(at for at in range(low + 1, high) if ranks[at] == best), high]
    pieces: list[tuple[int, int, bool]] = []
    for start, end in pairwise(borders):
        inner = divide(atoms, ranks, drops, start, end, caps)
        pieces.extend((a, b, len(inner) == 1) for a, b in inner)
    return _joined(atoms, pieces, caps)


def keep_runs(atoms: Atoms, size: int) -> list[int]:
    """The ranks for a level: tables and lists of at most ``size`` tokens are cut only where sentences would be."""
    ranks = list(atoms.ranks)
    for low, high in atoms.runs:
        if atoms.size(low, high) <= size:
            for at in range(low + 1, high):
                if LINE <= ranks[at] <= SENTENCE:
                    ranks[at] = KEEP
    return ranks


def _cut_text(
    atoms: Atoms, ranks: Sequence[int], drops: Sequence[float], low: int, high: int, caps: Caps
) -> list[Range]:
    """Cut a stretch that no section border crosses."""
    if atoms.size(low, high) <= caps.size:
        return [(low, high)]
    if not drops:
        return _fill(atoms, ranks, low, high, caps)
    pieces: list[Range] = []
    for start, end in _at_drops(atoms, ranks, drops, low, high, caps):
        pieces.extend([(start, end)] if atoms.size(start, end) <= caps.core else _fill(atoms, ranks, start, end, caps))
    return _joined(atoms, [(a, b, True) for a, b in pieces], Caps(caps.size, caps.core, 0, _small(caps)))


def _fill(atoms: Atoms, ranks: Sequence[int], low: int, high: int, caps: Caps) -> list[Range]:
    """Pieces of about the same size, cut at the best place near to it."""
    pieces: list[Range] = []
    while high - low > 1 and atoms.size(low, high) > caps.core:
        rest = atoms.size(low, high)
        at = _best_place(atoms, ranks, low, high, rest / -(-rest // caps.core), caps)
        pieces.append((low, at))
        low = at
    if low < high:
        pieces.append((low, high))
    return pieces


def _best_place(atoms: Atoms, ranks: Sequence[int], low: int, high: int, target: float, caps: Caps) -> int:
    """The end of a piece that begins at ``low`` and has about ``target`` tokens; no sentence is cut that need not be."""
    stop = _within(atoms, low, high - 1, caps.core)
    near = [at for at in range(low + 1, stop + 1) if 2 * atoms.size(low, at) >= target] or [stop]
    between = [at for at in near if ranks[at] <= SENTENCE]
    if not between:
        last = next((at for at in range(stop, low, -1) if ranks[at] <= SENTENCE), None)
        if last is not None:
            return last
        # A sentence that leaves no room for an overlap is better than one that is cut.
        most = _within(atoms, low, high, caps.size)
        whole = next((at for at in range(stop + 1, most + 1) if at == high or ranks[at] <= SENTENCE), None)
        if whole is not None:
            return whole
    return min(between or near, key=lambda at: (ranks[at], abs(atoms.size(low, at) - target), at))


def _within(atoms: Atoms, low: int, high: int, cap: int) -> int:
    """The last place up to ``high`` that has at most ``cap`` tokens behind ``low``, or the first of all."""
    return max(low + 1, min(bisect_right(atoms.last, atoms.first[low] + cap), high))


def _small(caps: Caps) -> int:
    return min(caps.least, caps.core // 4)


def _at_drops(
    atoms: Atoms, ranks: Sequence[int], drops: Sequence[float], low: int, high: int, caps: Caps
) -> Iterable[Range]:
    """Cut at the deepest drops first, until every piece fits or has none left with enough on both sides."""
    places = [at for at in range(low + 1, high) if ranks[at] <= SENTENCE and drops[at] > 0]
    cuts = [low, high]
    least = _small(caps)
    for at in sorted(places, key=lambda at: (-drops[at], at)):
        position = bisect_left(cuts, at)
        start, end = cuts[position - 1], cuts[position]
        if atoms.size(start, end) > caps.core and min(atoms.size(start, at), atoms.size(at, end)) >= least:
            cuts.insert(position, at)
    return pairwise(cuts)


def _joined(atoms: Atoms, pieces: Sequence[tuple[int, int, bool]], caps: Caps) -> list[Range]:
    """Join small neighbours, forwards where that fits, else backwards; parts of something only if they are tiny."""
    done: list[tuple[int, int, bool]] = []
    for piece in pieces:
        if done and _may_join(atoms, done[-1], piece, done[-1], caps):
            done[-1] = (done[-1][0], piece[1], True)
            continue
        _join_back(atoms, done, caps)
        done.append(piece)
    _join_back(atoms, done, caps)
    return [(a, b) for a, b, _ in done]


def _join_back(atoms: Atoms, done: list[tuple[int, int, bool]], caps: Caps) -> None:
    """Join the last piece with the one before it if it is small, and not a heading without its text."""
    if (
        len(done) > 1
        and not atoms.only_headings(*done[-1][:2])
        and _may_join(atoms, done[-2], done[-1], done[-1], caps)
    ):
        last = done.pop()
        done[-1] = (done[-1][0], last[1], True)


def _may_join(
    atoms: Atoms,
    before: tuple[int, int, bool],
    after: tuple[int, int, bool],
    small: tuple[int, int, bool],
    caps: Caps,
) -> bool:
    if atoms.size(before[0], after[1]) > caps.core:
        return False
    size = atoms.size(small[0], small[1])
    return size < caps.least and ((before[2] and after[2]) or size * TINY < caps.least)


def count_out(atoms: Atoms, low: int, high: int, caps: Caps) -> list[Range]:
    """Cut every ``caps.size`` tokens, the later ones so much shorter that an overlap makes them as long."""
    pieces: list[Range] = []
    cap = caps.size
    while atoms.size(low, high) > cap:
        at = max(low + 1, bisect_right(atoms.last, atoms.first[low] + cap, low, high))
        if at >= high:
            break
        pieces.append((low, at))
        low, cap = at, caps.core
    pieces.append((low, high))
    return pieces


def overlapped(atoms: Atoms, pieces: Sequence[Range], caps: Caps, ratio: float) -> list[Range]:
    """Let each piece but the first begin up to ``ratio * caps.size`` tokens earlier, where ``atoms.opens``.

    Starts and ends stay strictly increasing, so that none contains another, and no piece outgrows ``caps.size``.
    """
    allowed = int(caps.size * ratio)
    if not allowed:
        return list(pieces)
    done = list(pieces[:1])
    for low, high in pieces[1:]:
        least = max(atoms.first[low] - allowed, atoms.last[high - 1] - caps.size)
        earliest = bisect_left(atoms.first, least, done[-1][0] + 1, low)
        done.append((next((at for at in range(earliest, low) if atoms.opens[at]), low), high))
    return done
