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
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations

from coditect.schemas import Chunk, DocumentVersion, document_order
from coditect.tiers.findings.absent import AbsentDocument
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.missing import missing_in
from coditect.tiers.findings.naming import (
    KnownNames,
    also_called,
    beyond,
    called_so,
    is_named_in_contract,
    is_specific,
    known_names,
    one_called,
    resolves,
    stems_of,
)
from coditect.tiers.findings.open_points import Gap, find_open
from coditect.tiers.findings.required.coverage import uncovered
from coditect.tiers.findings.said.statements import statements_of
from coditect.tiers.findings.standing import NO_STANDINGS, Standings
from coditect.tiers.findings.telling import AllStatements, StatementSource, term_key

__all__ = ["Gap", "find_gaps", "gaps_in"]

MOST_OF_A_KIND = 12
"""Gaps of one kind that a corpus reports, those of the most documents or the oldest first."""

FEWEST_OF_A_HOUSE = 2
"""Documents that are there under their names without the word before them, until that word is the house."""

_NUMBER = re.compile(r"^(?:(?:[a-z]?\d{1,3}|[a-z]|[ivx]{1,5}|section|part|chapter|annex|appendix)\s)*")
"""The number of a heading, as its words are told; what stands behind it is the title."""

_SEVERAL = re.compile(
    r"\b(?:polic(?:y|ies)|plans?|procedures?|standards?|agreements?|addendum|contracts?|guidelines?|manuals?|handbooks?)\s+(?:and|&)\s",
    re.IGNORECASE,
)
"""Two documents in one breath: "the Build Addendum and Maintenance Addendum"."""
_ANYBODYS = re.compile(r"part(?:y|ies)['’]", re.IGNORECASE)
"""What either party to an agreement has."""

_OF_ONE = re.compile(
    r"(?:\w+\s+)?(?:date|term|form|copy|copies|version|duration|scope|purpose|terms|breach|termination|execution|section|article)s?\s+of\b",
    re.IGNORECASE,
)
"""What an agreement has, or what is of one: "Effective Date of Agreement"."""

_BASIC = frozenset(("and", "the", "base", "original", "master", "main", "this"))
"""What is said beside the parties of an agreement in its own name: "the IBM/MSL Outsourcing Base Agreement"."""

_WHOSE = re.compile(r"^(?:[A-Z][\w&.-]*\s+){0,3}(?:[A-Z][\w&.-]*[’']s|[A-Z][a-z]+[A-Z]\w*)\s+(?=\w+\s+\w)")
"""Whose a document is, which its own title need not say: "Acme's Backup Policy", "NovaBank Backup Policy"."""

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
    known = known_names(documents.values(), [*source.self_names, *also_called(standings.profiles.values())])
    places: dict[str, dict[str, tuple[str, int]]] = defaultdict(dict)
    is_outside, is_contract = cache(standings.is_outside), cache(standings.is_contract)  # asked of every name
    for each in source.named:
        own, name = each.document_id, each.name
        if not is_outside(own) and (is_named_in_contract(name) or not is_contract(own)):
            places[name].setdefault(own, (own, each.char_start))
    is_proper = cache(lambda folder: _is_proper(folder, source))
    of_the_house = _of_the_house(places, known, is_proper)
    missing = {
        name: meant
        for name, cited in places.items()
        if not resolves(name, known)
        and not resolves(_without_house(name, [documents[each] for each in cited], standings, is_proper), known)
        and not _in_two(name, known)
        and name not in of_the_house
        and not resolves(_WHOSE.sub("", name), known)
        and term_key(name) not in source.defined
        and (meant := _meaning_one(sorted(cited, key=document_order), standings))
    }
    headed = _headed(missing, source)
    return [
        Gap("document", tuple(places[name][document_id] for document_id in missing[name]), {"name": name})
        for name in sorted(missing, key=lambda name: (-len(missing[name]), name))
        if name not in headed and not _SEVERAL.search(name) and not _ANYBODYS.match(name)
        if not (_OF_ONE.match(name) and all(map(is_contract, missing[name])))
        if not all(_is_own(name, document_id, standings) for document_id in missing[name])
    ]


def _headed(names: Iterable[str], source: StatementSource) -> frozenset[str]:
    """The names that a heading of the corpus has: "4. Risk Treatment Plan" is a part of a document that is there."""
    called = {name: _one(" ".join(_words(name))) for name in names}
    wanted = frozenset(called.values())
    printed: set[str] = set()  # many documents have the same headings
    for document_id in source.documents if wanted else ():
        printed.update(source.printed(document_id).headings)
    lasts = {each.rpartition(" ")[2] for each in wanted}
    # The "Risk Management Procedure" may well be headed "Risk Management Procedures".
    # Headings are lines without breaks, so that all are read at once; few end as a name does.
    lines = map(str.strip, re.sub(r"[^\w&\n]+", " ", "\n".join(printed).casefold()).split("\n"))
    singular = map(_one, lines)
    headings = wanted.intersection(_NUMBER.sub("", each) for each in singular if each.rpartition(" ")[2] in lasts)
    return frozenset(name for name, words in called.items() if words in headings)


