"""The tokens of texts, one word after the other, with a memory for words: which tokens they are, and where they begin.

No token of a vocabulary of the SentencePiece kind goes on over white space, and byte pairs are merged into tokens only. So a text's
tokens are those of its words, and a word that comes again need not be taken apart again, which is what a tokenizer takes its time
for. A tokenizer for which that does not hold gets whole texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Generic, TypeVar, cast

import numpy as np
import orjson

from coditect.models.port import IntArray
from coditect.models.rows import encodable

if TYPE_CHECKING:
    import tokenizers

__all__ = ["NORMALIZER", "TokenIds", "TokenStarts", "WordTokens", "keeps_words", "spaces_marked"]

T = TypeVar("T")

NORMALIZER = {
    "type": "Sequence",
    "normalizers": [
        {"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    ],
}
"""What such a tokenizer does to a text first, as its file says it."""

_WORD = re.compile("▁*[^▁]+|▁+")
"""What begins with white space and goes on to the next, in a text whose spaces the tokenizer wrote as U+2581."""

_MARK = "▁"
_MARK_BYTES = len(_MARK.encode())
_ACROSS = re.compile("[^▁]▁")
_MOST_WORDS = 100_000
_LONGEST_WORD = 40

_Taken = tuple[list[int], list[int]]
"""The ids of a word's tokens, and where they begin in it and its mark, in characters."""


def spaces_marked(text: str) -> str:
    """A text as :data:`NORMALIZER` makes it."""
    return "▁" + text.replace(" ", "▁") if text else ""


def keeps_words(tokenizer: tokenizers.Tokenizer) -> bool:
    """Whether a tokenizer writes a space as U+2581 in front of its word, and none of its tokens goes on over one."""
    return bool(
        tokenizer.normalizer is not None
        and orjson.loads(tokenizer.normalizer.__getstate__()) == NORMALIZER
        and tokenizer.pre_tokenizer is None
        and all(token.special for token in tokenizer.get_added_tokens_decoder().values())
        and not any(map(_ACROSS.search, tokenizer.get_vocab()))
    )


def _words(text: str) -> list[str]:
    """The words of a text as the tokenizer has them, each without the mark that it begins with."""
    if not text or text[0] == " " or _MARK in text:
        return [word[1:] for word in _WORD.findall(spaces_marked(text))]
    if "  " in text:  # several spaces together belong to the word behind them
        text = text.replace("  ", " ▁").replace("▁ ", "▁▁")
    return text.split(" ")


class _Words(Generic[T]):
    """What was read of words before.

    Args:
        read: reads a word, as :func:`_words` gives it.
    """

    def __init__(self, read: Callable[[str], T]) -> None:
        self._read = read
        self._known: dict[str, T] = {}

    def of(self, words: Sequence[str]) -> list[T]:
        """What there is to be read of each word, in order."""
        known = self._known
        if len(known) > _MOST_WORDS:
            known.clear()
        found = list(map(known.get, words))
        if None in found:
            for at in [at for at, each in enumerate(found) if each is None]:
                word = words[at]
                found[at] = each = known.get(word) or self._read(word)
                if len(word) <= _LONGEST_WORD:
                    known[word] = each
        return cast("list[T]", found)


class WordTokens:
    """A tokenizer that remembers words: whoever asks for ids and whoever asks for places, of one text, has it taken apart once.

    Args:
        tokenizer: without padding and truncation.

    Attributes:
        tokenizer: the same.
    """

    def __init__(self, tokenizer: tokenizers.Tokenizer) -> None:
        self.tokenizer = tokenizer
        self._words = _Words(self._taken)

    @cached_property
    def by_word(self) -> bool:
        """Whether the tokens of a text are those of its words."""
        return keeps_words(self.tokenizer)

    def of(self, words: Sequence[str]) -> list[_Taken]:
        """Of each word, as :func:`_words` gives it, the ids of its tokens, and where they begin in it and its mark."""
        return self._words.of(words)

    def _taken(self, word: str) -> _Taken:
        """The tokenizer counts bytes, and may part a character into them."""
        word = _MARK + word
        tokens = self.tokenizer.model.tokenize(word)
        starts = [token.offsets[0] for token in tokens]
        if not word[1:].isascii():
            character = [at for at, each in enumerate(word) for _ in each.encode()]
            starts = [character[start] for start in starts]
        elif starts:  # the mark alone takes more than one byte
            starts = [max(start - _MARK_BYTES + 1, 0) for start in starts]
        return [token.id for token in tokens], starts


class TokenIds:
    """The token ids of texts.

    Args:
        words: takes them apart.
    """

    def __init__(self, words: WordTokens) -> None:
        self._words = words

    def of(self, text: str) -> list[int]:
        """The ids of a text's tokens, in order, without marks of where it begins and ends."""
        try:
            return self._of(text)
        except (TypeError, UnicodeEncodeError):  # half a surrogate pair is no text to the tokenizer
            return self._of(encodable(text))

    def _of(self, text: str) -> list[int]:
        if not self._words.by_word:
            return list(self._words.tokenizer.encode(text, add_special_tokens=False).ids)
        ids: list[int] = []
        for each, _ in self._words.of(_words(text)):
            ids += each
        return ids


class TokenStarts:
    """Where the tokens of texts begin.

    Args:
        words: takes them apart.

    Attributes:
        by_word: whether the tokens of a text are those of its words.
    """

    def __init__(self, words: WordTokens) -> None:
        self.by_word = words.by_word
        self._words = words

    def of(self, text: str) -> IntArray:
        """Where each token begins: code points into ``text``, shape (tokens,), not decreasing."""
        try:
            return self._of(text)
        except (TypeError, UnicodeEncodeError):  # as above
            return self._of(encodable(text))

    def _of(self, text: str) -> IntArray:
        if not self.by_word:
            encoding = self._words.tokenizer.encode(text, add_special_tokens=False)
            return np.fromiter((start for start, _ in encoding.offsets), np.int64, len(encoding))
        words = _words(text)
        found = [starts for _, starts in self._words.of(words)]
        ends = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)) + 1)
        counts = np.fromiter(map(len, found), np.int64, len(found))
        starts = np.fromiter(chain.from_iterable(found), np.int64, int(counts.sum()))
        if len(words):
            starts[counts[0] :] += np.repeat(ends[:-1], counts[1:])
        # The mark in front of the text is no character of it.
        return np.maximum(starts - 1, 0)
