"""What the rest of the house knows of models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

__all__ = [
    "ContextEmbedder",
    "Embedder",
    "Encoded",
    "Entailed",
    "Entailment",
    "FloatArray",
    "FusionParameters",
    "GateParameters",
    "InContext",
    "IntArray",
    "ModelCard",
    "ModelSources",
    "MultiVectorEmbedder",
    "ReadTokens",
    "ReadingEmbedder",
    "Reranker",
    "TokenVectors",
    "Tokenizer",
]

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FusionParameters:
    """How the scores of an embedder are joined with BM25, fitted on development data.

    Attributes:
        dense_weight: weight of the cosine beside BM25 divided by its maximum, dimensionless, >= 0.
        rrf_weights: weights (lexical, dense) of reciprocal rank fusion, >= 0.
        rrf_k: damping constant of reciprocal rank fusion, > 0.
    """

    dense_weight: float = 1.0
    rrf_weights: tuple[float, float] = (1.0, 1.0)
    rrf_k: float = 60.0


@dataclass(frozen=True, slots=True)
class GateParameters:
    """The relevance gate's logistic regression, fitted on development data.

    Attributes:
        bias: its intercept.
        weights: by feature name (see :mod:`coditect.retrieve.gate.relevance`).
        correct: probability from which a hit is relevant.
        incorrect: probability below which it is not; between them it is ambiguous.
    """

    bias: float
    weights: Mapping[str, float]
    correct: float = 0.5
    incorrect: float = 0.1


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What is known of a model, and what was fitted for it.

    Attributes:
        model_id: name and first digits of the weights' SHA-256; what vectors are stored under. Two models whose vectors differ have
            different ids.
        dimension: of its dense vectors.
        name: for people.
        licence: of the weights.
        max_tokens: tokens of a text that it reads; 0 for no limit.
        fusion: fitted, or the general values.
        gate: fitted, or None.
        fitted_on: development sets and figures, for people.
    """

    model_id: str
    dimension: int
    name: str = ""
    licence: str = ""
    max_tokens: int = 0
    fusion: FusionParameters = FusionParameters()
    gate: GateParameters | None = None
    fitted_on: Mapping[str, Any] = field(default_factory=dict)


