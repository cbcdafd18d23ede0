"""How much of a claim its evidence says in the same places, be it in other words: the readings of both sides beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coditect.language.reading.sentence import SentenceReading, read_sentence, split_sentences
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.matching import find_pairs, weight_of
from coditect.verify.alignment.pairs import AlignedPair

__all__ = ["measure_agreement"]

_RUN = 2
"""Words in a row that another statement must have for a claim to join both."""
_MOST_STRANGE = 3


def measure_agreement(claim: str, index: EvidenceIndex) -> dict[str, float]:
    """The measures of agreement of a claim with its evidence.

    Args:
        claim: one or a few sentences.
        index: the evidence.

    Returns:
        ``held``, the share of what the claim says that has a counterpart in the statement that it is about, or runs along another
        one, by weight, 0..1; ``held_least``, the same of its worst sentence; ``strange_names``, its names, quantities and places
        without any, at most 3.
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
    for pair in pairs[1:]:
        held |= set(_joined(content, held, pair))
    weights = {n: weight_of(reading.tokens[n]) for n in content}
    strange = sum(n not in held and _names(reading, n) for n in content)
    return sum(weights.values()), sum(weights[n] for n in held), strange


def _names(reading: SentenceReading, n: int) -> bool:
    """Whether a token names something: a quantity, a place, a capital inside of the sentence, or one with a genitive before it."""
    token = reading.tokens[n]
    opens = n == 0 and reading.text[token.start : token.start + 1].isupper() and "'" in token.low
    return token.proper or token.role != "word" or opens


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
