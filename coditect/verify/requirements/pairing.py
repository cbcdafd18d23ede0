"""Pairs what a part of a requirement and a sentence have in common beside equal words: acts in other words, and figures."""

from __future__ import annotations

from collections import defaultdict

from coditect.language.reading.sentence import SentenceReading
from coditect.language.reading.stems import canonical_stems
from coditect.verify.requirements.demand import Demand, is_done
from coditect.verify.requirements.figures.counts import unit_of
from coditect.verify.requirements.terms import does

__all__ = ["REQUIRE", "REQUIRED", "pair_acts", "pair_figures"]


def pair_acts(demand: Demand, sentence: SentenceReading, forth: dict[int, int], back: dict[int, int]) -> None:
    """Pair acts that are left with verbs that do what they ask; one verb may do several."""
    for n in demand.acts:
        if n in forth:
            continue
        key = demand.reading.tokens[n].key
        at = next(
            (at for at in range(len(sentence.tokens)) if _does(sentence, at, key) and is_done(sentence, at)), None
        )
        if at is not None:
            forth[n] = at
            back.setdefault(at, n)


def pair_figures(
    claim: SentenceReading, sentence: SentenceReading, forth: dict[int, int], back: dict[int, int]
) -> None:
    """Pair the only figure of a kind on each side, whatever the two say: how they stand to each other is compared as bounds."""
    ours, theirs = _figures(claim), _figures(sentence)
    for kind, places in ours.items():
        others = theirs.get(kind, [])
        if len(places) == len(others) == 1 and places[0] not in forth and others[0] not in back:
            forth[places[0]], back[others[0]] = others[0], places[0]


def _figures(reading: SentenceReading) -> dict[str, list[int]]:
    """The figures of a sentence by what they measure: a length of time, how often, or what is counted."""
    found: dict[str, list[int]] = defaultdict(list)
    for n, token in enumerate(reading.tokens):
        kind = token.mark.data.get("quantity_kind") if token.role == "number" and token.mark is not None else None
        if kind in ("deadline", "duration"):
            found["time"].append(n)
        elif kind == "frequency":
            found["frequency"].append(n)
        elif unit := unit_of(reading.tokens, n):
            found[f"count {unit}"].append(n)
    return found


def _does(sentence: SentenceReading, at: int, asked: str) -> bool:
    """Whether a word does what is asked, "is required" among them."""
    token = sentence.tokens[at]
    if token.role == "modal":
        return token.low in REQUIRED and (asked == REQUIRE or does(REQUIRE, asked))
    return token.has_substance and token.low != "using" and does(token.key, asked)


REQUIRED = frozenset(("is required", "are required"))
(REQUIRE,) = canonical_stems(("require",))
