"""Passages are read word for word: the tokens that a replica keeps, and how near they come to those of a question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from coditect.models.port import FloatArray, IntArray
from coditect.models.wordllama.embedder import WordLlamaEmbedder
from coditect.retrieve.local.meaning.tokens import GROWTH, Nearness, TokenIndex, TokenWriter, inside_documents

WORDS = ["lock", "bolt", "key", "river", "stream", "the", "moon", "sun"]


class _Words:
    """Words are tokens; lock and bolt, and river and stream, have a cosine of .8, all others of 0."""

    tokens_id = "words@1"

    def tokens(self, texts: Sequence[str]) -> list[IntArray]:
        return [np.unique(np.asarray([WORDS.index(word) for word in text.split()], np.int64)) for text in texts]

    def vectors(self, tokens: IntArray) -> FloatArray:
        rows = np.eye(len(WORDS), dtype=np.float32)
        for one, other in ((0, 1), (3, 4)):
            rows[other, [one, other]] = 0.8, 0.6
        return rows[tokens]


def _index(folder: Path, texts: Sequence[str]) -> TokenIndex:
    with TokenWriter(folder, _Words()) as writer:
        writer.add(texts)
    return TokenIndex(folder)


def _nearness(folder: Path, texts: Sequence[str], *asked: tuple[str, float]) -> list[float]:
    near = Nearness(_index(folder, texts), _Words()).of(asked, np.arange(len(texts), dtype=np.int64))
    return [round(float(each), 6) for each in near]


def test_tokens_of_a_unit_are_kept_once_each(tmp_path: Path) -> None:
    """By row, increasing, whatever their order in the text; a unit without words has none."""
    index = _index(tmp_path, ["the key the lock", "", "moon"])
    assert [each.tolist() for each in index.of([2, 0, 1])] == [[6], [0, 2, 5], []]


def test_tokens_copied_are_the_same_files(tmp_path: Path) -> None:
    """A replica that is made from the one before has its bytes."""
    texts = ["the key the lock", "", "moon"]
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    index = _index(tmp_path / "one", texts)
    with TokenWriter(tmp_path / "other", _Words()) as writer:
        writer.copy(index.of(range(len(index))))
    for name in ("tokens.npy", "after.npy"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_nothing_is_written_after_an_error(tmp_path: Path) -> None:
    """Half of the units are no index."""
    with pytest.raises(ValueError, match="not in list"), TokenWriter(tmp_path, _Words()) as writer:
        writer.add(["moon", "unknown"])
    assert not list(tmp_path.iterdir())


def test_files_that_do_not_fit_together_are_refused(tmp_path: Path) -> None:
    """Ends of other tokens than those that are there."""
    _index(tmp_path, ["moon", "sun the"])
    np.save(tmp_path / "tokens.npy", np.zeros(1, np.uint16))
    with pytest.raises(ValueError, match="do not fit"):
        TokenIndex(tmp_path)


def test_word_of_the_same_meaning_comes_near(tmp_path: Path) -> None:
    """A unit that says it in another word stands between one that says it and one that does not."""
    said, other, neither = _nearness(tmp_path, ["lock the", "bolt the", "moon the"], ("lock", 1.0))
    assert said > other > neither
    assert said - other == pytest.approx(0.2)
    assert other - neither == pytest.approx(0.8)


def test_nearness_has_the_mean_zero(tmp_path: Path) -> None:
    """So what is not read stands where it stood."""
    assert sum(_nearness(tmp_path, ["lock", "bolt key", "moon"], ("lock key", 1.0))) == pytest.approx(0, abs=1e-5)


def test_rare_word_counts_for_more(tmp_path: Path) -> None:
    """Of two units with one word of the question each, that with the rarer one is nearer."""
    texts = ["key sun", "moon sun", "key river", "key stream"]
    key, moon, *_ = _nearness(tmp_path, texts, ("key moon", 1.0))
    assert moon > key


def test_longer_unit_is_expected_to_come_nearer(tmp_path: Path) -> None:
    """What is expected of its length is taken off."""
    short, long, _ = _nearness(tmp_path, ["lock", "lock the sun", "moon"], ("lock", 1.0))
    assert short - long == pytest.approx(GROWTH * (np.log(4) - np.log(2)), abs=1e-5)


def test_terms_of_everyday_words_count_for_what_they_weigh(tmp_path: Path) -> None:
    """A term found is worth less than a word found, and more than nothing."""
    word, term, neither = _nearness(tmp_path, ["lock", "river", "moon"], ("lock", 1.0), ("river", 0.6))
    assert word > term > neither


@pytest.mark.parametrize("asked", ["", "the"])
def test_question_that_asks_for_nothing_changes_nothing(tmp_path: Path, asked: str) -> None:
    """No token, or one that every unit has."""
    assert _nearness(tmp_path, ["the lock", "the bolt"], (asked, 1.0)) == [0.0, 0.0]


def test_unit_without_words_stands_where_it_stood(tmp_path: Path) -> None:
    """It has no nearness, and takes none from others."""
    found = _nearness(tmp_path, ["lock", "", "moon"], ("lock", 1.0))
    assert found[1] == 0.0
    assert found[0] > 0 > found[2]


@pytest.mark.parametrize(
    ("documents", "units", "share"), [(1, 500, 1.0), (500, 500, 0.0), (10, 100, 0.75), (600, 500, 0.0), (0, 0, 0.0)]
)
def test_share_of_finding_a_unit_that_is_not_its_document(documents: int, units: int, share: float) -> None:
    """All of one long document, none where every unit is a document."""
    assert inside_documents(documents, units) == pytest.approx(share)


def test_light_embedder_gives_tokens_and_their_vectors() -> None:
    """The same tokens alone and among many texts, and unit vectors that do not depend on what else is asked for."""
    words = WordLlamaEmbedder()
    text = "Employees shall lock the door and lock the safe."
    (alone,) = words.tokens([text])
    assert all(np.array_equal(each, alone) for each in words.tokens([text] * 20))
    assert (np.diff(alone) > 0).all()
    rows = words.vectors(alone)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(alone)), abs=1e-5)
    assert words.vectors(alone[3:4]).tobytes() == rows[3:4].tobytes()
