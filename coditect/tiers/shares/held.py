"""Held: which entries of a corpus may be held against each other, and how rare what they say is, counted over all shares.

What is counted are arrays; of entries only those are made that have something in common, which few have, with one of a document
that binds the same people. Conflicts of these are the conflicts of all
(:func:`coditect.tiers.findings.conflicts.detection.conflicts_of`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

import numpy as np
import numpy.typing as npt

from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.detection import COMMON
from coditect.tiers.findings.conflicts.entries import AGAINST, Entry
from coditect.tiers.findings.conflicts.likeness.detection import COMMON as COMMON_LIMITS
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.statements import Statement
from coditect.tiers.shares.codes import Codes, code_of, followed_by, phrase_code
from coditect.tiers.shares.kept import KeptShare, Numbers
from coditect.tiers.shares.packing import FRAMED, HELD, LIMITS, POSTED, STANCES

__all__ = ["HeldEntries", "SharedWeights", "Times"]

_AGAINST = [sum(1 << STANCES.index(each) for each in pair) for pair in AGAINST]
_MUST = STANCES.index("must")
_CLOSE = 1e-3
"""By how much what two entries share may differ from what is told of it in four digits, and more."""

_AT_ONCE = 100_000
"""Pairs of entries whose words are compared together."""


class Times:
    """How often each of some codes is there.

    Args:
        codes: in any order.
    """

    def __init__(self, codes: Codes) -> None:
        self._codes, self._times = np.unique(codes, return_counts=True)

    def of(self, code: int) -> int:
        """How often a code is there."""
        at = int(np.searchsorted(self._codes, np.uint64(code)))
        return int(self._times[at]) if at < len(self._codes) and int(self._codes[at]) == code else 0

    def of_each(self, codes: Codes) -> Numbers:
        """How often each of some codes is there."""
        if not len(self._codes):
            return np.zeros(len(codes), dtype=np.int64)
        at = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        return np.where(self._codes[at] == codes, self._times[at], 0)


class SharedWeights(Mapping[str, float]):
    """How much a word that two entries share says, as :func:`~coditect.tiers.findings.conflicts.entries.weights` tells.

    Args:
        times: in how many statements each word is.
        statements: how many statements there are.
    """

    def __init__(self, times: Times, statements: int) -> None:
        self._times = times
        self._statements = statements
        self._known: dict[str, float] = {}

    def __getitem__(self, word: str) -> float:
        if word not in self._known:
            times = self._times.of(code_of(word))
            if not times:
                raise KeyError(word)
            self._known[word] = math.log(1.0 + self._statements / times)
        return self._known[word]

    def of_each(self, codes: Codes) -> npt.NDArray[np.float64]:
        """The weights of words by their codes, as near as arrays give them; 0 for words that are not there."""
        times = self._times.of_each(codes)
        return np.where(times > 0, np.log1p(self._statements / np.maximum(times, 1)), 0.0)

    def __iter__(self) -> Iterator[str]:
        """The words that were asked for: what the others are, only their documents know."""
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


class HeldEntries:
    """The entries of a corpus.

    Args:
        shares: of all documents, in the order of the documents.
        standings: which documents bind the same people.
        statements: gives statements by the number of their document and their own.
    """

    def __init__(
        self,
        shares: Sequence[KeptShare],
        standings: Standings,
        statements: Callable[[Sequence[tuple[int, int]]], Sequence[Statement]],
    ) -> None:
        self._shares, self._standings, self._statements = shares, standings, statements
        self._documents = np.repeat(np.arange(len(shares)), [len(s.array("entry_flags", "|u1")) for s in shares])
        self._flags = _joined(shares, lambda s: s.numbers("entry_flags", "|u1"))
        self._counts = self._included()

    def _included(self) -> npt.NDArray[np.bool_]:
        """Which entries count: all but the duties of verbs that no other statement rules out or leaves open."""
        stances = _joined(self._shares, lambda s: s.numbers("entry_stances", "|u1"))
        heads = _joined_codes(self._shares, lambda s: s.array("entry_heads", "<u8"))
        asked = np.flatnonzero(stances)
        known, inverse = np.unique(heads[asked], return_inverse=True)
        said = np.zeros(len(known), dtype=np.int64)
        np.bitwise_or.at(said, inverse, 1 << stances[asked])
        disputed = np.zeros(len(known), dtype=np.bool_)
        for pair in _AGAINST:
            disputed |= (said & pair) == pair
        included = np.ones(len(stances), dtype=np.bool_)
        included[asked] = (stances[asked] != _MUST) | disputed[inverse]
        return included

    @cached_property
    def counted(self) -> tuple[int, int]:
        """How many entries are no limits, and of how many documents."""
        own = self._documents[self._counts & (self._flags & LIMITS == 0)]
        return len(own), len(np.unique(own))

    @cached_property
    def weights(self) -> SharedWeights:
        """How much a word that two entries share says, each sentence counted once, by what it says first."""
        starts = _joined(self._shares, lambda s: s.numbers("sentence_starts")[s.numbers("entry_statements")])
        places = (self._documents << 32) + starts
        own = np.flatnonzero(self._counts)
        _, first = np.unique(places[own], return_index=True)
        speaking = np.zeros(len(places), dtype=np.bool_)
        speaking[own[first]] = True
        codes, owners = self._words("entry_words", "entry_word_ends")
        return SharedWeights(Times(codes[speaking[owners]]), len(first))

    def _words(self, name: str, ends: str) -> tuple[Codes, Numbers]:
        """(codes of words, the number of the entry of each) of all entries."""
        codes, owners, before = [], [], 0
        for share in self._shares:
            told = share.lists(name, ends)
            codes.append(share.codes[told.values])
            owners.append(told.owners + before)
            before += len(told.ends)
        return (
            np.concatenate(codes) if codes else np.zeros(0, dtype=np.uint64),
            np.concatenate(owners) if owners else np.zeros(0, dtype=np.int64),
        )

    @cached_property
    def _found_by(self) -> tuple[Codes, Numbers]:
        """(code, the number of the entry) of everything by which entries that are held against others are found."""
        prefixes = _joined_codes(self._shares, lambda s: s.array("entry_prefixes", "<u8"))
        held = self._counts & (self._flags & HELD != 0)
        told, tellers = self._words("entry_words", "entry_word_ends")
        kept = (held & (self._flags & POSTED != 0))[tellers]
        more, others = self._words("entry_extras", "entry_extra_ends")
        also = held[others]
        owners = np.concatenate([tellers[kept], others[also]])
        return followed_by(prefixes[owners], np.concatenate([told[kept], more[also]])), owners

    @cached_property
    def _times(self) -> Times:
        return Times(self._found_by[0])

    def of_entries(self, kind: str, by: str) -> int:
        """How many entries of a kind are found by something."""
        return self._times.of(phrase_code((kind, by)))

    def of_limits(self, kind: str, thing: str, word: str) -> int:
        """How many limits of one thing have a word."""
        return self._times.of(phrase_code((LIMIT, kind, thing, word)))

    @cached_property
    def picked(self) -> list[Entry]:
        """The entries that may be in a conflict, in the order in which all entries stand: by list, then by document."""
        near = self._standings.comparable_among([each.document_id for each in self._shares])
        numbers = {each.document_id: number for number, each in enumerate(self._shares)}
        groups = _together({numbers[one]: {numbers[each] for each in others} for one, others in near.items()})
        binding = groups[self._documents] >= 0
        return self._made(self._meeting(groups) | (binding & self._counts & (self._flags & FRAMED != 0)))

    def _made(self, wanted: npt.NDArray[np.bool_]) -> list[Entry]:
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

    def _meeting(self, groups: Numbers) -> npt.NDArray[np.bool_]:
        """Which entries may be in a conflict with an entry of another document of their group."""
        ours, theirs = self._pairs(groups)
        limits = self._flags[ours] & LIMITS != 0
        values = _joined_codes(self._shares, lambda s: s.array("entry_values", "<u8"))
        differing = values[ours] != values[theirs]
        near = ~limits
        near[near] = self._are_near(ours[near], theirs[near])
        found = np.zeros(len(self._flags), dtype=np.bool_)
        own = limits & differing
        found[ours[own]] = found[theirs[own]] = True
        # Of entries that are linked, all are looked at if any two of them differ.
        chains = _chains(ours[near], theirs[near], len(self._flags))
        disputed = np.zeros(len(self._flags), dtype=np.bool_)
        disputed[chains[ours[near & differing]]] = True
        linked = np.concatenate([ours[near], theirs[near]])
        found[linked[disputed[chains[linked]]]] = True
        return found

    def _pairs(self, groups: Numbers) -> tuple[Numbers, Numbers]:
        """Entries of two documents of one group, with other sentences, that share what few have; each pair once."""
        codes, owners = self._found_by
        documents = self._documents[owners]
        near = np.flatnonzero(groups[documents] >= 0)
        most = np.where(self._flags[owners[near]] & LIMITS != 0, COMMON_LIMITS, COMMON)
        times = self._times.of_each(codes[near])
        near = near[(times > 1) & (times <= most)]
        order = near[np.lexsort((owners[near], groups[documents[near]], codes[near]))]
        code, group, owner = codes[order], groups[documents[order]], owners[order]
        texts = _joined_codes(self._shares, lambda s: s.array("sentence_texts", "<u8")[s.numbers("entry_statements")])
        pairs = np.zeros(0, dtype=np.int64)
        for apart in range(1, COMMON):
            same = np.flatnonzero((code[apart:] == code[:-apart]) & (group[apart:] == group[:-apart]))
            if not len(same):
                break
            ours, theirs = owner[same], owner[same + apart]
            told = (self._documents[ours] != self._documents[theirs]) & (texts[ours] != texts[theirs])
            pairs = np.union1d(pairs, (ours[told] << 32) + theirs[told])
        return pairs >> 32, pairs & 0xFFFFFFFF

    def _are_near(self, ours: Numbers, theirs: Numbers) -> npt.NDArray[np.bool_]:
        """Whether entries share as much of the weight of their words as they must at least."""
        own = np.unique(np.concatenate([ours, theirs]))
        codes, owners = self._words("entry_words", "entry_word_ends")
        held = np.isin(owners, own)
        known, words = np.unique(codes[held], return_inverse=True)
        tellers = np.searchsorted(own, owners[held])
        weight = self.weights.of_each(known)
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


def _joined(shares: Sequence[KeptShare], of: Callable[[KeptShare], Numbers]) -> Numbers:
    return np.concatenate([of(each) for each in shares]) if shares else np.zeros(0, dtype=np.int64)


def _joined_codes(shares: Sequence[KeptShare], of: Callable[[KeptShare], Codes]) -> Codes:
    return np.concatenate([of(each) for each in shares]) if shares else np.zeros(0, dtype=np.uint64)


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


def _together(near: Mapping[int, set[int]]) -> Numbers:
    """The number of a group for each document such that documents that bind the same people are in one; -1 for those alone."""
    groups = np.full(len(near), -1, dtype=np.int64)
    for first in sorted(near):
        if groups[first] >= 0 or not near[first]:
            continue
        waiting = [first]
        groups[first] = first
        while waiting:
            for other in near[waiting.pop()]:
                if groups[other] < 0:
                    groups[other] = first
                    waiting.append(other)
    return groups


def _by_document(documents: Numbers, wanted: npt.NDArray[np.bool_]) -> Iterator[tuple[int, Numbers]]:
    """(number of a document, numbers of its wanted entries)."""
    own = np.flatnonzero(wanted)
    numbers, begins = np.unique(documents[own], return_index=True)
    yield from zip(numbers.tolist(), np.split(own, begins[1:]), strict=True) if len(own) else ()
