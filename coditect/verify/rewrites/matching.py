"""Which word of a rewrite stands for which word of its source, and how surely."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from coditect.verify.rewrites.lexicon import CLOSE, SAME, marks, sets_of, standing
from coditect.verify.rewrites.reading import Bundle, ReadStatement

__all__ = ["WordMatch", "match", "turned"]

_SAYING = frozenset(("same",))
_PREFIXES = ("non", "un", "in", "im", "ir", "dis")
_NEAR = 6
_WEIGHT = 0.9


@dataclass(frozen=True)
class WordMatch:
    """A sentence of a claim beside a statement of its evidence.

    Attributes:
        claim: the sentence.
        source: the statement.
        forth: token of the claim to the tokens of the source that it stands for, the first one the main one.
        surety: token of the claim to how surely it does.
    """

    claim: ReadStatement
    source: ReadStatement
    forth: dict[int, tuple[int, ...]]
    surety: dict[int, float]

    @cached_property
    def back(self) -> dict[int, tuple[int, ...]]:
        """Token of the source to the tokens of the claim that stand for it."""
        found: dict[int, list[int]] = {}
        for i, places in self.forth.items():
            for j in places:
                found.setdefault(j, []).append(i)
        return {j: tuple(sorted(those)) for j, those in found.items()}

    @property
    def strange(self) -> list[int]:
        """Tokens of content in the claim that stand for nothing."""
        return [i for i in self.claim.content if i not in self.forth]


def match(claim: ReadStatement, source: ReadStatement) -> WordMatch:
    """Pair the words of a sentence with those of a statement: surest first, then those whose neighbours are paired near by.

    Args:
        claim: the sentence.
        source: the statement.
    """
    candidates = list(_candidates(claim, source))
    forth: dict[int, tuple[int, ...]] = {}
    surety: dict[int, float] = {}
    taken: dict[int, list[int]] = {}
    alone: dict[int, int] = {}
    for mine, _, sure in candidates:
        if sure == SAME:
            for i in mine:
                alone[i] = alone.get(i, 0) + 1
    first = [each for each in candidates if each[2] == SAME and all(alone[i] == 1 for i in each[0])]
    for again in (False, True):
        pool = candidates if again else first
        while True:
            best = None
            for mine, theirs, sure in pool:
                rest = [i for i in mine if i not in forth]
                if not rest:
                    continue
                shared = [n for j in theirs for n in taken.get(j, ()) if n not in mine]
                if any(claim.tokens[n].key != claim.tokens[mine[0]].key for n in shared):
                    continue
                score = sure + _WEIGHT * _nearness(claim, source, forth, mine[0], theirs[0]) - (1.5 if shared else 0)
                if best is None or score > best[0]:
                    best = (score, mine, theirs, sure)
            if best is None:
                break
            _, mine, theirs, sure = best
            for i in mine:
                if i not in forth:
                    forth[i], surety[i] = theirs, sure
            for j in theirs:
                taken.setdefault(j, []).extend(mine)
    _settle(claim, source, candidates, forth)
    return WordMatch(claim, source, forth, surety)


def _settle(
    claim: ReadStatement,
    source: ReadStatement,
    candidates: list[tuple[tuple[int, ...], tuple[int, ...], float]],
    forth: dict[int, tuple[int, ...]],
) -> None:
    """Of words that occur more than once in the source, take the one that stands nearest to what the neighbours stand for."""
    place = source.place
    for k, i in enumerate(claim.content):
        if i not in forth:
            continue
        same = [theirs for mine, theirs, sure in candidates if mine == (i,) and sure == SAME]
        if len(same) < 2:
            continue
        others = {j for n, places in forth.items() if claim.tokens[n].key != claim.tokens[i].key for j in places}
        same = [theirs for theirs in same if not others.intersection(theirs)] or same
        near = [n for n in (*claim.content[max(0, k - 2) : k], *claim.content[k + 1 : k + 3]) if n in forth]
        if near:
            forth[i] = min(
                same,
                key=lambda theirs: (
                    sum(
                        abs(place.get(theirs[0], theirs[0]) - place.get(forth[n][0], forth[n][0]))
                        / abs(claim.place[n] - k) ** 2
                        for n in near
                    ),
                    theirs,
                ),
            )


def _denials(low: str) -> tuple[str, ...]:
    """A word, and what it is without a prefix that denies."""
    return (low, *(low[len(prefix) :] for prefix in _PREFIXES if low.startswith(prefix)))


def turned(one: str, other: str) -> bool:
    """Whether one of two words is the other with a prefix that denies it: "confidential" and "non-confidential"."""
    return any(one == prefix + other or other == prefix + one for prefix in _PREFIXES)


def _nearness(claim: ReadStatement, source: ReadStatement, forth: dict[int, tuple[int, ...]], i: int, j: int) -> float:
    """1 where the nearest paired neighbours of a word stand next to its counterpart, less the further they do."""
    best = 0.0
    for n, places in forth.items():
        away = abs(n - i)
        if 0 < away <= _NEAR:
            distance = min(abs(k - j) for k in places)
            best = max(best, 1.0 / (1.0 + max(0, distance - away) / 2) * (1.0 if away <= 3 else 0.8))
    return best


def _candidates(
    claim: ReadStatement, source: ReadStatement
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], float]]:
    words = [
        (j, token.key)
        for j, token in enumerate(source.tokens)
        if token.role == "word" or (token.role == "function" and token.low in _SAYING)
    ]  # fmt: skip
    mine = [i for i, token in enumerate(claim.tokens) if token.role == "word"]
    marked = [(j, other, marks(other)) for j, other in words]
    denied = {form: j for j, _ in words for form in _denials(source.tokens[j].low)}
    for i in mine:
        key, low = claim.tokens[i].key, claim.tokens[i].low
        own = marks(key)
        for j, other, theirs in marked:
            if other == key:
                yield (i,), (j,), SAME
            elif i in claim.place and not own.isdisjoint(theirs) and (sure := standing(key, other)):
                yield (i,), (j,), sure
        for j in {
            denied[form]
            for form in (low, *_denials(low))
            if form in denied and turned(low, source.tokens[denied[form]].low)
        }:
            yield (i,), (j,), CLOSE
        sets = sets_of(key)
        if i in claim.place:
            for bundle in source.bundles:
                if sets & bundle.sets:
                    yield (i,), _main_first(source, bundle), CLOSE
    for bundle in claim.bundles:
        tokens = tuple(i for i in bundle.tokens if claim.tokens[i].role == "word")
        if not tokens:
            continue
        for j, other in words:
            if sets_of(other) & bundle.sets:
                yield tokens, (j,), CLOSE
        for turn in source.bundles:
            if turn.sets & bundle.sets:
                yield tokens, _main_first(source, turn), CLOSE


def _main_first(said: ReadStatement, bundle: Bundle) -> tuple[int, ...]:
    words = [n for n in bundle.tokens if said.tokens[n].role == "word"]
    return tuple(sorted(bundle.tokens, key=lambda n: (n not in words, n)))
