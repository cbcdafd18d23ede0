"""A grid of contracts: for each clause of a standard text the provision of each contract that says it, and how it deviates.

A clause is looked for by its words, its meaning and its heading, as a sentence is looked for that rests on a changed provision; a
provision answers for it only where it says enough of its words, or some of them under the same heading. What is in no provision so
is not found, which is what somebody who negotiates wants to be told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from coditect.documents.profile.agreements.sentence import agreement_facts, may_speak_of
from coditect.errors import UsageError
from coditect.knowledge.query.filters import matching_documents
from coditect.knowledge.report.changes.comparison import ReadVersion, document_named
from coditect.knowledge.report.changes.links import (
    LinkedProvision,
    ProvisionLinks,
    StandingSentence,
    meanings_of,
    section_of,
)
from coditect.knowledge.report.rankings import Scores, TextRanking
from coditect.language.terms import terms
from coditect.models.port import Embedder
from coditect.schemas import AgreementField, QuantityData
from coditect.schemas.grid import ClauseCell, ClauseRow, ContractGrid
from coditect.schemas.tier1.data import SPAN_KINDS
from coditect.store.view import View
from coditect.tiers.changes.duties import compare_duties, states_duty
from coditect.tiers.changes.provisions import NO_PARENT, Provision
from coditect.tiers.changes.wording import changed_words, differ_in_wording_only

__all__ = ["SAID", "SAID_UNDER_HEADING", "contract_grid", "matter_of"]

SAID, SAID_UNDER_HEADING = 0.4, 0.2
"""Shares of a clause's words, by how rare they are, that a provision has to say; and under the same heading."""

SAID_OF_ANOTHER = 0.6
"""Share of a clause's words that a provision has to say that was not read as saying the same kind of thing."""

_CANDIDATES = 8
_LEAST_WEIGHT = 2
_FEWEST = 4
"""Words of a clause; what has fewer is a heading or a name."""

_NUMBER = re.compile(
    r"\W*(?:(?:article|section|clause|part|chapter|schedule)\s+(?:(?i:[ivxl]+|[a-z]|\d[\w.]*)(?![\w’'-])[\W\d]*)"
    r"|(?:\d[\d.]*|[ivxl]+[.)]|[IVXL]+[.)])(?![\w])[\W\d]*)?",
    re.IGNORECASE,
)
"""What a heading begins with where it is numbered: "Article IV.", "3.2", "(iv)"."""

_NAMES = re.compile(r"[^\W\d_]{3}")
"""A heading that names a matter, and is not a number alone."""


def contract_grid(
    view: View, standard: str, embedder: Embedder | None, *, documents: Sequence[str] = ()
) -> ContractGrid:
    """Hold contracts against a standard text.

    Args:
        view: the generation that holds them all.
        standard: name of the standard text's document.
        embedder: finds clauses by meaning, too; None: by words alone.
        documents: names of the contracts, or patterns with ``*``; none: all other documents whose role is that of a contract.

    Raises:
        NotFound: no document, or several, are called so.
        UsageError: no contracts are left to hold against it, or it has no clauses.
    """
    ours = ReadVersion(view, document_named(view, standard))
    ids = matching_documents(view, tuple(documents)) if documents else _contracts(view)
    versions = sorted(
        (view.documents[each] for each in ids if each != ours.version.document_id), key=lambda each: each.name
    )
    if not versions:
        raise UsageError(
            "no contracts are left to hold against the standard text",
            standard=standard,
            hint="Name them with --document; 'coditect knowledge documents' tells the role of each.",
        )
    clauses = [each for each in ours.provisions if each.kind != "heading" and len(each.words) >= _FEWEST]
    if not clauses:
        raise UsageError(
            "the standard text has no clauses",
            standard=standard,
            hint=f"A clause has {_FEWEST} words or more; 'coditect knowledge documents' tells what was read of each file.",
        )
    titled = [_Titled(each, _title(ours.provisions, each), _matters(ours, each)) for each in clauses]
    asked = [StandingSentence(each.provision.text, each.title) for each in titled]
    meanings = None if embedder is None else meanings_of(asked, embedder)
    columns = []
    for version in versions:
        theirs = ReadVersion(view, version)
        provisions = _said_in(theirs)
        shares = _links(provisions, embedder).shares(asked, meanings) if provisions else None
        columns.append(_column(titled, ours, theirs, provisions, shares))
    return ContractGrid(
        corpus_id=view.corpus_id,
        generation=view.generation,
        standard=ours.version.name,
        documents=tuple(each.name for each in versions),
        rows=tuple(
            ClauseRow(
                clause=clause.title or clause.provision.place,
                standard=ours.side(clause.provision),
                values=_values(ours, clause.provision),
                cells=tuple(column[number] for column in columns),
            )
            for number, clause in enumerate(titled)
        ),
    )


