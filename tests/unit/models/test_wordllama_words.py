"""Tokens of texts, word by word."""

from __future__ import annotations

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from tokenizers import Encoding, Tokenizer

from coditect.models.rows import encodable
from coditect.models.wordllama.words import TokenIds, TokenStarts, WordTokens
from tests.effort import times
from tests.unit.models.tokens import PAYLOAD, texts, tokenizer_of

WHOLE = tokenizer_of(PAYLOAD)
WORDS = WordTokens(WHOLE)
IDS = TokenIds(WORDS)
STARTS = TokenStarts(WORDS)


@pytest.fixture
def joining() -> Tokenizer:
    """A tokenizer with a token that goes on over white space."""
    content = orjson.loads(PAYLOAD)
    content["model"]["vocab"]["▁a▁b"] = 32_000
    content["model"]["merges"].append("▁a ▁b")
    return tokenizer_of(orjson.dumps(content))


def whole(text: str) -> Encoding:
    """The library's own tokens of a whole text."""
    return WHOLE.encode(encodable(text), add_special_tokens=False)


@settings(max_examples=times(300, least=10), deadline=None)
@given(texts)
def test_token_ids_word_by_word_are_those_of_the_text(text: str) -> None:
    """Taking words apart one by one, and remembering them, gives what the library makes of the whole text."""
    assert IDS.of(text) == IDS.of(text) == list(whole(text).ids)


def test_token_ids_of_a_tokenizer_that_joins_words_are_its_own(joining: Tokenizer) -> None:
    """Where a token goes on over white space, texts are not taken apart by words."""
    found = TokenIds(WordTokens(joining)).of("a b a b")
    assert found == joining.encode("a b a b", add_special_tokens=False).ids
    assert 32_000 in found


@settings(max_examples=times(300, least=10), deadline=None)
@given(texts)
def test_token_starts_word_by_word_are_those_of_the_text(text: str) -> None:
    """As for ids: words that are known begin their tokens where the library says that they begin, in code points."""
    expected = [start for start, _ in whole(text).offsets]
    found = STARTS.of(text)
    assert found.dtype == np.int64
    assert found.tolist() == STARTS.of(text).tolist() == expected


def test_token_starts_of_a_tokenizer_that_joins_words_are_its_own(joining: Tokenizer) -> None:
    """Where a token goes on over white space, it has one beginning."""
    found = TokenStarts(WordTokens(joining))
    assert not found.by_word
    assert found.of("a b a b").tolist() == [0, 3]


def test_words_are_taken_apart_once_for_ids_and_for_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who cuts passages and who embeds them shares what is known of a word."""
    words = WordTokens(WHOLE)
    taken: list[str] = []
    known = words._words._read
    monkeypatch.setattr(words._words, "_read", lambda word: taken.append(word) or known(word))  # type: ignore[func-returns-value]
    starts, ids = TokenStarts(words), TokenIds(words)
    starts.of("a breach, a naïve breach")
    ids.of("a naïve  breach")
    assert taken == ["a", "breach,", "naïve", "breach", "▁breach"]
