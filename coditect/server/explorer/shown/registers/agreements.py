"""Agreements: what each contract says of its own term, renewal, end and law, with the sentence that says it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coditect.knowledge.report.registers.agreements import agreement_rows
from coditect.reports.registers.agreements import FIELD_NAMES, days_of, said_of
from coditect.schemas import AgreementRow
from coditect.server.explorer.paging import ListPage, streamed
from coditect.server.explorer.visit import Visit

__all__ = ["AgreementCard", "AgreementList", "ShownTerm", "agreement_list"]

PAGE_AGREEMENTS = 10
"""Agreements of a page: each is read when it is shown."""


@dataclass(frozen=True, slots=True)
class ShownTerm:
    """One thing that an agreement says.

    Attributes:
        field: what it is on, in words.
        said: what it says of it.
        text: the sentence, verbatim.
        place: number or heading, and page.
        href: the words in the document.
        item_href: the page of the statement.
    """

    field: str
    said: str
    text: str
    place: str
    href: str
    item_href: str


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A document by its name, with its address."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class AgreementCard:
    """One agreement.

    Attributes:
        title: of the document, or its name.
        document: its name.
        href: the document.
        parties: whom it binds.
        days: when it begins and ends, and by when notice is due.
        standing: what the dates of the document say today.
        amended_by: the documents that amend it.
        amends: the one that it amends; none where it amends nothing.
        terms: what it says of itself.
        silent: what no sentence was found on, in words.
    """

    title: str
    document: str
    href: str
    parties: tuple[str, ...]
    days: str
    standing: str
    amended_by: tuple[NamedDocument, ...]
    amends: tuple[NamedDocument, ...]
    terms: tuple[ShownTerm, ...]
    silent: str


@dataclass(frozen=True, slots=True)
class AgreementList:
    """A page of agreements, and which documents were asked for ("" for all contracts)."""

    page: ListPage[AgreementCard]
    document: str


def agreement_list(visit: Visit, document: str, cursor: str) -> AgreementList:
    """A page of the agreements, read only as far as it is shown.

    Args:
        visit: who asks, and of what.
        document: a name, or a pattern of names, whatever the documents' role; "" for all contracts.
        cursor: how many agreements to pass over; what is no number passes over none.

    Raises:
        NotFound: no document is called so.
    """
    passed = int(cursor) if cursor.isascii() and cursor.isdigit() and len(cursor) < 10 else 0
    rows = agreement_rows(visit.view, visit.today, documents=(document,) if document else (), passed=passed)

    def counted() -> Iterator[tuple[str, AgreementCard]]:
        for count, row in enumerate(rows, passed + 1):
            yield str(count), _card(visit, row)

    def link(behind: str) -> str:
        return visit.links.to("obligations", "agreements", document=document, after=behind)

    previous = link("") if passed else ""
    visit.note("register")
    return AgreementList(streamed(counted(), link, first=passed + 1, previous=previous, size=PAGE_AGREEMENTS), document)


def _named(visit: Visit, name: str) -> NamedDocument:
    version = next((each.version_id for each in visit.view.documents.values() if each.name == name), "")
    return NamedDocument(name, visit.links.document(version))


def _card(visit: Visit, row: AgreementRow) -> AgreementCard:
    version = visit.view.documents[row.document_id].version_id
    links = visit.links
    return AgreementCard(
        title=row.title or row.document,
        document=row.document,
        href=links.document(version),
        parties=row.parties,
        days=days_of(row),
        standing=row.standing,
        amended_by=tuple(_named(visit, each) for each in row.amended_by),
        amends=(_named(visit, row.amends),) if row.amends else (),
        terms=tuple(
            ShownTerm(
                field=FIELD_NAMES[term.field],
                said=said_of(term),
                text=term.text,
                place=" · ".join(
                    filter(None, (term.locator or term.heading, "" if term.page is None else f"page {term.page}"))
                ),
                href=links.place(version, term.char_start, term.char_end, item=term.item_id),
                item_href=links.item(term.item_id),
            )
            for term in row.terms
        ),
        silent=", ".join(FIELD_NAMES[each] for each in row.silent),
    )
