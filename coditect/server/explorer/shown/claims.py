"""Claims, sections and quotes as the pages show them: with what they rest on, and where that stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from coditect.documents.layout import page_of
from coditect.knowledge.review.doubts import is_possible
from coditect.schemas import Citation, Claim, Section
from coditect.server.explorer.shown.wording import claim_kind, refusal
from coditect.server.explorer.visit import Visit
from coditect.tiers.claims.alike import document_of
from coditect.tiers.claims.models import told_of_models

__all__ = [
    "ClaimRow",
    "ShownQuote",
    "alike_rows",
    "claim_row",
    "claim_rows",
    "page_at",
    "quotes_of_claim",
    "quotes_of_section",
]

QUOTES_OF_ROW = 2
"""Quotes that a row of a list shows; the claim's own page has all."""


@dataclass(frozen=True, slots=True)
class ShownQuote:
    """Words of a document, and where they stand.

    Attributes:
        text: verbatim.
        document: name of the document.
        where: heading and page, in words; "" where there is neither.
        href: the words, highlighted in the document.
        section: topic of the section that quotes them; "" if none does.
        section_href: that section.
    """

    text: str
    document: str
    where: str
    href: str
    section: str = ""
    section_href: str = ""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim in a list.

    Attributes:
        claim_id: its id.
        text: its sentence.
        kind: what sort of finding it is, in words.
        severity: high, medium, low or information; "" in those of release 0.1.0.
        support: probability that its evidence supports it, 0..1; None without a verdict.
        confidence: how often its class of rules is right, 0..1; None where nobody counted.
        published: whether it is part of the summary.
        reason: why it was refused, or is only possible; "" if it is published.
        possible: whether rules alone find it, and do not publish it.
        decided: what a person decided of it, and who; "" if nobody did.
        models: who of the models proposed it, and who read it before it was published, in words.
        quotes: the first that it rests on.
        more: how many others there are.
        href: its page.
        alike: (name of the document, address) of the findings that say the same of another document, and are told with it.
        alike_href: the list of all of them, itself included; "" where it is told alone.
    """

    claim_id: str
    text: str
    kind: str
    severity: str
    support: float | None
    confidence: float | None
    published: bool
    reason: str
    possible: bool
    decided: str
    models: tuple[str, ...]
    quotes: tuple[ShownQuote, ...]
    more: int
    href: str
    alike: tuple[tuple[str, str], ...] = ()
    alike_href: str = ""


def claim_rows(visit: Visit, claims: Sequence[Claim]) -> tuple[ClaimRow, ...]:
    """Some claims as rows."""
    return tuple(claim_row(visit, each) for each in claims)


def alike_rows(visit: Visit, groups: Sequence[Sequence[Claim]]) -> tuple[ClaimRow, ...]:
    """Groups of claims that say the same as rows: the first of each, and of which documents the others say it."""
    return tuple(_told_once(visit, first, others) for first, *others in groups)


def _told_once(visit: Visit, first: Claim, others: Sequence[Claim]) -> ClaimRow:
    row = claim_row(visit, first)
    if not others:
        return row
    names = tuple((document_of(each), visit.links.item(each.claim_id)) for each in others)
    return replace(row, alike=names, alike_href=visit.links.to("claims", alike=first.claim_id))


def claim_row(visit: Visit, claim: Claim, most_quotes: int = QUOTES_OF_ROW) -> ClaimRow:
    """A claim as a row, with at most so many of its quotes."""
    view = visit.view
    verdict = view.verdicts.get(claim.claim_id)
    published = verdict is not None and verdict.published
    quotes = tuple(quotes_of_claim(visit, claim, most_quotes))
    decided = ""
    for opinion in () if verdict is None else verdict.opinions:
        if opinion.judge == "review":
            decided = f"{(opinion.decision or opinion.label).replace('_', ' ')} by {opinion.who}"
    return ClaimRow(
        claim_id=claim.claim_id,
        text=claim.text,
        kind=claim_kind(claim.claim_kind),
        severity=claim.severity or "",
        support=None if verdict is None else verdict.support_score,
        confidence=claim.confidence,
        published=published,
        reason="" if verdict is None or published else refusal(verdict),
        possible=is_possible(verdict),
        decided=decided,
        models=told_of_models(claim, verdict),
        quotes=quotes,
        more=max(0, len(claim.citations) - len(quotes)),
        href=visit.links.item(claim.claim_id),
    )


def quotes_of_claim(visit: Visit, claim: Claim, most: int | None = None) -> Iterator[ShownQuote]:
    """The quotes that a claim rests on, in its order; citations that lead to no quote are passed over."""
    for cited in claim.citations[:most]:
        section = visit.view.section_by_id.get(cited.section_id)
        if section is None or not 0 <= cited.part < len(section.content):
            continue
        part = section.content[cited.part]
        if part.citation is not None:
            yield _quote(visit, part.content, part.citation, section, claim.claim_id)


def quotes_of_section(visit: Visit, section: Section) -> Iterator[tuple[str, ShownQuote | None]]:
    """(text, quote) of each part of a section; None of a sentence that the program wrote."""
    for part in section.content:
        yield part.content, None if part.citation is None else _quote(visit, part.content, part.citation, None, "")


def _quote(visit: Visit, text: str, citation: Citation, section: Section | None, claim_id: str) -> ShownQuote:
    page = page_at(visit, citation.document_id, citation.char_start)
    return ShownQuote(
        text=text,
        document=citation.document_name,
        where="" if page is None else f"page {page}",
        href=visit.links.place(citation.version_id, citation.char_start, citation.char_end, claim=claim_id),
        section="" if section is None else section.topic,
        section_href="" if section is None else visit.links.item(section.section_id),
    )


def page_at(visit: Visit, document_id: str, offset: int) -> int | None:
    """The physical page of a code point; None where the document has no pages."""
    version = visit.view.documents.get(document_id)
    if version is None or not version.page_count:
        return None
    return page_of(visit.source(version)[0].pages, offset)
