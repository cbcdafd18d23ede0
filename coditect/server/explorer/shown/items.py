"""The page of one item: what it says, what it was made of down to the characters, what rests on it, and what was decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.errors import UsageError
from coditect.reports.claims import check_meaning
from coditect.reports.figures import Figure, figure_of
from coditect.reports.wording import readable_data
from coditect.schemas import Chunk, Claim, Extraction, Item, Passage, Reference, Section, Source
from coditect.server.explorer.paging import ListPage, page_of
from coditect.server.explorer.shown.claims import (
    ClaimRow,
    ShownQuote,
    claim_row,
    page_at,
    quotes_of_claim,
    quotes_of_section,
)
from coditect.server.explorer.shown.statements import resting_claims
from coditect.server.explorer.shown.wording import DECISION_NAMES, kind_name
from coditect.server.explorer.visit import Visit

__all__ = ["Check", "Followed", "ItemPage", "SaidOfClaim", "follow", "item_page", "place_href"]

MOST_SOURCES = 50
"""Items of the tier below that a page shows."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check of a verdict: what it looked for, whether it passed, and what it found."""

    meaning: str
    passed: bool
    detail: str
    weight: float


@dataclass(frozen=True, slots=True)
class SaidOfClaim:
    """What somebody says of a claim: a model, or a person.

    Attributes:
        who: a name.
        said: the decision or label, in words.
        reason: in their own words.
        at: when; "" where nobody wrote it down.
        is_person: whether it is a review.
    """

    who: str
    said: str
    reason: str
    at: str
    is_person: bool


@dataclass(frozen=True, slots=True)
class ItemPage:
    """The page; fields that do not fit the kind of the item are empty.

    Attributes:
        item_id: its id.
        tier: its tier, in words.
        kind: what it is, in words.
        text: what it says; of a section nothing, whose parts stand for it.
        place: the words in their document; "" above Tier 2.
        where: document, heading, page.
        claim: of a claim, its row.
        figure: of a claim, how it was counted.
        checks: of a claim's verdict.
        checker: who checked.
        said: what others say of it.
        parts: of a section, its text with the quotes; the quote is None for what the program wrote.
        quotes: of a claim, a page of what it rests on.
        data: of an extraction, what was read.
        entities: of an extraction, whom and what it names.
        below: items one tier below, with their places.
        more_below: how many are not shown.
        resting: claims that rest on it.
        proof: the page that proves it.
        decide: the page where a person decides of it; "" where nobody can.
        follow: where its references lead; "" where it can have none.
    """

    item_id: str
    tier: str
    kind: str
    text: str = ""
    place: str = ""
    where: str = ""
    claim: ClaimRow | None = None
    figure: Figure | None = None
    checks: tuple[Check, ...] = ()
    checker: str = ""
    said: tuple[SaidOfClaim, ...] = ()
    parts: tuple[tuple[str, ShownQuote | None], ...] = ()
    quotes: ListPage[ShownQuote] | None = None
    data: tuple[tuple[str, str], ...] = ()
    entities: tuple[str, ...] = ()
    below: tuple[tuple[str, str, str], ...] = ()
    more_below: int = 0
    resting: tuple[ClaimRow, ...] = ()
    proof: str = ""
    decide: str = ""
    follow: str = ""


_TIERS = {
    "claim": "Tier 4, finding",
    "section": "Tier 3, section",
    "chunk": "Tier 2, summary",
    "extraction": "Tier 1, statement",
    "passage": "Passage",
    "summary": "Tier 4, the summary",
}


def item_page(visit: Visit, item: Item, page: int = 1) -> ItemPage:
    """Make the page.

    Args:
        visit: who asks, and of what.
        item: of this generation.
        page: of a claim's quotes.
    Raises:
        UsageError: the item has no page of its own.
    """
    match item:
        case Claim():
            return _claim(visit, item, page)
        case Section():
            return _section(visit, item)
        case Extraction():
            return _extraction(visit, item)
        case Chunk() | Passage():
            return _stretch(visit, item)
    raise UsageError(
        "this item has no page of its own", item_id=item.item_id, hint="Documents have: open its document."
    )


def _claim(visit: Visit, claim: Claim, page: int) -> ItemPage:
    links = visit.links
    row = claim_row(visit, claim, 0)
    verdict = visit.view.verdicts.get(claim.claim_id)
    quotes = list(quotes_of_claim(visit, claim))
    return ItemPage(
        item_id=claim.claim_id,
        tier=_TIERS["claim"],
        kind=row.kind,
        text=claim.text,
        claim=row,
        figure=figure_of(claim.recipe),
        checks=()
        if verdict is None
        else tuple(Check(check_meaning(s.name), s.passed, s.detail, s.weight) for s in verdict.signals),
        checker="" if verdict is None else verdict.checker,
        said=()
        if verdict is None
        else tuple(
            SaidOfClaim(
                each.who,
                DECISION_NAMES.get(each.decision or each.label, each.label).replace("_", " "),
                each.reason,
                each.at,
                each.judge == "review",
            )
            for each in verdict.opinions
        ),
        quotes=page_of(quotes, page, lambda number: links.item(claim.claim_id, page=number)),
        proof=links.item(claim.claim_id, "proof"),
        decide=links.to("review", item=claim.claim_id),
    )


