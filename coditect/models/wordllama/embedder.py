"""The light embedder and tokenizer: static token vectors of the package ``wordllama``, read from its files.

The package carries its weights and its tokenizer, so this works without a network and without a GPU. Only its files are
used: its own loader asks a server for the tokenizer, and its import changes the process's logging.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from coditect.errors import ModelError, Unavailable
from coditect.models.cards import card_for
from coditect.models.port import FloatArray, IntArray, ModelCard
from coditect.models.rows import encodable, unit_rows
from coditect.models.wordllama.files import ReducedTokenizer, map_tensor
from coditect.models.wordllama.words import TokenIds, TokenStarts, WordTokens

if TYPE_CHECKING:
    import tokenizers

__all__ = ["WordLlamaEmbedder", "WordLlamaTokenizer", "wordllama_folder"]

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_TENSOR = "embedding.weight"
_NAME = "wordllama-l2-supercat"
_REINSTALL = "pip install --force-reinstall wordllama"

# So many texts are a question, not documents: nothing is made ready for more of them.
_FEW_TEXTS = 8
_SHORT_CHARACTERS = 2_000
_FEW_CALLS = 4
# Token vectors that are summed at once; bounds what a long text takes to 1 MB. Part of the result: sums depend on it.
_BLOCK_TOKENS = 1024
_PIECE_CHARACTERS = 100_000
_SINGLE_SPACE = re.compile("(?<=[^ \u2581]) (?=[^ \u2581])")


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
    """Mean of a text's static token vectors, 256 dimensions, about 15 MB of text a second on one core.

    Nothing is read before the first use; then the tokenizer is built and the weights (16 MB) are mapped into memory, in 0.1 s.
    Order and neighbourhood of words do not count; texts of any length are read whole. An :class:`~coditect.models.port.Embedder`
    and :class:`~coditect.models.port.TokenVectors`.

    Args:
        folder: of the package's files; by default the installed package's.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._asked = 0
        self._reduced: ReducedTokenizer | None = None

    @cached_property
    def card(self) -> ModelCard:
        """The model's card.

        Raises:
            Unavailable: the package or its weights are missing.
            ModelError: the weights are damaged.
        """
        digest, weights = self._weights
        return card_for(f"{_NAME}-{weights.shape[1]}@{digest[:12]}", weights.shape[1])

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        """Turn texts into vectors.

        Args:
            texts: any length; an empty string's vector is all zeros.
            query: makes no difference to this model.
        Returns:
            shape (len(texts), 256), float32, rows of unit length; the same text gives the same bytes in any batch.
        Raises:
            Unavailable: the package or its files are missing.
            ModelError: its files are damaged.
        """
        tokens_of = self._reader_for(texts)
        stored = self._weights[1] if len(texts) <= _FEW_TEXTS else self._single
        vectors = np.zeros((len(texts), stored.shape[1]), np.float32)
        for row, text in enumerate(texts):
            tokens = tokens_of(text)
            for block in range(0, len(tokens), _BLOCK_TOKENS):
                some = stored.take(tokens[block : block + _BLOCK_TOKENS], axis=0)
                vectors[row] += np.add.reduce(some.astype(np.float32, copy=False), axis=0)
        return unit_rows(vectors)

    @property
    def tokens_id(self) -> str:
        """See :class:`~coditect.models.port.TokenVectors`."""
        return self.card.model_id

    def tokens(self, texts: Sequence[str]) -> list[IntArray]:
        """See :class:`~coditect.models.port.TokenVectors`.

        Raises:
            Unavailable: the package or its files are missing.
            ModelError: its files are damaged.
        """
        tokens_of = self._reader_for(texts)
        return [np.asarray(sorted(set(tokens_of(text))), np.int64) for text in texts]

    def vectors(self, tokens: IntArray) -> FloatArray:
        """See :class:`~coditect.models.port.TokenVectors`; a token whose vector is all zeros keeps it.

        Raises:
            Unavailable: the package or its files are missing.
            ModelError: its files are damaged.
        """
        rows = self._weights[1].take(tokens, axis=0).astype(np.float32)
        lengths = np.sqrt(np.vecdot(rows, rows))
        return np.asarray(rows / np.where(lengths > 0, lengths, np.float32(1))[:, None], np.float32)

    def _reader_for(self, texts: Sequence[str]) -> Callable[[str], list[int]]:
        """What takes texts apart. Each way gives the same as the other; that for many texts takes 0.1 s to get ready."""
        return partial(_tokens, self._tokenizer_for(texts)) if len(texts) <= _FEW_TEXTS else self._token_ids.of

    def _tokenizer_for(self, texts: Sequence[str]) -> tokenizers.Tokenizer:
        """A process that asks once or twice needs little of the tokenizer; one that goes on gets it whole."""
        self._asked += 1
        if self._asked > _FEW_CALLS or sum(map(len, texts)) > _SHORT_CHARACTERS:
            self._reduced = None
            return self._tokenizer
        reduced = self._reduced  # another thread may let it go meanwhile
        try:
            self._reduced = reduced = reduced or ReducedTokenizer(_read(self._folder, _TOKENIZER))
        except ValueError as error:
            raise ModelError("the tokenizer of wordllama is damaged", hint=_REINSTALL, file=_TOKENIZER) from error
        smaller = reduced.of([encodable(text) for text in texts])
        if smaller is None:
            return self._tokenizer
        tokenizer = _load_tokenizer(smaller)
        self._require(max(tokenizer.get_vocab().values(), default=-1) + 1)
        return tokenizer

    def _require(self, size: int) -> None:
        """Refuse a vocabulary that is larger than the weights are."""
        if size > len(self._weights[1]):
            raise ModelError("the weights and the tokenizer of wordllama do not belong together", hint=_REINSTALL)

    @cached_property
    def _weights(self) -> tuple[str, npt.NDArray[np.floating[Any]]]:
        """SHA-256 of the file in hex, and its vectors as they are stored, shape (vocabulary, 256)."""
        path = (self._folder or wordllama_folder()) / _WEIGHTS
        try:
            digest, weights = map_tensor(path, _TENSOR)
        except OSError as error:
            raise _unreadable(path) from error
        except ValueError as error:
            raise ModelError("the weights of wordllama are damaged", hint=_REINSTALL, file=_WEIGHTS) from error
        if weights.ndim != 2:
            raise ModelError("the weights of wordllama are damaged", hint=_REINSTALL, file=_WEIGHTS)
        return digest, weights

    @cached_property
    def _single(self) -> FloatArray:
        """The vectors in single precision: worth its 32 MB for many texts."""
        return self._weights[1].astype(np.float32)

    @cached_property
    def _tokenizer(self) -> tokenizers.Tokenizer:
        return self._words.tokenizer

    @cached_property
    def _words(self) -> WordTokens:
        words = _word_tokens(_read(self._folder, _TOKENIZER))
        self._require(words.tokenizer.get_vocab_size())
        return words

    @cached_property
    def _token_ids(self) -> TokenIds:
        return TokenIds(self._words)


