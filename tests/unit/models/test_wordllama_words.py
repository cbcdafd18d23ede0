"""Tokens of texts, word by word."""

from __future__ import annotations

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Encoding, Tokenizer

from coditect.models.rows import encodable
from coditect.models.wordllama.embedder import wordllama_folder
from coditect.models.wordllama.words import TokenIds, TokenStarts
from coditect.testing.embedder.conformance import AWKWARD_TEXTS
from tests.effort import times

PAYLOAD = (wordllama_folder() / "tokenizers/l2_supercat_tokenizer_config.json").read_bytes()

texts = st.one_of(
    st.text(max_size=300),
    st.text("ab ▁\n<s>/0x:é\u2028日\U0001f680\ud800", max_size=60),
    st.lists(st.sampled_from(["the", "processor", "shall", "<s>", "▁", "  ", "\t", "14.2.3", "Ä"])).map(" ".join),
    st.sampled_from(AWKWARD_TEXTS),
)


def tokenizer_of(payload: bytes) -> Tokenizer:
    """As the embedder makes it."""
    tokenizer = Tokenizer.from_buffer(payload)
    tokenizer.encode_special_tokens = True
    return tokenizer


WHOLE = tokenizer_of(PAYLOAD)
IDS = TokenIds(WHOLE)
STARTS = TokenStarts(WHOLE)


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
    found = TokenIds(joining).of("a b a b")
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
    found = TokenStarts(joining)
    assert not found.by_word
    assert found.of("a b a b").tolist() == [0, 3]
