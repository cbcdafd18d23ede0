"""Pairs: entries of two documents that may be in a conflict, and what is kept of them from one build to the next.

Of documents that bind the same people, hundreds of thousands of pairs of entries have something in common that few have; whether
two of them may be of one matter is told by what both say alone. So these are found once: a change looks for those of its own
entries, and of what is rare now and was not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from coditect.tiers.findings.conflicts.opposed.candidates import COMMON
from coditect.tiers.shares.arrays import Flags
from coditect.tiers.shares.codes import Codes
from coditect.tiers.shares.kept import Numbers, Places

__all__ = ["NO_PAIRS", "KeptPairs", "Posted", "carried", "sharing", "still_sharing"]


@dataclass(frozen=True, slots=True)
class KeptPairs:
    """Pairs of entries of documents that are held against each other.

    Attributes:
        documents: their ids, in order.
        groups: of each document the number of its group, those that bind the same people.
        ends: of each document how many entries it and those before it have.
        ours: the number of one entry of each pair.
        theirs: that of the other one.
    """

    documents: tuple[str, ...]
    groups: Numbers
    ends: Numbers
    ours: Places
    theirs: Places


_NONE = np.zeros(0, dtype=np.int64)
NO_PAIRS = KeptPairs((), _NONE, _NONE, _NONE.astype(np.uint32), _NONE.astype(np.uint32))


@dataclass(frozen=True, slots=True)
class Posted:
    """What several entries in documents of one group are found by: of each group and code the rows stand side by side.

    Attributes:
        codes: by what.
        owners: the number of the entry that is found.
    """

    codes: Codes
    owners: Places

    def only(self, wanted: Flags) -> Posted:
        """Some of the rows."""
        return Posted(self.codes[wanted], self.owners[wanted])


def carried(
    kept: KeptPairs, documents: Sequence[str], groups: Numbers, ends: Numbers, same: Collection[str]
) -> tuple[Numbers, Numbers, Flags]:
    """(one entry of each kept pair that may stay, by its number of now, the other one, which documents are to be looked at anew).

    Args:
        kept: pairs of a former build.
        documents: the documents of now, in order.
        groups: of each the number of its group, below their number; -1 of one that is in none.
        ends: of each how many entries it and those before it have.
        same: those that say what they said, and of which the same entries count.
    """
    numbers = {each: number for number, each in enumerate(documents)}
    at = np.array([numbers.get(each, -1) if each in same else -1 for each in kept.documents], dtype=np.int64)
    then = np.full(len(documents), -1, dtype=np.int64)
    then[at[at >= 0]] = kept.groups[at >= 0]
    # Every two documents of a group were held against each other if they were in one group then.
    fresh = then != _most_of(groups, then)[groups]
    fresh |= then < 0
    starts, began = (np.concatenate([[0], each])[:-1] for each in (ends, kept.ends))
    sides = []
    stays = np.ones(len(kept.ours), dtype=np.bool_)
    for side in (kept.ours.astype(np.int64), kept.theirs.astype(np.int64)):
        of = np.searchsorted(kept.ends, side, side="right")
        now = at[of]
        stays &= (now >= 0) & ~fresh[now]
        sides.append((side - began[of] + starts[now], groups[now]))
    (ours, one), (theirs, other) = sides
    stays &= one == other
    return ours[stays], theirs[stays], fresh


def _most_of(groups: Numbers, then: Numbers) -> Numbers:
    """Of each group of now the number of the former group that most of its documents were in; -2 where that was none."""
    count = len(groups) + 1
    own = np.flatnonzero((groups >= 0) & (then >= 0))
    width = int(then.max(initial=0)) + 1
    keys, times = np.unique(groups[own] * width + then[own], return_counts=True)
    found = np.full(count, -2, dtype=np.int64)
    order = np.argsort(times, kind="stable")
    found[keys[order] // width] = keys[order] % width
    return found


def sharing(
    few: Posted, groups: Numbers, documents: Numbers, texts: Codes, fresh: Flags, crossed: Codes
) -> tuple[Numbers, Numbers]:
    """Entries of two documents of one group, with other sentences, that share what few have; each pair once.

    Args:
        few: what few entries of the corpus are found by.
        groups: of each entry the group of its document.
        documents: of each entry the number of its document.
        texts: of each entry the code of its sentence.
        fresh: which documents are looked at anew: pairs with one of their entries are found.
        crossed: codes of which all pairs are found.
    """
    code, owner = few.codes, few.owners.astype(np.int64)
    group = groups[owner]
    wanted = fresh[documents[owner]] | np.isin(code, crossed)
    if not wanted.all():
        begins = np.ones(len(code), dtype=np.bool_)
        begins[1:] = (code[1:] != code[:-1]) | (group[1:] != group[:-1])
        run = np.cumsum(begins) - 1
        own = (np.bincount(run, weights=wanted) > 0)[run] if len(run) else begins
        code, owner, group, wanted = code[own], owner[own], group[own], wanted[own]
    pairs = [_NONE]
    same = np.arange(len(code))
    for apart in range(1, COMMON):
        same = same[: np.searchsorted(same, len(code) - apart)]
        same = same[(code[same] == code[same + apart]) & (group[same] == group[same + apart])]
        if not len(same):
            break
        ours, theirs = owner[same], owner[same + apart]
        told = (documents[ours] != documents[theirs]) & (texts[ours] != texts[theirs])
        told &= wanted[same] | wanted[same + apart]
        least, most = np.minimum(ours[told], theirs[told]), np.maximum(ours[told], theirs[told])
        pairs.append((least << 32) + most)
    found = np.unique(np.concatenate(pairs))
    return found >> 32, found & 0xFFFFFFFF


def still_sharing(ours: Numbers, theirs: Numbers, few: Posted, common: Numbers) -> Flags:
    """Which pairs, that shared what few entries were found by, share such still.

    Args:
        ours: one entry of each pair.
        theirs: the other one.
        few: what few entries of the corpus are found by.
        common: the entries that are found by something which few were found by, and no longer are.
    """
    stays = np.ones(len(ours), dtype=np.bool_)
    asked = np.flatnonzero(np.isin(ours, common) & np.isin(theirs, common))
    if len(asked):
        rows = few.only(np.isin(few.owners, common))
        by: dict[int, set[int]] = defaultdict(set)
        for code, owner in zip(rows.codes.tolist(), rows.owners.tolist(), strict=True):
            by[owner].add(code)
        pairs = zip(ours[asked].tolist(), theirs[asked].tolist(), strict=True)
        stays[asked] = [not by[one].isdisjoint(by[other]) for one, other in pairs]
    return stays
