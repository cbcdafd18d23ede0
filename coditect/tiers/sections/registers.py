"""Registers: Tier 3 sections that collect what auditors compare and chase, rather than what documents talk about.

* *conflicts*: statements of different documents on one subject that fix or ask for different things;
* *measures*: what several documents fix for the same verb: how often to review, how soon to notify, how long to retain;
* *missing*: documents, sections, schedules, definitions and the like that are referred to or required and not there;
* *open*: what is undecided, left empty, overdue or stale;
* *uncovered*: deadlines of agreements that no policy takes up;
* *standing*: documents that are superseded, expired, not yet in force, or past their review.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from coditect.schemas import DocumentVersion
from coditect.tiers.findings.absent import AbsentDocument
from coditect.tiers.findings.conflicts.approvals import APPROVAL, ROLE
from coditect.tiers.findings.conflicts.assertions.definitions import DEFINITION
from coditect.tiers.findings.conflicts.assertions.places import PLACE
from coditect.tiers.findings.conflicts.figures import AMOUNT, DAY, NOTICE, SIZE
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.gaps import Gap, gaps_in
from coditect.tiers.findings.measures import EVERY, SELF, described
from coditect.tiers.findings.missing import MISSING
from coditect.tiers.findings.standing import NO_STANDINGS, Standings
from coditect.tiers.findings.telling import StatementSource
from coditect.tiers.findings.timeliness import find_timely, places_of, words_of
from coditect.tiers.sections.topics import Topic, TopicKind

__all__ = ["MEASURE_NAMES", "REGISTERS_VERSION", "find_registers", "measure_name"]

REGISTERS_VERSION = "registers/7"

MOST_MEASURES = 8
"""Measure sections of a corpus, those of the most documents first."""

FEWEST_DOCUMENTS = 3
"""Documents that must fix a measure before its figures say something of the corpus."""

MEASURE_NAMES = {
    "count": ("number", "numbers"),
    "deadline": ("deadline", "deadlines"),
    "duration": ("period", "periods"),
    "frequency": ("interval", "intervals"),
    "version": ("version", "versions"),
}
"""Kinds of measures as a reader calls them, one and many."""

_OTHERS = {
    "modality": "requirements", APPROVAL: "approvals", ROLE: "responsibilities", DEFINITION: "definitions", AMOUNT: "amounts",
    SIZE: "sizes", DAY: "dates", NOTICE: "times of notice", PLACE: "places",
}  # fmt: skip
"""What differs in conflicts of other kinds."""

_REGISTERS: dict[TopicKind, tuple[str, tuple[str, ...]]] = {
    "missing": ("what is referred to or required and not there", ("document", "absent", "place", *MISSING)),
    "open": ("open points", ("open", "empty", "overdue", "stale", "section")),
    "uncovered": ("deadlines of agreements without a counterpart in the policies", ("uncovered",)),
}


def find_registers(
    source: StatementSource,
    documents: Mapping[str, DocumentVersion],
    conflicts: Sequence[StatementConflict],
    standings: Standings = NO_STANDINGS,
    absent: Iterable[AbsentDocument] = (),
    missing: Mapping[str, list[Gap]] | None = None,
) -> tuple[Topic, ...]:
    """The registers that a corpus has, in the order above; a function of the set of chunks and documents.

    Args:
        source: the statements of the corpus.
        documents: its documents by id.
        conflicts: what documents disagree on.
        standings: whom the documents bind, and what day it is.
        absent: documents that are referred to and not there.
        missing: what else is, by kind, where it was found already.
    """
    gaps = gaps_in(source, documents, standings, absent, missing)
    found = [_conflict(conflict) for conflict in conflicts]
    found += _measures(source)
    for kind, (name, kinds) in _REGISTERS.items():
        own = [gap for each in kinds for gap in gaps[each]]
        if own:
            found.append(_register(kind, name, own))
    told = {gap.places[0] for gap in gaps["overdue"]}
    own = [gap for gap in _standing(source, standings) if gap.kind != "overdue" or gap.places[0] not in told]
    if own:
        found.append(_register("standing", "documents by what their dates say", own))
    return tuple(found)


def _standing(source: StatementSource, standings: Standings) -> list[Gap]:
    """What the dates of documents say, as far as selected sentences show it."""
    found = []
    for finding in find_timely(standings):
        places = tuple(dict.fromkeys(place for place, _ in places_of(finding, source.of_document)))
        if places:
            found.append(Gap(finding.kind, places, words_of(finding, standings)))
    return found


def _documents(places: Iterable[tuple[str, int]]) -> frozenset[str]:
    return frozenset(document_id for document_id, _ in places)


def _register(kind: TopicKind, name: str, gaps: Sequence[Gap]) -> Topic:
    places = frozenset(place for gap in gaps for place in gap.places)
    return Topic(name, (), kind, documents=_documents(places), disputed=places, gaps=tuple(gaps))


def _conflict(conflict: StatementConflict) -> Topic:
    what = _OTHERS.get(conflict.kind) or MEASURE_NAMES[conflict.kind][1]
    places = frozenset(side.statement.place for side in conflict.sides)
    subject = conflict.subject or described(conflict.head) or conflict.verb or conflict.head
    return Topic(
        f"{subject}: differing {what}",
        (),
        "conflict",
        (conflict.kind, conflict.head),
        _documents(places),
        disputed=places,
        conflict=conflict,
    )


def _measures(source: StatementSource) -> list[Topic]:
    speaking: dict[tuple[str, str], set[str]] = defaultdict(set)
    verbs: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for measure in source.measures:
        if measure.kind in ("deadline", "duration", "frequency"):
            speaking[measure.kind, measure.head].add(measure.document_id)
            verbs[measure.kind, measure.head][measure.verb] += 1
    shared = [key for key, found in speaking.items() if len(found) >= FEWEST_DOCUMENTS]
    shared.sort(key=lambda key: (key[1] != SELF, -len(speaking[key]), key))
    return [
        Topic(measure_name(kind, head, _verb(verbs[kind, head])), (), "measure", (kind, head))
        for kind, head in shared[:MOST_MEASURES]
    ]


def measure_name(kind: str, head: str, verb: str) -> str:
    """What a measure section is called: "deadlines: notify", "intervals: review of the document itself"."""
    own = {SELF: "review of the document itself", EVERY: "review of every such document"}
    return f"{MEASURE_NAMES[kind][1]}: {own.get(head) or described(head) or verb}"


def _verb(counts: Counter[str]) -> str:
    """The shortest printed form, which is the infinitive where it occurs."""
    return min(counts, key=lambda word: (len(word), word))
