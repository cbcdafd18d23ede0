"""Statements of several documents on one subject, put together from the closest two that differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from coditect.tiers.findings.conflicts.apart.qualifiers import share_enough
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.matters import are_parted, likeness_needed
from coditect.tiers.findings.conflicts.opposed.candidates import Rarity, candidates, document_of, likeness_of
from coditect.tiers.findings.conflicts.opposed.told import MOST_SIDES, TWO_SIDED, StatementConflict, by_value, side_of
from coditect.tiers.findings.conflicts.strictness import differ, relation_of
from coditect.tiers.findings.conflicts.subjects import subject_of
from coditect.tiers.findings.said.statements import total
from coditect.tiers.findings.standing import Standings

__all__ = ["NAMED", "Closest", "clusters"]

NAMED = ("frequency", "deadline", "duration", "day", "place")
"""Kinds that are told only where both statements print what they are of: "reviewed annually" alone says nothing."""

SAME_VALUE = 3
"""Documents of one conflict that give the same value, at most."""

Closest = dict[int, tuple[Entry, Entry]]
"""The closest two entries of conflicts, by the identity of these: their subject is looked for when it is known who is told."""


def clusters(
    kind: str,
    group: Sequence[Entry],
    weight: Mapping[str, float],
    standings: Standings,
    rarity: Rarity | None,
    closest: Closest,
) -> list[StatementConflict]:
    """Statements on one subject: the closest two that differ, then of further documents what is closest to them."""
    links: dict[int, dict[int, float]] = defaultdict(dict)
    found_together = candidates(kind, group, standings, rarity)
    whole = {index: total(group[index].words, weight) for index in {each for pair in found_together for each in pair}}
    for a, b in found_together:
        needed = likeness_needed(group[a], group[b])
        if needed > 1.0:
            continue  # two acts: nothing is alike enough
        found = likeness_of(group[a], group[b], whole[a], whole[b], weight, needed)
        near = found >= needed and share_enough(group[a], group[b])
        if near and not are_parted(group[a], group[b], standings):
            links[a][b] = links[b][a] = found
    pairs = sorted((-value, a, b) for a, near in links.items() for b, value in near.items() if a < b)
    taken: set[int] = set()
    conflicts = []
    for negative, a, b in pairs:
        if a in taken or b in taken or not differ(group[a], group[b], standings):
            continue
        if kind in NAMED and not subject_of(group[a], group[b]):
            continue  # what cannot be said to be of one thing is told of nothing
        members = _grown([a, b], links, group, taken, standings)
        taken.update(members)
        relation = relation_of([group[i] for i in members], standings)
        sides = tuple(sorted((side_of(group[i]) for i in members), key=by_value))
        verb = min((group[i].verb for i in members), key=lambda word: (len(word), word))
        head = min(group[i].head for i in (a, b))
        conflicts.append(StatementConflict(kind, head, verb, "", sides, -negative, relation))
        closest[id(conflicts[-1])] = group[a], group[b]
    return conflicts


def _grown(
    members: list[int],
    links: Mapping[int, Mapping[int, float]],
    group: Sequence[Entry],
    taken: set[int],
    standings: Standings,
) -> list[int]:
    """The closest statements of further documents, values that are not there yet first."""
    while len(members) < MOST_SIDES and group[members[0]].kind not in TWO_SIDED:
        documents = {document_of(group[i]) for i in members}
        values = Counter(group[i].value for i in members)
        near = [
            (values[group[b].value] > 0, -value, b)
            for a in members
            for b, value in links[a].items()
            if b not in taken
            and document_of(group[b]) not in documents
            and all(standings.are_comparable(document_of(group[b]), each) for each in documents)
            and values[group[b].value] < SAME_VALUE
            and value >= _rival(a, b, links, group, {*members, *taken}, standings)
        ]
        if not near:
            break
        members.append(min(near)[-1])
    return members


def _rival(
    a: int,
    b: int,
    links: Mapping[int, Mapping[int, float]],
    group: Sequence[Entry],
    out: set[int],
    standings: Standings,
) -> float:
    """The closest statement that ``b`` differs from elsewhere: it belongs there rather than beside ``a``."""
    return max(
        (
            value
            for c, value in links[b].items()
            if c not in out and document_of(group[c]) != document_of(group[a]) and differ(group[b], group[c], standings)
        ),
        default=0.0,
    )
