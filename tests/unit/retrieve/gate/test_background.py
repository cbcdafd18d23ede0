"""What a question says by itself."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from coditect.models.port import FloatArray, GateParameters, ModelCard
from coditect.retrieve.gate.background import AROUND, NEIGHBOURS, ONE_OF, Everyday, around, rarity_of
from coditect.retrieve.gate.words import asking_stems, everyday_words
from coditect.retrieve.port import Background
from coditect.retrieve.words import stems

DIMENSION = 8


class Directions:
    """An embedder for which every text is a direction of its own, drawn by its length and letters."""

    def __init__(self, weights: dict[str, float]) -> None:
        self.card = ModelCard("made-up@0", DIMENSION, gate=GateParameters(0.0, weights))
        self.asked = 0

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        """Unit vectors."""
        self.asked += len(texts)
        rows = np.asarray([np.random.default_rng(list(text.encode())).normal(size=DIMENSION) for text in texts])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def rarity_among(query: str, texts: Sequence[str]) -> Background:
    """The rarity of a question's words among units with these texts."""
    held = Counter(stem for text in texts for stem in set(stems(text)))
    return rarity_of(query, len(texts), held.__getitem__)


def test_rarity_is_information_among_the_units() -> None:
    """A word that no unit has tells most, one that all have nearly nothing."""
    found = rarity_among("audit of the log by a xylophone", ["audit log", "audit trail", "audit plan"])
    assert found.units == 3
    assert found.rarity == {
        "audit": pytest.approx(math.log(4 / 3.5)),
        "log": pytest.approx(math.log(4 / 1.5)),
        "xylophon": pytest.approx(math.log(4 / 0.5)),
    }
    assert (found.nearest, found.ordinary) == (None, None)


def test_words_that_only_ask_are_worth_nothing_beside_others() -> None:
    """They say what kind of answer is wanted; alone they are all there is."""
    assert rarity_among("which logs are mentioned", ["audit log"]).rarity["mention"] == 0.0
    assert rarity_among("mentioned", ["audit log"]).rarity["mention"] > 0.0


def test_everyday_words_are_different_and_many() -> None:
    """More than are averaged, each once, in an order that does not change; cut contractions are no words of an answer."""
    words = everyday_words()
    assert len(words) == len(set(words)) > 10 * NEIGHBOURS
    assert list(words) == sorted(words)
    assert set(stems("mentioned specifically doesn't")) - {"t"} <= asking_stems()


def test_ordinary_is_the_mean_of_the_nearest_words() -> None:
    """As the whole list, sorted, gives it."""
    embedder = Directions({"ordinary": -1.0})
    vector = embedder.embed(["how long are logs kept"])[0]
    cosines = sorted(float(row @ vector) for row in embedder.embed(everyday_words()))
    assert Everyday(embedder).ordinary(vector) == pytest.approx(np.mean(cosines[-NEIGHBOURS:]), abs=1e-5)


@pytest.mark.parametrize("damage", [None, b"", b"no array", "cut", "other shape"])
def test_vectors_of_the_words_are_kept_and_made_again_where_damaged(tmp_path: Path, damage: bytes | str | None) -> None:
    """A second process embeds none of them; what is not theirs in the file is never used."""
    embedder = Directions({"ordinary": -1.0})
    vector = embedder.embed(["how long are logs kept"])[0]
    first = Everyday(embedder, tmp_path / "cache").ordinary(vector)
    (file,) = (tmp_path / "cache").iterdir()
    if damage == "other shape":
        np.save(file, np.ones((3, DIMENSION), np.float32))
    elif damage is not None:
        file.write_bytes(file.read_bytes()[:500] if isinstance(damage, str) else damage)
    before = embedder.asked
    assert Everyday(embedder, tmp_path / "cache").ordinary(vector) == first
    assert (embedder.asked == before) == (damage is None)
    assert [each.name for each in (tmp_path / "cache").iterdir()] == [file.name]


