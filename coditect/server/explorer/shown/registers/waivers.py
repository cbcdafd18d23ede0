"""Exceptions: who is excused from what, by whom, until when, with the sentence that says it and the one that it is from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import get_args

from coditect.knowledge.report.registers.waivers import waiver_rows
from coditect.reports.registers.waivers import days_of_waiver, provision_of
from coditect.schemas import WaiverRow, WaiverStatus
from coditect.server.explorer.paging import ListPage, streamed
from coditect.server.explorer.visit import Visit

__all__ = ["ShownTarget", "ShownWaiver", "WaiverList", "waiver_list"]

PAGE_WAIVERS = 25
"""Exceptions of a page."""

_LATE = frozenset(("expired", "ends soon", "no end found"))


@dataclass(frozen=True, slots=True)
class ShownTarget:
    """A sentence that somebody is excused from: its words or the document's name, and where they are."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class ShownWaiver:
    """One exception.

    Attributes:
        status: how it stands today.
        late: whether somebody has to look at it.
        kind: what it is called.
        named: the register's number and who is excused.
        provision: from what, as printed.
        place: where that stands in the corpus, or why it was not found.
        targets: its sentences.
        days: when it was granted, begins and ends.
        by: who granted it.
        is_unsigned: whether it is told as granted and nobody is named who did so.
        condition: what it is subject to.
        text: the sentence or row, verbatim.
        where: document, number or heading, and page.
        href: the words in the document.
        item_href: the page of the statement.
    """

    status: str
    late: bool
    kind: str
    named: str
    provision: str
    place: str
    targets: tuple[ShownTarget, ...]
    days: str
    by: str
    is_unsigned: bool
    condition: str
    text: str
    where: str
    href: str
    item_href: str


@dataclass(frozen=True, slots=True)
class WaiverList:
    """A page of exceptions, what was asked for ("" for all), and what can be asked for."""

    page: ListPage[ShownWaiver]
    document: str
    status: str
    statuses: tuple[str, ...]


def waiver_list(visit: Visit, document: str, status: str, cursor: str) -> WaiverList:
    """A page of the exceptions, read only as far as it is shown.

    Args:
        visit: who asks, and of what.
        document: a name, or a pattern of names; "" for all.
        status: how they stand today; what is no status is all.
        cursor: how many exceptions to pass over; what is no number passes over none.

    Raises:
        NotFound: no document is called so.
    """
    known: tuple[WaiverStatus, ...] = get_args(WaiverStatus)
    wanted = tuple(each for each in known if each == status)
    passed = int(cursor) if cursor.isascii() and cursor.isdigit() and len(cursor) < 10 else 0
    rows = waiver_rows(
        visit.view, visit.today, documents=(document,) if document else (), statuses=wanted, rules="rule" in wanted
    )

    def counted() -> Iterator[tuple[str, ShownWaiver]]:
        for count, row in enumerate(islice(rows, passed, None), passed + 1):
            yield str(count), _shown(visit, row)

    def link(behind: str) -> str:
        return visit.links.to("obligations", "waivers", document=document, status=status, after=behind)

    previous = link("") if passed else ""
    visit.note("register")
    page = streamed(counted(), link, first=passed + 1, previous=previous, size=PAGE_WAIVERS)
    return WaiverList(page, document, wanted[0] if wanted else "", known)


def _shown(visit: Visit, row: WaiverRow) -> ShownWaiver:
    links = visit.links
    version = visit.view.documents[row.document_id].version_id
    page = "" if row.page is None else f"page {row.page}"
    return ShownWaiver(
        status=row.status,
        late=row.status in _LATE,
        kind=row.kind,
        named=" ".join(filter(None, (row.reference, row.holder))),
        provision=row.provision,
        place=provision_of(row),
        targets=tuple(
            ShownTarget(
                each.text or each.document,
                links.place(
                    visit.view.documents[each.document_id].version_id, each.char_start, each.char_end, item=each.item_id
                )
                if each.item_id
                else links.document(visit.view.documents[each.document_id].version_id),
            )
            for each in row.targets
        ),
        days=days_of_waiver(row),
        by=row.granted_by,
        is_unsigned=row.decision == "granted" and not row.granted_by,
        condition=row.condition,
        text=row.text,
        where=" · ".join(filter(None, (row.document, row.locator or row.heading, page))),
        href=links.place(version, row.char_start, row.char_end, item=row.item_id),
        item_href=links.item(row.item_id),
    )
