"""Held: which entries of a corpus may be held against each other, and how rare what they say is, counted over all shares.

What is counted are arrays; of entries only those are made that have something in common, which few have, with one of a document
that binds the same people. Conflicts of these are the conflicts of all
(:func:`coditect.tiers.findings.conflicts.detection.conflicts_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
import numpy.typing as npt

from coditect.tiers.findings.conflicts.entries import AGAINST, Entry
from coditect.tiers.findings.conflicts.likeness.circles import families_among
from coditect.tiers.findings.conflicts.likeness.detection import COMMON as COMMON_LIMITS
from coditect.tiers.findings.conflicts.opposed.candidates import COMMON, may_be_linked
from coditect.tiers.findings.conflicts.opposed.told import TWO_SIDED
from coditect.tiers.findings.conflicts.stances import HAVING
from coditect.tiers.findings.said.statements import Statement
from coditect.tiers.findings.standing import Standings
from coditect.tiers.shares.arrays import EntryArrays, Flags, joined_codes
from coditect.tiers.shares.codes import Codes, code_of, codes_of, followed_by
from coditect.tiers.shares.kept import KeptShare, Numbers, Places
from coditect.tiers.shares.measures import Apart
from coditect.tiers.shares.packing import FRAMED, LIMITS, STANCES
from coditect.tiers.shares.sums import Sums

__all__ = ["HeldEntries"]

_EXCLUDING = np.array([[frozenset((one, other)) in AGAINST for other in STANCES] for one in STANCES])
"""Which of two stances, by their numbers, cannot both be followed."""

_MUST, _MUST_NOT = STANCES.index("must"), STANCES.index("must not")
_CLOSE = 1e-3
"""By how much what two entries share may differ from what is told of it in four digits, and more."""

_AT_ONCE = 100_000
"""Pairs of entries whose words are compared together."""


@dataclass(frozen=True, slots=True)
class _Posted:
    """What several entries in documents of one group are found by: of each group and code the rows stand side by side.

    Attributes:
        codes: by what.
        owners: the number of the entry that is found.
    """

    codes: Codes
    owners: Places


class HeldEntries:
    """The entries of some documents of a corpus, among which are all of those that bind the same people as one of them.

    Args:
        shares: of these documents, in the order of the documents.
        standings: which documents bind the same people.
        statements: gives statements by the number of their document among these and their own.
        sums: what is counted of the whole corpus.
    """

    def __init__(
        self,
        shares: Sequence[KeptShare],
        standings: Standings,
        statements: Callable[[Sequence[tuple[int, int]]], Sequence[Statement]],
        sums: Sums,
    ) -> None:
        self._shares, self._standings, self._statements, self._sums = shares, standings, statements, sums
        self._arrays = EntryArrays(shares, sums.are_disputed)
        self._documents, self._flags, self._counts = self._arrays.documents, self._arrays.flags, self._arrays.counts
        self._heads, self._prefixes = self._arrays.heads, self._arrays.prefixes
        none = np.zeros(0, dtype=np.int64)
        self._apart = none, none

    @cached_property
    def _groups(self) -> Numbers:
        """The number of the group of documents that each entry's document is in, those that bind the same people; -1 for none."""
        numbers = {each.document_id: number for number, each in enumerate(self._shares)}
        groups = np.full(len(numbers), -1, dtype=np.int64)
        for family in families_among(self._standings, list(numbers)):
            groups[[numbers[each] for each in family]] = numbers[family[0]]
        found: Numbers = groups[self._documents]
        return found

    @cached_property
    def _posted(self) -> _Posted:
        codes, owners = self._arrays.found_by()
        near = np.flatnonzero(self._groups[owners] >= 0)
        keys = followed_by(codes[near], self._groups[owners[near]].astype(np.uint64))
        order = np.argsort(keys)
        keys = keys[order]
        again = np.zeros(len(keys) + 1, dtype=np.bool_)
        again[1:-1] = keys[1:] == keys[:-1]
        several = near[order[again[1:] | again[:-1]]]
        return _Posted(codes[several], owners[several])

    @cached_property
    def picked(self) -> list[Entry]:
        """The entries that may be in a conflict, in the order in which all entries stand: by list, then by document."""
        framed = self._counts & (self._flags & FRAMED != 0)
        return self._made(self._meeting() | ((self._groups >= 0) & framed))

    def apart(self, documents: Collection[str]) -> list[Apart]:
        """Entries of some documents that would be looked at if they had more in common; asked when entries were picked.

        Args:
            documents: all of one group.
        """
        numbers = [at for at, share in enumerate(self._shares) if share.document_id in documents]
        own = np.isin(self._documents[self._apart[0]], numbers)
        found = []
        words: dict[int, frozenset[int]] = {}
        for one, other in zip(*(each[own].tolist() for each in self._apart), strict=True):
            first, second = (words.setdefault(each, self._codes_of(each)) for each in (one, other))
            bound = float(min(self._least[one], self._least[other])) - _CLOSE
            shared, *both = (tuple(sorted(each)) for each in (first & second, first, second))
            found.append(Apart(shared, both[0], both[1], bound))
        return found

    def _codes_of(self, number: int) -> frozenset[int]:
        """The codes of the words of an entry."""
        document = int(self._documents[number])
        first = int(np.searchsorted(self._documents, document))
        return frozenset(self._shares[document].codes_in("entry_words", "entry_word_ends", number - first))

    @cached_property
    def by_document(self) -> dict[str, Codes]:
        """By what the entries of each document are found that have it in common with another document of their group."""
        numbers = self._documents[self._posted.owners]
        return {self._shares[at].document_id: self._posted.codes[numbers == at] for at in np.unique(numbers).tolist()}

    def _made(self, wanted: Flags) -> list[Entry]:
        """Some entries, and the limits that are read with them, in the order in which all entries stand."""
        own = {}
        for number, some in _by_document(self._documents, wanted):
            first = int(np.searchsorted(self._documents, number))
            own[number] = self._with_siblings(self._shares[number], some - first)
        of = {number: self._shares[number].numbers("entry_statements")[some].tolist() for number, some in own.items()}
        statements = iter(self._statements([(number, each) for number, some in of.items() for each in some]))
        found: list[tuple[int, Entry]] = []
        for number, some in own.items():
            found += self._shares[number].entries(some.tolist(), list(islice(statements, len(some))))
        return [entry for _, entry in sorted(found, key=lambda pair: pair[0])]

    def _meeting(self) -> Flags:
        """Which entries may be in a conflict with an entry of another document of their group."""
        ours, theirs = self._pairs()
        limits = self._flags[ours] & LIMITS != 0
        differing = self._differ(ours, theirs)
        sided = np.isin(self._prefixes, codes_of(TWO_SIDED))[ours]
        # Of a conflict with two sides alone nothing is asked but these; of others, what is linked with one of them.
        near = ~limits & (differing | ~sided)
        near[near] = self._may_be_linked(ours[near], theirs[near])
        linked = near.copy()
        near[near] = self._are_near(ours[near], theirs[near])
        self._apart = ours[linked & ~near], theirs[linked & ~near]
        found = np.zeros(len(self._flags), dtype=np.bool_)
        own = (limits & differing) | (near & sided)
        found[ours[own]] = found[theirs[own]] = True
        # Of entries that are linked, all are looked at if any two of them differ.
        near &= ~sided
        chains = _chains(ours[near], theirs[near], len(self._flags))
        disputed = np.zeros(len(self._flags), dtype=np.bool_)
        disputed[chains[ours[near & differing]]] = True
        linked = np.concatenate([ours[near], theirs[near]])
        found[linked[disputed[chains[linked]]]] = True
        return found

    def _differ(self, ours: Numbers, theirs: Numbers) -> Flags:
        """Whether entries may say different things of which one is ruled out by the other."""
        values = joined_codes(self._shares, lambda s: s.array("entry_values", "<u8"))
        stances = self._arrays.stances
        one, other = stances[ours], stances[theirs]
        having = (self._heads[ours] == code_of(HAVING)) | (self._heads[theirs] == code_of(HAVING))
        spared = (one == _MUST_NOT) | (other == _MUST_NOT)
        against = _EXCLUDING[one, other] & (~having | ~spared)
        found: Flags = np.where((one > 0) & (other > 0), against, values[ours] != values[theirs])
        return found

    def _may_be_linked(self, ours: Numbers, theirs: Numbers) -> Flags:
        """Whether entries may be about one matter, as far as their heads tell it; of pairs of heads each is looked at once."""
        found: Flags = self._heads[ours] == self._heads[theirs]
        apart = np.flatnonzero(~found)
        known, inverse = np.unique(self._heads, return_inverse=True)
        _, kinds = np.unique(self._prefixes, return_inverse=True)
        least, most = (of(inverse[ours[apart]], inverse[theirs[apart]]) for of in (np.minimum, np.maximum))
        told = (kinds[ours[apart]] * len(known) + least) * len(known) + most
        _, first, places = np.unique(told, return_index=True, return_inverse=True)
        acts = self._acts(np.concatenate([ours[apart[first]], theirs[apart[first]]]))
        pairs = zip(acts[: len(first)], acts[len(first) :], strict=True)
        linked = [may_be_linked(kind, one, other) for (kind, one), (_, other) in pairs]
        found[apart] = np.array(linked, dtype=np.bool_)[places]
        return found

    def _acts(self, numbers: Numbers) -> list[tuple[str, str]]:
        """The kind and the head of some entries, as they are worded."""
        wanted = np.zeros(len(self._flags), dtype=np.bool_)
        wanted[numbers] = True
        found: dict[int, tuple[str, str]] = {}
        for document, own in _by_document(self._documents, wanted):
            rows = self._shares[document].container.value("entries")
            first = int(np.searchsorted(self._documents, document))
            found |= {number: (rows[number - first][0], rows[number - first][1]) for number in own.tolist()}
        return [found[number] for number in numbers.tolist()]

    def _pairs(self) -> tuple[Numbers, Numbers]:
        """Entries of two documents of one group, with other sentences, that share what few have; each pair once."""
        code, owner, times = self._posted.codes, self._posted.owners.astype(np.int64), self._sums.found
        few = times.of_each(code) <= np.where(self._flags[owner] & LIMITS != 0, COMMON_LIMITS, COMMON)
        code, owner = code[few], owner[few]
        group = self._groups[owner]
        texts = joined_codes(self._shares, lambda s: s.array("sentence_texts", "<u8")[s.numbers("entry_statements")])
        pairs = [np.zeros(0, dtype=np.int64)]
        same = np.arange(len(code))
        for apart in range(1, COMMON):
            same = same[: np.searchsorted(same, len(code) - apart)]
            same = same[(code[same] == code[same + apart]) & (group[same] == group[same + apart])]
            if not len(same):
                break
            ours, theirs = owner[same], owner[same + apart]
            told = (self._documents[ours] != self._documents[theirs]) & (texts[ours] != texts[theirs])
            least, most = np.minimum(ours[told], theirs[told]), np.maximum(ours[told], theirs[told])
            pairs.append((least << 32) + most)
        found = np.unique(np.concatenate(pairs))
        return found >> 32, found & 0xFFFFFFFF

    def _are_near(self, ours: Numbers, theirs: Numbers) -> Flags:
        """Whether entries share as much of the weight of their words as they must at least."""
        own = np.unique(np.concatenate([ours, theirs]))
        paired = np.zeros(len(self._flags), dtype=np.bool_)
        paired[own] = True
        codes, owners = self._arrays.words(paired)
        known, words = np.unique(codes, return_inverse=True)
        tellers = np.searchsorted(own, owners)
        weight = self._sums.weights.of_each(known)
        total = np.bincount(tellers, weights=weight[words], minlength=len(own))
        ends = np.searchsorted(tellers, np.arange(len(own)), side="right")
        rows = np.sort((tellers << 32) + words)
        least = np.minimum(*(self._least[each] for each in (ours, theirs)))
        found = np.zeros(len(ours), dtype=np.bool_)
        for begin in range(0, len(ours), _AT_ONCE):
            part = slice(begin, begin + _AT_ONCE)
            a, b = np.searchsorted(own, ours[part]), np.searchsorted(own, theirs[part])
            lengths = ends[a] - np.where(a > 0, ends[a - 1], 0)
            pair = np.repeat(np.arange(len(a)), lengths)
            at = np.arange(len(pair)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            word = words[np.repeat(ends[a] - lengths, lengths) + at]
            wanted = (b[pair] << 32) + word
            shared = rows[np.minimum(np.searchsorted(rows, wanted), len(rows) - 1)] == wanted
            common = np.bincount(pair[shared], weights=weight[word[shared]], minlength=len(a))
            both = np.maximum(np.minimum(total[a], total[b]), 1e-9), np.maximum(total[a] + total[b], 1e-9)
            found[part] = 0.5 * common / both[0] + common / both[1] >= least[part] - _CLOSE
        return found

    @cached_property
    def _least(self) -> npt.NDArray[np.float64]:
        return np.concatenate([np.zeros(0), *(share.array("entry_least", "<f8") for share in self._shares)])

    def _with_siblings(self, share: KeptShare, own: Numbers) -> Numbers:
        """Some entries of a document, and all limits of the sentences of those of them that are limits: they are read together."""
        flags, of = share.numbers("entry_flags", "|u1"), share.numbers("entry_statements")
        starts = share.numbers("sentence_starts")[of]
        limits = flags & LIMITS != 0
        sentences = starts[own[limits[own]]]
        return np.union1d(own, np.flatnonzero(limits & np.isin(starts, sentences)))


def _chains(ours: Numbers, theirs: Numbers, count: int) -> Numbers:
    """The least number of what each of so many is linked with, by pairs, directly or over others."""
    found = np.arange(count)
    while True:
        least = np.minimum(found[ours], found[theirs])
        before = found.copy()
        np.minimum.at(found, ours, least)
        np.minimum.at(found, theirs, least)
        found = found[found]
        if np.array_equal(found, before):
            return found


def _by_document(documents: Numbers, wanted: Flags) -> Iterator[tuple[int, Numbers]]:
    """(number of a document, numbers of its wanted entries)."""
    own = np.flatnonzero(wanted)
    numbers, begins = np.unique(documents[own], return_index=True)
    yield from zip(numbers.tolist(), np.split(own, begins[1:]), strict=True) if len(own) else ()