def _one(words: str) -> str:
    """Some words with the last of them in the singular, as far as an ending tells."""
    if words.endswith("ies"):
        return f"{words[:-3]}y"
    return words[:-1] if words.endswith("s") and not words.endswith("ss") else words


def _without_house(
    name: str, citing: Iterable[DocumentVersion], standings: Standings, is_proper: Callable[[str], bool]
) -> str:
    """A name without the house in front: in the documents of Acme the "Acme Access Policy" is the Access Policy.

    Who the house is, the parties of the citing documents say, or the folder that holds them, where its name is no common word. A
    name that says no more than of which kind a document is stays as it is.

    Args:
        name: as printed.
        citing: the documents that print it.
        standings: who is bound by which document.
        is_proper: whether the name of a folder is no common word.
    """
    words = name.split()
    plain = [each.casefold().removesuffix("’s").removesuffix("'s") for each in words]
    longest = 0
    for version in citing:
        folder, _, inside = version.name.partition("/")
        of_folder = [_words(folder)] if inside and words[0][:1].isupper() and is_proper(folder) else []
        for house in (*of_folder, *(_words(each) for each in _parties(version, standings))):
            pairs = enumerate(zip(plain, house, strict=False))
            longest = max(longest, next((n for n, (a, b) in pairs if a != b), min(len(plain), len(house))))
    rests = (" ".join(words[n:]) for n in range(min(longest, len(words) - 2), 0, -1))
    return next((rest for rest in rests if is_specific(rest)), name)


def _of_the_house(names: Iterable[str], known: KnownNames, is_proper: Callable[[str], bool]) -> frozenset[str]:
    """The names of documents that are there, but for the house before them: "Catalyze Auditing Policy", the Auditing Policy.

    Who the house is, nobody says: it is a name before those of two documents that are there, and no common word.

    Args:
        names: as printed.
        known: the names of the documents that are there.
        is_proper: whether a word is no common one.
    """
    by_first: dict[str, list[str]] = defaultdict(list)
    for name in names:
        first, _, rest = name.partition(" ")
        if " " in rest and is_specific(rest) and not resolves(name, known) and resolves(rest, known):
            by_first[first].append(name)
    return frozenset(
        n for first, own in by_first.items() if len(own) >= FEWEST_OF_A_HOUSE and is_proper(first) for n in own
    )


def _in_two(name: str, known: KnownNames) -> bool:
    """Whether two documents hold what a name joins: "Data Classification and Handling Policy", of which there is one each."""
    left, joined, right = name.partition(" and ")
    first = left.split()
    if not joined or len(first) < 2:
        return False
    return resolves(left, known) and (resolves(f"{first[0]} {right}", known) or resolves(right, known))


def _is_own(name: str, document_id: str, standings: Standings) -> bool:
    """Whether an agreement is meant that prints a name itself: its title with its parties before it ("IBM/MSL Lease Agreement")."""
    profile = standings.profiles.get(document_id)
    if profile is None or profile.title is None or not standings.is_contract(document_id):
        return False
    parties = {word for each in profile.parties for word in _words(f"{each.value} {each.called}")}
    words = _words(name)
    rest = [each for each in words if each not in parties | _BASIC]
    return 0 < len(rest) < len(words) and stems_of(" ".join(rest)) == stems_of(profile.title.value)


def _words(name: str) -> list[str]:
    return re.findall(r"[\w&]+", name.casefold())


def _is_proper(word: str, source: StatementSource) -> bool:
    """Whether no sentence prints a word in small letters, as a name is not."""
    common = re.compile(rf"\b{re.escape(word.casefold())}\b")
    return not any(common.search(each.sentence.text) for each in source.telling)


def _parties(version: DocumentVersion, standings: Standings) -> list[str]:
    profile = standings.profiles.get(version.document_id)
    return [] if profile is None else [party.value for party in profile.parties]


def _meaning_one(cited: Sequence[str], standings: Standings) -> list[str]:
    """The documents that mean one by a name: in the contracts of strangers "the Transaction Agreement" is another one in each.

    What the house's own documents mean is what its contracts mean; of contracts alone, those of the house are asked by themselves.
    """
    contracts = [each for each in cited if standings.is_contract(each)]
    own = [each for each in cited if each not in contracts]
    if own:
        bound = [each for each in contracts if any(standings.are_comparable(each, document) for document in own)]
        return [each for each in cited if each in own or each in bound]
    for group in (contracts, [each for each in contracts if standings.parties(each) & standings.house]):
        if all(standings.are_comparable(one, two) for one, two in combinations(group, 2)):
            return group
    return []


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
