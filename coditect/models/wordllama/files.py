"""What the light embedder works on: its weights, mapped into memory, and the token ids of words that it met before."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from itertools import chain
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt
import orjson

from coditect.models.rows import encodable

if TYPE_CHECKING:
    import tokenizers

__all__ = ["ReducedTokenizer", "TokenIds", "keeps_words", "map_tensor"]

_LENGTH_BYTES = 8
_TYPES = {"F16": "<f2", "F32": "<f4"}
_BLOCK_ROWS = 512

_WORD = re.compile("▁*[^▁]+|▁+")
"""What begins with white space and goes on to the next, in a text whose spaces the tokenizer wrote as U+2581."""

_SPACES_MARKED = {
    "type": "Sequence",
    "normalizers": [
        {"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    ],
}
"""What such a tokenizer does to a text first."""

_ACROSS = re.compile("[^▁]▁")
_MOST_WORDS = 100_000
_LONGEST_WORD = 40


def map_tensor(path: Path, name: str) -> tuple[str, npt.NDArray[np.floating[Any]]]:
    """Map a tensor in a file of the safetensors format into memory.

    Args:
        path: of the file.
        name: of the tensor; of half or single precision.
    Returns:
        (SHA-256 of the file in hex, the tensor: finite, mapped into memory, not to be written to).
    Raises:
        OSError: the file cannot be read.
        ValueError: it is not of this format, or truncated, or holds no such tensor, or one with what is no number.
    Source: the format's description at huggingface.co/docs/safetensors: the length of the header, little-endian in 8 bytes; the
        header, JSON; then the tensors, row by row, each where the header says, counted from the header's end.
    """
    data = np.memmap(path, np.uint8, "r").view(np.ndarray)
    header_end = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES].tobytes(), "little")
    try:
        entry = orjson.loads(data[_LENGTH_BYTES:header_end].tobytes())[name]
        kind, shape, (begin, end) = np.dtype(_TYPES[entry["dtype"]]), tuple(entry["shape"]), entry["data_offsets"]
        found = data[header_end + begin : header_end + end]
        if not 0 <= begin <= end == begin + prod(shape) * kind.itemsize or len(found) != end - begin:
            raise ValueError("the tensor does not have its length")
    except (KeyError, TypeError) as error:
        raise ValueError("there is no such tensor") from error
    # Copied where it does not begin at a multiple of its numbers' size, which the format allows.
    tensor: npt.NDArray[np.floating[Any]] = np.require(np.frombuffer(found.data, kind), requirements="A").reshape(shape)
    if not all(_finite(tensor[first : first + _BLOCK_ROWS]) for first in range(0, len(tensor), _BLOCK_ROWS)):
        raise ValueError("the tensor holds what is no number")
    return hashlib.sha256(data.data).hexdigest(), tensor


def _finite(rows: npt.NDArray[np.floating[Any]]) -> bool:
    """As numpy's, which first makes half precision single."""
    if rows.dtype != np.float16:
        return bool(np.isfinite(rows).all())
    return not bool(((rows.view(np.uint16) & 0x7C00) == 0x7C00).any())


class ReducedTokenizer:
    """A tokenizer's file with only as much of its vocabulary as some texts can need: built in a tenth of the time.

    Byte pairs are merged where they stand, so what a text's tokens are is decided by the entries that are in it, verbatim. The
    numbers of tokens and the order of merges stay.

    Args:
        payload: the file.
    Raises:
        ValueError: not JSON.
    """

    def __init__(self, payload: bytes) -> None:
        self._content = orjson.loads(payload)

    def of(self, texts: Sequence[str]) -> bytes | None:
        """Make the smaller file.

        Args:
            texts: few and short ones, that will be tokenised.
        Returns:
            it; None for a tokenizer for which all this does not hold.
        """
        content = self._content
        try:
            model = content["model"]
            vocabulary, merges = model["vocab"], model["merges"]
            if content["normalizer"] != _SPACES_MARKED or content["pre_tokenizer"] or model["type"] != "BPE":
                return None
            longest = max(map(len, vocabulary))
            kept = {token["content"] for token in content["added_tokens"]}
            kept.update(f"<0x{byte:02X}>" for byte in range(256))
            for text in map(_spaces_marked, texts):
                kept.update(text[at : at + size] for size in range(1, longest + 1) for at in range(len(text)))
            kept.intersection_update(vocabulary)
            pairs = {f"{token[:at]} {token[at:]}" for token in kept for at in range(1, len(token))}
            smaller = {
                "vocab": {token: vocabulary[token] for token in sorted(kept)},
                "merges": [merge for merge in merges if merge in pairs],
            }
        except (KeyError, TypeError, AttributeError):  # another kind of file, which is for the library to judge
            return None
        return orjson.dumps(content | {"model": model | smaller})


def _spaces_marked(text: str) -> str:
    return "▁" + text.replace(" ", "▁") if text else ""


def keeps_words(tokenizer: tokenizers.Tokenizer) -> bool:
    """Whether a tokenizer writes a space as U+2581 in front of its word, and none of its tokens goes on over one."""
    return bool(
        tokenizer.normalizer is not None
        and orjson.loads(tokenizer.normalizer.__getstate__()) == _SPACES_MARKED
        and tokenizer.pre_tokenizer is None
        and all(token.special for token in tokenizer.get_added_tokens_decoder().values())
        and not any(map(_ACROSS.search, tokenizer.get_vocab()))
    )


class TokenIds:
    """The token ids of texts, by a tokenizer of the SentencePiece kind, with a memory for words.

    No token of such a vocabulary goes on over white space, and byte pairs are merged into tokens only. So a text's tokens are those
    of its words, one word after the other, and a word that comes again need not be taken apart again. A tokenizer for which that
    does not hold gets whole texts.

    Args:
        tokenizer: without padding and truncation.
    """

    def __init__(self, tokenizer: tokenizers.Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, list[int]] = {}
        self._by_word = keeps_words(tokenizer)

    def of(self, text: str) -> list[int]:
        """The ids of a text's tokens, in order, without marks of where it begins and ends."""
        try:
            return self._of(text)
        except (TypeError, UnicodeEncodeError):  # half a surrogate pair is no text to the tokenizer
            return self._of(encodable(text))

    def _of(self, text: str) -> list[int]:
        if not self._by_word:
            return list(self._tokenizer.encode(text, add_special_tokens=False).ids)
        known = self._known
        if len(known) > _MOST_WORDS:
            known.clear()
        words = _WORD.findall(_spaces_marked(text))
        found = list(map(known.get, words))
        for at in [at for at, ids in enumerate(found) if ids is None]:
            word = words[at]
            found[at] = ids = known.get(word) or [token.id for token in self._tokenizer.model.tokenize(word)]
            if len(word) <= _LONGEST_WORD:
                known[word] = ids
        return list(chain.from_iterable(cast("list[list[int]]", found)))
