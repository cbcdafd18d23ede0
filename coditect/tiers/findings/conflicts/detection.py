"""Statements of different documents that fix or ask for different things in nearly the same words.

Only documents that bind the same people are compared (:mod:`coditect.tiers.findings.standing`), and where the stricter of two
measures fulfils the looser one, that is told as such (:mod:`coditect.tiers.findings.conflicts.strictness`).

Four kinds: a *measure conflict*, where the same act or thing has another value (24 hours against 72 hours); an *approval
conflict*, where somebody else approves the same; a *modality conflict*, where what one document prohibits another requires or
permits (must not against may); and a *framework conflict*, where a document asks less of itself than another asks of every such
document. Statements on one subject are put
together, one for each document, so that three values on one subject are one conflict. What passes is a difference worth a
look, with every quote beside it, not a verdict on who is right: two contracts may well differ.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from coditect.language.matched import as_matched
from coditect.schemas import Chunk
from coditect.tiers.findings.conflicts.approvals import APPROVAL, ROLE
from coditect.tiers.findings.conflicts.assertions.definitions import DEFINITION
from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.candidates import Rarity, candidates, document_of, likeness_of
from coditect.tiers.findings.conflicts.entries import Entry, entries_of, is_version, weights
from coditect.tiers.findings.conflicts.likeness.detection import alike_limits
from coditect.tiers.findings.conflicts.matters import are_parted, likeness_needed
from coditect.tiers.findings.conflicts.qualifiers import share_enough
from coditect.tiers.findings.conflicts.strictness import Relation, differ, relation_of
from coditect.tiers.findings.conflicts.subjects import subject_of
from coditect.tiers.findings.measures import EVERY, SELF
from coditect.tiers.findings.standing import NO_STANDINGS, Standings
from coditect.tiers.findings.statements import Statement, statements_of, total

__all__ = [
    "CONFLICTS_VERSION",
    "TWO_SIDED",
    "Side",
    "StatementConflict",
    "conflicts_among",
    "conflicts_of",
    "find_conflicts",
    "is_framed",
    "is_held",
    "why_none",
]

CONFLICTS_VERSION = "conflicts/8"

MOST = 24
MOST_STRICTER = 12
"""Conflicts that are told of a corpus, at most, the closest of them; and of statements of which one is only stricter."""

MOST_ALIKE = 3
"""Conflicts about one verb, at most: a corpus of contracts has hundreds of payment terms."""

MOST_ALONE = 1
"""Documents of a corpus in which nothing can be at odds."""

MOST_SIDES = 5
"""Documents that one conflict sets against each other."""

SAME_VALUE = 3
"""Documents of one conflict that give the same value, at most."""

TWO_SIDED = ("modality", APPROVAL, ROLE, DEFINITION)
"""Kinds of which two statements are told, and no more."""

_NOUN = re.compile(
    r"\b(?:this|every|each|all)\s+(?:[\w-]+\s+){0,3}?(?P<noun>polic|standard|procedure|guideline|handbook|charter|plan)\w*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Side:
    """What one document says.

    Attributes:
        statement: the sentence that says it.
        says: the measure as printed; in a modality conflict the sentence.
        value: its normalised value; in a modality conflict "must", "must not", "may" or "need not".
    """

    statement: Statement
    says: str
    value: float | str


@dataclass(frozen=True, slots=True)
class StatementConflict:
    """Statements of different documents on one subject that differ.

    Attributes:
        kind: the measure's kind, "modality" or "approval".
        head: what it is a measure of, or the stem of the verb.
        verb: the verb, or the unit or name, as it is printed.
        subject: what the closest two have in common, as printed in the first of them.
        sides: two or more, of different documents and with at least two values, ordered by value and document.
        similarity: of the closest two, 0..1.
        relation: "stricter" where each of them fulfils the looser ones that bind it; else "conflict".
    """

    kind: str
    head: str
    verb: str
    subject: str
    sides: tuple[Side, ...]
    similarity: float
    relation: Relation = "conflict"

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        """(document id, first code point) of its statements."""
        return tuple(side.statement.place for side in self.sides)


def find_conflicts(chunks: Iterable[Chunk], standings: Standings = NO_STANDINGS) -> tuple[StatementConflict, ...]:
    """Conflicts of a corpus, closest first, then what is stricter; a function of the set of chunks.

    Args:
        chunks: Tier 2 of the corpus.
        standings: which documents bind the same people.
    """
    entries = entries_of(statements_of(chunks))
    return conflicts_of(entries, weights(entries), standings)


def conflicts_of(
    entries: Sequence[Entry], weight: Mapping[str, float], standings: Standings, rarity: Rarity | None = None
) -> tuple[StatementConflict, ...]:
    """The same by the entries of the corpus; the arguments are those of :func:`conflicts_among`."""
    pairs: _Closest = {}
    found = _found_among(entries, weight, standings, rarity, pairs)
    told = {frozenset(each.places) for each in found if each.head != LIMIT}
    found = [each for each in found if each.head != LIMIT or not any(told_of >= set(each.places) for told_of in told)]
    conflicts = _best([each for each in found if each.relation == "conflict"], MOST)
    shown = {each.places for each in conflicts}
    stricter = [
        each for each in found if each.relation == "stricter" and each.places not in shown and each.head != LIMIT
    ]
    return tuple(_with_subject(each, pairs) for each in (*conflicts, *_best(stricter, MOST_STRICTER)))


def conflicts_among(
    entries: Iterable[Entry],
    weight: Mapping[str, float],
    standings: Standings = NO_STANDINGS,
    rarity: Rarity | None = None,
) -> list[StatementConflict]:
    """The conflicts that some entries are in with each other.

    Args:
        entries: of the whole corpus, or of a few statements alone.
        weight: what each shared word says, in the whole corpus (:func:`~coditect.tiers.findings.statements.weights`).
        standings: which documents bind the same people.
        rarity: of the whole corpus, where the entries are those of it that others may be held against; None: they are all.
    """
    pairs: _Closest = {}
    return [_with_subject(each, pairs) for each in _found_among(entries, weight, standings, rarity, pairs)]


_Closest = dict[int, tuple[Entry, Entry]]
"""The closest two entries of conflicts, by the identity of these: their subject is looked for when it is known who is told."""


def _with_subject(conflict: StatementConflict, pairs: _Closest) -> StatementConflict:
    """A conflict with what its closest two statements are both about."""
    closest = pairs.get(id(conflict))
    return conflict if closest is None else replace(conflict, subject=subject_of(*closest))


def _found_among(
    entries: Iterable[Entry],
    weight: Mapping[str, float],
    standings: Standings,
    rarity: Rarity | None,
    pairs: _Closest,
) -> list[StatementConflict]:
    """The same without the subjects of those that are put into ``pairs``."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    framed: dict[str, list[Entry]] = {EVERY: [], SELF: []}
    limits: list[Entry] = []
    for entry in entries:
        if entry.head == LIMIT:
            limits.append(entry)
        elif is_framed(entry):
            framed[entry.head].append(entry)
        elif is_held(entry, is_known=bool(standings.profiles)):
            groups[entry.kind].append(entry)
    found: list[StatementConflict] = []
    for kind, group in sorted(groups.items()):
        if len({e.statement.chunk.document_id for e in group}) > 1 and len({e.value for e in group}) > 1:
            found += _clusters(kind, sorted(group, key=_order), weight, standings, rarity, pairs)
    found += _frameworks(framed[EVERY], framed[SELF], standings)
    return found + _worded_otherwise(limits, weight, standings, rarity)


