"""The fake embedder keeps the port's rules and counts."""

from __future__ import annotations

import pytest

from coditect.errors import ModelError
from coditect.models.port import Embedder
from coditect.testing.embedder.conformance import EmbedderConformance
from coditect.testing.embedder.hashing import HashingEmbedder


class TestHashing(EmbedderConformance):
    """The port's rules."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashingEmbedder()


class TestFewDimensions(EmbedderConformance):
    """The port's rules where words collide in every dimension."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashingEmbedder(16, "small@111111111111")


def test_hashing_embedder_counts() -> None:
    """Calls and texts are kept in order; a call that fails embeds nothing."""
    embedder = HashingEmbedder(8, fails_at=2)
    embedder.embed(["a", "b"])
    with pytest.raises(ModelError):
        embedder.embed(["lost"])
    embedder.embed(["c"], query=True)
    assert embedder.calls == 3
    assert embedder.texts == ["a", "b", "c"]


def test_hashing_embedder_follows_its_id() -> None:
    """Another id is another model: other vectors."""
    texts = ["the supplier shall notify"]
    assert (HashingEmbedder(32, "a@0").embed(texts) != HashingEmbedder(32, "b@0").embed(texts)).any()
    assert (HashingEmbedder(32, "a@0").embed(texts) == HashingEmbedder(32, "a@0").embed(texts)).all()


def test_hashing_embedder_stems() -> None:
    """Forms of a word are the same feature."""
    first, second = HashingEmbedder().embed(["suppliers notifying", "Supplier notified"])
    assert first @ second > 0.99
