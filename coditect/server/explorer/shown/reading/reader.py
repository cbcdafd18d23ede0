"""A page of a document: its text with highlights and marks, and beside it what was read there and what rests on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from coditect.documents.source import PageSpan
from coditect.errors import NotFound
from coditect.knowledge.report.standing import standing_of
from coditect.reports.wording import EXTRACTION_NAMES, readable_data
from coditect.schemas import Claim, DocumentVersion, Extraction
from coditect.server.explorer.shown.claims import ClaimRow, claim_row
from coditect.server.explorer.shown.reading.pieces import MarkedWords, Overlay
from coditect.server.explorer.shown.reading.structure import Element, blocks_of, structured, windows
from coditect.server.explorer.shown.statements import Resting, ShownStatement, resting_claims, statements_of
from coditect.server.explorer.shown.wording import kind_name, media_name, pages_word
from coditect.server.explorer.visit import Visit

__all__ = ["ALWAYS", "Chosen", "KindSwitch", "Reader", "ReaderRequest", "reader", "span_of"]

ALWAYS = ("definition", "cross_reference")
"""Kinds that are marked where a visitor does not choose."""

NONE = "none"
"""What a visitor chooses to have nothing marked."""

MOST_CLAIMS = 8
"""Claims beside a page, at most; the nearest to what is highlighted."""

_SPAN = re.compile(r"(\d{1,9})-(\d{1,9})")


@dataclass(frozen=True, slots=True)
class ReaderRequest:
    """What a visitor wants to see of a document.

    Attributes:
        span: (start, end) of the words to highlight; None for none.
        item_id: an extraction that is told beside the text; "" for none.
        claim_id: a claim that is told beside the text; "" for none.
        page: the page; 0: that of the highlight, else the first.
        marks: kinds of extractions to mark; () for the usual ones.
    """

    span: tuple[int, int] | None = None
    item_id: str = ""
    claim_id: str = ""
    page: int = 0
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KindSwitch:
    """Whether extractions of a kind are marked, and the address that changes that."""

    kind: str
    name: str
    count: int
    is_on: bool
    href: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """An extraction that is told beside the text.

    Attributes:
        item_id: its id.
        kind: what it is, in words.
        text: verbatim.
        where: heading and number, in words.
        data: (field, value) of what was read from it.
        confidence: of the extractor, 0..1.
        decided: what a person decided, and who; "" if nobody did.
        follow: where the references and terms inside it lead; the address of that page.
        href: its own page.
        decide: the page where a person decides of it.
    """

    item_id: str
    kind: str
    text: str
    where: str
    data: tuple[tuple[str, str], ...]
    confidence: float
    decided: str
    follow: str
    href: str
    decide: str


@dataclass(frozen=True, slots=True)
class Reader:
    """A page of a document.

    Attributes:
        version: of the document.
        media: its format, in words.
        size: its length, in words.
        standing: what its dates say on this day; "" where nothing.
        number: of the page, from 1.
        pages: how many there are.
        are_pages: whether they are the file's own pages.
        previous: address of the page before; "" on the first.
        next: address of the page behind; "" on the last.
        address: of the document, without parameters.
        kept: (parameter, value) of what stays asked for on another page.
        start: first code point of the page.
        end: one past its last.
        span: of the file's own page; None where the format has none.
        elements: the text.
        hits: (start, end) of what is highlighted, on this page or another.
        marks: what can be clicked on this page.
        kinds: switches.
        chosen: the extraction that was asked for.
        claim: the claim that was asked for.
        resting: other claims that rest on this page.
        more_resting: how many are not shown.
    """

    version: DocumentVersion
    media: str
    size: str
    standing: str
    number: int
    pages: int
    are_pages: bool
    previous: str
    next: str
    address: str
    kept: tuple[tuple[str, str], ...]
    start: int
    end: int
    span: PageSpan | None
    elements: tuple[Element, ...]
    hits: tuple[tuple[int, int], ...]
    marks: tuple[MarkedWords, ...]
    kinds: tuple[KindSwitch, ...]
    chosen: Chosen | None
    claim: ClaimRow | None
    resting: tuple[ClaimRow, ...]
    more_resting: int


def span_of(given: str) -> tuple[int, int] | None:
    """The span that an address names, "120-180"; None where it names none."""
    found = _SPAN.fullmatch(given)
    return (int(found[1]), int(found[2])) if found and int(found[1]) < int(found[2]) else None


def reader(visit: Visit, version: DocumentVersion, asked: ReaderRequest) -> Reader:
    """Make the page.

    Args:
        visit: who asks, and of what.
        version: of the document; of this generation.
        asked: what is wanted of it.
    Raises:
        NotFound: the item or claim that is to stand beside it is not of this generation.
    """
    source, sections = visit.source(version)
    statements = statements_of(visit, version.document_id)
    chosen = _extraction(visit, asked.item_id)
    claim = _claim(visit, asked.claim_id)
    hits = _hits(visit, version, asked, chosen, claim)
    blocks = visit.remember(("blocks", version.version_id), lambda: blocks_of(source, sections))
    pages = _pages(visit, version)
    number = asked.page or next((n for n, (_, end) in enumerate(pages, 1) if hits and hits[0][0] < end), 1)
    number = min(max(number, 1), len(pages))
    start, end = pages[number - 1]
    kinds = tuple(k for k in asked.marks if k in EXTRACTION_NAMES) if asked.marks else ALWAYS
    marks = tuple(_marks(visit, version, statements.between(start, end), kinds, start, end))
    resting = [r for r in resting_claims(visit).get(version.document_id, ()) if r.end > start and r.start < end]
    rows = _resting_rows(visit, resting, asked.claim_id, hits)
    here = urlsplit(_page_link(visit, version, asked, None))
    standing = visit.remember(("standing", visit.today), lambda: standing_of(visit.view, visit.today))
    return Reader(
        version=version,
        media=media_name(version.media_type),
        size=pages_word(version.page_count) or f"{version.text_length:,} characters",
        standing="; ".join(standing.get(version.document_id, ())),
        number=number,
        pages=len(pages),
        are_pages=bool(version.page_count),
        previous=_page_link(visit, version, asked, number - 1) if number > 1 else "",
        next=_page_link(visit, version, asked, number + 1) if number < len(pages) else "",
        address=here.path,
        kept=tuple(parse_qsl(here.query)),
        start=start,
        end=end,
        span=source.pages[number - 1] if version.page_count and source.pages else None,
        elements=structured(source.text, blocks, start, end, Overlay(hits, marks)),
        hits=tuple(hits),
        marks=marks,
        kinds=tuple(_switches(visit, version, asked, number, kinds, statements.counts)),
        chosen=None if chosen is None else _chosen(visit, chosen),
        claim=None if claim is None else claim_row(visit, claim, 12),
        resting=rows[:MOST_CLAIMS],
        more_resting=max(0, len(rows) - MOST_CLAIMS),
    )


def _pages(visit: Visit, version: DocumentVersion) -> Sequence[tuple[int, int]]:
    """Where pages begin and end: the file's own, which together hold the whole text, or windows."""
    source, sections = visit.source(version)
    if version.page_count and source.pages:
        edges = [page.start for page in source.pages]
        edges[0] = 0
        return list(zip(edges, [*edges[1:], len(source.text)], strict=True))
    return visit.remember(
        ("windows", version.version_id), lambda: windows(len(source.text), blocks_of(source, sections))
    )


