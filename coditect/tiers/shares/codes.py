"""Codes: words and phrases as numbers of 64 bits, so that those of many documents are counted and compared as arrays.

Two words have one code with a probability of one in 10^19, and any two of a million words with one of less than one in 10^7. What
would come of it is a count that is too high, the same in every build.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

__all__ = ["Codes", "code_of", "codes_of", "followed_by", "is_among", "phrase_code"]

Codes = npt.NDArray[np.uint64]
"""Codes of words or phrases."""

_STEP = 0x9E3779B97F4A7C15
_ALL = (1 << 64) - 1


@lru_cache(maxsize=1 << 16)
def code_of(word: str) -> int:
    """The code of a word, or of any other text."""
    data = word.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def codes_of(words: Sequence[str]) -> Codes:
    """The codes of words, in order."""
    return np.array([code_of(each) for each in words], dtype=np.uint64)


def phrase_code(words: Sequence[str]) -> int:
    """The code of words in this order; of one word its own."""
    found = 0
    for each in words:
        found = (found * _STEP + code_of(each)) & _ALL
    return found


def followed_by(phrases: Codes, words: Codes | int) -> Codes:
    """The codes of phrases with one word more behind each, as :func:`phrase_code` gives them."""
    behind = words if isinstance(words, np.ndarray) else np.uint64(words)
    return phrases * np.uint64(_STEP) + behind


def is_among(codes: Codes, known: Codes) -> npt.NDArray[np.bool_]:
    """Which of some codes are among others.

    Args:
        codes: any number of codes, in any order.
        known: sorted, each once.
    """
    if not len(known):
        return np.zeros(len(codes), dtype=np.bool_)
    table = np.zeros(1 << 20, dtype=np.bool_)
    table[known >> np.uint64(44)] = True
    found: npt.NDArray[np.bool_] = table[codes >> np.uint64(44)]
    likely = np.flatnonzero(found)
    at = np.minimum(np.searchsorted(known, codes[likely]), len(known) - 1)
    found[likely] = known[at] == codes[likely]
    return found
