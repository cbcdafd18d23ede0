"""The files of the light embedder: its weights, mapped into memory, and its tokenizer, whole or as little of it as is needed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from coditect.models.wordllama.words import NORMALIZER, spaces_marked

__all__ = ["ReducedTokenizer", "map_tensor"]

_LENGTH_BYTES = 8
_TYPES = {"F16": "<f2", "F32": "<f4"}
_BLOCK_ROWS = 512


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
            if content["normalizer"] != NORMALIZER or content["pre_tokenizer"] or model["type"] != "BPE":
                return None
            longest = max(map(len, vocabulary))
            kept = {token["content"] for token in content["added_tokens"]}
            kept.update(f"<0x{byte:02X}>" for byte in range(256))
            for text in map(spaces_marked, texts):
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