@dataclass
class Rows:
    """Vectors that were searched."""

    rows: FloatArray

    def __len__(self) -> int:
        return len(self.rows)

    def sample(self, step: int) -> FloatArray:
        """One in so many."""
        return self.rows[::step]

    @property
    def sampled(self) -> FloatArray:
        """All of them."""
        return self.rows

    @property
    def centre(self) -> FloatArray:
        """Of all of them."""
        return self.rows.mean(axis=0) if len(self.rows) else np.zeros(DIMENSION, np.float32)


def test_nothing_is_embedded_for_a_gate_that_does_not_look() -> None:
    """Hundreds of words take a large model seconds; to fit a gate for it, they are asked for."""
    embedder = Directions({"missing": -1.0})
    rows = embedder.embed(["a", "b"])
    everyday, before = Everyday(embedder), embedder.asked
    background = Background(2, {"a": 1.0})
    vector = rows[0]
    assert everyday.beside(background, np.ones(1), Rows(rows), vector, filtered=False) is background
    assert embedder.asked == before
    everyday.wanted = True
    assert everyday.beside(background, np.ones(1), Rows(rows), vector, filtered=False).ordinary is not None


def test_nearest_does_not_depend_on_a_filter() -> None:
    """Where only some units could answer, all of a small corpus are compared."""
    embedder = Directions({"ordinary": -1.0})
    rows = embedder.embed([f"text {number}" for number in range(50)])
    vector = embedder.embed(["question"])[0]
    cosines = rows @ vector
    everyday, background = Everyday(embedder), Background(50, {})
    free = everyday.beside(background, cosines, Rows(rows), vector, filtered=False)
    kept = everyday.beside(background, cosines[:3], Rows(rows), vector, filtered=True)
    assert free == kept
    assert free.nearest == pytest.approx(cosines.max(), abs=1e-6)
    assert free.common == pytest.approx(cosines.mean(), abs=1e-6)
    assert (free.units, free.rarity) == (50, {})


def test_nearest_of_a_large_corpus_is_one_in_so_many() -> None:
    """Among three times as many units the third counts: the nearest of many is nearer by chance."""
    embedder = Directions({"ordinary": -1.0})
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(3 * ONE_OF, DIMENSION)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vector = rows[0]
    cosines = np.sort(rows @ vector)[::-1]
    everyday = Everyday(embedder)
    free = everyday.beside(Background(len(rows), {}), cosines[:200], Rows(rows), vector, filtered=False)
    assert free.nearest == pytest.approx(cosines[2], abs=1e-6)
    kept = everyday.beside(Background(len(rows), {}), cosines[:1], Rows(rows), vector, filtered=True)
    assert kept.nearest == pytest.approx((rows[::3] @ vector).max(), abs=1e-6)


def test_corpus_of_several_fields_is_as_near_as_its_nearest_field() -> None:
    """What else a corpus holds makes it no farther from a question: one unit in 200 counts, of few the nearest."""
    embedder = Directions({})
    vector, other = embedder.embed(["question", "another field"])
    own = np.tile(vector, (5, 1))
    corpus = np.concatenate([own, np.tile(other, (AROUND * 5 - 5, 1))])
    assert around(corpus, vector) == pytest.approx(1.0, abs=1e-6)
    twice = np.concatenate([corpus, corpus[5:]])
    nine = (5 + (len(twice) // AROUND - 5) * float(other @ vector)) / (len(twice) // AROUND)
    assert around(twice, vector) == pytest.approx(nine, abs=1e-6)
    assert around(np.stack([other, vector, other]), vector) == pytest.approx(1.0, abs=1e-6)


def test_nothing_found_and_nothing_indexed_are_no_failure() -> None:
    """An empty corpus is far from every question."""
    embedder = Directions({"ordinary": -1.0})
    rows = np.zeros((0, DIMENSION), np.float32)
    vector = embedder.embed(["question"])[0]
    for filtered in (False, True):
        found = Everyday(embedder).beside(Background(0, {}), np.zeros(0), Rows(rows), vector, filtered=filtered)
        assert found.nearest == 0.0
        assert found.common == found.around == 0.0
