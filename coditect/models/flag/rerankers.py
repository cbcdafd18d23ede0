"""Rerankers: a cross-encoder through FlagEmbedding, and late interaction over token vectors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from coditect.errors import ModelError, UsageError
from coditect.models.cards import model_id_for
from coditect.models.flag.batches import GPU_BATCH_TOKENS, batches
from coditect.models.flag.library import device_for, failures_named, load, require_libraries
from coditect.models.folder import read_folder
from coditect.models.port import FloatArray, MultiVectorEmbedder
from coditect.models.rows import encodable

__all__ = ["ColbertReranker", "FlagReranker"]

# What FlagEmbedding assumes of a model that does not say how much it reads.
_MAX_TOKENS = 512


class FlagReranker:
    """A cross-encoder that reads question and text together. A :class:`~coditect.models.port.Reranker`.

    Opening checks the folder; the model is loaded at the first question. What is longer together than the model reads is cut,
    first at the end of the longer of the two. Safe to use from several threads, one of which computes at a time.

    Args:
        folder: of a classifier with one output.
        device: "cpu", "cuda", "cuda:0" ...; None: the first GPU if there is one.
        batch_tokens: as for :class:`~coditect.models.flag.embedder.FlagEmbedder`.
    Raises:
        UsageError: the folder is not one of such a model, or an argument is unknown.
        SchemaError: its settings are damaged.
        Unavailable: the libraries are not installed.
    """

    def __init__(self, folder: Path, *, device: str | None = None, batch_tokens: int | None = None) -> None:
        self._folder = read_folder(folder)
        if self._folder.labels != 1:
            raise UsageError(
                "a model is no reranker: it does not give one score for a question and a text",
                hint="use a sequence classifier with one label, such as bge-reranker",
                folder=str(folder),
                labels=self._folder.labels,
            )
        if batch_tokens is not None and batch_tokens < 0:
            raise UsageError("a negative number of tokens in a batch", batch_tokens=batch_tokens)
        require_libraries(device)
        self._device = device
        self._batch_tokens = batch_tokens
        self._lock = RLock()

    @cached_property
    def model_id(self) -> str:
        """Name and first digits of the weights' SHA-256; the first call reads them all.

        Raises:
            UsageError: the weights cannot be read.
        """
        return model_id_for(self._folder.name, self._folder.digest())

    def scores(self, query: str, texts: Sequence[str]) -> FloatArray:
        """Relevance of each text: the logistic function of the model's output.

        Args:
            query: any text.
            texts: any length.
        Returns:
            shape (len(texts),), float32, 0..1.
        Raises:
            ModelError: the model cannot be loaded or computed.
            UsageError: its architecture is unknown.
            Unavailable: this machine lacks the device.
        """
        logits = np.zeros(len(texts), np.float64)
        if not texts:
            return logits.astype(np.float32)
        with self._lock, failures_named("a model failed on a text", self._folder):
            import torch

            device = self._model.target_devices[0]
            on_gpu = 0 if device == "cpu" else GPU_BATCH_TOKENS
            with torch.inference_mode():
                for batch in batches(
                    self._tokenised(query, texts),
                    batch_tokens=on_gpu if self._batch_tokens is None else self._batch_tokens,
                    longest=self._longest,
                    padding_id=self._model.tokenizer.pad_token_id or 0,
                ):
                    inputs = {name: torch.from_numpy(ids).to(device) for name, ids in batch.inputs.items()}
                    found = self._model.model(**inputs, return_dict=True).logits.view(-1).float().cpu().numpy()
                    logits[list(batch.rows)] = found[: len(batch.rows)]
        if not np.isfinite(logits).all():
            raise ModelError("a model's output is not finite", hint="its weights are damaged", folder=self._folder.name)
        # exp of a clipped number cannot overflow; beyond 80 the result is 0 or 1 in single precision anyhow.
        probabilities: FloatArray = (1.0 / (1.0 + np.exp(-np.clip(logits, -80.0, 80.0)))).astype(np.float32)
        return probabilities

    @property
    def _longest(self) -> int:
        return self._folder.max_tokens or _MAX_TOKENS

    def _tokenised(self, query: str, texts: Sequence[str]) -> list[dict[str, list[int]]]:
        found = self._model.tokenizer(
            [encodable(query)] * len(texts),
            [encodable(text) for text in texts],
            truncation="longest_first",
            max_length=self._longest,
        )
        return [{name: column[row] for name, column in found.items()} for row in range(len(texts))]

    @cached_property
    def _model(self) -> Any:  # noqa: ANN401 - FlagEmbedding has no types
        device = device_for(self._device)
        model = load(self._folder, lambda: self._open(device), device=device)
        if device != "cpu":
            model.model.half()
        return model

    def _open(self, device: str) -> Any:  # noqa: ANN401 - FlagEmbedding has no types
        from FlagEmbedding import FlagReranker as Library

        return Library(str(self._folder.path), use_fp16=device != "cpu", devices=device)


class ColbertReranker:
    """Late interaction: each token of the question finds its nearest token in the text. A :class:`~coditect.models.port.Reranker`.

    Args:
        embedder: gives token vectors.
    """

    def __init__(self, embedder: MultiVectorEmbedder) -> None:
        self._embedder = embedder

    @property
    def model_id(self) -> str:
        """The id of the embedder's model, marked as late interaction."""
        return f"colbert-{self._embedder.card.model_id}"

    def scores(self, query: str, texts: Sequence[str]) -> FloatArray:
        """Relevance of each text: the mean over the question's tokens of their largest cosine with a token of the text.

        Args:
            query: any text; an empty one has no relevant text.
            texts: any length; an empty one is not relevant.
        Returns:
            shape (len(texts),), float32, 0..1; means below 0 count as 0.
        Raises:
            ModelError: the model cannot be loaded or computed.
        Source: Khattab and Zaharia, SIGIR 2020; divided by the question's tokens as FlagEmbedding does for BGE-M3.
        """
        found = np.zeros(len(texts), np.float32)
        asked = self._embedder.encode([query], query=True, sparse=False).colbert[0]
        if not len(asked):
            return found
        for row, vectors in enumerate(self._embedder.encode(texts, sparse=False).colbert):
            if len(vectors):
                found[row] = (asked @ vectors.T).max(axis=1).mean()
        return np.clip(found, 0.0, 1.0)