def _tokens(tokenizer: tokenizers.Tokenizer, text: str) -> list[int]:
    """The ids of a text's tokens."""
    try:
        return list(tokenizer.encode(text, add_special_tokens=False).ids)
    except TypeError:  # half a surrogate pair is no text to the tokenizer
        return list(tokenizer.encode(encodable(text), add_special_tokens=False).ids)


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
        """Find where each token begins.

        A word's first token begins with the space before it. A character outside the vocabulary is several tokens, one for
        each byte, that begin at the same place.

        Returns:
            code points into ``text``, shape (tokens,), not decreasing; none for an empty text.
        Raises:
            Unavailable: the package or its tokenizer is missing.
            ModelError: the tokenizer is damaged.
        """
        found = []
        for begin, end in self._pieces(text):
            starts = self._starts.of(text[begin:end])
            if begin:  # the first one of a later piece begins at the space before it
                starts += begin
                starts[0] -= 1
            found.append(starts)
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    def _pieces(self, text: str) -> Iterator[tuple[int, int]]:
        """Stretches of a text whose tokens are those of the whole; each ends before a single space, and the next begins behind it.

        The library takes more than a hundred bytes for each character of a text that it is given whole.
        """
        start = 0
        while len(text) - start > _PIECE_CHARACTERS and self._starts.by_word:
            space = _SINGLE_SPACE.search(text, start + _PIECE_CHARACTERS)
            if space is None:
                break
            yield start, space.start()
            start = space.end()
        if start < len(text):
            yield start, len(text)

    @cached_property
    def _starts(self) -> TokenStarts:
        return TokenStarts(self._loaded[1])

    @cached_property
    def _loaded(self) -> tuple[str, WordTokens]:
        payload = _read(self._folder, _TOKENIZER)
        return f"{_NAME}@{hashlib.sha256(payload).hexdigest()[:12]}", _word_tokens(payload)


def _read(folder: Path | None, name: str) -> bytes:
    path = (folder or wordllama_folder()) / name
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path) from error


def _unreadable(path: Path) -> Unavailable:
    return Unavailable("a file of the package wordllama cannot be read", hint=_REINSTALL, path=str(path))


@lru_cache(maxsize=1)  # who cuts passages and who embeds them reads the same words
def _word_tokens(payload: bytes) -> WordTokens:
    return WordTokens(_load_tokenizer(payload))


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
