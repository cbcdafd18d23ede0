"""Coverage: which deadlines of agreements the policies of a corpus take up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from coditect.schemas import DocumentVersion
from coditect.tiers.findings.conflicts.assertions.rows import ROW
from coditect.tiers.findings.conflicts.entries import Entry, deadlines_of
from coditect.tiers.findings.standing import NO_STANDINGS, Standings
from coditect.tiers.findings.telling import StatementSource

__all__ = ["answers", "uncovered"]

FEWEST_POLICIES = 3
"""Policies, standards and procedures that a corpus must hold before it is said that none of them provides for something."""


def answers(ours: frozenset[str], lead: str, theirs: frozenset[str], first: str) -> bool:
    """Whether two statements that fix a deadline for the same act are about the same.

    They are where they begin with the same content word or share a pair of neighbouring ones.

    Args:
        ours: the features of one statement (:func:`~coditect.tiers.findings.said.statements.features`).
        lead: the first content word of that statement.
        theirs: the features of the other statement.
        first: the first content word of the other.
    """
    return (lead == first != "") or any(" " in word for word in ours & theirs)


def uncovered(
    source: StatementSource, documents: Mapping[str, DocumentVersion], standings: Standings = NO_STANDINGS
) -> list[Entry]:
    """Mandatory deadlines of agreements for which no policy, standard or procedure has one, in document order.

    Args:
        source: the statements of the corpus.
        documents: its documents by id.
        standings: what is known of them; an agreement that no longer binds, or binds strangers, asks nothing of the policies.
    """
    known = standings if standings.documents else Standings(documents)
    normative = {d for d in documents if known.is_normative(d) and not known.is_past(d)}
    agreements = _bound_with(normative, [each for each in documents if known.is_contract(each)], known)
    if len(normative) < FEWEST_POLICIES or not agreements:
        return []
    asked = [each for each in documents if each in normative | agreements]
    deadlines = deadlines_of(source.fixing("deadline", asked))
    if any(entry.head == ROW for entry in deadlines):  # what rows of tables fix is held against this act alone
        deadlines = deadlines_of(each for document_id in asked for each in source.of_document(document_id))
    texts = cache(lambda: [[s.sentence.text for s in source.of_document(each)] for each in sorted(normative)])
    spoken = cache(lambda word: sum(any(word in text for text in own) for own in texts()))
    strangers = cache(lambda agreement: _strangers(agreement, spoken, known))
    policies: dict[str, list[Entry]] = defaultdict(list)
    for entry in deadlines:
        if entry.statement.chunk.document_id in normative:
            policies[entry.head].append(entry)
    found = []
    for entry in sorted(deadlines, key=lambda e: (*e.statement.order, e.head)):
        agreement = entry.statement.chunk.document_id
        mine = (
            agreement in agreements and entry.strength == "mandatory" and not _binds_others(entry, strangers(agreement))
        )
        if mine and not any(
            answers(entry.words, entry.lead, other.words, other.lead) for other in policies[entry.head]
        ):
            found.append(entry)
    return found


def _bound_with(normative: Collection[str], contracts: Sequence[str], standings: Standings) -> frozenset[str]:
    """The contracts that bind somebody whom a document of the house binds; contracts of one kind are asked once."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for each in sorted(normative):
        kinds[standings.like(each)].append(each)
    others = [each for own in kinds.values() for each in {own[0], own[-1]}]
    known: dict[tuple[str, str], bool] = {}
    found = set()
    for each in contracts:
        asked = standings.like(each), each if each in normative else ""
        if asked not in known:
            known[asked] = any(standings.are_comparable(each, other) for other in others)
        if known[asked]:
            found.add(each)
    return frozenset(found)


def _strangers(agreement: str, spoken_of: Callable[[str], int], standings: Standings) -> frozenset[str]:
    """What an agreement calls its parties but for the house, which is the one of whom the house's documents speak most.

    Args:
        agreement: the document.
        spoken_of: in how many of the house's documents a word stands.
        standings: who the parties are.
    """
    profile = standings.profiles.get(agreement)
    parties = profile.parties if profile else ()
    names = {each.value: frozenset({each.called or each.value, each.value.split()[0]}) for each in parties}
    spoken = {value: spoken_of(value.split()[0]) for value in names}
    most = max(spoken.values(), default=0)
    if list(spoken.values()).count(most) != 1:
        return frozenset()
    return frozenset(name for value, each in names.items() if spoken[value] < most for name in each)


def _binds_others(entry: Entry, strangers: frozenset[str]) -> bool:
    """Whether it is another party of the agreement that a deadline binds: the one that is named before the verb."""
    before = entry.statement.sentence.text.partition(entry.verb)[0] if entry.verb else ""
    return any(name in before for name in strangers)