def _contracts(view: View) -> frozenset[str]:
    profiles = view.profiles
    return frozenset(
        each
        for each in view.documents
        if each in profiles and (role := profiles[each].role) and role.value == "contract"
    )


@dataclass(frozen=True, slots=True)
class _Titled:
    """A provision with the nearest heading above it that names a matter.

    Attributes:
        provision: it.
        title: the heading; "" for none.
        matters: of a clause of the standard text, what it says of its agreement, and how directly.
    """

    provision: Provision
    title: str
    matters: Mapping[AgreementField, int] = field(default_factory=dict)

    @property
    def words(self) -> frozenset[str]:
        """Of the title, stemmed."""
        return frozenset(terms(self.title))


def matter_of(heading: str) -> str:
    """What a heading names without its number; "" where it is a number alone: "Article IV. Fees" names fees."""
    matter = _NUMBER.sub("", heading, count=1)
    return matter if _NAMES.search(matter) else ""


def _title(provisions: Sequence[Provision], provision: Provision) -> str:
    at = provision.parent
    while at != NO_PARENT:
        if provisions[at].kind == "heading" and (matter := matter_of(provisions[at].text)):
            return matter
        at = provisions[at].parent
    return ""


def _said_in(version: ReadVersion) -> list[_Titled]:
    """The provisions of a contract that say something."""
    said = [each for each in version.provisions if each.kind != "heading" and each.words]
    return [_Titled(each, _title(version.provisions, each)) for each in said]


def _links(provisions: Sequence[_Titled], embedder: Embedder | None) -> ProvisionLinks:
    return ProvisionLinks(
        [LinkedProvision(each.provision.text, each.title, section_of(each.provision.place)) for each in provisions],
        embedder,
    )


def _column(
    clauses: Sequence[_Titled],
    ours: ReadVersion,
    theirs: ReadVersion,
    provisions: Sequence[_Titled],
    shares: Scores | None,
) -> list[ClauseCell]:
    """What one contract says of each clause; ``shares``: of clauses (rows) in its provisions, None where it has none."""
    name = theirs.version.name
    if shares is None:
        return [ClauseCell(document=name, status="not found") for _ in clauses]
    ranking = TextRanking([each.provision.text for each in provisions])
    read = any(clause.matters for clause in clauses)
    said = [_matters(theirs, each.provision) if read else {} for each in provisions]
    cells = []
    for clause, share in zip(clauses, shares, strict=True):
        near = [provisions[int(number)] for number in np.argsort(-share, kind="stable")[:_CANDIDATES]]
        near += [each for each in provisions if _same_title(each, clause)]
        same = _saying_the_same(clause, provisions, said, ranking) if clause.matters else None
        found = same or _saying_most(clause, near, ranking, _of_others(clause, provisions, said))
        cells.append(
            _cell(clause, ours, found, theirs) if found is not None else ClauseCell(document=name, status="not found")
        )
    return cells


def _same_title(provision: _Titled, clause: _Titled) -> bool:
    return bool(clause.words) and clause.words == provision.words


def _matters(version: ReadVersion, provision: Provision) -> dict[AgreementField, int]:
    """What a provision says of the agreement that it stands in, and how directly; see ``AgreementFact``."""
    matters: dict[AgreementField, int] = {}
    for each in version.inside(provision):
        if each.extraction_kind not in SPAN_KINDS:
            for fact in agreement_facts(each.source_text, each.heading):
                if fact.weight >= _LEAST_WEIGHT:
                    matters[fact.field] = max(matters.get(fact.field, 0), fact.weight)
    return matters


