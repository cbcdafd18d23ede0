"""A sentence as what must be accounted for: its words, the turns among them, and the small words that decide."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from coditect.language.reading.conditions import Condition, find_conditions
from coditect.language.reading.sentence import SentenceReading, Token, read_sentence
from coditect.language.reading.stems import canonical_stem, canonical_stems
from coditect.language.reading.words import Word, WordKind
from coditect.language.tables import read_table
from coditect.verify.rewrites.lexicon import turns_at

__all__ = ["Bundle", "ReadStatement", "say"]

_ASKING = frozenset(("determine", "decide", "consider", "check", "see", "know", "ask", "verify", "establish", "assess"))
_COPULAS = frozenset(
    ("is", "are", "be", "not", "was", "were", "being", "become", "becomes", "made", "remain", "remains")
)
_PARTING = frozenset(("keep", "kept", "keeping", "set", "hold", "held", "store", "stored", "storing", "separate"))
_LIGHT = frozenset(canonical_stems(read_table("plain_words").words("light"))) | frozenset(
    canonical_stems(read_table("interchangeable").words("empty"))
)


@dataclass(frozen=True, slots=True)
class Bundle:
    """A turn of several words.

    Attributes:
        tokens: indexes of the tokens that it covers.
        sets: numbers of the sets of the lexicon that list it.
    """

    tokens: tuple[int, ...]
    sets: frozenset[int]


@dataclass(frozen=True)
class ReadStatement:
    """A sentence and its turns.

    Attributes:
        reading: the sentence.
    """

    reading: SentenceReading

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Its tokens, in order."""
        return self.reading.tokens

    @cached_property
    def _turns(self) -> tuple[tuple[Bundle, ...], frozenset[int]]:
        words: tuple[Word, ...] = self.reading.words
        stems = [canonical_stem(word.low) if word.kind is WordKind.NUMBER else word.key for word in words]
        starts = {}
        for n, token in enumerate(self.tokens):
            for at in range(token.start, token.end):
                starts[at] = n
        bundles: list[Bundle] = []
        relating: set[int] = set()
        at_end = -1
        for k in range(len(words)):
            for turn in turns_at(stems, k):
                span = words[k : k + len(turn.stems)]
                if any(word.comma for word in span[1:]):
                    continue
                tokens = tuple(dict.fromkeys(starts[word.start] for word in span if word.start in starts))
                if turn.sets and tokens:
                    bundles.append(Bundle(tokens, turn.sets))
                elif k >= at_end:
                    relating.update(tokens)
                    at_end = k + len(turn.stems)
        return tuple(bundles), frozenset(relating)

    @property
    def bundles(self) -> tuple[Bundle, ...]:
        """The turns that say something."""
        return self._turns[0]

    @property
    def relating(self) -> frozenset[int]:
        """Tokens of turns that only relate others: "with regard to"."""
        return self._turns[1]

    @cached_property
    def content(self) -> tuple[int, ...]:
        """Tokens that say something of their own: words, but none that is empty or only relates others."""
        return tuple(
            n
            for n, token in enumerate(self.tokens)
            if token.role == "word" and n not in self.relating and token.key not in _LIGHT and token.low not in _LIGHT
        )

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """Its conditions and exceptions, without what only looks like one."""
        return tuple(each for each in find_conditions(self.reading) if not self._is_none(each.at))

    def _is_none(self, at: int) -> bool:
        """Whether words of a condition are something else here: "keep apart from", "decide if", "data …, like others, should"."""
        token, before = self.tokens[at], [each.low for each in self.tokens[:at]]
        if token.low == "should":
            return self.is_late_modal(at)
        if token.low == "once":
            return bool(at) and (before[-1] == "than" or self.tokens[at - 1].role == "comparator")
        if token.low == "subject to":
            return not _COPULAS.isdisjoint(before[-1:])
        if token.low == "whatever":
            return bool(at) and self.tokens[at - 1].role == "function"
        if token.low == "if":
            return not _ASKING.isdisjoint(before[-2:])
        return token.low == "apart from" and not _PARTING.isdisjoint(before)

    def is_late_modal(self, at: int) -> bool:
        """Whether a "should" that was read as a condition stands behind a subject."""
        clause = self.tokens[at].clause
        return any(n < at and self.tokens[n].clause == clause for n in self.content)

    @cached_property
    def conditional(self) -> frozenset[int]:
        """Tokens of its conditions, those that introduce them as well."""
        return frozenset(n for each in self.conditions for n in range(each.at, each.stop))

    @cached_property
    def place(self) -> dict[int, int]:
        """Token index to its place among the words of content."""
        return {n: k for k, n in enumerate(self.content)}


@lru_cache(maxsize=256)
def say(text: str) -> ReadStatement:
    """Read a sentence; the last 256 are remembered.

    Args:
        text: one sentence.
    """
    return ReadStatement(read_sentence(text))
