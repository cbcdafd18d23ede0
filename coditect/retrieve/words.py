"""The words of a question, as the lexical indexes know them, and what a word counts for by where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

import tantivy

from coditect.language.matched import as_matched
from coditect.language.terms import STOPWORDS

__all__ = ["FIELD_BOOSTS", "FieldBoosts", "Words", "function_stems", "read_words", "stems", "without"]

_PHRASE = re.compile(r"[\"“]([^\"”]+)[\"”]")
_POSSESSIVE = re.compile(r"['’]s\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_LONGEST_BYTES = 40

KEPT_WORDS = 16_384
"""Words whose stems are kept in memory, 200 bytes each: questions, and what stands beside them, say the same ones."""

KEPT_QUESTIONS = 64
"""Questions whose words are kept in memory: each part of a search reads them."""

_SHORT = 24
"""Characters of a text that is likely to be one word."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words and phrases that a question looks for.

    Attributes:
        weights: what each stem counts for, dimensionless, > 0; in the order of the question, each once.
        phrases: stems that count once more where they stand side by side, as much as the least of them.
    """

    weights: Mapping[str, float]
    phrases: tuple[tuple[str, ...], ...] = ()

    def phrase_weight(self, phrase: tuple[str, ...]) -> float:
        """How much a phrase counts for: as much as the least of its words."""
        return min((self.weights[stem] for stem in phrase if stem in self.weights), default=1.0)

    def __bool__(self) -> bool:
        return bool(self.weights or self.phrases)

    def weighted(self, factors: Mapping[str, float]) -> Words:
        """The same words, some counting for more or less.

        Args:
            factors: by stem; 1 for those that it does not name. A word with 0 is left out.
        """
        changed = {stem: weight * factors.get(stem, 1.0) for stem, weight in self.weights.items()}
        return replace(self, weights={stem: weight for stem, weight in changed.items() if weight > 0})

    def without_phrases_of(self, dropped: Set[str]) -> Words:
        """The same words, without the phrases that consist of some stems alone."""
        return replace(self, phrases=tuple(phrase for phrase in self.phrases if not set(phrase) <= dropped))


@dataclass(frozen=True, slots=True)
class FieldBoosts:
    """What a word counts for, by where it stands; dimensionless, fitted on development data (ADR 0017)."""

    text: float = 1.0
    heading: float = 0.25
    context: float = 0.5
    title: float = 0.0

    def as_dict(self) -> dict[str, float]:
        """The boosts by the name of their field."""
        return {"text": self.text, "heading": self.heading, "context": self.context, "title": self.title}


FIELD_BOOSTS = FieldBoosts()


@cache
def _analyzer() -> Any:  # noqa: ANN401 - tantivy ships no types
    """What tantivy calls en_stem."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for each in (
        tantivy.Filter.remove_long(_LONGEST_BYTES),
        tantivy.Filter.lowercase(),
        tantivy.Filter.stemmer("english"),
    ):
        builder = builder.filter(each)
    return builder.build()


def stems(text: str) -> list[str]:
    """The stems of a text, stop words included, as the lexical indexes hold them."""
    return list(_stems_of_few(text)) if len(text) <= _SHORT else _analysed(text)


@lru_cache(KEPT_WORDS)
def _stems_of_few(text: str) -> tuple[str, ...]:
    return tuple(_analysed(text))


def _analysed(text: str) -> list[str]:
    found: list[str] = _analyzer().analyze(as_matched(text))
    return found


@cache
def function_stems() -> frozenset[str]:
    """The stems of function words, which a question's words are read without."""
    return frozenset(stems(" ".join(sorted(STOPWORDS))))


@lru_cache(KEPT_QUESTIONS)
def read_words(query: str) -> Words:
    """A user's words: phrases in quotation marks, all else plain words; nothing is an operator.

    Function words are left out, where there are others: "how long do we keep audit logs" would be won by their number.
    """
    query = as_matched(query)
    phrases = tuple(found for phrase in _PHRASE.findall(query) if len(found := tuple(stems(phrase))) > 1)
    words = [word.lower() for word in _WORD.findall(_POSSESSIVE.sub(" ", query))]
    telling = [word for word in words if word not in STOPWORDS] or words
    return Words(dict.fromkeys(stems(" ".join(telling)), 1.0), phrases)


def without(query: str, dropped: Set[str]) -> str:
    """A question without some of its words, for an embedder.

    Args:
        query: the question.
        dropped: stems of words that go.
    """
    kept = []
    for word in query.split():
        own = stems(word)
        if not own or not all(stem in dropped for stem in own):
            kept.append(word)
    return " ".join(kept)
