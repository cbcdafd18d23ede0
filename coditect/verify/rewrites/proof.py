"""A claim proven as a faithful rewrite: every word of it stands for one of its source, and nothing that decides differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coditect.language.reading.sentence import split_sentences
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.rewrites.conditions import conditions_differ
from coditect.verify.rewrites.lexicon import LOOSE
from coditect.verify.rewrites.matching import Match, match
from coditect.verify.rewrites.force import force_differs
from coditect.verify.rewrites.negation import NEGATIVE, negation_differs
from coditect.verify.rewrites.operators import operators_differ
from coditect.verify.rewrites.reading import say
from coditect.verify.rewrites.roles import roles_differ

__all__ = ["gaps_of", "prove"]

_MOST = 4


def prove(text: str, index: EvidenceIndex) -> list[tuple[Match, list[str]]]:
    """Each sentence of a text beside the statement that leaves the fewest gaps."""
    found = []
    for start, end in split_sentences(text):
        claim = say(text[start:end])
        pairs = [match(claim, say(index.sentences[n].reading.text)) for _, n in index.rank(claim.reading.words)[:_MOST]]
        scored = [(len(gaps), k, pair, gaps) for k, pair in enumerate(pairs) for gaps in (list(gaps_of(pair)),)]
        if not scored:
            return []
        _, _, pair, gaps = min(scored, key=lambda each: each[:2])
        found.append((pair, gaps))
    return found


def gaps_of(pair: Match) -> Iterator[str]:
    """What keeps a sentence from being a rewrite of a statement, each in a few words."""
    for i in pair.strange:
        if pair.claim.tokens[i].key not in NEGATIVE and not _binding(pair, i):
            yield f"strange: {pair.claim.tokens[i].low}"
    loose = [i for i in pair.claim.content if pair.surety.get(i) == LOOSE]
    if len(loose) > 1:
        yield f"loose: {' '.join(pair.claim.tokens[i].low for i in loose)}"
    for i in loose:
        if pair.claim.tokens[i].actor:
            yield f"loose actor: {pair.claim.tokens[i].low}"
    for j, those in pair.back.items():
        keys = {pair.claim.tokens[i].key for i in those if i in pair.claim.place}
        if len(keys) > 1 and len({pair.forth[i] for i in those}) == 1 and not _one_turn(pair, those):
            yield f"twice: {' '.join(pair.claim.tokens[i].low for i in those)}"
    yield from operators_differ(pair)
    yield from force_differs(pair)
    yield from negation_differs(pair)
    yield from conditions_differ(pair)
    yield from roles_differ(pair)


def _binding(pair: Match, i: int) -> bool:
    """Whether a word of the claim stands in a binding expression or a fixed turn of the source: "it is important that"."""
    low = pair.claim.tokens[i].low
    return any(word.low == low for word in pair.source.reading.words)


def _one_turn(pair: Match, those: tuple[int, ...]) -> bool:
    return any(set(those) <= set(bundle.tokens) for bundle in pair.claim.bundles)
