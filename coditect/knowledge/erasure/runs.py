"""Runs of words, by which it is told where words of a document stand: each run is a keyed number, so that numbers tell no words.

A run is some words that follow each other, whatever stands between them but letters and digits, in whatever case and however
letters are composed: who repeats a sentence may write it in capitals, stress it, or type it where accents are signs of their own.
Words are hashed with a random key, and a run is the sum of the hashes of its words, each times a power of an odd number, modulo
2**64: who has the key can look for runs, who has the numbers alone can neither read nor guess them. The key goes with the erasure.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
import orjson

__all__ = ["RUN_WORDS", "SHORT_RUN_WORDS", "Numbers", "WordRuns", "any_in", "texts_in"]

RUN_WORDS = 6
"""Words of a run that is looked for: fewer stand in any document by chance."""

SHORT_RUN_WORDS = 3
"""Words of a run by which an answer of a model is told to be of a document: an answer that goes too much is only asked again."""

Numbers = npt.NDArray[np.uint64]

_WORD = re.compile(r"[^\W_]+")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
"""Signs within words that are not printed."""
_FACTOR = 0x9E3779B97F4A7C15
_MODULUS = 1 << 64
_KEPT_WORDS = 500_000


class WordRuns:
    """Numbers of runs of words.

    Args:
        key: random, 16 bytes.
        words: in a run.
    """

    def __init__(self, key: bytes, words: int) -> None:
        self.words = words
        self._key = key
        self._known: dict[str, int] = {}
        self._factors = [np.uint64(pow(_FACTOR, n, _MODULUS)) for n in range(words)]

    def of(self, texts: Iterable[str]) -> Numbers:
        """The numbers of the runs in texts that follow each other, sorted, each once."""
        hashed = [self._hash(word) for text in texts for word in _WORD.findall(_even(text))]
        count = len(hashed) - self.words + 1
        if count < 1:
            return np.empty(0, np.uint64)
        numbers = np.asarray(hashed, np.uint64)
        total = np.zeros(count, np.uint64)
        for n, factor in enumerate(self._factors):
            total += numbers[n : n + count] * factor
        return np.unique(total)

    def _hash(self, word: str) -> int:
        found = self._known.get(word)
        if found is None:
            if len(self._known) > _KEPT_WORDS:
                self._known.clear()
            digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), key=self._key, digest_size=8).digest()
            found = self._known[word] = int.from_bytes(digest, "big")
        return found

    def last_words(self, text: str) -> str:
        """The end of a text that may begin a run which the next text ends."""
        text = _even(text)
        found = list(_WORD.finditer(text))
        return text[found[-self.words].start() :] if len(found) >= self.words else text


def _even(text: str) -> str:
    """A text in small, composed letters, with all that is printed of it."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold())


def any_in(numbers: Numbers, wanted: Numbers) -> bool:
    """Whether one of some numbers is among the wanted; both sorted."""
    if not len(numbers) or not len(wanted):
        return False
    places = np.minimum(np.searchsorted(wanted, numbers), len(wanted) - 1)
    return bool((wanted[places] == numbers).any())


def texts_in(data: bytes) -> Iterator[str]:
    """The texts in stored bytes: of JSON every text and name in it, of anything else all of it as UTF-8."""
    if data[:1] in (b"{", b"["):
        try:
            yield from _strings(orjson.loads(data))
        except orjson.JSONDecodeError:
            pass
        else:
            return
    yield data.decode("utf-8", "replace")


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for name, each in value.items():
                yield name
                yield from _strings(each)
        case list():
            for each in value:
                yield from _strings(each)
