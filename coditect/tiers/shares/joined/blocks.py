"""Blocks: the words of a few documents at a time, each word of a document looked at once however often it stands there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from coditect.tiers.shares.codes import Codes, is_among
from coditect.tiers.shares.joined.columns import JoinedShares
from coditect.tiers.shares.kept import KeptShare, Numbers, Places

__all__ = ["WordBlock", "blocks_of"]


@dataclass(frozen=True, slots=True)
class WordBlock:
    """Lists of words of a few documents, one behind the other.

    Attributes:
        vocabulary: the codes of the words of each document, one document behind the other.
        numbers: the words in all lists, by their places in the vocabulary.
        ends: the place behind the last word of each list.
        first: the number of the first list among those of all documents.
    """

    vocabulary: Codes
    numbers: Places
    ends: Numbers
    first: int

    @property
    def codes(self) -> Codes:
        """The codes of the words in all lists."""
        return self.vocabulary[self.numbers]

    @property
    def owners(self) -> Places:
        """The number of the list that each word stands in, among those of all documents."""
        lengths = np.diff(self.ends, prepend=0)
        return np.repeat(np.arange(self.first, self.first + len(self.ends), dtype=np.uint32), lengths)

    def owners_at(self, at: Numbers) -> Numbers:
        """The same of the words at some places alone."""
        return np.searchsorted(self.ends, at, side="right") + self.first

    def among(self, known: Codes) -> tuple[Numbers, Numbers]:
        """(places of the words that are among some codes, the number of its code for each); each document's words are asked once.

        Args:
            known: sorted, each once.
        """
        own = np.flatnonzero(is_among(self.vocabulary, known))
        numbers = np.full(len(self.vocabulary), -1, dtype=np.int32)
        numbers[own] = np.searchsorted(known, self.vocabulary[own])
        told = numbers[self.numbers]
        at = np.flatnonzero(told >= 0)
        return at, told[at].astype(np.int64)


def blocks_of(shares: Sequence[KeptShare], name: str, ends: str) -> Iterator[WordBlock]:
    """Some lists of words, of a few documents at a time.

    Args:
        shares: of all documents.
        name: of the lists, as they were packed.
        ends: of where they end.
    """
    first = 0
    for begin in range(0, len(shares), _TOGETHER):
        some = JoinedShares(shares[begin : begin + _TOGETHER])
        words, last = some.lengths("codes"), some.placed(ends, name)
        before = np.repeat((np.cumsum(words) - words).astype(np.uint32), some.lengths(name))
        yield WordBlock(some.array("codes"), some.array(name) + before, last, first)
        first += len(last)


_TOGETHER = 64
"""Documents whose words are looked at together, so that memory does not grow with what is made of all of them on the way."""