class Embedder(Protocol):
    """Turns texts into vectors of unit length."""

    @property
    def card(self) -> ModelCard:
        """The model's card: its id, its dimension, and what was fitted for it."""
        ...

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        """Turn texts into vectors.

        Args:
            texts: any length, may be empty strings (their vector is all zeros).
            query: the texts are questions; models that were trained with an instruction for them add it.
        Returns:
            shape (len(texts), dimension), float32, rows of unit length. The same text gives the same bytes, alone or in a batch.
        Raises:
            ModelError: the model failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Encoded:
    """Texts as a multi-vector model sees them.

    Attributes:
        dense: shape (n, d), unit length.
        sparse: for each text the weight of each token id, > 0.
        colbert: for each text its token vectors, shape (tokens, d'), unit length.
    """

    dense: FloatArray
    sparse: tuple[Mapping[int, float], ...] = ()
    colbert: tuple[FloatArray, ...] = ()


@dataclass(frozen=True, slots=True)
class InContext:
    """A text, and its tokens as they are meant in it.

    Attributes:
        whole: shape (d,), unit length; all zeros for an empty text.
        tokens: shape (tokens, d), rows of unit length; only of tokens that stand for characters.
        starts: where each token begins: code points into the text, shape (tokens,), not decreasing.
        ends: one past where each ends, shape (tokens,).
    """

    whole: FloatArray
    tokens: FloatArray
    starts: IntArray
    ends: IntArray


@runtime_checkable
class ContextEmbedder(Protocol):
    """An embedder that also says what each token of a text means where it stands."""

    @property
    def card(self) -> ModelCard:
        """What is known of the model."""
        ...

    def in_context(self, texts: Sequence[str]) -> list[InContext]:
        """Texts with their tokens; what is cut off at ``card.max_tokens`` has none.

        Raises:
            ModelError: the model failed.
        """
        ...


class MultiVectorEmbedder(Embedder, Protocol):
    """An embedder that also gives lexical weights and token vectors (BGE-M3)."""

    def encode(
        self, texts: Sequence[str], *, query: bool = False, sparse: bool = True, colbert: bool = True
    ) -> Encoded:
        """Turn texts into all kinds of vectors that the model gives."""
        ...


@dataclass(frozen=True, slots=True)
class ReadTokens:
    """The tokens of a text as a model read them in their sentence, without those that tell nothing.

    Attributes:
        ids: shape (tokens,), below 65,536, in the order of the text.
        vectors: shape (tokens, d), float32, rows of unit length; d is even, and smaller than the model's dimension.
    """

    ids: IntArray
    vectors: FloatArray


class ReadingEmbedder(Embedder, Protocol):
    """An embedder that gives the vectors of a text's tokens in the same pass as the text's."""

    @property
    def reading(self) -> str:
        """What tokens' vectors are kept under beside the model's id; "" where none are given."""
        ...

    def read(self, texts: Sequence[str], *, query: bool = False) -> tuple[FloatArray, tuple[ReadTokens, ...]]:
        """Turn texts into vectors.

        Args:
            texts: any length; an empty string has no tokens.
            query: the texts are questions.
        Returns:
            what :meth:`embed` gives, and the tokens of each text.
        Raises:
            ModelError: the model failed.
        """
        ...


class Reranker(Protocol):
    """Scores how well texts answer a question, reading both together."""

    @property
    def model_id(self) -> str:
        """Name and first digits of the weights' SHA-256."""
        ...

    def scores(self, query: str, texts: Sequence[str]) -> FloatArray:
        """Relevance of each text, shape (len(texts),), 0..1, higher is better.

        Raises:
            ModelError: the model failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Entailed:
    """A model's opinion whether evidence entails a claim.

    Attributes:
        probability: that the evidence entails it, 0..1, as the model gives it; not calibrated on this product's data.
        contradiction: that the evidence contradicts it, 0..1; 0 where the model does not tell.
        best: the evidence that speaks for it most, 0-based; None for no evidence.
    """

    probability: float
    contradiction: float
    best: int | None


class Entailment(Protocol):
    """Says whether evidence entails a claim."""

    @property
    def model_id(self) -> str:
        """Name and first digits of the weights' SHA-256."""
        ...

    def entails(self, claim: str, evidence: Sequence[str]) -> Entailed:
        """Ask the model about a claim.

        Args:
            claim: any text.
            evidence: sentences; all of them together are read as well, as far as the model reads.
        Raises:
            ModelError: the model failed.
        """
        ...


class TokenVectors(Protocol):
    """Tokens, and what each of them means wherever it stands."""

    @property
    def tokens_id(self) -> str:
        """Name and first digits of the weights' SHA-256; what tokens of texts are kept under."""
        ...

    def tokens(self, texts: Sequence[str]) -> list[IntArray]:
        """The different tokens of each text by id, increasing, below 65,536."""
        ...

    def vectors(self, tokens: IntArray) -> FloatArray:
        """The vectors of tokens, shape (len(tokens), dimension), rows of unit length; each row depends on its token alone."""
        ...


class Tokenizer(Protocol):
    """Counts tokens, offline."""

    @property
    def tokenizer_id(self) -> str:
        """Name and first digits of its file's SHA-256."""
        ...

    def starts(self, text: str) -> IntArray:
        """Where each token begins: code points into ``text``, shape (tokens,), not decreasing."""
        ...


@dataclass(frozen=True, slots=True)
class ModelSources:
    """How the configured models are opened. Functions that can be sent to a worker process; each opens its model once a process.

    Attributes:
        tokenizer: counts tokens; None: documents are not cut into passages.
        embedder: gives vectors; None, or a function that returns None: search is lexical.
        reranker: reads questions and texts together; likewise.
        entailment: one more judge of claims; None, or a function that returns None: there is none.
        words: vectors of tokens, by which passages are read word for word; None: they are not.
    """

    tokenizer: Callable[[], Tokenizer] | None = None
    embedder: Callable[[], Embedder | None] | None = None
    reranker: Callable[[], Reranker | None] | None = None
    entailment: Callable[[], Entailment | None] | None = None
    words: Callable[[], TokenVectors] | None = None

    def ranking(self) -> Embedder | None:
        """The model that ranks by meaning; None where there is none."""
        return self.embedder() if self.embedder is not None else None

    def word_for_word(self) -> TokenVectors | None:
        """The vectors of tokens by which texts are compared word for word; None where there are none."""
        return self.words() if self.words is not None else None
