"""Arrays of entries: what shares say of the entries of some documents, one document behind the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect.tiers.shares.codes import Codes, followed_by
from coditect.tiers.shares.joined.blocks import blocks_of
from coditect.tiers.shares.joined.columns import JoinedShares
from coditect.tiers.shares.kept import KeptShare, Places
from coditect.tiers.shares.packing import HELD, LIMITS, POSTED, STANCES

__all__ = ["EntryArrays", "Flags", "joined_codes", "stances_said"]

Flags = npt.NDArray[np.bool_]
"""Which of some entries, or of anything else, are meant."""

_MUST = STANCES.index("must")


class EntryArrays:
    """The entries of some documents.

    Args:
        shares: of these documents, in the order of the documents.
        are_disputed: of which heads some statement of the corpus rules out or leaves open what another one asks.

    Attributes:
        joined: the shares, one behind the other.
    """

    def __init__(self, shares: Sequence[KeptShare], are_disputed: Callable[[Codes], Flags]) -> None:
        self.shares = shares
        self.joined = JoinedShares(shares)
        self.documents = self.joined.owners("entry_flags")
        self.flags = self.joined.numbers("entry_flags")
        self.stances = self.joined.numbers("entry_stances")
        # All count but the duties of verbs that no other statement rules out or leaves open.
        self.counts = self.stances != _MUST
        asked = np.flatnonzero(~self.counts)
        self.counts[asked] = are_disputed(self.heads[asked])

    @cached_property
    def heads(self) -> Codes:
        """The code of the head of each."""
        return self.joined.array("entry_heads")

    @cached_property
    def prefixes(self) -> Codes:
        """The code of what stands before a word by which an entry is found: of entries that are no limits, of their kind."""
        return self.joined.array("entry_prefixes")

    @property
    def counted(self) -> tuple[int, int]:
        """How many entries are no limits, and of how many documents."""
        own = self.documents[self.counts & (self.flags & LIMITS == 0)]
        return len(own), len(np.unique(own))

    @property
    def speaking(self) -> Flags:
        """Which of them speak for their sentence: each sentence is counted once, by what it says first."""
        starts = self.of_sentences("sentence_starts").astype(np.int64)
        places = (self.documents << 32) + starts
        own = np.flatnonzero(self.counts)
        _, first = np.unique(places[own], return_index=True)
        found = np.zeros(len(places), dtype=np.bool_)
        found[own[first]] = True
        return found

    def of_sentences(self, name: str) -> npt.NDArray[Any]:
        """What an array says of the sentence of each.

        Args:
            name: of the array, which has a number for each sentence.
        """
        found: npt.NDArray[Any] = self.joined.array(name)[self.joined.placed("entry_statements", name)]
        return found

    def words(self, wanted: Flags) -> tuple[Codes, Places]:
        """(codes of words, the number of the entry of each) of some entries."""
        return self._lists("entry_words", "entry_word_ends", wanted)

    def _lists(self, name: str, ends: str, wanted: Flags) -> tuple[Codes, Places]:
        codes, owners = [np.zeros(0, dtype=np.uint64)], [np.zeros(0, dtype=np.uint32)]
        for block in blocks_of(self.shares, name, ends):
            tellers = block.owners
            own = wanted[tellers]
            codes.append(block.vocabulary[block.numbers[own]])
            owners.append(tellers[own])
        return np.concatenate(codes), np.concatenate(owners)

    def found_by(self) -> tuple[Codes, Places]:
        """(code, the number of the entry) of everything by which entries that are held against others are found."""
        held = self.counts & (self.flags & HELD != 0)
        told, tellers = self.words(held & (self.flags & POSTED != 0))
        more, others = self._lists("entry_extras", "entry_extra_ends", held)
        owners = np.concatenate([tellers, others])
        return followed_by(self.prefixes[owners], np.concatenate([told, more])), owners


def stances_said(share: KeptShare) -> Codes:
    """A code for each head and stance that a document has together, as often as it has them."""
    stances = share.array("entry_stances", "|u1")
    own = np.flatnonzero(stances)
    return followed_by(share.array("entry_heads", "<u8")[own], stances[own].astype(np.uint64))


def joined_codes(shares: Sequence[KeptShare], of: Callable[[KeptShare], Codes]) -> Codes:
    """Codes of several documents, one document behind the other."""
    return np.concatenate([of(each) for each in shares]) if shares else np.zeros(0, dtype=np.uint64)
