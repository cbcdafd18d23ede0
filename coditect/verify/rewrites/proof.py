"""A claim proven as a faithful rewrite: every word of it stands for one of its source, and nothing that decides differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.language.reading.sentence import Token, split_sentences
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.rewrites.conditions import conditions_differ
from coditect.verify.rewrites.force import force_differs
from coditect.verify.rewrites.inversion import is_inverted
from coditect.verify.rewrites.lexicon import LOOSE, SAME
from coditect.verify.rewrites.locality import places_differ
from coditect.verify.rewrites.matching import WordMatch, match
from coditect.verify.rewrites.nearby import is_known, statements_near
from coditect.verify.rewrites.negation import NEGATIVE, negation_differs
from coditect.verify.rewrites.operators import operators_differ
from coditect.verify.rewrites.reading import ReadStatement, say
from coditect.verify.rewrites.roles import roles_differ, turned_about

__all__ = ["Rewrite", "find_gaps", "prove", "read_beside"]

_MOST = 4
"""Statements of the evidence that a sentence is held against."""

_LEAST = 0.4
"""Share of the best statement's words that another must hold to be looked at."""

_MOST_LOOSE = 1


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A text that says in other words what its evidence says.

    Attributes:
        equals: (words of the text, words of the evidence) that were taken as equal and are not the same, in order.
        places: (which text of the evidence, start, end) of the words that it rests on: code points, half-open, in order.
    """

    equals: tuple[tuple[str, str], ...]
    places: tuple[tuple[int, int, int], ...]


def prove(text: str, index: EvidenceIndex) -> Rewrite | None:
    """The proof that a text is a faithful rewrite, each of its sentences of one statement of the evidence; or None.

    Args:
        text: one or a few sentences, as they are matched.
        index: the evidence.
    """
    equals: list[tuple[str, str]] = []
    places: set[tuple[int, int, int]] = set()
    for start, end in split_sentences(text):
        proven = next(
            (
                (n, pair)
                for n, pair in read_beside(text[start:end], index)
                if next(find_gaps(pair, statements_near(index, n)), None) is None
            ),
            None,
        )
        if proven is None:
            return None
        number, pair = proven
        source = index.sentences[number]
        equals += _equals(pair)
        tokens = [pair.source.tokens[j] for j in sorted(pair.back)]
        places.update((source.text_index, *source.place(token.start, token.end)) for token in tokens)
    return Rewrite(tuple(dict.fromkeys(equals)), tuple(sorted(places))) if places else None


def read_beside(sentence: str, index: EvidenceIndex) -> Iterator[tuple[int, WordMatch]]:
    """A sentence beside the statements that hold most of its words: the index of each and the pair.

    Args:
        sentence: of the claim.
        index: the evidence.
    """
    claim = say(sentence)
    if not claim.content:
        return
    ranked = index.rank(claim.reading.words)[:_MOST]
    for share, number in ranked:
        if share < _LEAST * ranked[0][0]:
            return
        yield number, match(claim, say(index.sentences[number].reading.text))


def find_gaps(pair: WordMatch, near: Sequence[ReadStatement] = ()) -> Iterator[str]:
    """What keeps a sentence from being a rewrite of a statement, each in a few words; what is cheap to see first.

    Args:
        pair: a sentence of the claim beside a statement of the evidence.
        near: the statements around it, those before it first.
    """
    tokens = pair.claim.tokens
    for i in pair.strange:
        if tokens[i].key not in NEGATIVE and not is_known(pair, i, near):
            yield f"strange: {tokens[i].low}"
    loose = [i for i in pair.claim.content if pair.surety.get(i) == LOOSE]
    if len(loose) > _MOST_LOOSE:
        yield f"loose: {' '.join(tokens[i].low for i in loose)}"
    yield from (f"loose: {tokens[i].low}" for i in loose if tokens[i].actor)
    yield from places_differ(pair)
    inverted = is_inverted(pair)
    gaps = (gap for gap in operators_differ(pair) if not (inverted and gap.startswith("order")))
    yield from gaps
    if inverted:
        yield from turned_about(pair)
        return
    yield from force_differs(pair)
    yield from negation_differs(pair)
    yield from conditions_differ(pair)
    yield from roles_differ(pair)


def _equals(pair: WordMatch) -> Iterator[tuple[str, str]]:
    """Words of the claim with those of the source that they stand for, where these are others."""
    done: set[tuple[int, ...]] = set()
    for i in pair.claim.content:
        theirs = pair.forth.get(i, ())
        if not theirs or pair.surety[i] == SAME or theirs in done:
            continue
        done.add(theirs)
        mine = [n for n, places in pair.forth.items() if places == theirs]
        yield (
            _words(pair.claim.reading.text, pair.claim.tokens, mine),
            _words(pair.source.reading.text, pair.source.tokens, theirs),
        )


def _words(text: str, tokens: Sequence[Token], places: Sequence[int]) -> str:
    those = [tokens[n] for n in sorted(places)]
    return " ".join(text[token.start : token.end] for token in those)