def _extraction(visit: Visit, item_id: str) -> Extraction | None:
    if not item_id:
        return None
    found = visit.find(item_id)
    if not isinstance(found, Extraction):
        raise NotFound("this item stands at no one place of a document", item_id=item_id)
    return found


def _claim(visit: Visit, claim_id: str) -> Claim | None:
    if not claim_id:
        return None
    found = visit.find(claim_id)
    if not isinstance(found, Claim):
        raise NotFound("not a claim", item_id=claim_id)
    return found


def _hits(
    visit: Visit, version: DocumentVersion, asked: ReaderRequest, chosen: Extraction | None, claim: Claim | None
) -> list[tuple[int, int]]:
    """What is highlighted: the words that were asked for; else the extraction; else what the claim rests on here."""
    if asked.span is not None:
        return [(min(asked.span[0], version.text_length), min(asked.span[1], version.text_length))]
    if chosen is not None and chosen.document_id == version.document_id:
        return [(chosen.char_offset_start, chosen.char_offset_end)]
    if claim is not None:
        places = resting_claims(visit).get(version.document_id, ())
        return sorted({(r.start, r.end) for r in places if r.claim_id == claim.claim_id})
    return []


def _page_link(
    visit: Visit, version: DocumentVersion, asked: ReaderRequest, page: int | None, marks: Sequence[str] | None = None
) -> str:
    span = None if asked.span is None else f"{asked.span[0]}-{asked.span[1]}"
    chosen = asked.marks if marks is None else (tuple(marks) or (NONE,))
    return visit.links.document(
        version.version_id, span=span, item=asked.item_id, claim=asked.claim_id, marks=tuple(chosen), page=page
    )


