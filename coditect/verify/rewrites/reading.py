"""A sentence as what must be accounted for: its words, the turns among them, and the small words that decide."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from coditect.language.reading.sentence import SentenceReading, Token, read_sentence
from coditect.language.reading.stems import canonical_stem, canonical_stems
from coditect.language.reading.words import Word
from coditect.language.tables import read_table
from coditect.verify.rewrites.lexicon import turns_at

__all__ = ["Bundle", "Said", "say"]

_LIGHT = frozenset(
    canonical_stems(read_table("plain_words").words("light"))
) | frozenset(canonical_stems(read_table("interchangeable").words("empty")))


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
class Said:
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
        stems = [canonical_stem(word.low.partition("'")[0] or word.low) for word in words]
        starts = {}
        for n, token in enumerate(self.tokens):
            for at in range(token.start, token.end):
                starts[at] = n
        bundles, relating = [], set()
        at_end = -1
        for k in range(len(words)):
            for turn in turns_at(stems, k):
                span = words[k : k + len(turn.stems)]
                if any(word.comma for word in span[1:]):
                    continue
                tokens = tuple(dict.fromkeys(starts[word.start] for word in span if word.start in starts))
                if turn.sets:
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
    def place(self) -> dict[int, int]:
        """Token index to its place among the words of content."""
        return {n: k for k, n in enumerate(self.content)}


@lru_cache(maxsize=256)
def say(text: str) -> Said:
    """Read a sentence; the last 256 are remembered.

    Args:
        text: one sentence.
    """
    return Said(read_sentence(text))
