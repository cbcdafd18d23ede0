"""Support with an embedder."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from coditect.models.port import FloatArray, ModelCard
from coditect.verify.support.assessment import support
from coditect.verify.support.combiner import Combiner
from coditect.verify.support.meaning import Meaning

EVIDENCE = ["The supplier shall notify the customer of a breach within three days.", "Fees rise each January."]


class Hashed:
    """An embedder whose vectors are made from hashes: deterministic, unit length, no meaning."""

    def __init__(self, model_id: str = "") -> None:
        self._model_id = model_id or Combiner.load("vectors").embedder

    @property
    def card(self) -> ModelCard:
        """The card of the model that the weights were fitted with, so that they are used."""
        return ModelCard(self._model_id, 16)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        """One vector a text."""
        rows = [np.frombuffer(hashlib.sha256(text.encode()).digest()[:16], np.uint8) for text in texts]
        vectors = np.array(rows, np.float32).reshape(len(texts), 16) - 127.5
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def test_support_with_an_embedder_uses_the_weights_for_vectors() -> None:
    """With an embedder other weights are used, and all measures that they read are there."""
    found = support("The supplier tells the client of a breach.", EVIDENCE, meaning=Meaning.of(Hashed()))
    combiner = Combiner.load("vectors")
    assert found.weights_sha256 == combiner.weights_sha256 != Combiner.load().weights_sha256
    assert set(found.features) >= set(combiner.features)
    assert 0.0 < found.probability < 1.0


def test_support_with_an_embedder_measures_a_quote_as_nearest() -> None:
    """A sentence of the evidence has cosine 1 with itself."""
    found = support(EVIDENCE[0], EVIDENCE, meaning=Meaning.of(Hashed()))
    assert abs(found.features["v_best"] - 1.0) < 1e-5


def test_support_with_an_embedder_refuses_what_cannot_be_read() -> None:
    """An embedder does not make an unreadable claim readable."""
    assert support("", EVIDENCE, meaning=Meaning.of(Hashed())).probability == 0.0


def test_support_with_another_embedder_compares_words_alone() -> None:
    """Cosines of a model that the weights were not fitted with would mislead them: it is left out, and the version says so."""
    claim = "The supplier tells the client of a breach."
    assert support(claim, EVIDENCE, meaning=Meaning.of(Hashed("another"))) == support(claim, EVIDENCE)
