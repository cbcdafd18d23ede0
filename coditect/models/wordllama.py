"""The light embedder and tokenizer: static token vectors of the package ``wordllama``, read from its files.

The package carries its weights and its tokenizer, so this works without a network and without a GPU. Only its files are
used: its own loader asks a server for the tokenizer, and its import changes the process's logging.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from coditect.errors import ModelError, Unavailable
from coditect.models.cards import card_for
from coditect.models.port import FloatArray, IntArray, ModelCard
from coditect.models.rows import encodable, unit_rows

if TYPE_CHECKING:
    import tokenizers

__all__ = ["WordLlamaEmbedder", "WordLlamaTokenizer", "wordllama_folder"]

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_TENSOR = "embedding.weight"
_NAME = "wordllama-l2-supercat"
_REINSTALL = "pip install --force-reinstall wordllama"

# Texts that are tokenised in one call: enough to keep all cores busy, few enough that their tokens take little memory.
_BATCH_TEXTS = 1024
# Token vectors that are summed at once; bounds what a long text takes to 1 MB. Part of the result: sums depend on it.
_BLOCK_TOKENS = 1024


def wordllama_folder() -> Path:
    """Where the installed package ``wordllama`` keeps its files; the package is not imported.

    Raises:
        Unavailable: it is not installed.
    """
    found = find_spec("wordllama")
    if found is None or not found.submodule_search_locations:
        raise Unavailable("the package wordllama is not installed", hint="pip install wordllama")
    return Path(found.submodule_search_locations[0])


class WordLlamaEmbedder:
    """Mean of a text's static token vectors, 256 dimensions, about 5 MB of text a second on two cores.

    Nothing is read before the first use; then the weights (16 MB) are read once and the tokenizer is built, in 0.2 s.
    Order and neighbourhood of words do not count; texts of any length are read whole. An :class:`~coditect.models.port.Embedder`.

    Args:
        folder: of the package's files; by default the installed package's.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @cached_property
    def card(self) -> ModelCard:
        """What is known of it.

        Raises:
            Unavailable: the package or its weights are missing.
            ModelError: the weights are damaged.
        """
        digest, weights = self._weights
        return card_for(f"{_NAME}-{weights.shape[1]}@{digest[:12]}", weights.shape[1])

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        """Vectors of texts.

        Args:
            texts: any length; an empty string's vector is all zeros.
            query: makes no difference to this model.
        Returns:
            shape (len(texts), 256), float32, rows of unit length; the same text gives the same bytes in any batch.
        Raises:
            Unavailable: the package or its files are missing.
            ModelError: its files are damaged.
        """
        _, weights = self._weights
        vectors = np.zeros((len(texts), weights.shape[1]), np.float32)
        for start in range(0, len(texts), _BATCH_TEXTS):
            lengths, tokens = self._tokens(texts[start : start + _BATCH_TEXTS])
            sums = vectors[start : start + len(lengths)]
            begin = 0
            for row, end in enumerate(np.cumsum(lengths).tolist()):
                for block in range(begin, end, _BLOCK_TOKENS):
                    sums[row] += weights[tokens[block : min(end, block + _BLOCK_TOKENS)]].sum(axis=0)
                begin = end
            sums[:] = unit_rows(sums)
        return vectors

    def _tokens(self, texts: Sequence[str]) -> tuple[list[int], IntArray]:
        """The number of tokens of each text, and all their token ids in one row."""
        try:
            encodings = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        except TypeError:  # half a surrogate pair is no text to the tokenizer
            clean = [encodable(text) for text in texts]
            encodings = self._tokenizer.encode_batch_fast(clean, add_special_tokens=False)
        lengths, tokens = [], array("q")
        for encoding in encodings:
            lengths.append(len(encoding))
            tokens.extend(encoding.ids)
        return lengths, np.frombuffer(tokens, np.int64)

    @cached_property
    def _weights(self) -> tuple[str, FloatArray]:
        """SHA-256 of the file in hex, and its vectors, shape (vocabulary, 256)."""
        from safetensors import SafetensorError
        from safetensors.numpy import load

        payload = _read(self._folder, _WEIGHTS)
        try:
            weights = load(payload)[_TENSOR]
        except (SafetensorError, KeyError) as error:
            raise ModelError("the weights of wordllama are damaged", hint=_REINSTALL, file=_WEIGHTS) from error
        if weights.ndim != 2 or not np.isfinite(weights).all():
            raise ModelError("the weights of wordllama are damaged", hint=_REINSTALL, file=_WEIGHTS)
        return hashlib.sha256(payload).hexdigest(), weights.astype(np.float32)

    @cached_property
    def _tokenizer(self) -> tokenizers.Tokenizer:
        tokenizer = _load_tokenizer(_read(self._folder, _TOKENIZER))
        if tokenizer.get_vocab_size() > len(self._weights[1]):
            raise ModelError("the weights and the tokenizer of wordllama do not belong together", hint=_REINSTALL)
        return tokenizer


class WordLlamaTokenizer:
    """Counts tokens as Llama 2 does, offline. A :class:`~coditect.models.port.Tokenizer`; nothing is read before the first use.

    Args:
        folder: of the package's files; by default the installed package's.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @property
    def tokenizer_id(self) -> str:
        """Name and first twelve digits of its file's SHA-256.

        Raises:
            Unavailable: the package or its tokenizer is missing.
            ModelError: the tokenizer is damaged.
        """
        return self._loaded[0]

    def starts(self, text: str) -> IntArray:
        """Where each token begins.

        A word's first token begins with the space before it. A character outside the vocabulary is several tokens, one for
        each byte, that begin at the same place.

        Returns:
            code points into ``text``, shape (tokens,), not decreasing; none for an empty text.
        Raises:
            Unavailable: the package or its tokenizer is missing.
            ModelError: the tokenizer is damaged.
        """
        tokenizer = self._loaded[1]
        try:
            encoding = tokenizer.encode(text, add_special_tokens=False)
        except TypeError:  # half a surrogate pair is no text to the tokenizer
            encoding = tokenizer.encode(encodable(text), add_special_tokens=False)
        return np.fromiter((start for start, _ in encoding.offsets), np.int64, len(encoding))

    @cached_property
    def _loaded(self) -> tuple[str, tokenizers.Tokenizer]:
        payload = _read(self._folder, _TOKENIZER)
        return f"{_NAME}@{hashlib.sha256(payload).hexdigest()[:12]}", _load_tokenizer(payload)


def _read(folder: Path | None, name: str) -> bytes:
    path = (folder or wordllama_folder()) / name
    try:
        return path.read_bytes()
    except OSError as error:
        raise Unavailable("a file of the package wordllama cannot be read", hint=_REINSTALL, path=str(path)) from error


def _load_tokenizer(payload: bytes) -> tokenizers.Tokenizer:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_buffer(payload)
    except ValueError as error:
        raise ModelError("the tokenizer of wordllama is damaged", hint=_REINSTALL, file=_TOKENIZER) from error
    # "<s>" in a document is text, not the mark that begins a sequence.
    tokenizer.encode_special_tokens = True
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