def _section(visit: Visit, section: Section) -> ItemPage:
    below = visit.remember(("below", section.section_id), lambda: visit.opened.sources.below(section))
    resting = [
        claim
        for claim in map(visit.view.claims.__getitem__, visit.view.summary.claims)
        if any(cited.section_id == section.section_id for cited in claim.citations)
    ]
    return ItemPage(
        item_id=section.section_id,
        tier=_TIERS["section"],
        kind=kind_name(section.section_kind),
        text=section.topic,
        parts=tuple(quotes_of_section(visit, section)),
        below=tuple(_below(visit, below[:MOST_SOURCES])),
        more_below=max(0, len(below) - MOST_SOURCES),
        resting=tuple(claim_row(visit, each, 0) for each in resting[:MOST_SOURCES]),
        proof=visit.links.item(section.section_id, "proof"),
    )


def _extraction(visit: Visit, item: Extraction) -> ItemPage:
    links, source = visit.links, visit.opened.sources.extraction(item)
    return ItemPage(
        item_id=item.extraction_id,
        tier=_TIERS["extraction"],
        kind=kind_name(item.extraction_kind),
        text=item.source_text,
        place=place_href(visit, source),
        where=_where(visit, item, item.heading, item.locator),
        data=tuple(readable_data(item.tier1_data.fields())),
        entities=tuple(dict.fromkeys(entity.text for entity in item.entities)),
        said=()
        if item.decided is None
        else (
            SaidOfClaim(
                item.decided.by,
                DECISION_NAMES.get(item.decided.decision, item.decided.decision),
                item.decided.meaning,
                item.decided.at,
                is_person=True,
            ),
        ),
        resting=_resting(visit, item),
        proof=links.item(item.extraction_id, "proof"),
        decide=links.to("review", item=item.extraction_id),
        follow=links.item(item.extraction_id, "follow", list=True),
    )


def _stretch(visit: Visit, item: Chunk | Passage) -> ItemPage:
    sources = visit.opened.sources
    source = sources.chunk(item, deep=False) if isinstance(item, Chunk) else sources.passage(item)
    below = sources.below(item)
    return ItemPage(
        item_id=item.item_id,
        tier=_TIERS["chunk" if isinstance(item, Chunk) else "passage"],
        kind=kind_name(source.kind),
        text=source.text,
        place=place_href(visit, source),
        where=_where(visit, item, item.heading, ""),
        below=tuple(_below(visit, below[:MOST_SOURCES])),
        more_below=max(0, len(below) - MOST_SOURCES),
        resting=_resting(visit, item),
        proof=visit.links.item(item.item_id, "proof"),
        follow=visit.links.item(item.item_id, "follow", list=True),
    )


def _where(visit: Visit, item: Extraction | Chunk | Passage, heading: str, locator: str) -> str:
    page = page_at(visit, item.document_id, item.char_offset_start)
    name = visit.view.document(item.document_id).name
    number = locator if locator and locator not in heading else ""
    return " · ".join(filter(None, (name, heading, number, "" if page is None else f"page {page}")))


def _below(visit: Visit, sources: Sequence[Source]) -> Iterator[tuple[str, str, str]]:
    """(what it is, its words, its page) of items one tier below."""
    for each in sources:
        name = " · ".join(filter(None, (kind_name(each.kind), each.document_name, each.heading)))
        yield name, each.text, visit.links.item(each.item_id)


def _resting(visit: Visit, item: Extraction | Chunk | Passage) -> tuple[ClaimRow, ...]:
    """Published claims that quote words of the item."""
    start, end = item.char_offset_start, item.char_offset_end
    places = resting_claims(visit).get(item.document_id, ())
    ids = dict.fromkeys(r.claim_id for r in places if r.start < end and r.end > start)
    return tuple(claim_row(visit, visit.view.claims[each], 0) for each in list(ids)[:MOST_SOURCES])


def place_href(visit: Visit, source: Source) -> str:
    """The words of a node of a chain, highlighted in their document; "" where it stands in none."""
    start, end = source.char_offset_start, source.char_offset_end
    if not source.version_id or start is None or end is None:
        return ""
    if source.kind == "document":
        return visit.links.document(source.version_id)
    chosen = source.item_id if source.item_id.startswith("extraction_") else ""
    return visit.links.place(source.version_id, start, end, item=chosen)


@dataclass(frozen=True, slots=True)
class Followed:
    """Where a reference or a term leads.

    Attributes:
        text: as printed.
        kind: "Reference" or "Definition".
        reason: how it was resolved, or why not.
        target: what stands there; "" if it leads nowhere.
        where: document and heading.
        href: the words in their document; "" if it leads nowhere.
    """

    text: str
    kind: str
    reason: str
    target: str
    where: str
    href: str


def follow(visit: Visit, item: Item, term: tuple[int, int] | None = None) -> tuple[Followed, ...]:
    """Where the references and defined terms of an item lead.

    Args:
        visit: who asks, and of what.
        item: an extraction, chunk or passage.
        term: only the defined term of an extraction that stands there; None: everything.
    """
    found = visit.opened.links.follow(item)
    if term is not None and isinstance(item, Extraction):
        names = {e.text for e in item.entities if (e.char_offset_start, e.char_offset_end) == term}
        found = tuple(each for each in found if each.kind == "definition" and each.text in names)
    elif term is None and isinstance(item, Extraction) and item.extraction_kind == "cross_reference":
        found = tuple(each for each in found if each.kind == "cross_reference")
    return tuple(_followed(visit, each) for each in found)


def _followed(visit: Visit, reference: Reference) -> Followed:
    target = reference.target
    return Followed(
        text=reference.text,
        kind="Reference" if reference.kind == "cross_reference" else "Definition",
        reason=reference.reason,
        target="" if target is None else target.text,
        where="" if target is None else " · ".join(filter(None, (target.document_name, target.heading))),
        href="" if target is None else place_href(visit, target),
    )
