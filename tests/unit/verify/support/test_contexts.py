"""Measures by a model that reads words in context, and what is kept of its reading."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np
import pytest

from coditect.models.port import FloatArray, InContext, ModelCard
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.support.assessment import support
from coditect.verify.support.combiner import Combiner
from coditect.verify.support.contexts import CONTEXTS, MOST_READ, ReadTexts, measure_contexts
from coditect.verify.support.features import measure
from coditect.verify.support.meaning import Meaning

EVIDENCE = ["The supplier shall notify the customer of a breach within three days.", "Fees rise each January."]
SIZE = 16


def _vector(text: str) -> FloatArray:
    row = np.frombuffer(hashlib.sha256(text.casefold().encode()).digest()[:SIZE], np.uint8).astype(np.float32) - 127.5
    return np.asarray(row / np.linalg.norm(row), np.float32)


class Reading:
    """A model whose token vectors are made from hashes of words; it counts the texts that it reads."""

    def __init__(self, model_id: str = "") -> None:
        self.texts: list[str] = []
        self._model_id = model_id or Combiner.load("contexts").embedder

    @property
    def card(self) -> ModelCard:
        """The card of the model that the weights were fitted with."""
        return ModelCard(self._model_id, SIZE)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        """One vector a text."""
        return np.array([_vector(text) for text in texts], np.float32).reshape(len(texts), SIZE)

    def in_context(self, texts: Sequence[str]) -> list[InContext]:
        """One token a word."""
        self.texts += texts
        return [self._read(text) for text in texts]

    def _read(self, text: str) -> InContext:
        places = [match.span() for match in re.finditer(r"\w+", text)]
        tokens = np.array([_vector(text[start:end]) for start, end in places], np.float32).reshape(len(places), SIZE)
        starts, ends = np.array(places, np.int64).reshape(len(places), 2).T
        return InContext(_vector(text), tokens, starts, ends)


def _measured(claim: str, evidence: Sequence[str], model: Reading) -> dict[str, float]:
    return measure_contexts(measure(claim, EvidenceIndex(evidence)), claim, ReadTexts(model))


def test_a_sentence_of_the_evidence_comes_as_near_as_can_be() -> None:
    """Every word of it is held, and its cosine is 1; the names are those that weights read."""
    found = _measured(EVIDENCE[0], EVIDENCE, Reading())
    assert tuple(found) == CONTEXTS
    assert found["c_best"] == pytest.approx(1.0, abs=1e-6)
    assert found["ctx_one"] == pytest.approx(1.0, abs=1e-6)


class Alike(Reading):
    """A model to which a sentence means what its words mean together."""

    def _read(self, text: str) -> InContext:
        found = super()._read(text)
        middle = found.tokens.sum(axis=0)
        return InContext(
            np.asarray(middle / np.linalg.norm(middle), np.float32), found.tokens, found.starts, found.ends
        )


def test_phrases_stand_beside_whole_sentences() -> None:
    """Three words that are all of a sentence come as near as can be; those beside a sentence of others do not."""
    said = "Halls store grain."
    same, other = (_measured(said, [evidence], Alike()) for evidence in (said, "Ships sail north."))
    assert same["phrase_three_low"] < same["phrase_one"] < 1.0  # the first word has but one neighbour
    assert other["phrase_one"] < same["phrase_three_low"]
    middle = _measured("Grain.", ["Grain."], Alike())
    assert middle["phrase_one"] == pytest.approx(1.0, abs=1e-6)


def test_another_form_is_as_near_as_by_words() -> None:
    """A model that sees nothing in common does not take away what the words have."""
    same, other = (
        _measured("A notification.", [evidence], Reading()) for evidence in ("They notify her.", "They see her.")
    )
    assert same["ctx_one"] == pytest.approx(0.7)
    assert other["ctx_one"] < 0.7


def test_of_long_evidence_what_holds_the_claim_is_read() -> None:
    """No more than 32 sentences, and the one that says it among them, wherever it stands."""
    model = Reading()
    evidence = [f"Lot {number} is stored in hall {number}." for number in range(100)] + [EVIDENCE[0]]
    _measured("The supplier tells the customer of a breach.", evidence, model)
    assert len(model.texts) == MOST_READ + 1
    assert EVIDENCE[0] in model.texts


def test_what_was_read_is_kept_for_the_next_claim() -> None:
    """The same evidence beside another claim is not read again."""
    model = Reading()
    texts = ReadTexts(model)
    for claim in ("The customer hears of a breach.", "The supplier tells of a breach."):
        measure_contexts(measure(claim, EvidenceIndex(EVIDENCE)), claim, texts)
    assert sorted(model.texts) == sorted(
        [*EVIDENCE, "The customer hears of a breach.", "The supplier tells of a breach."]
    )


def test_an_empty_side_measures_nothing() -> None:
    """Neither a claim of small words nor evidence without any fails."""
    assert _measured("It is so.", ["It was not."], Reading())["ctx_one"] == 0.0
    assert _measured("The supplier tells the client.", [], Reading())["ctx_one"] == 0.0


def test_a_model_that_weights_were_fitted_with_is_asked() -> None:
    """Its weights decide, and the version names both."""
    found = support("The supplier tells the client of a breach.", EVIDENCE, meaning=Meaning.of(Reading()))
    combiner = Combiner.load("contexts")
    assert found.weights_sha256 == combiner.weights_sha256
    assert found.version == f"{combiner.version}:{combiner.embedder}"
    assert set(found.features) >= set(combiner.features)


def test_a_model_that_no_weights_were_fitted_with_is_not_asked() -> None:
    """Words alone are compared then."""
    assert Meaning.of(Reading("another@0123456789ab")) is None
    assert Meaning.of(None) is None