def _saying_the_same(
    clause: _Titled,
    provisions: Sequence[_Titled],
    said: Sequence[Mapping[AgreementField, int]],
    ranking: TextRanking,
) -> Provision | None:
    """The provision that says most directly what a clause says of its agreement; of equals the one with most of its words.

    Args:
        clause: of the standard text.
        provisions: of the contract.
        said: what each of them says of its agreement.
        ranking: weighs words.
    """
    found: list[tuple[bool, int, int, float, int, Provision]] = []
    for each, own in zip(provisions, said, strict=True):
        if shared := clause.matters.keys() & own.keys():
            share = ranking.weight(sorted(frozenset(clause.provision.words) & frozenset(each.provision.words)))
            direct = sum(own[each_field] for each_field in shared)
            other = each.provision.wording != clause.provision.wording
            found.append((other, -len(shared), -direct, -round(share, 6), each.provision.index, each.provision))
    return min(found, key=lambda each: each[:5])[5] if found else None


def _of_others(
    clause: _Titled, provisions: Sequence[_Titled], said: Sequence[Mapping[AgreementField, int]]
) -> frozenset[int]:
    """Places of the provisions that speak of other matters than a clause that speaks of one."""
    read = zip(provisions, said, strict=True) if clause.matters else ()
    return frozenset(each.provision.index for each, own in read if own and not clause.matters.keys() & own.keys())


def _saying_most(
    clause: _Titled, near: Sequence[_Titled], ranking: TextRanking, others: frozenset[int]
) -> Provision | None:
    """Of some provisions the one that says most of a clause, by how rare its words are; None where none says enough."""
    least = SAID_OF_ANOTHER if clause.matters else SAID
    wanted = frozenset(clause.provision.words)
    whole = max(ranking.weight(sorted(wanted)), 1e-9)
    said: list[tuple[float, int, Provision]] = []
    for each in near:
        if each.provision.index in others:
            continue
        if clause.matters and not any(may_speak_of(field, each.provision.text) for field in clause.matters):
            continue  # whatever words it shares, it speaks of something else
        share = ranking.weight(sorted(wanted & frozenset(each.provision.words))) / whole
        if share >= (SAID_UNDER_HEADING if _same_title(each, clause) else least):
            said.append((-round(share, 6), each.provision.index, each.provision))
    return min(said, key=lambda each: each[:2])[2] if said else None


def _cell(titled: _Titled, ours: ReadVersion, provision: Provision, theirs: ReadVersion) -> ClauseCell:
    clause = titled.provision
    name = theirs.version.name
    side, values = theirs.side(provision), _values(theirs, provision)
    if clause.wording == provision.wording:
        return ClauseCell(document=name, status="same", found=side, values=values)
    read = ours.inside(clause), theirs.inside(provision)
    asked = any(states_duty(each) for each in read)
    if differ_in_wording_only(clause, provision):
        return ClauseCell(document=name, status="wording", found=side, values=values, duty="same" if asked else "none")
    if asked and _is_said_besides(titled, provision, theirs):
        asked = False  # its duties are of other things: words show how the clause differs
    fields = compare_duties(*read) if asked or not titled.matters else ()
    return ClauseCell(
        document=name,
        status="differs",
        found=side,
        values=values,
        words=changed_words(clause, provision),
        fields=fields,
        duty=("changed" if fields else "same") if asked else "none",
    )


def _is_said_besides(titled: _Titled, provision: Provision, theirs: ReadVersion) -> bool:
    """Whether a contract says what a clause says of its agreement in a sentence that is read as no duty."""
    inside = theirs.inside(provision)
    stating = [
        (each.char_offset_start, each.char_offset_end)
        for each in inside
        if each.extraction_kind not in SPAN_KINDS
        and any(
            fact.field in titled.matters and fact.weight >= _LEAST_WEIGHT
            for fact in agreement_facts(each.source_text, each.heading)
        )
    ]
    return bool(stating) and not any(
        states_duty((each,)) and each.char_offset_start < end and begin < each.char_offset_end
        for each in inside
        for begin, end in stating
    )


def _values(version: ReadVersion, provision: Provision) -> tuple[str, ...]:
    read = (each.read_as(QuantityData) for each in version.inside(provision) if each.extraction_kind == "quantity")
    return tuple(dict.fromkeys(each.text for each in read if each.text))
