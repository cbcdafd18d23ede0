"""Gaps: what is missing, undecided, overdue or nowhere provided for, found by rules on selected sentences.

* *document*: a company document that is referred to and not in the corpus;
* *absent*: a law, rulebook or standard that is referred to and not in the corpus, with how often and which places of it;
* *place*: a numbered section that is referred to and lies behind the last one of its document;
* *code*, *part*, *term*, *unprovided*, *ownerless*: see :mod:`coditect.tiers.findings.missing`;
* *open*, *empty*, *overdue*, *stale*, *section*: see :mod:`coditect.tiers.findings.open_points`;
* *uncovered*: a deadline of an agreement that no policy, standard or procedure of the corpus takes up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations

from coditect.schemas import Chunk, DocumentVersion, document_order
from coditect.tiers.findings.absent import AbsentDocument
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.coverage import uncovered
from coditect.tiers.findings.missing import missing_in
from coditect.tiers.findings.naming import (
    beyond,
    called_so,
    is_named_in_contract,
    known_names,
    one_called,
    resolves,
)
from coditect.tiers.findings.open_points import Gap, find_open
from coditect.tiers.findings.standing import NO_STANDINGS, Standings
from coditect.tiers.findings.statements import statements_of
from coditect.tiers.findings.telling import AllStatements, StatementSource, term_key

__all__ = ["Gap", "find_gaps", "gaps_in"]

MOST_OF_A_KIND = 12
"""Gaps of one kind that a corpus reports, those of the most documents or the oldest first."""

MOST_SHOWN = 3
"""References to an absent document that are quoted, each of another document where there are so many."""


def find_gaps(
    chunks: Iterable[Chunk],
    documents: Mapping[str, DocumentVersion],
    standings: Standings = NO_STANDINGS,
    absent: Iterable[AbsentDocument] = (),
    missing: Mapping[str, list[Gap]] | None = None,
) -> dict[str, list[Gap]]:
    """Gaps of a corpus by kind; a function of the set of chunks, documents, standings and references.

    Args:
        chunks: Tier 2 of the corpus.
        documents: its documents by id.
        standings: whom they bind, and what day it is.
        absent: documents that are referred to and not there.
        missing: from :func:`~coditect.tiers.findings.missing.find_missing`, where it was asked already.
    """
    return gaps_in(AllStatements(statements_of(chunks)), documents, standings, absent, missing)


def gaps_in(
    source: StatementSource,
    documents: Mapping[str, DocumentVersion],
    standings: Standings,
    absent: Iterable[AbsentDocument],
    missing: Mapping[str, list[Gap]] | None = None,
) -> dict[str, list[Gap]]:
    """The same by what the statements of the corpus tell."""
    found = {
        "document": _documents(source, documents, standings),
        "absent": _absent(source, absent),
        "place": _places(source, documents),
        **(missing_in(source, documents, standings) if missing is None else missing),
        **find_open(source.telling, standings),
        "uncovered": [_uncovered(entry) for entry in uncovered(source, documents, standings)],
    }
    return {kind: gaps[:MOST_OF_A_KIND] for kind, gaps in found.items()}


def _uncovered(entry: Entry) -> Gap:
    return Gap("uncovered", (entry.statement.place,), {"says": entry.says, "head": entry.head, "verb": entry.verb})


def _documents(source: StatementSource, documents: Mapping[str, DocumentVersion], standings: Standings) -> list[Gap]:
    """Documents of the house that are spoken of and not there; laws and guidance speak of other people's."""
    known = known_names(documents.values(), source.self_names)
    places: dict[str, dict[str, tuple[str, int]]] = defaultdict(dict)
    for each in source.named:
        own, name = each.document_id, each.name
        if not standings.is_outside(own) and (is_named_in_contract(name) or not standings.is_contract(own)):
            places[name].setdefault(own, (own, each.char_start))
    missing = [
        name
        for name, cited in places.items()
        if not resolves(name, known) and term_key(name) not in source.defined and _is_one_document(cited, standings)
    ]
    missing.sort(key=lambda name: (-len(places[name]), name))
    return [
        Gap("document", tuple(places[name][d] for d in sorted(places[name], key=document_order)), {"name": name})
        for name in missing
    ]


def _is_one_document(cited: Iterable[str], standings: Standings) -> bool:
    """Whether a name means one document: in the contracts of strangers "the Transaction Agreement" is another one in each."""
    contracts = [each for each in cited if standings.is_contract(each)]
    return all(standings.are_comparable(one, two) for one, two in combinations(contracts, 2))


def _absent(source: StatementSource, absent: Iterable[AbsentDocument]) -> list[Gap]:
    """Absent documents that a selected sentence refers to; the most cited first."""
    found = []
    for each in absent:
        by_document: dict[str, tuple[str, int]] = {}
        for reference in each.references:
            place = source.shown(reference) if reference.document_id not in by_document else None
            if place is not None:
                by_document[reference.document_id] = place
        places = tuple(by_document[d] for d in each.documents if d in by_document)[:MOST_SHOWN]
        if places:
            found.append(Gap("absent", places, {"name": each.name}))
    return found


def _places(source: StatementSource, documents: Mapping[str, DocumentVersion]) -> list[Gap]:
    called = called_so(documents.values())
    numbers: dict[str, frozenset[str]] = {}
    found: dict[tuple[str, str, str], Gap] = {}
    for statement in source.telling:
        for place in statement.sentence.places:
            label, _, name = place.partition("|")
            if not label[0].isdigit():
                continue  # a schedule: see coditect.tiers.findings.missing
            own = statement.chunk.document_id
            target = one_called(name, called) if name else own
            if not target:
                continue
            if target not in numbers:
                numbers[target] = source.numbers(target)
            last = beyond(label, numbers[target])
            if last:
                words = {"label": label, "last": last, "document": documents[target].name}
                found.setdefault((own, target, label), Gap("place", (statement.place,), words))
    return list(found.values())
