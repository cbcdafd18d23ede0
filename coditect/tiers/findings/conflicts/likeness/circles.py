"""Circles: which of many documents bind the same people, told of kinds of documents and not of every two.

The documents of a house are in one circle, so that every two of a thousand would be half a million pairs, and as many entries of
sets. Most are alike in everything by which documents are compared (:meth:`~coditect.tiers.findings.standing.Standings.like`).
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from coditect.tiers.findings.standing import Standings

__all__ = ["circles_among", "comparable_among", "families_among", "kinds_among"]


def comparable_among(standings: Standings, document_ids: Collection[str]) -> dict[str, frozenset[str]]:
    """Which of some documents each of them is comparable with, as :meth:`Standings.are_comparable` says of every two."""
    return {each: others - {each} for each, others in circles_among(standings, document_ids).items()}


def circles_among(standings: Standings, document_ids: Collection[str]) -> dict[str, frozenset[str]]:
    """The same as sets that documents share which are alike, so that one may be in its own; empty where it has no other."""
    alike = _alike(standings, document_ids)
    near: dict[str, set[str]] = {each: set() for each in alike}
    for one, other in _possible(standings, alike):
        if standings.are_comparable(alike[one][0], alike[other][-1]):
            near[one].update(alike[other])
            near[other].update(alike[one])
    shared = {each: frozenset(others) for each, others in near.items()}
    return {each: shared[standings.like(each)] for each in document_ids}


def kinds_among(standings: Standings, document_ids: Collection[str]) -> tuple[dict[str, int], array[int]]:
    """(the number of each document's kind, comparable pairs of kinds: that of one times all documents, and the other).

    There may be a million pairs, some of them twice, each in one order. Documents of one kind are comparable where it is paired
    with itself.

    Args:
        standings: which documents bind the same people.
        document_ids: the documents.
    """
    alike = _alike(standings, document_ids)
    numbers = {each: number for number, each in enumerate(alike)}
    found = array("q")
    for one, other in _possible(standings, alike):
        if standings.are_comparable(alike[one][0], alike[other][-1]):
            found.append(numbers[one] * len(document_ids) + numbers[other])
    return {each: numbers[stands_for] for stands_for, own in alike.items() for each in own}, found


def families_among(standings: Standings, document_ids: Collection[str]) -> list[list[str]]:
    """Those of some documents that are comparable with another one, by which are so directly or over others.

    Args:
        standings: which documents bind the same people.
        document_ids: the documents.
    Returns:
        families of two and more, documents and families in the order that is given.
    """
    alike = _alike(standings, document_ids)
    heads = {each: each for each in alike}
    several: set[str] = set()

    def head_of(each: str) -> str:
        while heads[each] != each:
            heads[each] = heads[heads[each]]
            each = heads[each]
        return each

    for one, other in _possible(standings, alike):
        ours, theirs = head_of(one), head_of(other)
        is_known = one != other and ours == theirs
        if not is_known and standings.are_comparable(alike[one][0], alike[other][-1]):
            heads[ours] = theirs
            several.update((one, other))
    families: dict[str, list[str]] = {}
    for each in document_ids:
        if standings.like(each) in several:
            families.setdefault(head_of(standings.like(each)), []).append(each)
    return list(families.values())


def _alike(standings: Standings, document_ids: Collection[str]) -> dict[str, list[str]]:
    """Some documents by the one that stands for them."""
    found: dict[str, list[str]] = {}
    for each in document_ids:
        found.setdefault(standings.like(each), []).append(each)
    return found


def _possible(standings: Standings, alike: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Pairs of documents that stand for others, and of one that stands for several with itself, that may be comparable.

    Two contracts need parties in common, and a contract and another document mostly a person whom both bind, so that strangers'
    contracts are held neither against each other nor against the others one by one.
    """
    between: dict[tuple[str, str], list[str]] = defaultdict(list)
    contracts: dict[str, list[str]] = defaultdict(list)
    others = []
    for each, own in alike.items():
        if len(own) > 1:
            yield each, each
        if standings.role(own[0]) != "contract":
            others.append(each)
            continue
        parties = sorted(standings.parties(own[0]))
        for both in combinations(parties, 2):
            between[both].append(each)
        for party in ("", *(parties or ("-",))):
            contracts[party].append(each)
    yield from {pair for group in between.values() for pair in combinations(sorted(group), 2)}
    yield from combinations(others, 2)
    yield from ((one, two) for one in others for key in standings.bound_with(one) for two in contracts.get(key, ()))
