"""Cards of models."""

from __future__ import annotations

import importlib
import math

import numpy as np
import pytest

from coditect.models.cards import CardFile, card_for, card_name, shipped_cards
from coditect.models.port import FusionParameters, GateParameters
from coditect.models.reduction import reduction_for
from coditect.models.wordllama.embedder import WordLlamaEmbedder
from coditect.schemas import GateFigures

cards = importlib.import_module("coditect.models.cards")


def test_every_shipped_card_says_what_it_rests_on() -> None:
    """Each card has its declared shape and names the sets behind its figures; a model's own also a licence and a source."""
    found = shipped_cards()
    assert {"general.json", "wordllama-l2-supercat-256.json", "all-minilm-l6-v2.json"} <= set(found)
    for name, card in found.items():
        assert card.fitted_on, name
        assert card.fusion.dense_weight > 0.0
        assert all(math.isfinite(weight) for weight in card.fusion.rrf_weights)
        if name != "general.json":
            assert card.weights_sha256, name
            assert card.licence, name
            assert card.source, name


def test_reductions_lie_beside_cards() -> None:
    """That of MiniLM is as wide as its vectors, and its tokens are an even number of values; other models have none."""
    found = reduction_for(card_name("anything@53aa51172d14"))
    assert found is not None
    assert found.mean.shape == (384,)
    assert found.basis.shape == (384, 64)
    assert {101, 102, 1012} <= set(found.silent.tolist())
    lengths = np.linalg.norm(found.basis, axis=0)
    assert (np.diff(lengths) > 0).all(), "the first directions have the greatest variance, and count for less"
    assert reduction_for(card_name("anything@000000000000")) is None
    assert reduction_for("wordllama-l2-supercat-256") is None


def test_shipped_cards_know_different_weights() -> None:
    """No two cards claim the same weights, not even by the digits of an id."""
    digits = [card.weights_sha256[:12] for card in shipped_cards().values()]
    assert len(set(digits)) == len(digits)


def test_card_is_found_by_the_weights() -> None:
    """The folder's name does not matter; it stays in the id."""
    card = card_for("some/copy@53aa51172d14", 384, name="copy", max_tokens=99)
    assert card.name == "all-MiniLM-L6-v2"
    assert card.model_id == "some/copy@53aa51172d14"
    assert card.max_tokens == 256
    assert card.licence == "Apache-2.0"


def test_card_of_the_installed_wordllama_is_known() -> None:
    """The card that ships is of the weights that the package carries."""
    assert WordLlamaEmbedder().card.name == shipped_cards()["wordllama-l2-supercat-256.json"].name


@pytest.mark.parametrize("model_id", ["other@000000000000", "wordllama-l2-supercat-256", "@", ""])
def test_card_of_an_unknown_model_is_general(model_id: str) -> None:
    """Other weights get the general figures, whatever they are called, and what is known from elsewhere."""
    card = card_for(model_id, 7, name="other", max_tokens=512)
    general = shipped_cards()["general.json"]
    assert (card.model_id, card.dimension, card.name, card.max_tokens) == (model_id, 7, "other", 512)
    assert card.fusion == FusionParameters(
        general.fusion.dense_weight, general.fusion.rrf_weights, general.fusion.rrf_k
    )
    assert card.fitted_on == general.fitted_on


def test_card_carries_a_fitted_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gate in a card's file reaches the card."""
    figures = GateFigures(bias=-1.0, weights={"top": 2.5}, correct=0.6, incorrect=0.2)
    shipped = {"general.json": CardFile(name="any", gate=figures)}
    monkeypatch.setattr(cards, "shipped_cards", lambda: shipped)
    assert card_for("x@0", 3).gate == GateParameters(-1.0, {"top": 2.5}, 0.6, 0.2)
