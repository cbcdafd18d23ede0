"""How much of a claim its evidence says in the same places, be it in other words: the readings of both sides beside each other."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from coditect.language.reading.binding import leads_on, verb_of
from coditect.language.reading.sentence import SentenceReading, read_sentence, split_sentences
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.matching import find_pairs, weight_of
from coditect.verify.alignment.pairs import AlignedPair

__all__ = ["measure_agreement"]

_RUN = 2
"""Words in a row that another statement must have for a claim to join both."""
_MOST_STRANGE = 3
_NEARLY_ALL = 0.82
"""Share from which even a predicate may be in words that no table knows: "the report must reach the Regulator"."""
_FEWEST = 4
_NEAR = 5
"""Words of substance between the counterparts of two neighbours, at most, for them to stand together."""
_TOGETHER = 0.6
"""Share of neighbours whose counterparts must stand together."""


def measure_agreement(claim: str, index: EvidenceIndex) -> dict[str, float]:
    """The measures of agreement of a claim with its evidence.

    Args:
        claim: one or a few sentences.
        index: the evidence.

    Returns:
        ``held``, the share of what the claim says that has a counterpart in the statement that it is about, or runs along another
        one, by weight, 0..1; ``held_least``, the same of its worst sentence; ``strange_names``, its names, quantities, places and
        predicates without any, and one more where its words are scattered over the statement, at most 3. Only statements of one
        text are joined.
    """
    rows = [_of_sentence(claim[start:end], start, index) for start, end in split_sentences(claim)]
    total = sum(whole for whole, _, _ in rows)
    return {
        "held": sum(held for _, held, _ in rows) / total if total else 0.0,
        "held_least": min((held / whole for whole, held, _ in rows if whole), default=0.0),
        "strange_names": float(min(_MOST_STRANGE, sum(strange for _, _, strange in rows))),
    }


def _of_sentence(sentence: str, offset: int, index: EvidenceIndex) -> tuple[float, float, int]:
    """The weight of a sentence, how much of it is held, and how many of its names are not."""
    reading = read_sentence(sentence)
    content = [n for n, token in enumerate(reading.tokens) if token.has_substance]
    pairs = find_pairs(reading, offset, index)
    held = {n for n in content if pairs and n in pairs[0].forth}
    scattered = _scattered(content, pairs[0]) if pairs else False
    for pair in (each for each in pairs[1:] if each.source.text_index == pairs[0].source.text_index):
        held |= set(_joined(content, held, pair))
    weights = {n: weight_of(reading.tokens[n]) for n in content}
    strange = sum(n not in held and _names(reading, n, index) for n in content)
    total, known = sum(weights.values()), sum(weights[n] for n in held)
    if known < _NEARLY_ALL * total:
        strange += any(n not in held and weights[n] >= 1.0 for n in _predicates(reading))
    strange += _joins_strange(reading, content, held)
    return total, known, strange + scattered


def _names(reading: SentenceReading, n: int, index: EvidenceIndex) -> bool:
    """Whether a token names something: a quantity, a place, a capital inside of the sentence, or one with a genitive before it."""
    token = reading.tokens[n]
    if token.role != "word":
        label = "".join(token.low.split())
        is_distributive = n == 0 and token.low.startswith(("every ", "each "))
        return not is_distributive and (token.role == "number" or label not in "".join(index.folded.split()))
    written = reading.text[token.start : token.end]
    if reading.in_capitals or (written.isupper() and len(written) > 1 and token.low in index.initials):
        return False
    return token.proper or (n == 0 and written[:1].isupper() and "'" in token.low)


def _predicates(reading: SentenceReading) -> Iterator[int]:
    """The verbs behind the words that bind: what the sentence says of its subject."""
    for modal, token in enumerate(reading.tokens):
        if token.role == "modal" and not leads_on(reading, modal):
            verb = verb_of(reading, modal)
            if verb is not None:
                yield verb


def _joins_strange(reading: SentenceReading, content: Sequence[int], held: Container[int]) -> bool:
    """Whether "and" or "or" joins something that the evidence has no word of: "the Regulator and the public prosecutor"."""
    for n, token in enumerate(reading.tokens):
        behind = [m for m in content if m > n][:_RUN] if token.low in ("and", "or") else []
        if len(behind) == _RUN and not any(m in held or weight_of(reading.tokens[m]) < 1.0 for m in behind):
            return True
    return False


def _scattered(content: Sequence[int], pair: AlignedPair) -> bool:
    """Whether words that stand beside each other have their counterparts far apart, so that together they say something else."""
    places = [pair.forth[n] for n in content if n in pair.forth]
    if len(places) < _FEWEST:
        return False
    order = {n: number for number, n in enumerate(pair.evidence.content)}
    near = sum(
        abs(order[one] - order[other]) <= _NEAR for one, other in pairwise(places) if one in order and other in order
    )
    return near < _TOGETHER * (len(places) - 1)


def _joined(content: Sequence[int], held: set[int], pair: AlignedPair) -> Iterator[int]:
    """Words that another statement has, in runs of those that the first one lacks."""
    run: list[int] = []
    for n in (*content, -1):
        if n in pair.forth and n not in held:
            run.append(n)
        elif n not in held or n == -1:
            if len(run) >= _RUN:
                yield from run
            run = []
