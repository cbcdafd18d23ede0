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

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from coditect.schemas import Chunk, document_order
from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.entries import Entry, entries_of, is_version, weights
from coditect.tiers.findings.conflicts.likeness.circles import circles_among
from coditect.tiers.findings.conflicts.likeness.detection import alike_limits
from coditect.tiers.findings.conflicts.opposed.candidates import Rarity
from coditect.tiers.findings.conflicts.opposed.clusters import NAMED, Closest, clusters
from coditect.tiers.findings.conflicts.opposed.frameworks import frameworks
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict, by_document, by_value, side_of
from coditect.tiers.findings.conflicts.strictness import Relation, relation_of
from coditect.tiers.findings.conflicts.subjects import subject_of
from coditect.tiers.findings.measures import EVERY, SELF
from coditect.tiers.findings.said.statements import statements_of
from coditect.tiers.findings.standing import NO_STANDINGS, Standings

__all__ = [
    "CONFLICTS_VERSION",
    "Ranked",
    "best",
    "conflicts_among",
    "conflicts_of",
    "find_conflicts",
    "found_among",
    "is_framed",
    "is_held",
    "why_none",
    "with_subject",
]

CONFLICTS_VERSION = "conflicts/14"

MOST = 24
MOST_STRICTER = 12
"""Conflicts that are told of a corpus, at most, the closest of them; and of statements of which one is only stricter."""

MOST_ALIKE = 3
"""Conflicts about one verb, at most: a corpus of contracts has hundreds of payment terms."""

MOST_ALONE = 1
"""Documents of a corpus in which nothing can be at odds."""


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
    pairs: Closest = {}
    found = best(found_among(entries, weight, standings, rarity, pairs))
    return tuple(with_subject(each, pairs) for each in found)


class Ranked(Protocol):
    """What of a conflict says whether it is told.

    Attributes are those of :class:`~coditect.tiers.findings.conflicts.opposed.told.StatementConflict`.
    """

    @property
    def kind(self) -> str:
        """The measure's kind, "modality" or "approval"."""
        ...

    @property
    def head(self) -> str:
        """What it is a measure of, or the stem of the verb."""
        ...

    @property
    def subject(self) -> str:
        """Of limits alone: what the closest two have in common."""
        ...

    @property
    def similarity(self) -> float:
        """Of the closest two, 0..1."""
        ...

    @property
    def relation(self) -> Relation:
        """Whether one is only stricter."""
        ...

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        """(document id, first code point) of its statements."""
        ...


R = TypeVar("R", bound=Ranked)


def best(found: Sequence[R]) -> tuple[R, ...]:
    """Those of all conflicts of a corpus that are told, closest first, then what is only stricter.

    Args:
        found: those of documents that bind the same people in one order.
    """
    told = {frozenset(each.places) for each in found if each.head != LIMIT}
    found = [each for each in found if each.head != LIMIT or not any(told_of >= set(each.places) for told_of in told)]
    conflicts = _best([each for each in found if each.relation == "conflict"], MOST)
    shown = {each.places for each in conflicts}
    stricter = [
        each for each in found if each.relation == "stricter" and each.places not in shown and each.head != LIMIT
    ]
    return (*conflicts, *_best(stricter, MOST_STRICTER))


def conflicts_among(
    entries: Iterable[Entry],
    weight: Mapping[str, float],
    standings: Standings = NO_STANDINGS,
    rarity: Rarity | None = None,
) -> list[StatementConflict]:
    """The conflicts that some entries are in with each other.

    Args:
        entries: of the whole corpus, or of a few statements alone.
        weight: what each shared word says, in the whole corpus (:func:`~coditect.tiers.findings.said.statements.weights`).
        standings: which documents bind the same people.
        rarity: of the whole corpus, where the entries are those of it that others may be held against; None: they are all.
    """
    pairs: Closest = {}
    return [with_subject(each, pairs) for each in found_among(entries, weight, standings, rarity, pairs)]


def with_subject(conflict: StatementConflict, pairs: Closest) -> StatementConflict:
    """A conflict with what its closest two statements are both about."""
    closest = pairs.get(id(conflict))
    return conflict if closest is None else replace(conflict, subject=subject_of(*closest))


def found_among(
    entries: Iterable[Entry],
    weight: Mapping[str, float],
    standings: Standings,
    rarity: Rarity | None,
    pairs: Closest,
) -> list[StatementConflict]:
    """The same without the subjects of those that are put into ``pairs``, from which :func:`with_subject` has them."""
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
            found += clusters(kind, sorted(group, key=by_document), weight, standings, rarity, pairs)
    found += frameworks(framed[EVERY], framed[SELF], standings)
    return found + _worded_otherwise(limits, weight, standings, rarity)


def _worded_otherwise(
    limits: Sequence[Entry], weight: Mapping[str, float], standings: Standings, rarity: Rarity | None
) -> list[StatementConflict]:
    """Limits of one thing that hang on other verbs; each statement with the one that it has most in common with."""
    times = None if rarity is None else rarity.of_limits
    found = sorted(
        alike_limits(sorted(limits, key=by_document), weight, standings, times),
        key=lambda each: (-each[0], by_document(each[1])),
    )
    conflicts = []
    taken: set[tuple[object, ...]] = set()
    for share, first, second in found:
        places = {(each.kind, *each.statement.place) for each in (first, second)}
        if taken.isdisjoint(places):
            taken |= places
            sides = tuple(sorted((side_of(each) for each in (first, second)), key=by_value))
            relation = relation_of([first, second], standings)
            subject = subject_of(first, second)
            if not subject and first.kind in NAMED:
                continue  # what cannot be said to be of one thing is told of nothing
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
    circles = circles_among(standings, documents)
    pairs = sum(len(others) - (each in others) for each, others in circles.items()) // 2
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
        f"in {pairs} pairs of documents that bind the same people, and rules saw no two that plainly exclude each other{lacking}; "
        "what is said in other words they do not see"
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


def _best(found: list[R], most: int) -> tuple[R, ...]:
    """The closest so many, a few for each verb, and for the same documents only the closest of a measure."""
    found.sort(key=lambda c: (-c.similarity, c.kind, c.head, [(document_order(d), start) for d, start in c.places]))
    kept: list[R] = []
    seen: Counter[tuple[object, ...]] = Counter()
    for conflict in found:
        head = conflict.subject if conflict.head == LIMIT else conflict.head
        between = (conflict.kind, head, frozenset(document_id for document_id, _ in conflict.places))
        about = (conflict.kind, head)
        places = (frozenset(conflict.places),)  # what is told of the same two sentences by another head says the same
        most_between = (
            MOST_ALIKE if conflict.kind == "modality" else 1
        )  # what is used here and what there are two matters
        if seen[between] < most_between and seen[about] < MOST_ALIKE and not seen[places]:
            kept.append(conflict)
            seen.update([between, about, places])
        if len(kept) == most:
            break
    return tuple(kept)