def _marks(
    visit: Visit,
    version: DocumentVersion,
    statements: Sequence[ShownStatement],
    kinds: Sequence[str],
    start: int,
    end: int,
) -> Iterator[MarkedWords]:
    """What can be clicked on the page; a reference and a defined term lead to what they mean."""
    links = visit.links
    for each in statements:
        if each.kind in kinds:
            if each.kind == "cross_reference":
                href = links.item(each.item_id, "follow")
            else:
                href = links.document(version.version_id, item=each.item_id, marks=tuple(kinds), anchor="here")
            yield MarkedWords(each.start, each.end, each.kind, href, kind_name(each.kind))
        if "definition" in kinds:
            for left, right in each.terms:
                if right > start and left < end:
                    href = links.item(each.item_id, "follow", term=f"{left}-{right}")
                    yield MarkedWords(left, right, "term", href, "Defined term")


def _switches(
    visit: Visit,
    version: DocumentVersion,
    asked: ReaderRequest,
    page: int,
    on: Sequence[str],
    counts: Mapping[str, int],
) -> Iterator[KindSwitch]:
    for kind, (_, many) in EXTRACTION_NAMES.items():
        if counts.get(kind):
            after = [k for k in on if k != kind] if kind in on else [*on, kind]
            href = _page_link(visit, version, asked, page, after)
            yield KindSwitch(kind, many.capitalize(), counts[kind], kind in on, href)


def _resting_rows(
    visit: Visit, resting: Sequence[Resting], shown: str, hits: Sequence[tuple[int, int]]
) -> tuple[ClaimRow, ...]:
    """Claims that rest on the page, those on what is highlighted first; the one that is shown already is left out."""
    middle = hits[0][0] if hits else 0
    near = sorted(resting, key=lambda r: (not any(r.start < b and a < r.end for a, b in hits), abs(r.start - middle)))
    ids = [each for each in dict.fromkeys(r.claim_id for r in near) if each != shown]
    return tuple(claim_row(visit, visit.view.claims[each], 0) for each in ids)


def _chosen(visit: Visit, item: Extraction) -> Chosen:
    decided = item.decided
    links = visit.links
    return Chosen(
        item_id=item.extraction_id,
        kind=kind_name(item.extraction_kind),
        text=item.source_text,
        where=" · ".join(filter(None, dict.fromkeys((item.heading, item.locator)))),
        data=tuple(readable_data(item.tier1_data.fields())),
        confidence=item.confidence,
        decided="" if decided is None else f"{decided.decision.replace('_', ' ')} by {decided.by}",
        follow=links.item(item.extraction_id, "follow", list=True),
        href=links.item(item.extraction_id),
        decide=links.to("review", item=item.extraction_id),
    )
