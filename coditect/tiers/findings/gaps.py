"""Gaps: what is missing, undecided, overdue or nowhere provided for, found by rules on selected sentences.

* *document*: a company document that is referred to and not in the corpus;
* *absent*: a law, rulebook or standard that is referred to and not in the corpus, with how often and which places of it;
* *place*: a numbered section that is referred to and lies behind the last one of its document;
* *code*, *part*, *term*, *unprovided*, *ownerless*: see :mod:`coditect.tiers.findings.missing`;
* *open*, *empty*, *overdue*, *stale*, *section*: see :mod:`coditect.tiers.findings.open_points`;
* *uncovered*: a deadline of an agreement that no policy, standard or procedure of the corpus takes up.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from coditect.language.matched import as_matched
from coditect.schemas import Chunk, DocumentVersion, document_order
from coditect.tiers.findings.absent import AbsentDocument
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.coverage import uncovered
from coditect.tiers.findings.missing import find_missing, self_names
from coditect.tiers.findings.naming import (
    beyond,
    called_so,
    is_named_in_contract,
    is_specific,
    known_names,
    numbers_of,
    one_called,
    resolves,
    speaks_of,
)
from coditect.tiers.findings.open_points import Gap, find_open
from coditect.tiers.findings.standing import NO_STANDINGS, Standings
from coditect.tiers.findings.statements import Statement, statements_of

__all__ = ["Gap", "find_gaps"]

MOST_OF_A_KIND = 12
"""Gaps of one kind that a corpus reports, those of the most documents or the oldest first."""

MOST_SHOWN = 3
"""References to an absent document that are quoted, each of another document where there are so many."""

_TERM = re.compile(r"[\"“]([^\"“”]{3,80})[\"”]")


def find_gaps(
    chunks: Sequence[Chunk],
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
    statements = sorted(statements_of(chunks), key=lambda statement: statement.order)
    found = {
        "document": _documents(statements, documents, standings),
        "absent": _absent(statements, list(absent)),
        "place": _places(statements, chunks, documents),
        **(find_missing(statements, documents, standings) if missing is None else missing),
        **find_open(statements, standings),
        "uncovered": [_uncovered(entry) for entry in uncovered(chunks, documents, standings)],
    }
    return {kind: gaps[:MOST_OF_A_KIND] for kind, gaps in found.items()}


def _uncovered(entry: Entry) -> Gap:
    return Gap("uncovered", (entry.statement.place,), {"says": entry.says, "head": entry.head, "verb": entry.verb})


def _documents(
    statements: Sequence[Statement], documents: Mapping[str, DocumentVersion], standings: Standings
) -> list[Gap]:
    """Documents of the house that are spoken of and not there; laws and guidance speak of other people's."""
    known = [*known_names(documents.values()), *self_names(statements)]
    places: dict[str, dict[str, tuple[str, int]]] = defaultdict(dict)
    defined: set[str] = set()
    for statement in statements:
        if "definition" in statement.sentence.kinds:
            defined |= {_key(term) for term in _TERM.findall(as_matched(statement.sentence.text))}
        own = statement.chunk.document_id
        for name in statement.sentence.documents if not standings.is_outside(own) else ():
            if standings.is_contract(own) and not is_named_in_contract(name):
                continue
            if is_specific(name) and speaks_of(statement.sentence.text, name):
                places[name].setdefault(statement.chunk.document_id, statement.place)
    missing = [
        name
        for name, cited in places.items()
        if not resolves(name, known) and _key(name) not in defined and _is_one_document(cited, standings)
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


def _absent(statements: Iterable[Statement], absent: Sequence[AbsentDocument]) -> list[Gap]:
    """Absent documents that a selected sentence refers to; the most cited first."""
    shown = {each: s.place for s in statements for each in s.sentence.extraction_ids}
    found = []
    for each in absent:
        by_document: dict[str, tuple[str, int]] = {}
        for reference in each.references:
            if reference.extraction_id in shown:
                by_document.setdefault(reference.document_id, shown[reference.extraction_id])
        places = tuple(by_document[d] for d in each.documents if d in by_document)[:MOST_SHOWN]
        if places:
            found.append(Gap("absent", places, {"name": each.name}))
    return found


def _key(name: str) -> str:
    """A name without case and plural: how a defined term is known again."""
    return " ".join(name.casefold().split()).removesuffix("s")


def _places(
    statements: Iterable[Statement], chunks: Sequence[Chunk], documents: Mapping[str, DocumentVersion]
) -> list[Gap]:
    of_document: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        of_document[chunk.document_id].append(chunk)
    called = called_so(documents.values())
    numbers: dict[str, frozenset[str]] = {}
    found: dict[tuple[str, str, str], Gap] = {}
    for statement in statements:
        for place in statement.sentence.places:
            label, _, name = place.partition("|")
            if not label[0].isdigit():
                continue  # a schedule: see coditect.tiers.findings.missing
            own = statement.chunk.document_id
            target = one_called(name, called) if name else own
            if not target:
                continue
            if target not in numbers:
                numbers[target] = numbers_of(of_document[target])
            last = beyond(label, numbers[target])
            if last:
                words = {"label": label, "last": last, "document": documents[target].name}
                found.setdefault((own, target, label), Gap("place", (statement.place,), words))
    return list(found.values())
