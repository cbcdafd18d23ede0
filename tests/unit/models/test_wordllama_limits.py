"""Where the light embedder changes its way of working: how much it reads, keeps and sums at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer

from coditect.models.rows import unit_rows
from coditect.models.wordllama import embedder as wordllama
from coditect.models.wordllama import files
from coditect.models.wordllama.embedder import WordLlamaEmbedder, WordLlamaTokenizer, wordllama_folder
from coditect.models.wordllama.files import map_tensor
from coditect.models.wordllama.words import _Words

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENS = "tokenizers/l2_supercat_tokenizer_config.json"
WHOLE = (wordllama_folder() / TOKENS).stat().st_size


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each tokenizer that is built, whether it is the whole one."""
    found: list[bool] = []
    build = wordllama._load_tokenizer

    def noted(payload: bytes) -> Tokenizer:
        found.append(len(payload) >= WHOLE)
        return build(payload)

    monkeypatch.setattr(wordllama, "_load_tokenizer", noted)
    wordllama._word_tokens.cache_clear()
    return found


def test_four_questions_take_a_small_tokenizer_and_the_fifth_the_whole(loaded: list[bool]) -> None:
    """Which serves all that follow."""
    embedder = WordLlamaEmbedder()
    for _ in range(7):
        embedder.embed(["a question"])
    assert loaded == [False] * 4 + [True]


@pytest.mark.parametrize(
    ("texts", "whole"),
    [
        (["a" * 2000], False),
        (["a" * 2001], True),
        (["a" * 250] * 8, False),
        (["a" * 250] * 7 + ["a" * 251], True),
        (["a"] * 8, False),
        (["a"] * 9, True),
    ],
)
def test_few_and_short_texts_take_a_small_tokenizer(loaded: list[bool], texts: list[str], whole: bool) -> None:
    """Eight of them, of two thousand characters together."""
    WordLlamaEmbedder().embed(texts)
    assert loaded == [whole]


@pytest.mark.parametrize("several", [1, 9])
def test_token_vectors_are_summed_by_the_thousand(several: int) -> None:
    """1,024 at once, in single precision: what is stored of a text depends on it, so it stays as it is."""
    from safetensors.numpy import load_file

    weights = load_file(wordllama_folder() / WEIGHTS)["embedding.weight"]
    tokenizer = Tokenizer.from_file(str(wordllama_folder() / TOKENS))
    text = "The processor shall notify the controller of 72 breaches without any undue delay. " * 300
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    total = np.zeros(256, np.float32)
    for begin in range(0, len(ids), 1024):
        total += weights[ids[begin : begin + 1024]].astype(np.float32).sum(axis=0)
    assert WordLlamaEmbedder().embed([text] * several)[-1].tobytes() == unit_rows(total[None])[0].tobytes()


def test_long_texts_are_read_in_pieces_of_a_hundred_thousand_characters() -> None:
    """Each ends at the first single space behind that many; the last may have as many itself."""
    tokenizer = WordLlamaTokenizer()
    word = "a" * 9 + " "
    text = word * 25_000
    pieces = list(tokenizer._pieces(text))
    assert pieces == [(0, 100_009), (100_010, 200_019), (200_020, 250_000)]
    assert list(tokenizer._pieces(text[:100_000])) == [(0, 100_000)]
    assert list(tokenizer._pieces("a" * 100_000 + " b")) == [(0, 100_000), (100_001, 100_002)]
    assert list(tokenizer._pieces("a" * 300_000)) == [(0, 300_000)]
    assert list(tokenizer._pieces("")) == []


def _words() -> tuple[_Words[list[int]], list[str]]:
    read: list[str] = []

    def take(word: str) -> list[int]:
        read.append(word)
        return [len(word)]

    return _Words(take), read


def test_words_of_forty_characters_are_remembered_and_longer_ones_read_again() -> None:
    """Long ones are seldom words."""
    words, read = _words()
    for _ in range(2):
        assert words.of(["a" * 40, "b" * 41, "a" * 40, "b" * 41]) == [[40], [41], [40], [41]]
    assert read == ["a" * 40, *["b" * 41] * 4]


def test_a_hundred_thousand_words_are_remembered_and_then_forgotten() -> None:
    """When the next text comes."""
    words, read = _words()
    many = [str(each) for each in range(100_000)]
    words.of(many)
    words.of(["0", "x"])
    assert read == [*many, "x"]
    words.of(["0"])
    assert read == [*many, "x", "0"]


class _Watched(np.ndarray[Any, Any]):
    """Rows that tell how many of them are looked at together."""

    seen: list[int] = []  # noqa: RUF012 - shared by slices on purpose

    def astype(self, *given: Any, **more: Any) -> Any:  # noqa: ANN401 - as numpy's
        self.seen.append(len(self))
        return np.asarray(self).astype(*given, **more)


@pytest.mark.parametrize(
    ("count", "blocks"), [(0, []), (1, [1]), (1024, [1024]), (1025, [1024, 1]), (2049, [1024, 1024, 1])]
)
def test_rows_are_made_of_unit_length_by_the_thousand(count: int, blocks: list[int]) -> None:
    """In double precision they take four times what they end as."""
    _Watched.seen.clear()
    rows = np.arange(count * 3, dtype=np.float32).reshape(count, 3) % 7 + 1
    found = unit_rows(rows.view(_Watched))
    assert _Watched.seen == blocks
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    assert np.abs(found - rows / lengths).max(initial=0.0) < 1e-6


def test_rows_of_zeros_stay_so_and_tiny_ones_do_not() -> None:
    """A length that is not nothing is divided by."""
    found = unit_rows(np.array([[0.0, 0.0], [1e-30, 0.0], [3.0, 4.0]]))
    assert found.tolist() == [[0.0, 0.0], [1.0, 0.0], [np.float32(0.6), np.float32(0.8)]]


@pytest.mark.parametrize(("count", "blocks"), [(1, [1]), (512, [512]), (513, [512, 1]), (1024, [512, 512])])
def test_weights_are_looked_through_by_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, blocks: list[int]
) -> None:
    """Five hundred rows at once: of a large file little lies in memory."""
    from safetensors.numpy import save_file

    seen: list[int] = []

    def finite(rows: np.ndarray[Any, Any]) -> bool:
        seen.append(len(rows))
        return True

    monkeypatch.setattr(files, "_finite", finite)
    save_file({"rows": np.ones((count, 2), np.float32)}, tmp_path / "file")
    assert map_tensor(tmp_path / "file", "rows")[1].shape == (count, 2)
    assert seen == blocks
