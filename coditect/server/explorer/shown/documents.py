"""The list of documents, and the list of sections."""

from __future__ import annotations

from dataclasses import dataclass

from coditect.knowledge.report.standing import standing_of
from coditect.schemas import DocumentVersion, Section
from coditect.server.explorer.paging import ListPage, page_of
from coditect.server.explorer.shown.statements import resting_claims
from coditect.server.explorer.shown.wording import kind_name, media_name, pages_word
from coditect.server.explorer.visit import Visit

__all__ = ["DocumentList", "DocumentRow", "SectionRow", "document_list", "section_list"]


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in the list.

    Attributes:
        name: in the corpus.
        title: its own; "" if it has none.
        role: law, policy, contract, …; "" where nobody knows.
        media: its format, in words.
        size: pages, or characters.
        standing: what its dates say on this day.
        findings: published claims that cite it.
        href: its first page.
    """

    name: str
    title: str
    role: str
    media: str
    size: str
    standing: str
    findings: int
    href: str


@dataclass(frozen=True, slots=True)
class DocumentList:
    """A page of the documents.

    Attributes:
        page: the rows.
        words: that names or titles hold; "" for all.
        role: the same of roles.
        show: "uncited" for those that no finding cites; "" for all.
        roles: that there are.
    """

    page: ListPage[DocumentRow]
    words: str
    role: str
    show: str
    roles: tuple[str, ...]


def document_list(visit: Visit, number: int, *, words: str, role: str, show: str) -> DocumentList:
    """A page of the documents of the generation, by name."""
    view = visit.view
    ordered = visit.remember(
        "documents", lambda: sorted(view.documents.values(), key=lambda v: (v.name, v.document_id))
    )
    roles = visit.remember("roles", lambda: {d: _role(visit, d) for d in view.documents})
    cited = resting_claims(visit)
    wanted = [
        version
        for version in ordered
        if (not words or words.casefold() in f"{version.name}\n{version.title}".casefold())
        and role in ("", roles[version.document_id])
        and (show != "uncited" or version.document_id not in cited)
    ]

    def link(page: int) -> str:
        return visit.links.to("documents", q=words, role=role, show=show, page=page)

    shown = page_of(wanted, number, link)
    standing = visit.remember(("standing", visit.today), lambda: standing_of(view, visit.today))
    rows = tuple(
        _row(visit, version, roles[version.document_id], "; ".join(standing.get(version.document_id, ())))
        for version in shown.rows
    )
    return DocumentList(
        ListPage(rows, shown.number, shown.first, shown.total, shown.previous, shown.next),
        words,
        role,
        show,
        tuple(sorted({each for each in roles.values() if each})),
    )


def _role(visit: Visit, document_id: str) -> str:
    profile = visit.view.profiles.get(document_id)
    return profile.role.value if profile is not None and profile.role is not None else ""


def _row(visit: Visit, version: DocumentVersion, role: str, standing: str) -> DocumentRow:
    return DocumentRow(
        name=version.name,
        title=version.title,
        role=role,
        media=media_name(version.media_type),
        size=pages_word(version.page_count) or f"{version.text_length:,} characters",
        standing=standing,
        findings=len({r.claim_id for r in resting_claims(visit).get(version.document_id, ())}),
        href=visit.links.document(version.version_id),
    )


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A section in the list.

    Attributes:
        topic: what it is about.
        kind: what sort of section it is.
        documents: that speak to it.
        quotes: that it holds.
        href: its page.
    """

    topic: str
    kind: str
    documents: int
    quotes: int
    href: str


def section_list(visit: Visit, number: int) -> ListPage[SectionRow]:
    """A page of the sections, in the order of the report."""
    shown = page_of(visit.view.sections, number, lambda page: visit.links.to("sections", page=page))
    rows = tuple(_section(visit, each) for each in shown.rows)
    return ListPage(rows, shown.number, shown.first, shown.total, shown.previous, shown.next)


def _section(visit: Visit, section: Section) -> SectionRow:
    return SectionRow(
        topic=section.topic,
        kind=kind_name(section.section_kind),
        documents=section.document_count,
        quotes=sum(part.citation is not None for part in section.content),
        href=visit.links.item(section.section_id),
    )
