"""A sentence, read once: its words, and its tokens with the part that each plays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from coditect.language.marks import Mark
from coditect.language.reading.phrases import Phrase, Role, phrase_at
from coditect.language.reading.spans import TokenSpan, find_token_spans
from coditect.language.reading.stems import ACTORS, canonical_stem
from coditect.language.reading.words import Word, WordKind, read_words
from coditect.language.tables import read_table

__all__ = ["MOST_SENTENCES", "READ_LIMIT", "SentenceReading", "Token", "read_sentence", "split_sentences"]

READ_LIMIT = 4_000
"""Code points of one sentence that are read; what stands behind is not compared."""

MOST_SENTENCES = 24
"""Sentences of a short text that are told apart unless told otherwise."""

_SHORTEST = 24
_END = re.compile(
    r"(?<=[a-z\d)”\"])(?<!\bInc)(?<!\bCorp)(?<!\bLtd)(?<!\bNo)(?<!\bSec)(?<!\bCo)(?<!\be\.g)(?<!\bi\.e)"
    r"[.!?][”\"]?\s+(?=[A-Z(“\"])|\n\s*\n"
)
_SUBSTANCE = ("word", "number", "reference")
_PRONOUNS = frozenset(read_table("actors").words("pronouns"))
_SPATIAL = frozenset(read_table("bounds").words("spatial"))
_CAPITALISED = frozenset(read_table("idioms").phrases("capitalised"))
_STATES = ("states", "kingdom")
_AUXILIARIES = frozenset(("has", "have", "had", "having", "is", "are", "was", "were", "be", "been", "being"))
_HYPHENS = ("-", " ", "‑")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a phrase, a quantity or a place.

    Attributes:
        start: first code point in the sentence.
        end: one past the last.
        low: the words, casefolded.
        role: the part that it plays.
        key: what makes it equal to another of its role: a stem, a value, how it binds.
        clause: number of its clause, from 0.
        comma: whether a stop of any kind stands right before it.
        proper: whether it is capitalised though it does not open a clause.
        actor: whether it names somebody who acts.
        aside: whether it stands in round brackets.
        mark: the quantity or place behind it.
    """

    start: int
    end: int
    low: str
    role: Role
    key: str
    clause: int
    comma: bool
    proper: bool = False
    actor: bool = False
    aside: bool = False
    mark: Mark | None = None

    @property
    def has_substance(self) -> bool:
        """Whether it carries meaning of its own: a word, a number or a place."""
        return self.role in _SUBSTANCE

    @property
    def negates(self) -> bool:
        """Whether it negates what follows: a negation, or a binding expression that holds one."""
        return self.role == "negation" or (self.role == "modal" and self.key.endswith("not"))


@dataclass(frozen=True)
class SentenceReading:
    """A sentence, read as far as somebody asks.

    Attributes:
        text: the sentence, at most :data:`READ_LIMIT` code points.
    """

    text: str

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Its words, in order."""
        return read_words(self.text)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Its tokens, in order: words, phrases, quantities, places and binding expressions."""
        return tuple(_tokens(self.text))

    @cached_property
    def content(self) -> tuple[int, ...]:
        """Indexes of the tokens that carry meaning of their own."""
        return tuple(n for n, token in enumerate(self.tokens) if token.has_substance)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of all tokens that carry meaning of their own."""
        return frozenset(self.tokens[n].key for n in self.content)

    @cached_property
    def in_capitals(self) -> bool:
        """Whether capitals prove nothing: most letters are some, or most words of a headline begin with one."""
        letters = [each for each in self.text[:400] if each.isalpha()]
        if letters and sum(each.isupper() for each in letters) > 0.5 * len(letters):
            return True
        words = [token for token in self.tokens[1:] if token.role == "word"]
        return len(words) > 3 and sum(token.proper for token in words) > 0.6 * len(words)


@lru_cache(maxsize=512)
def read_sentence(text: str) -> SentenceReading:
    """Read one sentence; the last 512 are remembered.

    Args:
        text: any text; only its first :data:`READ_LIMIT` code points are read.
    """
    return SentenceReading(text[:READ_LIMIT])


def split_sentences(text: str, most: int = MOST_SENTENCES) -> Iterator[tuple[int, int]]:
    """The sentences of a short text, as half-open code points, without empty ones; short ones join the next.

    Args:
        text: a claim or a quote; documents are for :mod:`coditect.documents.sentences`.
        most: how many; the last one takes the rest.
    """
    start = 0
    for number, match in enumerate(_END.finditer(text)):
        if number >= most - 1:
            break
        if match.end() - start > _SHORTEST:
            yield start, match.end()
            start = match.end()
    if text[start:].strip():
        yield start, len(text)


def _tokens(text: str) -> Iterator[Token]:
    """Token spans, phrases of the tables, and every other word with its stem."""
    spans = {span.start: span for span in find_token_spans(text)}
    words = _joined(text, read_words(text, [(span.start, span.end) for span in spans.values()]))
    said = [word.low for word in words]
    n = 0
    while n < len(words):
        word = words[n]
        span = spans.get(word.start)
        phrase = None if span else phrase_at(said, n)
        size = 1
        if span:
            yield _token(word, word.end, word.low, span.role, span.key, mark=span.mark)
        elif phrase and _stands(phrase, words, n, spans):
            size = len(phrase.words)
            if phrase.role != "plain":
                yield _token(word, words[n + size - 1].end, " ".join(phrase.words), phrase.role, phrase.key)
        elif word.low.endswith("n't"):
            yield _token(word, word.end, word.low, "negation", "not")
        elif word.kind is WordKind.FUNCTION:
            yield _token(word, word.end, word.low, "function", word.low, actor=word.low in _PRONOUNS)
        else:
            yield _token(word, word.end, word.low, "word", word.key, actor=word.key in ACTORS)
        n += size


def _token(
    word: Word, end: int, low: str, role: Role, key: str, *, actor: bool = False, mark: Mark | None = None
) -> Token:
    """A token that begins with a word."""
    proper = mark is None and role != "modal" and not word.opens and word.text[0].isupper()
    return Token(word.start, end, low, role, key, word.clause, word.comma, proper, actor, word.aside, mark)


def _joined(text: str, words: Sequence[Word]) -> list[Word]:
    """The words, with one made of "non-exclusive" and of "United States"."""
    found: list[Word] = []
    for word in words:
        before = found[-1] if found else None
        if before and before.low == "united" and word.low in _STATES:
            found[-1] = _both(before, word, f"united {word.low}")
        elif before and before.low == "non" and word.key and text[before.end : word.start] in _HYPHENS:
            found[-1] = _both(before, word, f"non{word.low}")
        else:
            found.append(word)
    return found


def _both(first: Word, second: Word, low: str) -> Word:
    return first._replace(end=second.end, low=low, key=canonical_stem(low), kind=second.kind)


def _stands(phrase: Phrase, words: Sequence[Word], at: int, spans: Mapping[int, TokenSpan]) -> bool:
    """Whether words are the phrase and no part of a name ("May"), nor of a place ("under the table")."""
    if phrase.words[0] == "provided" and at and words[at - 1].low in _AUXILIARIES:
        return False  # "has provided the customer with it"
    if len(phrase.words) > 1:
        return True
    word = words[at]
    if word.low in _CAPITALISED and not word.opens and word.text[0].isupper():
        return False
    followed = any(word.start in spans and spans[word.start].role == "number" for word in words[at + 1 : at + 3])
    return phrase.role != "comparator" or word.low not in _SPATIAL or followed
