"""The tokens of texts, one word after the other, with a memory for words: which tokens they are, and where they begin.

No token of a vocabulary of the SentencePiece kind goes on over white space, and byte pairs are merged into tokens only. So a text's
tokens are those of its words, and a word that comes again need not be taken apart again, which is what a tokenizer takes its time
for. A tokenizer for which that does not hold gets whole texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, cast

import numpy as np
import orjson

from coditect.models.port import IntArray
from coditect.models.rows import encodable

if TYPE_CHECKING:
    import tokenizers

__all__ = ["NORMALIZER", "TokenIds", "TokenStarts", "keeps_words", "spaces_marked"]

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
_ACROSS = re.compile("[^▁]▁")
_MOST_WORDS = 100_000
_LONGEST_WORD = 40


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
    words = text.split(" ")
    if "" in words or _MARK in text:  # several spaces together belong to one word
        return [word[1:] for word in _WORD.findall(spaces_marked(text))]
    return words


class _Words:
    """What was read of words before.

    Args:
        read: reads a word, as :func:`_words` gives it; one number for each of its tokens.
    """

    def __init__(self, read: Callable[[str], list[int]]) -> None:
        self._read = read
        self._known: dict[str, list[int]] = {}

    def of(self, words: Sequence[str]) -> list[list[int]]:
        """What there is to be read of each word, in order."""
        known = self._known
        if len(known) > _MOST_WORDS:
            known.clear()
        found = list(map(known.get, words))
        for at in [at for at, each in enumerate(found) if each is None]:
            word = words[at]
            found[at] = each = known.get(word) or self._read(word)
            if len(word) <= _LONGEST_WORD:
                known[word] = each
        return cast("list[list[int]]", found)


class TokenIds:
    """The token ids of texts.

    Args:
        tokenizer: without padding and truncation.
    """

    def __init__(self, tokenizer: tokenizers.Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._by_word = keeps_words(tokenizer)
        self._words = _Words(lambda word: [token.id for token in tokenizer.model.tokenize(_MARK + word)])

    def of(self, text: str) -> list[int]:
        """The ids of a text's tokens, in order, without marks of where it begins and ends."""
        try:
            return self._of(text)
        except (TypeError, UnicodeEncodeError):  # half a surrogate pair is no text to the tokenizer
            return self._of(encodable(text))

    def _of(self, text: str) -> list[int]:
        if not self._by_word:
            return list(self._tokenizer.encode(text, add_special_tokens=False).ids)
        return list(chain.from_iterable(self._words.of(_words(text))))


class TokenStarts:
    """Where the tokens of texts begin.

    Args:
        tokenizer: without padding and truncation.

    Attributes:
        by_word: whether the tokens of a text are those of its words.
    """

    def __init__(self, tokenizer: tokenizers.Tokenizer) -> None:
        self.by_word = keeps_words(tokenizer)
        self._tokenizer = tokenizer
        self._words = _Words(self._starts_in)

    def of(self, text: str) -> IntArray:
        """Where each token begins: code points into ``text``, shape (tokens,), not decreasing."""
        try:
            return self._of(text)
        except (TypeError, UnicodeEncodeError):  # as above
            return self._of(encodable(text))

    def _of(self, text: str) -> IntArray:
        if not self.by_word:
            encoding = self._tokenizer.encode(text, add_special_tokens=False)
            return np.fromiter((start for start, _ in encoding.offsets), np.int64, len(encoding))
        words = _words(text)
        found = self._words.of(words)
        ends = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)) + 1)
        counts = np.fromiter(map(len, found), np.int64, len(found))
        starts = np.fromiter(chain.from_iterable(found), np.int64, int(counts.sum()))
        if len(words):
            starts[counts[0] :] += np.repeat(ends[:-1], counts[1:])
        # The mark in front of the text is no character of it.
        return np.maximum(starts - 1, 0)

    def _starts_in(self, word: str) -> list[int]:
        """Where the tokens of a word begin in it and its mark, in characters; the tokenizer counts bytes, and may part a character
        into them.
        """
        word = _MARK + word
        starts = [token.offsets[0] for token in self._tokenizer.model.tokenize(word)]
        character = [at for at, each in enumerate(word) for _ in each.encode()]
        return [character[start] for start in starts]