def _worded_otherwise(
    limits: Sequence[Entry], weight: Mapping[str, float], standings: Standings, rarity: Rarity | None
) -> list[StatementConflict]:
    """Limits of one thing that hang on other verbs; each statement with the one that it has most in common with."""
    times = None if rarity is None else rarity.of_limits
    found = sorted(
        alike_limits(sorted(limits, key=_order), weight, standings, times), key=lambda each: (-each[0], _order(each[1]))
    )
    conflicts = []
    taken: set[tuple[object, ...]] = set()
    for share, first, second in found:
        places = {(each.kind, *each.statement.place) for each in (first, second)}
        if taken.isdisjoint(places):
            taken |= places
            sides = tuple(sorted((_side(each) for each in (first, second)), key=_by_value))
            relation = relation_of([first, second], standings)
            subject = subject_of(first, second)
            conflicts.append(StatementConflict(first.kind, LIMIT, "", subject, sides, share, relation))
    return conflicts


def why_none(requirements: int, speaking: int, standings: Standings) -> str:
    """Why a corpus has no conflicts: what was held against what, in words; "" for a single document.

    Args:
        requirements: how many entries its statements have that are no limits.
        speaking: how many documents have one.
        standings: which documents bind the same people.
    """
    documents = sorted(standings.documents)
    if len(documents) < MOST_ALONE + 1:
        return ""
    pairs = sum(map(len, standings.comparable_among(documents).values())) // 2
    if not pairs:
        roles = Counter(standings.role(each) or "of no known role" for each in documents)
        ordered = sorted(roles.items(), key=lambda pair: (-pair[1], pair[0]))
        told = ", ".join(f"{count} {role}" for role, count in ordered)
        known = "as far as their roles and parties are known"
        return f"no two of the {len(documents)} documents bind the same people, {known} ({told})"
    unknown = sum(not standings.role(each) for each in documents)
    lacking = f"; the role of {unknown} is not known" if unknown else ""
    return (
        f"{requirements} requirements of {speaking} documents were held against each other, "
        f"in {pairs} pairs of documents that bind the same people, and none that speak of one matter exclude each other{lacking}"
    )


