"""Held: which entries of a corpus may be held against each other, and how rare what they say is, counted over all shares.

What is counted are arrays; of entries only those are made that have something in common, which few have, with one of a document
that binds the same people. Conflicts of these are the conflicts of all
(:func:`coditect.tiers.findings.conflicts.detection.conflicts_of`), and they fall into parts: no conflict has entries of two parts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from itertools import islice

import numpy as np
import numpy.typing as npt

from coditect.tiers.findings.conflicts.entries import AGAINST, Entry
from coditect.tiers.findings.conflicts.likeness.circles import kinds_among
from coditect.tiers.findings.conflicts.likeness.detection import COMMON as COMMON_LIMITS
from coditect.tiers.findings.conflicts.likeness.detection import LEAST_ALIKE
from coditect.tiers.findings.conflicts.opposed.candidates import COMMON, may_be_linked
from coditect.tiers.findings.conflicts.opposed.told import TWO_SIDED
from coditect.tiers.findings.conflicts.stances import HAVING
from coditect.tiers.findings.said.statements import Statement
from coditect.tiers.findings.standing import Standings
from coditect.tiers.shares.arrays import EntryArrays, Flags
from coditect.tiers.shares.codes import Codes, code_of, codes_of, followed_by, is_among
from coditect.tiers.shares.kept import KeptShare, Numbers
from coditect.tiers.shares.measures import Apart
from coditect.tiers.shares.meeting.common import in_common
from coditect.tiers.shares.meeting.pairs import NO_PAIRS, KeptPairs, Posted, carried, sharing, still_sharing
from coditect.tiers.shares.packing import FRAMED, LIMITS, STANCES
from coditect.tiers.shares.sums import Sums

__all__ = ["HeldEntries"]

_EXCLUDING = np.array([[frozenset((one, other)) in AGAINST for other in STANCES] for one in STANCES])
"""Which of two stances, by their numbers, cannot both be followed."""

_MUST, _MUST_NOT = STANCES.index("must"), STANCES.index("must not")
_CLOSE = 1e-3
"""By how much what two entries share may differ from what is told of it in four digits, and more."""


class HeldEntries:
    """The entries of some documents of a corpus, among which are all of those that bind the same people as one of them.

    Args:
        shares: of these documents, in the order of the documents.
        standings: which documents bind the same people.
        statements: gives statements by the number of their document among these and their own.
        sums: what is counted of the whole corpus.
        before: pairs that were kept of a former build.
        same: the documents that say what they said then, and of which the same entries count.
        crossed: the codes by which more or fewer entries than tell something are found now, and were not then.
        weighs_limits: limits that share too little are not looked at; else nobody need ask whether they still do.
    """

    def __init__(
        self,
        shares: Sequence[KeptShare],
        standings: Standings,
        statements: Callable[[Sequence[tuple[int, int]]], Sequence[Statement]],
        sums: Sums,
        before: KeptPairs = NO_PAIRS,
        same: Collection[str] = (),
        crossed: Codes | None = None,
        *,
        weighs_limits: bool = False,
    ) -> None:
        self._weighs_limits = weighs_limits
        self._before, self._same = before, same
        self._crossed = np.zeros(0, dtype=np.uint64) if crossed is None else crossed
        self._shares, self._standings, self._statements, self._sums = shares, standings, statements, sums
        self._arrays = EntryArrays(shares, sums.are_disputed)
        self._documents, self._flags, self._counts = self._arrays.documents, self._arrays.flags, self._arrays.counts
        self._heads, self._prefixes = self._arrays.heads, self._arrays.prefixes
        none = np.zeros(0, dtype=np.int64)
        self._apart = none, none

    @cached_property
    def _groups(self) -> Numbers:
        """The number of the group that each entry's document is in."""
        found: Numbers = self._grouped[self._documents]
        return found

    @cached_property
    def _kinds(self) -> tuple[Numbers, Numbers]:
        """(each document's kind, comparable pairs of kinds as one number each: that of one times all documents, and the other)."""
        kinds, pairs = kinds_among(self._standings, [share.document_id for share in self._shares])
        numbers = np.array([kinds[share.document_id] for share in self._shares], dtype=np.int64)
        found = np.array(pairs, dtype=np.int64)
        one, other = np.divmod(found, max(len(numbers), 1))
        return numbers, np.unique(np.concatenate([found, other * len(numbers) + one]))

    @cached_property
    def _grouped(self) -> Numbers:
        """The number of the group that each document is in, of those that bind the same people; -1 for none."""
        kinds, pairs = self._kinds
        one, other = np.divmod(pairs, max(len(kinds), 1))
        chains = _chains(one, other, len(kinds))
        several = np.zeros(len(kinds), dtype=np.bool_)
        several[one] = True
        _, first, places = np.unique(chains[kinds], return_index=True, return_inverse=True)
        found: Numbers = np.where(several[kinds], first[places], -1)
        return found

    def _comparable(self, ours: Numbers, theirs: Numbers) -> Flags:
        """Whether entries stand in documents that are comparable themselves, and not only over others."""
        kinds, pairs = self._kinds
        asked = kinds[self._documents[ours]] * len(self._shares) + kinds[self._documents[theirs]]
        if not len(pairs):
            return np.zeros(len(asked), dtype=np.bool_)
        found: Flags = pairs[np.minimum(np.searchsorted(pairs, asked), len(pairs) - 1)] == asked
        return found

    @cached_property
    def _posted(self) -> Posted:
        codes, owners = self._arrays.found_by()
        near = np.flatnonzero(self._groups[owners] >= 0)
        keys = followed_by(codes[near], self._groups[owners[near]].astype(np.uint64))
        order = np.argsort(keys)
        keys = keys[order]
        again = np.zeros(len(keys) + 1, dtype=np.bool_)
        again[1:-1] = keys[1:] == keys[:-1]
        several = near[order[again[1:] | again[:-1]]]
        return Posted(codes[several], owners[several])

    @cached_property
    def picked(self) -> list[Entry]:
        """The entries that may be in a conflict, in the order in which all entries stand: by list, then by document."""
        return [entry for _, entry in self.made(np.flatnonzero(self._meeting | self._framed))]

    @property
    def _framed(self) -> Flags:
        found: Flags = (self._groups >= 0) & self._counts & (self._flags & FRAMED != 0)
        return found

    @cached_property
    def parts(self) -> list[Numbers]:
        """The numbers of the entries that may be in a conflict, with the limits that are read with them, part by part.

        What two entries of different parts say is in no conflict with each other, and they stand in different sentences.
        """
        found = self._meeting | self._framed
        sentences = (self._documents << 32) + self._arrays.of_sentences("sentence_starts").astype(np.int64)
        limits = self._flags & LIMITS != 0
        found |= limits & np.isin(sentences, sentences[found & limits])
        own = np.flatnonzero(found)
        ours, theirs = self._near
        linked = found[ours] & found[theirs]
        sides = [ours[linked]], [theirs[linked]]
        for by in (sentences[own], np.where(self._framed[own], -1 - self._groups[own], sentences[own])):
            _, first, places = np.unique(by, return_index=True, return_inverse=True)
            sides[0].append(own)
            sides[1].append(own[first[places]])
        chains = _chains(np.concatenate(sides[0]), np.concatenate(sides[1]), len(found))[own]
        order = np.argsort(chains, kind="stable")
        begins = np.flatnonzero(np.diff(chains[order], prepend=-1))[1:]
        return np.split(own[order], begins) if len(own) else []

    def places(self, part: Numbers) -> frozenset[tuple[str, int]]:
        """Entries by the id of their document and their number there."""
        of = self._documents[part]
        own = part - np.searchsorted(self._documents, of)
        return frozenset(
            (self._shares[document].document_id, number)
            for document, number in zip(of.tolist(), own.tolist(), strict=True)
        )

    def asked(self, parts: Sequence[Numbers]) -> list[Codes]:
        """The codes by which several entries of each of some parts are found that others of their group are found by, too."""
        label = np.full(len(self._flags), -1, dtype=np.int64)
        for number, part in enumerate(parts):
            label[part] = number
        labels = label[self._posted.owners]
        order = np.argsort(labels, kind="stable")
        ends = np.searchsorted(labels[order], np.arange(len(parts) + 1))
        return [
            np.unique(self._posted.codes[order[a:b]])
            for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        ]

    @property
    def kept_pairs(self) -> KeptPairs:
        """What is kept of the pairs for the next build."""
        counts = np.bincount(self._documents, minlength=len(self._shares))
        names = tuple(share.document_id for share in self._shares)
        ours, theirs = (each.astype(np.uint32) for each in self._pairs)
        return KeptPairs(names, self._grouped, np.cumsum(counts), ours, theirs)

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

    def made(self, numbers: Numbers) -> list[tuple[int, Entry]]:
        """Some entries, and the limits that are read with them, each behind its number, in the order in which all entries stand."""
        own = {}
        wanted = np.zeros(len(self._flags), dtype=np.bool_)
        wanted[numbers] = True
        for number, some in _by_document(self._documents, wanted):
            first = int(np.searchsorted(self._documents, number))
            own[number] = self._with_siblings(self._shares[number], some - first)
        of = {number: self._shares[number].numbers("entry_statements")[some].tolist() for number, some in own.items()}
        statements = iter(self._statements([(number, each) for number, some in of.items() for each in some]))
        found: list[tuple[int, int, Entry]] = []
        for number, some in own.items():
            first = int(np.searchsorted(self._documents, number))
            entries = self._shares[number].entries(some.tolist(), list(islice(statements, len(some))))
            found += [(which, first + each, e) for each, (which, e) in zip(some.tolist(), entries, strict=True)]
        return [(each, entry) for _, each, entry in sorted(found, key=lambda row: row[0])]

    @cached_property
    def _near(self) -> tuple[Numbers, Numbers]:
        """Pairs of which both may be in one conflict: limits that differ and others, that share enough."""
        ours, theirs = self._pairs
        comparable = self._comparable(ours, theirs)
        ours, theirs = ours[comparable], theirs[comparable]
        near = self._flags[ours] & LIMITS == 0
        linked = near.copy()
        near[near] = self._are_near(ours[near], theirs[near])
        self._apart = ours[linked & ~near], theirs[linked & ~near]
        near |= ~linked
        if self._weighs_limits:
            near[~linked] = self._are_near_limits(ours[~linked], theirs[~linked])
        return ours[near], theirs[near]

    @cached_property
    def _meeting(self) -> Flags:
        """Which entries may be in a conflict with an entry of another document of their group."""
        ours, theirs = self._near
        limits = self._flags[ours] & LIMITS != 0
        differing = self._differ(ours, theirs)
        sided = np.isin(self._prefixes, codes_of(TWO_SIDED))[ours]
        found = np.zeros(len(self._flags), dtype=np.bool_)
        own = limits | sided
        found[ours[own]] = found[theirs[own]] = True
        # Of entries that are linked, all are looked at if any two of them differ.
        near = ~own
        chains = _chains(ours[near], theirs[near], len(self._flags))
        disputed = np.zeros(len(self._flags), dtype=np.bool_)
        disputed[chains[ours[near & differing]]] = True
        linked = np.concatenate([ours[near], theirs[near]])
        found[linked[disputed[chains[linked]]]] = True
        return found

    def _differ(self, ours: Numbers, theirs: Numbers) -> Flags:
        """Whether entries may say different things of which one is ruled out by the other."""
        values = self._arrays.joined.array("entry_values")
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

    @cached_property
    def _pairs(self) -> tuple[Numbers, Numbers]:
        """Entries of two documents of one group that share what few have and may be of one matter by their heads, once each.

        Those that no document that changed has a part in are taken over from a former build.
        """
        counts = np.bincount(self._documents, minlength=len(self._shares))
        names = [share.document_id for share in self._shares]
        ours, theirs, fresh = carried(self._before, names, self._grouped, np.cumsum(counts), self._same)
        posted, times = self._posted, self._sums.found
        limited = self._flags[posted.owners] & LIMITS != 0
        is_few = times.of_each(posted.codes) <= np.where(limited, COMMON_LIMITS, COMMON)
        few = posted.only(is_few)
        common = np.unique(posted.owners[~is_few & np.isin(posted.codes, self._crossed)]).astype(np.int64)
        stays = still_sharing(ours, theirs, few, common)
        texts = self._arrays.of_sentences("sentence_texts")
        one, other = sharing(few, self._groups, self._documents, texts, fresh, self._crossed)
        worth = self._are_worth(one, other)
        pairs = np.concatenate([(ours[stays] << 32) + theirs[stays], (one[worth] << 32) + other[worth]])
        found = np.unique(pairs)
        return found >> 32, found & 0xFFFFFFFF

    def _are_worth(self, ours: Numbers, theirs: Numbers) -> Flags:
        """Whether entries are to be compared: limits that differ, and others that may be of one matter by their heads."""
        limits = self._flags[ours] & LIMITS != 0
        differing = self._differ(ours, theirs)
        sided = np.isin(self._prefixes, codes_of(TWO_SIDED))[ours]
        # Of a conflict with two sides alone nothing is asked but these; of others, what is linked with one of them.
        near = ~limits & (differing | ~sided)
        near[near] = self._may_be_linked(ours[near], theirs[near])
        found: Flags = near | (limits & differing)
        return found

    def _are_near(self, ours: Numbers, theirs: Numbers) -> Flags:
        """Whether entries share as much of the weight of their words as they must at least."""
        common, one, other = in_common(self._arrays, ours, theirs, self._sums.weights.of_each)
        least = np.minimum(self._least[ours], self._least[theirs])
        share = common / np.maximum(np.minimum(one, other), 1e-9)
        found: Flags = 0.5 * share + common / np.maximum(one + other, 1e-9) >= least - _CLOSE
        return found

    def _are_near_limits(self, ours: Numbers, theirs: Numbers) -> Flags:
        """The same of limits, of which single words are weighed, and not pairs of them."""
        shares = [self._shares[each] for each in np.unique(self._documents[np.concatenate([ours, theirs])]).tolist()]
        single = [share.codes[[" " not in word for word in share.words]] for share in shares]
        known = np.unique(np.concatenate([np.zeros(0, dtype=np.uint64), *single]))
        weights = self._sums.weights
        common, one, other = in_common(
            self._arrays, ours, theirs, lambda codes: np.where(is_among(codes, known), weights.of_each(codes), 0.0)
        )
        found: Flags = common / np.maximum(np.minimum(one, other), 1e-9) >= LEAST_ALIKE - _CLOSE
        return found

    @cached_property
    def _least(self) -> npt.NDArray[np.float64]:
        return self._arrays.joined.array("entry_least")

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
