"""Embedders that run through FlagEmbedding, from a local folder: on a GPU in half precision, on a CPU in single precision.

FlagEmbedding loads the model, pools its states and owns its heads. The texts are put into batches here
(:mod:`coditect.models.flag.batches`): its own batches give a text another vector in other company, show progress bars, and
compute the first batch twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from coditect.errors import ModelError, UsageError
from coditect.models.cards import card_for, card_name, model_id_for
from coditect.models.flag.batches import GPU_BATCH_TOKENS, Batch, batches
from coditect.models.flag.library import device_for, failures_named, load, require_libraries
from coditect.models.folder import read_folder
from coditect.models.port import Encoded, FloatArray, InContext, IntArray, ModelCard, ReadTokens
from coditect.models.reduction import TokenReduction, reduction_for
from coditect.models.rows import encodable, unit_rows

__all__ = ["FlagEmbedder", "FlagM3Embedder"]

# What FlagEmbedding assumes of a model that does not say how much it reads.
_MAX_TOKENS = 512
# Texts that are tokenised before any of them is computed: what is kept of them stays small beside the vectors.
_CHUNK_TEXTS = 4096
NO_TOKENS = ReadTokens(np.zeros(0, np.int64), np.zeros((0, 2), np.float32))


class FlagEmbedder:
    """Dense vectors of an encoder (BERT, XLM-RoBERTa and their kin). An :class:`~coditect.models.port.Embedder`, and
    a :class:`~coditect.models.port.ContextEmbedder`.

    Opening checks the folder; the model is loaded at the first text, in 5 to 10 s, most of which are the libraries' imports.
    Texts longer than ``card.max_tokens`` are cut there. Safe to use from several threads, one of which computes at a time.

    Args:
        folder: of the model.
        device: "cpu", "cuda", "cuda:0" ...; None: the first GPU if there is one.
        query_instruction: put before every question.
        pooling: "cls" or "mean"; None: as the folder's 1_Pooling/config.json says, and "cls" if it says nothing, which is
            FlagEmbedding's own default.
        batch_tokens: tokens that are computed at once, padding included; 0: one text at a time; None: 16,384 on a GPU and one text
            at a time on a CPU, where that is faster. Questions always are computed one at a time. Alone, a text has
            the same bytes every time; together, its last bits are the kernels' affair.
    Raises:
        UsageError: the folder is not one of such a model, or an argument is unknown.
        SchemaError: its settings are damaged.
        Unavailable: the libraries are not installed, or this machine lacks the device.
    """

    def __init__(
        self,
        folder: Path,
        *,
        device: str | None = None,
        query_instruction: str = "",
        pooling: str | None = None,
        batch_tokens: int | None = None,
    ) -> None:
        if pooling not in (None, "cls", "mean"):
            raise UsageError("an unknown pooling", hint="cls or mean", pooling=pooling)
        if batch_tokens is not None and batch_tokens < 0:
            raise UsageError("a negative number of tokens in a batch", batch_tokens=batch_tokens)
        self._folder = read_folder(folder)
        if self._folder.labels:
            raise UsageError(
                "a model gives scores, not vectors", hint="name it as the reranker", folder=str(self._folder.path)
            )
        require_libraries(device)
        stated = self._folder.pooling or "cls"
        self._pooling = pooling or stated
        self._other_pooling = self._pooling != stated
        self._device = device
        self._query_instruction = query_instruction
        self._batch_tokens = batch_tokens
        self._lock = RLock()

    @cached_property
    def card(self) -> ModelCard:
        """What is known of it; the first call reads all its weights for their hash.

        Raises:
            UsageError: the weights cannot be read.
        """
        # Vectors that are pooled another way are another model's, for which nothing was fitted.
        suffix = f"-{self._pooling}" if self._other_pooling else ""
        model_id = model_id_for(self._folder.name, self._folder.digest()) + suffix
        return card_for(
            model_id, self._folder.dimension, name=self._folder.name, max_tokens=self._folder.max_tokens or _MAX_TOKENS
        )

    def is_of(self, folder: Path, device: str | None) -> bool:
        """Whether opening this folder for this device would load the same model once more."""
        return self._folder.path.resolve() == folder.resolve() and self._device == device

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        """Turn texts into vectors.

        Args:
            texts: any length, cut at ``card.max_tokens``; an empty string's vector is all zeros.
            query: the texts are questions, which get the instruction.
        Returns:
            shape (len(texts), dimension), float32, rows of unit length; the same text gives the same bytes in any
            call on one kind of machine; see ``batch_tokens``.
        Raises:
            ModelError: the model cannot be loaded or computed.
            UsageError: its architecture is unknown.
            Unavailable: this machine lacks the device.
        """
        return self._both(texts, None, query=query)

    @property
    def reading(self) -> str:
        """See :class:`~coditect.models.port.ReadingEmbedder`; "" of a model whose tokens nothing reduces."""
        return "" if self._reduction is None else self._reduction.name

    def read(self, texts: Sequence[str], *, query: bool = False) -> tuple[FloatArray, tuple[ReadTokens, ...]]:
        """Vectors of texts and of their tokens in one pass; see :class:`~coditect.models.port.ReadingEmbedder`.

        Args:
            texts: as for :meth:`embed`.
            query: likewise.
        Returns:
            as :meth:`embed`, and the tokens of each text, also those of an instruction before questions.
        Raises:
            UsageError: nothing reduces this model's tokens, besides what :meth:`embed` raises.
        """
        reduction = self._reduction
        if reduction is None:
            raise UsageError("a model's tokens have no vectors that are kept", model=self.card.model_id)
        tokens = [NO_TOKENS] * len(texts)

        def keep(row: int, ids: IntArray, states: FloatArray) -> None:
            tokens[row] = reduction.read(ids, states)

        return self._both(texts, keep, query=query), tuple(tokens)

    def states(self, texts: Sequence[str]) -> list[tuple[IntArray, FloatArray]]:
        """What the last layer gives for texts, to fit reductions: (token ids, states of shape (tokens, dimension)) of each.

        Raises:
            ModelError: the model cannot be loaded or computed.
        """
        found = [(NO_TOKENS.ids, np.zeros((0, self.card.dimension), np.float32))] * len(texts)

        def keep(row: int, ids: IntArray, states: FloatArray) -> None:
            found[row] = ids, states

        self._both(texts, keep, query=False)
        return found

    @property
    def vocabulary(self) -> list[str]:
        """The tokens by number."""
        tokenizer = self._model.tokenizer
        return list(tokenizer.convert_ids_to_tokens(list(range(len(tokenizer)))))

    @cached_property
    def _reduction(self) -> TokenReduction | None:
        return None if self._other_pooling else reduction_for(card_name(self.card.model_id))

    def _both(
        self, texts: Sequence[str], tell: Callable[[int, IntArray, FloatArray], None] | None, *, query: bool
    ) -> FloatArray:
        """The vectors of texts; told are number, tokens and their states of each text."""
        dense = np.zeros((len(texts), self.card.dimension), np.float32)

        def keep(rows: Sequence[int], inputs: Mapping[str, Any]) -> None:
            states = self._model.model(**inputs, return_dict=True).last_hidden_state
            dense[list(rows)] = _vectors(self._model.pooling(states, inputs["attention_mask"])[: len(rows)])
            if tell is not None:
                ids, there = (inputs[name].cpu().numpy() for name in ("input_ids", "attention_mask"))
                for place, row in enumerate(rows):
                    own = there[place] > 0
                    tell(row, ids[place][own], _array(states[place])[own])

        self._compute(texts, keep, query=query)
        return dense

    def in_context(self, texts: Sequence[str]) -> list[InContext]:
        """Texts with what each of their tokens means where it stands: the model's last states.

        Args:
            texts: any length, cut at ``card.max_tokens``; what is cut off has no tokens.
        Returns:
            one for each text, with vectors of the same bytes as :meth:`embed` promises; marks of beginning and end are left out.
        Raises:
            ModelError: the model cannot be loaded or computed, or its tokenizer does not tell where tokens stand.
            UsageError: its architecture is unknown.
            Unavailable: this machine lacks the device.
        """
        width = self.card.dimension
        nowhere = np.zeros(0, np.int64)
        empty = InContext(np.zeros(width, np.float32), np.zeros((0, width), np.float32), nowhere, nowhere)
        found = [empty] * len(texts)

        def keep(rows: Sequence[int], inputs: Mapping[str, Any]) -> None:
            states = self._model.model(**inputs, return_dict=True).last_hidden_state
            whole = _vectors(self._model.pooling(states, inputs["attention_mask"])[: len(rows)])
            for place, row in enumerate(rows):
                starts, ends = self._places(texts[row])
                standing = np.flatnonzero(ends > starts)
                tokens = _vectors(states[place, : len(starts)])[standing]
                found[row] = InContext(whole[place], tokens, starts[standing], ends[standing])

        self._compute(texts, keep, query=False)
        return found

    def _places(self, text: str) -> tuple[IntArray, IntArray]:
        """Where each token of a text begins and ends, those of marks in no characters at all."""
        told = self._model.tokenizer(
            encodable(text), truncation=True, max_length=self.card.max_tokens, return_offsets_mapping=True
        )
        places = np.array(told["offset_mapping"], np.int64).reshape(-1, 2)
        return places[:, 0], places[:, 1]

    def _compute(
        self, texts: Sequence[str], keep: Callable[[Sequence[int], Mapping[str, Any]], None], *, query: bool
    ) -> None:
        """Give ``keep`` batch by batch the numbers of texts and their inputs as tensors; empty texts are left out.

        Tensors may have more rows than there are numbers; those are filling.
        """
        if not any(texts):
            return
        with self._lock, failures_named("a model failed on a text", self._folder):
            import torch

            device = self._model.target_devices[0]
            with torch.inference_mode():
                for start in range(0, len(texts), _CHUNK_TEXTS):
                    for batch in self._batches(texts, range(start, min(start + _CHUNK_TEXTS, len(texts))), query=query):
                        keep(batch.rows, {name: torch.from_numpy(ids).to(device) for name, ids in batch.inputs.items()})

    def _batches(self, texts: Sequence[str], numbers: Iterable[int], *, query: bool) -> Iterator[Batch]:
        tokenizer, longest = self._model.tokenizer, self.card.max_tokens
        before = self._query_instruction if query else ""
        kept = [number for number in numbers if texts[number]]
        if not kept:
            return
        found = tokenizer([encodable(before + texts[number]) for number in kept], truncation=True, max_length=longest)
        tokenised = [{name: column[row] for name, column in found.items()} for row in range(len(kept))]
        batch_tokens = self._batch_tokens
        if batch_tokens is None:
            batch_tokens = 0 if self._model.target_devices[0] == "cpu" else GPU_BATCH_TOKENS
        for batch in batches(
            tokenised,
            batch_tokens=0 if query else batch_tokens,
            longest=longest,
            padding_id=tokenizer.pad_token_id or 0,
        ):
            yield Batch(tuple(kept[row] for row in batch.rows), batch.inputs)

    @cached_property
    def _model(self) -> Any:  # noqa: ANN401 - FlagEmbedding has no types
        device = device_for(self._device)
        return load(self._folder, lambda: self._open(device), device=device)

    def _open(self, device: str) -> Any:  # noqa: ANN401 - FlagEmbedding has no types
        from FlagEmbedding import FlagModel

        return FlagModel(str(self._folder.path), use_fp16=device != "cpu", devices=device, pooling_method=self._pooling)


class FlagM3Embedder(FlagEmbedder):
    """Dense vectors, lexical weights and token vectors of a model that is shaped like BGE-M3.

    A :class:`~coditect.models.port.MultiVectorEmbedder`; arguments and behaviour are :class:`FlagEmbedder`'s.

    Raises:
        UsageError: the folder lacks the linear layers, besides what :class:`FlagEmbedder` raises.
    """

    def __init__(
        self,
        folder: Path,
        *,
        device: str | None = None,
        query_instruction: str = "",
        pooling: str | None = None,
        batch_tokens: int | None = None,
    ) -> None:
        super().__init__(
            folder, device=device, query_instruction=query_instruction, pooling=pooling, batch_tokens=batch_tokens
        )
        if not self._folder.heads:
            raise UsageError(
                "a model gives no lexical weights and no token vectors",
                hint="its folder needs sparse_linear.pt and colbert_linear.pt",
                folder=str(self._folder.path),
            )

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        """Dense vectors of texts; see :meth:`FlagEmbedder.embed`."""
        return self.encode(texts, query=query, sparse=False, colbert=False).dense

    def encode(
        self, texts: Sequence[str], *, query: bool = False, sparse: bool = True, colbert: bool = True
    ) -> Encoded:
        """Turn texts into all kinds of vectors, in one pass.

        Args:
            texts: any length, cut at ``card.max_tokens``; an empty string has zeros, no weights and no token vectors.
            query: the texts are questions, which get the instruction.
            sparse: whether lexical weights are wanted; without, ``sparse`` is empty.
            colbert: whether token vectors are wanted; without, ``colbert`` is empty.
        Returns:
            vectors, of the same bytes as :meth:`embed` promises; lexical weights by token id, ascending, the largest of each
            token, without the marks of beginning and end; token vectors of all tokens but the first mark.
        Raises:
            ModelError: the model cannot be loaded or computed.
            UsageError: its architecture is unknown.
            Unavailable: this machine lacks the device.
        """
        width = self.card.dimension
        dense = np.zeros((len(texts), width), np.float32)
        weights: list[Mapping[int, float]] = [{}] * len(texts)
        vectors: list[FloatArray] = [np.zeros((0, width), np.float32)] * len(texts)

        def keep(rows: Sequence[int], inputs: Mapping[str, Any]) -> None:
            found = self._model.model(inputs, return_dense=True, return_sparse=sparse, return_colbert_vecs=colbert)
            dense[list(rows)] = _vectors(found["dense_vecs"][: len(rows)])
            lengths = inputs["attention_mask"].sum(dim=1).tolist()
            for place, row in enumerate(rows):
                if sparse:
                    ids = inputs["input_ids"][place].tolist()
                    weights[row] = self._lexical(ids, _array(found["sparse_vecs"][place]).ravel().tolist())
                if colbert:
                    # The first token's vector is not part of them, so one less than the text has tokens.
                    vectors[row] = _vectors(found["colbert_vecs"][place, : lengths[place] - 1])

        self._compute(texts, keep, query=query)
        return Encoded(dense, tuple(weights) if sparse else (), tuple(vectors) if colbert else ())

    def _lexical(self, ids: Sequence[int], weights: Sequence[float]) -> Mapping[int, float]:
        tokenizer = self._model.tokenizer
        marks = {tokenizer.cls_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id, tokenizer.unk_token_id}
        found: dict[int, float] = {}
        for token, weight in zip(ids, weights, strict=True):
            if weight > found.get(token, 0.0) and token not in marks:
                found[token] = weight
        return dict(sorted(found.items()))

    def _open(self, device: str) -> Any:  # noqa: ANN401 - FlagEmbedding has no types
        from FlagEmbedding import BGEM3FlagModel

        return BGEM3FlagModel(
            str(self._folder.path), use_fp16=device != "cpu", devices=device, pooling_method=self._pooling
        )


def _array(tensor: Any) -> FloatArray:  # noqa: ANN401 - a torch tensor
    values: FloatArray = tensor.float().cpu().numpy()
    if not np.isfinite(values).all():
        raise ModelError(
            "a model's output is not finite", hint="its weights are damaged, or too large for half precision"
        )
    return values


def _vectors(tensor: Any) -> FloatArray:  # noqa: ANN401 - a torch tensor
    return unit_rows(_array(tensor))
