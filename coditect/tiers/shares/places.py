"""Places: where some words or phrases stand in the lists of all documents, of which those of unchanged documents are taken over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from coditect.tiers.shares.codes import Codes
from coditect.tiers.shares.kept import KeptShare, Numbers, Places

__all__ = ["Looking", "Standing", "standing"]

Looking = Callable[[Sequence[KeptShare]], tuple[Numbers, Numbers]]
"""Gives (number of a code, number of a list among those of the documents) for each place in some documents, in any order."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where some codes stand.

    Attributes:
        codes: increasing, each once.
        documents: the ids of all documents, in order.
        numbers: of each place the number of its code.
        owners: the number of its document.
        lists: the number of the list that it stands in, among those of its document.
    """

    codes: Codes
    documents: Sequence[str]
    numbers: Places
    owners: Places
    lists: Places


def standing(
    codes: Codes,
    shares: Sequence[KeptShare],
    firsts: Numbers,
    look: Looking,
    before: Standing | None,
    same: Collection[str],
) -> tuple[Numbers, Numbers, Standing]:
    """(number of a code, number of a list) for each place, by code and list, each once; and what is to be kept of it.

    Args:
        codes: that are looked for; increasing, each once.
        shares: of all documents.
        firsts: the number of the first list of each document, among those of all.
        look: looks for them in some documents.
        before: where they stood, where it is known.
        same: documents that are as they were then.
    """
    if before is None or not np.isin(codes, before.codes).all():
        before, same = None, ()
    known = {} if before is None else {each: number for number, each in enumerate(before.documents) if each in same}
    pairs = [np.zeros(0, dtype=np.int64)]
    if before is not None:
        pairs.append(_taken(before, codes, shares, firsts, known))
    others = [number for number, share in enumerate(shares) if share.document_id not in known]
    told, lists = look([shares[number] for number in others])
    pairs.append((told << 32) + _among_all(lists, others, firsts, shares))
    found = np.sort(np.concatenate(pairs), kind="stable")
    found = found[np.concatenate([np.ones(min(len(found), 1), dtype=np.bool_), found[1:] != found[:-1]])]
    numbers, places = found >> 32, found & 0xFFFFFFFF
    owners = np.searchsorted(firsts, places, side="right") - 1
    documents = [share.document_id for share in shares]
    kept = (each.astype(np.uint32) for each in (numbers, owners, places - firsts[owners]))
    return numbers, places, Standing(codes, documents, *kept)


def _taken(
    before: Standing, codes: Codes, shares: Sequence[KeptShare], firsts: Numbers, known: dict[str, int]
) -> Numbers:
    """The places in documents that are as they were, each as one number."""
    documents = np.full(len(before.documents), -1, dtype=np.int64)
    for number, share in enumerate(shares):
        if share.document_id in known:
            documents[known[share.document_id]] = number
    at = np.minimum(np.searchsorted(codes, before.codes), max(len(codes) - 1, 0))
    new = np.where(codes[at] == before.codes, at, -1) if len(codes) else np.full(len(before.codes), -1, dtype=np.int64)
    numbers, owners = new[before.numbers], documents[before.owners]
    own = (numbers >= 0) & (owners >= 0)
    return np.asarray((numbers[own] << 32) + firsts[owners[own]] + before.lists[own], dtype=np.int64)


def _among_all(lists: Numbers, others: Sequence[int], firsts: Numbers, shares: Sequence[KeptShare]) -> Numbers:
    """The numbers of lists among those of all documents, by their numbers among those of some."""
    ends = np.append(firsts[1:], np.iinfo(np.int64).max)
    counts = [int(ends[number] - firsts[number]) if number + 1 < len(shares) else 0 for number in others]
    begins = np.cumsum([0, *counts])[:-1]
    own = np.searchsorted(begins, lists, side="right") - 1
    return np.asarray(lists - begins[own] + firsts[np.array(others, dtype=np.int64)][own], dtype=np.int64)
