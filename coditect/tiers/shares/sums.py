"""Sums: what is counted of the entries of a whole corpus, so that a change adds and takes away what its own documents have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.entries import AGAINST
from coditect.tiers.findings.conflicts.likeness.detection import COMMON as COMMON_LIMITS
from coditect.tiers.findings.conflicts.opposed.candidates import COMMON
from coditect.tiers.shares.arrays import EntryArrays, Flags, joined_codes, stances_said
from coditect.tiers.shares.codes import Codes, followed_by, phrase_code
from coditect.tiers.shares.kept import KeptShare
from coditect.tiers.shares.packing import STANCES
from coditect.tiers.shares.times import SharedWeights, Times

__all__ = ["Change", "Sums"]

_AGAINST = [sum(1 << STANCES.index(each) for each in pair) for pair in AGAINST]
_MUST = STANCES.index("must")


@dataclass(frozen=True, slots=True)
class _Part:
    """What some documents add to the sums."""

    words: Codes
    found: Codes
    statements: int
    requirements: int
    documents: int


@dataclass(frozen=True)
class Sums:
    """What is counted of all entries of a corpus.

    Attributes:
        said: how often each head and stance stand together (:func:`~coditect.tiers.shares.arrays.stances_said`).
        words: in how many statements each word is.
        found: how many entries that are held against others are found by each code.
        statements: how many statements have an entry that counts.
        requirements: how many entries are no limits.
        documents: how many documents have one of these.
    """

    said: Times
    words: Times
    found: Times
    statements: int
    requirements: int
    documents: int

    @classmethod
    def of(cls, shares: Sequence[KeptShare]) -> Sums:
        """The sums of all documents, counted anew."""
        said = Times.among(joined_codes(shares, stances_said))
        part = _part(shares, said)
        times = Times.among(part.words), Times.among(part.found)
        return cls(said, *times, part.statements, part.requirements, part.documents)

    @cached_property
    def weights(self) -> SharedWeights:
        """How much a word that two entries share says."""
        return SharedWeights(self.words, self.statements)

    def of_entries(self, kind: str, by: str) -> int:
        """How many entries of a kind are found by something."""
        return self.found.of(phrase_code((kind, by)))

    def of_limits(self, kind: str, thing: str, word: str) -> int:
        """How many limits of one thing have a word."""
        return self.found.of(phrase_code((LIMIT, kind, thing, word)))

    def are_disputed(self, heads: Codes) -> Flags:
        """Of which heads one statement rules out or leaves open what another one asks."""
        return _are_disputed(heads, self.said)

    def changed(self, gone: Sequence[KeptShare], new: Sequence[KeptShare], others: Sequence[KeptShare]) -> Change:
        """The sums after some documents went and others came.

        Args:
            gone: the shares of the former.
            new: those of the latter.
            others: those of all documents that stay.
        """
        said, codes = self.said.changed(*(joined_codes(each, stances_said) for each in (gone, new)))
        heads = (
            np.unique(joined_codes([*gone, *new], lambda share: share.array("entry_heads", "<u8")))
            if len(codes)
            else codes
        )
        turned = heads[_are_disputed(heads, self.said) != _are_disputed(heads, said)]
        touched = [share for share in others if _asks(share, turned)] if len(turned) else []
        before, after = _part([*gone, *touched], self.said), _part([*new, *touched], said)
        words, _ = self.words.changed(before.words, after.words)
        found, codes = self.found.changed(before.found, after.found)
        then, now = self.found.of_each(codes), found.of_each(codes)
        crossed = np.any([(then <= most) != (now <= most) for most in (COMMON, COMMON_LIMITS)], axis=0)
        sums = Sums(
            said,
            words,
            found,
            self.statements - before.statements + after.statements,
            self.requirements - before.requirements + after.requirements,
            self.documents - before.documents + after.documents,
        )
        return Change(sums, frozenset(share.document_id for share in touched), codes[crossed])


@dataclass(frozen=True, slots=True)
class Change:
    """What a change of documents makes of sums.

    Attributes:
        sums: as they are after it.
        touched: the documents of which other entries count than before, though they stayed as they are.
        crossed: the codes by which so many entries are found now that they tell nothing, or so few that they do, other than before.
    """

    sums: Sums
    touched: frozenset[str]
    crossed: Codes


def _part(shares: Sequence[KeptShare], said: Times) -> _Part:
    arrays = EntryArrays(shares, lambda heads: _are_disputed(heads, said))
    speaking = arrays.speaking
    words, _ = arrays.words(speaking)
    found, _ = arrays.found_by()
    return _Part(words, found, int(np.count_nonzero(speaking)), *arrays.counted)


def _are_disputed(heads: Codes, said: Times) -> Flags:
    known, inverse = np.unique(heads, return_inverse=True)
    stances = np.zeros(len(known), dtype=np.int64)
    for number in range(1, len(STANCES)):
        stances |= (said.of_each(followed_by(known, number)) > 0).astype(np.int64) << number
    found = np.zeros(len(known), dtype=np.bool_)
    for pair in _AGAINST:
        found |= (stances & pair) == pair
    return found[inverse]


def _asks(share: KeptShare, heads: Codes) -> bool:
    """Whether a document asks for something of one of some heads."""
    own = share.array("entry_heads", "<u8")[share.array("entry_stances", "|u1") == _MUST]
    return bool(np.isin(own, heads).any())
