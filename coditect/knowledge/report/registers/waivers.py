"""The register of exceptions: who is excused from what, by whom, since when and until when, each with the sentence that says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from coditect.documents.layout import page_of
from coditect.documents.profile.waivers.asking import as_asked
from coditect.documents.profile.waivers.facts import WaiverFact
from coditect.documents.profile.waivers.rows import RegisterLine, read_rows
from coditect.documents.profile.waivers.sentence import waiver_fact
from coditect.documents.profile.waivers.times import day_of
from coditect.documents.source import PageSpan
from coditect.knowledge.query.filters import matching_documents
from coditect.knowledge.report.registers.calendar_days import last_day
from coditect.knowledge.report.registers.said import SaidSentence, pages_in, said_in, title_of
from coditect.knowledge.report.registers.waiver_targets import WaiverTargets
from coditect.language.quantities.dates import find_dates
from coditect.schemas import (
    DocumentVersion,
    Extraction,
    WaiverEndBasis,
    WaiverRow,
    WaiverStatus,
    WaiverTarget,
)
from coditect.store.view import View

__all__ = ["SOON_DAYS", "waiver_rows", "waivers_ending_within"]

SOON_DAYS = 90
"""Days before its last day from which on an exception is said to end soon."""

_BAR = " | "
_HOURS_OF_DAY = 24.0


def waiver_rows(
    view: View,
    today: str,
    *,
    documents: Sequence[str] = (),
    statuses: Sequence[WaiverStatus] = (),
    rules: bool = False,
    soon_days: float = SOON_DAYS,
) -> Iterator[WaiverRow]:
    """The exceptions of a generation in the order of the names of documents and of their texts, one document read at a time.

    Args:
        view: the generation.
        today: the day on which they are looked at, ISO 8601.
        documents: names, or patterns of names with ``*``; none: every document.
        statuses: only what stands so on that day; none: whatever its status.
        rules: whether rules about exceptions are listed, too: how long they hold, who grants them.
        soon_days: days before its last day from which on one ends soon.

    Raises:
        NotFound: no document is called so; the hint names some that there are.
    """
    wanted = matching_documents(view, documents) if documents else frozenset(view.documents)
    targets = WaiverTargets(view)
    for version in sorted((view.documents[each] for each in wanted), key=lambda each: (each.name, each.document_id)):
        profile = view.profiles.get(version.document_id)
        title, role = title_of(view, version), "" if profile is None else profile.told("role")
        text = view.text_of(version)
        said, references = said_in(view, version.document_id, text)
        found = [each for each in _found(said, text, version.name, title) if rules or each[0].decision != "rule"]
        pages = pages_in(view, version) if found else ()
        dated = (profile.date.value if profile is not None and profile.date is not None else "") or _day_in(
            title, version.name
        )
        for fact, first, last in found:
            known = _targets(fact, text, (first.start, last.end), references, targets, version.document_id)
            told = _Told(version, title, role, dated, text, pages, today, soon_days)
            row = _row(fact, first, last, known, told)
            if not statuses or row.status in statuses:
                yield row


def waivers_ending_within(row: WaiverRow, hours: float) -> bool:
    """Whether an exception ends between the day that was asked and so many hours behind it.

    Args:
        row: the exception.
        hours: a length of time, as :func:`coditect.knowledge.report.registers.selection.hours_of` gives it.
    """
    return row.days_left is not None and 0 <= row.days_left <= hours / _HOURS_OF_DAY


def _found(
    said: Sequence[SaidSentence], text: str, name: str, title: str
) -> Iterator[tuple[WaiverFact, SaidSentence, SaidSentence]]:
    """What rows, forms and sentences say, in the order of the text."""
    called = " ".join((name.replace("-", " ").replace("_", " ").replace(".", " "), title))
    lines = [
        RegisterLine(text[each.start : each.end], f"{called} {each.item.heading}", n) for n, each in enumerate(said)
    ]
    rows: dict[int, tuple[WaiverFact, int]] = {}
    taken: set[int] = set()
    for fact, first, last in read_rows(lines):
        rows[first.key] = fact, last.key
        taken.update(range(first.key, last.key + 1))
    for number, (each, line) in enumerate(zip(said, lines, strict=True)):
        if number in rows:
            fact, behind = rows[number]
            yield fact, each, said[behind]
        elif number not in taken and _BAR not in line.text:
            fact_of = waiver_fact(line.text)
            if fact_of is not None:
                near = said[max(0, number - 1) : number + 2]
                yield as_asked(fact_of, [text[one.start : one.end] for one in near]), each, each


@dataclass(frozen=True, slots=True)
class _Told:
    """The document that tells of exceptions, and the day on which they are looked at."""

    version: DocumentVersion
    title: str
    role: str
    dated: str
    text: str
    pages: tuple[PageSpan, ...]
    today: str
    soon_days: float


def _row(
    fact: WaiverFact, first: SaidSentence, last: SaidSentence, known: tuple[tuple[WaiverTarget, ...], str], of: _Told
) -> WaiverRow:
    ends, basis = _ends(fact, _day_in(first.item.heading) or of.dated)
    left = (date.fromisoformat(ends) - date.fromisoformat(of.today)).days if ends else None
    sentence = of.text[first.start : last.end]
    return WaiverRow(
        kind=fact.kind,
        decision=fact.decision,
        status=_status(fact, left, of.today, of.soon_days),
        reference=fact.reference,
        holder=fact.holder,
        provision=fact.provision,
        targets=known[0],
        unresolved=known[1],
        granted_by=fact.by,
        granted_on=fact.granted,
        begins=fact.begins,
        ends=ends,
        ends_basis=basis,
        length="" if fact.length is None else str(fact.length),
        days_left=left,
        condition=fact.condition,
        document=of.version.name,
        document_id=of.version.document_id,
        title=of.title,
        role=of.role,
        item_id=first.item.extraction_id,
        locator=first.item.locator,
        heading=first.item.heading,
        page=page_of(of.pages, first.start) if of.pages else None,
        text=sentence,
        char_start=first.start,
        char_end=last.end,
        words=sentence if first is not last else sentence[fact.start : fact.end].strip(),
    )


def _targets(
    fact: WaiverFact,
    text: str,
    span: tuple[int, int],
    references: Sequence[Extraction],
    targets: WaiverTargets,
    document_id: str,
) -> tuple[tuple[WaiverTarget, ...], str]:
    """The provision in the corpus: by the references inside its words, where these are printed as they were read."""
    if not fact.provision or fact.decision == "rule":
        return (), ""
    at = text.find(fact.provision, *span)
    first, last = (at, at + len(fact.provision)) if at >= 0 else span
    inside = [each for each in references if first <= each.char_offset_start and each.char_offset_end <= last]
    return targets.find(fact.provision, inside, document_id)


def _day_in(*names: str) -> str:
    """The day that a heading, a title or a file's name has, ISO 8601: minutes are called by the day of their meeting."""
    found = (
        day_of(str(mark.data.get("iso") or ""), last=False) for each in names for mark in find_dates(each, 0, len(each))
    )
    return next((day for day in found if day), "")


def _ends(fact: WaiverFact, dated: str) -> tuple[str, WaiverEndBasis]:
    """(the last day, where it comes from): a length is counted from the day on which it begins, was granted, or was minuted."""
    if fact.until:
        return fact.until, "stated"
    since = fact.begins or fact.granted or dated
    if fact.decision == "rule" or fact.length is None or len(since) != len("2026-01-31"):
        return "", ""
    return last_day(since, fact.length.value, fact.length.unit), "computed"


def _status(fact: WaiverFact, left: int | None, today: str, soon_days: float) -> WaiverStatus:
    if fact.decision != "granted":
        return fact.decision
    if left is not None and left < 0:
        return "expired"
    if (fact.begins or fact.granted) > today:
        return "not yet in force"
    if left is not None:
        return "ends soon" if left <= soon_days else "in force"
    return "open-ended" if fact.is_open else "no end found"
