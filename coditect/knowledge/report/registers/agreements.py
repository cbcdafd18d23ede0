"""The register of agreements: for each contract the sentences on its term, renewal, end, law, and on who may do what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Literal, get_args

from coditect.documents.layout import page_of
from coditect.documents.profile.agreements.facts import AgreementFact
from coditect.documents.profile.agreements.renewals import GOES_ON
from coditect.documents.profile.agreements.sentence import agreement_facts
from coditect.documents.profile.parties import party_key
from coditect.documents.source import PageSpan
from coditect.knowledge.query.filters import matching_documents
from coditect.knowledge.report.registers.calendar_days import back, last_day, renewed_until
from coditect.knowledge.report.registers.said import pages_in, title_of
from coditect.knowledge.report.standing import standing_of
from coditect.knowledge.review.amendments import amended_by, contracts_of
from coditect.schemas import (
    AGREEMENT_FIELDS,
    AgreementField,
    AgreementRow,
    AgreementTerm,
    DocumentVersion,
    EndBasis,
    Extraction,
    ExtractionKind,
    Profile,
)
from coditect.schemas.tier1.data import SPAN_KINDS
from coditect.store.view import View

__all__ = ["agreement_rows", "ending_within"]

_STATING: frozenset[ExtractionKind] = frozenset(get_args(ExtractionKind)) - SPAN_KINDS
"""Kinds of extractions that are sentences."""

_LEAST_WEIGHT = 2
"""How directly a sentence has to say something to be told; see ``AgreementFact``."""

_Told = tuple[AgreementFact, Extraction]

_EACH = re.compile(r"(?:either|any|each|both)\b", re.IGNORECASE)

_BeginBasis = Literal["", "given", "stated", "dated"]

_HOURS_OF_MONTH, _HOURS_OF_DAY = 730.5, 24.0


def agreement_rows(view: View, today: str, *, documents: Sequence[str] = (), passed: int = 0) -> Iterator[AgreementRow]:
    """The contracts of a generation in the order of their names, one read at a time.

    Args:
        view: the generation.
        today: the day on which they are looked at, ISO 8601: automatic renewals up to it are counted as having come about.
        documents: names, or patterns of names with ``*``, of documents that are looked at whatever their role is; none: every
            document whose role is contract.
        passed: how many of the contracts are passed over without being read, for a page of a long list.

    Raises:
        NotFound: no document is called so; the hint names some that there are.
    """
    standing = standing_of(view, today)
    wanted = matching_documents(view, documents) if documents else contracts_of(view)
    listed = sorted((view.documents[each] for each in wanted), key=lambda each: (each.name, each.document_id))
    contracts = {*contracts_of(view), *(each.document_id for each in listed)}
    amended = amended_by(view, (view.documents[each] for each in contracts))
    amends = {name: view.documents[each].name for each, names in amended.items() for name in names}
    for version in listed[passed:]:
        phrases = "; ".join(standing.get(version.document_id, ()))
        row = _row(view, version, view.profiles.get(version.document_id), phrases, today)
        changed = {"amended_by": amended.get(version.document_id, ()), "amends": amends.get(version.name, "")}
        yield row.model_copy(update=changed)


def ending_within(row: AgreementRow, today: str, hours: float) -> bool:
    """Whether an agreement ends, or its notice is due, between a day and so many hours behind it.

    Args:
        row: the agreement.
        today: the first day, ISO 8601.
        hours: a length of time, as :func:`coditect.knowledge.report.registers.selection.hours_of` gives it.
    """
    first = date.fromisoformat(today)
    days = (date.fromisoformat(each) for each in (row.ends, row.notice_by) if each)
    return any(0 <= (day - first).days <= hours / _HOURS_OF_DAY for day in days)


def _row(view: View, version: DocumentVersion, profile: Profile | None, standing: str, today: str) -> AgreementRow:
    best, others = _best(view, version.document_id)
    pages = pages_in(view, version)
    told = ((best[each], *(others if each == "termination" else ())) for each in AGREEMENT_FIELDS if each in best)
    terms = tuple(_term(fact, extraction, pages) for field in told for fact, extraction in field)
    facts = {field: fact for field, (fact, _) in best.items()}
    begins, begins_basis = _begins(profile, facts)
    ends, basis = _ends(profile, facts, begins)
    fixed_until = ends if _goes_on(facts, ends, today) else ""
    ends, basis = ("", "") if fixed_until else (ends, basis)
    first, (ends, renewed) = ends, _renewed(ends, facts, today) if ends else ("", 0)
    notice_by = _notice_by(ends, facts)
    passed = bool(notice_by) and notice_by < today <= ends
    return AgreementRow(
        document=version.name,
        document_id=version.document_id,
        title=title_of(view, version),
        role_given=profile is not None and profile.role is not None and profile.role.is_given,
        standing=standing,
        parties=()
        if profile is None
        else tuple(f"{p.value} ({p.called})" if p.called else p.value for p in profile.parties),
        parties_given=profile is not None and profile.parties_given,
        dated=profile.date.value if profile is not None and profile.date is not None else "",
        begins=begins,
        begins_basis=begins_basis,
        ends=ends,
        ends_basis=basis,
        fixed_until=fixed_until,
        renewed=renewed,
        notice_by=notice_by,
        notice_passed=passed,
        renews_until=_renews_until(first, renewed, facts) if passed else "",
        terms=terms,
        silent=tuple(each for each in AGREEMENT_FIELDS if each not in best),
    )


def _best(view: View, document_id: str) -> tuple[dict[AgreementField, _Told], list[_Told]]:
    """(of each field the sentence that says it most directly, the first of several; leave of others than its to end it)."""
    found: dict[AgreementField, _Told] = {}
    ending: list[_Told] = []
    seen: set[tuple[int, int]] = set()
    for each in view.each_extraction_of(document_id, _STATING):
        place = (each.char_offset_start, each.char_offset_end)
        if place in seen:
            continue
        seen.add(place)
        for fact in agreement_facts(each.source_text, each.heading):
            known = found.get(fact.field)
            if fact.field == "termination" and fact.weight >= _LEAST_WEIGHT:
                ending.append((fact, each))
            if fact.weight >= _LEAST_WEIGHT and (known is None or fact.weight > known[0].weight):
                found[fact.field] = (fact, each)
    return found, _by_others(found["termination"][0], ending) if "termination" in found else []


def _by_others(best: AgreementFact, ending: Sequence[_Told]) -> list[_Told]:
    """Of leave to end it the most direct sentence for each further party; none beside leave of either party, or of nobody named."""
    known = {party_key(best.who)}
    found: dict[str, _Told] = {}
    for fact, extraction in ending if best.who and not _EACH.match(best.who) else ():
        who = party_key(fact.who)
        if who and who not in known and (who not in found or fact.weight > found[who][0].weight):
            found[who] = (fact, extraction)
    return list(found.values())


def _term(fact: AgreementFact, extraction: Extraction, pages: tuple[PageSpan, ...]) -> AgreementTerm:
    length = fact.length
    hours = 0.0 if length is None else length.hours
    in_months = length is not None and length.unit in ("month", "quarter", "year", "decade")
    return AgreementTerm(
        field=fact.field,
        value=fact.value,
        length="" if length is None else str(length),
        months=round(hours / _HOURS_OF_MONTH, 4) if in_months else None,
        days=round(hours / _HOURS_OF_DAY, 4) if length is not None and not in_months else None,
        times=fact.times,
        who=fact.who,
        since=fact.since,
        item_id=extraction.extraction_id,
        locator=extraction.locator,
        heading=extraction.heading,
        page=page_of(pages, extraction.char_offset_start) if pages else None,
        text=extraction.source_text,
        char_start=extraction.char_offset_start,
        char_end=extraction.char_offset_end,
        words=extraction.source_text[fact.start : fact.end].strip(),
    )


def _begins(profile: Profile | None, facts: dict[AgreementField, AgreementFact]) -> tuple[str, _BeginBasis]:
    """(from when the agreement binds, where that comes from): as stated, as the term or the head says, or its date."""
    given = profile.effective_from if profile is not None else None
    if given is not None and given.is_given:
        return given.value, "given"
    stated = facts["term"].starts if "term" in facts else ""
    dated = profile.date if profile is not None else None
    if stated or given is not None:
        return stated or (given.value if given is not None else ""), "stated"
    return (dated.value, "dated") if dated is not None else ("", "")


def _ends(profile: Profile | None, facts: dict[AgreementField, AgreementFact], begins: str) -> tuple[str, EndBasis]:
    """(last day of the first term, where it comes from); a length is counted only from the day on which the agreement begins."""
    known = profile.effective_to if profile is not None else None
    if known is not None and known.is_given:
        return known.value, "given"
    term = facts.get("term")
    if term is not None and _is_day(term.value) and term.value > begins:
        return term.value, "stated"
    if known is not None:
        return known.value, "stated"
    if term is not None and term.length is not None and _is_day(begins) and (not term.since or term.from_begin):
        return last_day(begins, term.length.value, term.length.unit), "computed"
    return "", ""


def _goes_on(facts: dict[AgreementField, AgreementFact], ends: str, today: str) -> bool:
    """Whether the last day of the first term is not the last one, and nothing tells which is."""
    renewal = facts.get("renewal")
    if not ends or renewal is None:
        return False
    return renewal.value == GOES_ON or (renewal.value == "automatic" and renewal.length is None and ends < today)


def _renewed(ends: str, facts: dict[AgreementField, AgreementFact], today: str) -> tuple[str, int]:
    """(the last day, how many renewals that counts): renewals that come about by themselves up to a day."""
    renewal = facts.get("renewal")
    if renewal is None or renewal.value != "automatic" or renewal.length is None:
        return ends, 0
    return renewed_until(ends, renewal.length.value, renewal.length.unit, today, renewal.times)


def _notice_by(ends: str, facts: dict[AgreementField, AgreementFact]) -> str:
    notice = facts.get("renewal_notice")
    if not ends or notice is None or notice.length is None:
        return ""
    return back(ends, notice.length.value, notice.length.unit)


def _renews_until(first: str, renewed: int, facts: dict[AgreementField, AgreementFact]) -> str:
    """The last day of the term that follows by itself; "" where none does.

    Args:
        first: the last day of the first term.
        renewed: how many further terms have begun.
        facts: what the agreement says.
    """
    renewal = facts.get("renewal")
    if renewal is None or renewal.value != "automatic" or renewal.length is None:
        return ""
    if renewal.times is not None and renewed >= renewal.times:
        return ""
    begins = (date.fromisoformat(first) + timedelta(days=1)).isoformat()
    return last_day(begins, renewal.length.value * (renewed + 1), renewal.length.unit)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
