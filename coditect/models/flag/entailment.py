"""Entailment: whether a text follows from others, by any local classifier of natural language inference or cross-encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect.errors import ModelError, SchemaError, UsageError
from coditect.models.cards import model_id_for
from coditect.models.flag.batches import GPU_BATCH_TOKENS, batches
from coditect.models.flag.library import device_for, failures_named, load, require_libraries
from coditect.models.flag.rerankers import FlagReranker
from coditect.models.folder import read_folder
from coditect.models.port import Entailed, Entailment, Reranker
from coditect.models.rows import encodable

__all__ = ["CrossEncoderEntailment", "NliEntailment", "open_entailment"]

_MAX_TOKENS = 512
_ENTAILED = ("entailment", "entail", "entailed", "supported", "supports")
_REFUTED = ("contradiction", "contradict", "contradicted", "refuted", "refutes")


class NliEntailment:
    """A classifier whose labels name entailment, as models trained on MNLI, FEVER or ANLI are. An :class:`Entailment`.

    Opening checks the folder; the model is loaded at the first claim. Safe to use from several threads, one of which computes.

    Args:
        folder: of a sequence classifier with two labels or more, one of them entailment.
        device: "cpu", "cuda", "cuda:0" ...; None: the first GPU if there is one.
    Raises:
        UsageError: the folder is not one of such a model, or the device is unknown.
        SchemaError: its settings are damaged.
        Unavailable: the libraries are not installed.
    """

    def __init__(self, folder: Path, *, device: str | None = None) -> None:
        self._folder = read_folder(folder)
        if self._folder.labels < 2:
            raise UsageError(
                "a model is no classifier of entailment",
                hint="use a sequence classifier whose id2label names entailment, such as one trained on MNLI",
                folder=str(folder),
                labels=self._folder.labels,
            )
        require_libraries(device)
        self._device = device
        self._lock = RLock()

    @cached_property
    def model_id(self) -> str:
        """Name and first digits of the weights' SHA-256; the first call reads them all."""
        return model_id_for(self._folder.name, self._folder.digest())

    def entails(self, claim: str, evidence: Sequence[str]) -> Entailed:
        """Each evidence sentence and all of them together are the premise once; the most entailing one counts.

        Raises:
            ModelError: the model cannot be loaded or computed.
            SchemaError: its labels do not name entailment.
            UsageError: its architecture is unknown.
            Unavailable: this machine lacks the device.
        """
        if not evidence:
            return Entailed(0.0, 0.0, None)
        premises = [*evidence, " ".join(evidence)] if len(evidence) > 1 else list(evidence)
        with self._lock, failures_named("a model failed on a text", self._folder):
            rows = self._probabilities(premises, claim)
        entailed, refuted = self._places
        scores = rows[:, entailed]
        against = float(rows[:, refuted].max()) if refuted is not None else 0.0
        return Entailed(float(scores.max()), against, int(scores[: len(evidence)].argmax()))

    def _probabilities(self, premises: Sequence[str], claim: str) -> npt.NDArray[np.float64]:
        """The probability of each label for each premise, shape (premises, labels); rows sum to 1."""
        import torch

        device = next(self._model.model.parameters()).device
        found = self._model.tokenizer(
            [encodable(each) for each in premises],
            [encodable(claim)] * len(premises),
            truncation="longest_first",
            max_length=self._folder.max_tokens or _MAX_TOKENS,
        )
        tokenised = [{name: column[row] for name, column in found.items()} for row in range(len(premises))]
        logits = np.zeros((len(premises), self._folder.labels))
        with torch.inference_mode():
            for batch in batches(
                tokenised,
                batch_tokens=0 if device.type == "cpu" else GPU_BATCH_TOKENS,
                longest=self._folder.max_tokens or _MAX_TOKENS,
                padding_id=self._model.tokenizer.pad_token_id or 0,
            ):
                inputs = {name: torch.from_numpy(ids).to(device) for name, ids in batch.inputs.items()}
                output = self._model.model(**inputs, return_dict=True).logits.float().cpu().numpy()
                logits[list(batch.rows)] = output[: len(batch.rows)]
        if not np.isfinite(logits).all():
            raise ModelError("a model's output is not finite", hint="its weights are damaged", folder=self._folder.name)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares: npt.NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        return shares

    @cached_property
    def _places(self) -> tuple[int, int | None]:
        names: Mapping[int, str] = self._model.model.config.id2label
        entailed = [at for at, name in names.items() if str(name).casefold() in _ENTAILED]
        refuted = [at for at, name in names.items() if str(name).casefold() in _REFUTED]
        if len(entailed) != 1:
            raise SchemaError(
                "a classifier's labels do not name entailment",
                hint="name it in id2label of its config.json",
                folder=self._folder.name,
                labels=list(names.values()),
            )
        return entailed[0], refuted[0] if refuted else None

    @cached_property
    def _model(self) -> _Loaded:
        device = device_for(self._device)
        loaded: _Loaded = load(self._folder, self._open, device=device)
        return loaded

    def _open(self) -> _Loaded:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        path = str(self._folder.path)
        tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        model = AutoModelForSequenceClassification.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        return _Loaded(model, tokenizer)


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A model of transformers with its tokenizer; neither has types."""

    model: Any
    tokenizer: Any


class CrossEncoderEntailment:
    """A reranker read as a judge: how well the evidence answers to the claim. An :class:`Entailment` that tells no contradictions.

    Args:
        reranker: a cross-encoder.
    """

    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker

    @property
    def model_id(self) -> str:
        """The id of the reranker's model."""
        return self._reranker.model_id

    def entails(self, claim: str, evidence: Sequence[str]) -> Entailed:
        """The score of the best evidence sentence.

        Raises:
            ModelError: the model failed.
        """
        if not evidence:
            return Entailed(0.0, 0.0, None)
        scores = self._reranker.scores(claim, evidence)
        return Entailed(float(scores.max()), 0.0, int(scores.argmax()))


def open_entailment(folder: Path, *, device: str | None = None) -> Entailment:
    """The judge in a folder: a classifier of entailment, or a cross-encoder with one score.

    Raises:
        UsageError: the folder holds neither, or the device is unknown.
        SchemaError: its settings are damaged.
        Unavailable: the libraries are not installed.
    """
    if read_folder(folder).labels == 1:
        return CrossEncoderEntailment(FlagReranker(folder, device=device))
    return NliEntailment(folder, device=device)