def is_framed(entry: Entry) -> bool:
    """Whether an entry says how often its document, or every such document, is reviewed."""
    return entry.head in (EVERY, SELF) and entry.kind == "frequency" and entry.strength != "prohibited"


def is_held(entry: Entry, *, is_known: bool = True) -> bool:
    """Whether an entry is held against others of its kind; limits are held against each other alone.

    Args:
        entry: any.
        is_known: whether anything is known of documents: in generations of which nothing is, the number of a rule is a version.
    """
    if entry.head in (LIMIT, EVERY, SELF) or (entry.strength == "prohibited" and entry.kind != "modality"):
        return False
    return entry.kind != "version" or not is_known or is_version(entry.statement.sentence.text, entry.says)


def _order(entry: Entry) -> tuple[str, int, str, str]:
    """Entries in the order of their documents."""
    return (*entry.statement.order, entry.says, entry.verb)


def _clusters(
    kind: str,
    group: Sequence[Entry],
    weight: Mapping[str, float],
    standings: Standings,
    rarity: Rarity | None,
    closest: _Closest,
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
        members = _grown([a, b], links, group, taken, standings)
        taken.update(members)
        relation = relation_of([group[i] for i in members], standings)
        sides = tuple(sorted((_side(group[i]) for i in members), key=_by_value))
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


def _side(entry: Entry) -> Side:
    return Side(entry.statement, entry.says, entry.value)


def _by_value(side: Side) -> tuple[bool, float, str, str, int]:
    number = side.value if isinstance(side.value, float) else 0.0
    return isinstance(side.value, str), number, str(side.value), *side.statement.order


def _frameworks(general: Sequence[Entry], own: Sequence[Entry], standings: Standings) -> list[StatementConflict]:
    """Documents that review themselves less often than another asks of every document of their kind."""
    found = []
    for rule in sorted(general, key=_order):
        less = [
            entry
            for entry in sorted(own, key=_order)
            if isinstance(entry.value, float)
            and isinstance(rule.value, float)
            and entry.value < rule.value
            and standings.are_comparable(entry.statement.chunk.document_id, rule.statement.chunk.document_id)
            and _noun(entry) == _noun(rule) != ""
        ]
        first: dict[str, Entry] = {}
        for entry in less:
            first.setdefault(entry.statement.chunk.document_id, entry)
        if first:
            sides = (_side(rule), *(_side(entry) for entry in list(first.values())[: MOST_SIDES - 1]))
            found.append(StatementConflict("frequency", EVERY, rule.verb, _subject(rule), sides, 1.0))
    return found


def _noun(entry: Entry) -> str:
    match = _NOUN.search(as_matched(entry.statement.sentence.text))
    return match["noun"].casefold() if match else ""


def _subject(entry: Entry) -> str:
    match = _NOUN.search(as_matched(entry.statement.sentence.text))
    return " ".join(match.group().split()) if match else ""


def _best(found: list[StatementConflict], most: int) -> tuple[StatementConflict, ...]:
    """The closest so many, a few for each verb, and for the same documents only the closest."""
    found.sort(key=lambda c: (-c.similarity, c.kind, c.head, [side.statement.order for side in c.sides]))
    kept: list[StatementConflict] = []
    seen: Counter[tuple[object, ...]] = Counter()
    for conflict in found:
        head = conflict.subject if conflict.head == LIMIT else conflict.head
        between = (conflict.kind, head, frozenset(s.statement.chunk.document_id for s in conflict.sides))
        about = (conflict.kind, head)
        places = (frozenset(conflict.places),)  # what is told of the same two sentences by another head says the same
        if seen[between] < 1 and seen[about] < MOST_ALIKE and not seen[places]:
            kept.append(conflict)
            seen.update([between, about, places])
        if len(kept) == most:
            break
    return tuple(kept)
