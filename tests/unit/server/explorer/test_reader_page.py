"""A page of a document: which page it is, what is highlighted and marked on it, and what stands beside it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.documents.source import PageSpan, SourceText
from coditect.errors import NotFound
from coditect.schemas import Claim, DocumentVersion, Extraction, ItemDecision
from coditect.server.explorer.shown.reading import reader as module
from coditect.server.explorer.shown.reading.reader import Reader, ReaderRequest, reader, span_of
from coditect.server.explorer.shown.statements import Resting
from coditect.server.explorer.visit import Visit
from tests.unit.server.explorer.visits import partly, view_of, visit_of

TEXT = "0123456789" * 3
PAGES = (PageSpan(1, 0, 10), PageSpan(2, 10, 20), PageSpan(3, 20, 30))


def extraction(name: str, start: int, end: int, kind: str = "obligation", terms: Any = (), **fields: Any) -> Extraction:  # noqa: ANN401 - record
    """A statement of the document."""
    entities = [SimpleNamespace(kind="defined_term", char_offset_start=a, char_offset_end=b) for a, b in terms]
    given = {"extraction_id": name, "document_id": "d", "char_offset_start": start, "char_offset_end": end, "extraction_kind": kind,
             "entities": entities, "source_text": TEXT[start:end], "heading": "", "locator": "", "confidence": 0.5, "decided": None,
             "tier1_data": SimpleNamespace(fields=dict)}  # fmt: skip
    return partly(Extraction, **{**given, **fields})


def visiting(
    monkeypatch: pytest.MonkeyPatch,
    *extractions: Extraction,
    pages: tuple[PageSpan, ...] = PAGES,
    resting: tuple[Resting, ...] = (),
    media: str = "text/plain",
) -> tuple[Visit, DocumentVersion]:
    """A visit of one document of thirty characters."""
    version = partly(
        DocumentVersion, version_id="v", document_id="d", name="a.md", media_type=media, page_count=len(pages), text_length=30,
    )  # fmt: skip
    claims = {each.claim_id: partly(Claim, claim_id=each.claim_id) for each in resting}
    items: dict[str, Any] = {**{each.extraction_id: each for each in extractions}, **claims, "v": version}

    def find(item_id: str) -> Any:  # noqa: ANN401 - a double
        if item_id not in items:
            raise NotFound("unknown item")
        return items[item_id]

    view = view_of(find=find, each_extraction=lambda _: extractions, claims=claims)
    visit = visit_of(view)
    source = SourceText(TEXT, media, pages=pages)
    monkeypatch.setattr(Visit, "source", lambda *_: (source, ()))
    monkeypatch.setattr(module, "resting_claims", lambda _: {"d": resting})
    monkeypatch.setattr(module, "standing_of", lambda _view, day: {"d": ("in force", f"since {day}")})
    monkeypatch.setattr(module, "claim_row", lambda _visit, claim, most: (claim.claim_id, most))
    return visit, version


def page_of(visiting: tuple[Visit, DocumentVersion], **asked: Any) -> Reader:  # noqa: ANN401 - of a request
    """The page."""
    return reader(*visiting, ReaderRequest(**asked))


@pytest.mark.parametrize(
    ("asked", "number"),
    [({}, 1), ({"page": 2}, 2), ({"page": 3}, 3), ({"page": 4}, 3), ({"page": -1}, 1), ({"span": (0, 1)}, 1),
     ({"span": (9, 12)}, 1), ({"span": (10, 12)}, 2), ({"span": (19, 30)}, 2), ({"span": (20, 30)}, 3), ({"span": (99, 199)}, 1),
     ({"span": (25, 26), "page": 1}, 1), ({"item_id": "e"}, 2), ({"item_id": "e", "span": (1, 2)}, 1)],
)  # fmt: skip
def test_the_page_is_the_one_of_the_highlight(
    monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any], number: int
) -> None:
    """Unless another one is asked for; there is always one before and behind it but at the ends."""
    found = page_of(visiting(monkeypatch, extraction("e", 15, 18)), **asked)
    assert (found.number, found.pages, found.are_pages) == (number, 3, True)
    assert (found.start, found.end, found.span) == (10 * number - 10, 10 * number, PAGES[number - 1])
    assert (f"page={number - 1}" in found.previous, f"page={number + 1}" in found.next) == (number > 1, number < 3)
    assert (found.previous == "", found.next == "") == (number == 1, number == 3)
    assert "".join(p.text for each in found.elements for p in each.lines[0].cells[0]) == TEXT[found.start : found.end]


def test_pages_hold_the_whole_text_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what stands before the first one and between two; without pages there are windows."""
    gaps = (PageSpan(1, 2, 8), PageSpan(2, 11, 20))
    visit = visiting(monkeypatch, pages=gaps)
    assert [(each.start, each.end) for each in (page_of(visit, page=1), page_of(visit, page=2))] == [(0, 11), (11, 30)]
    assert page_of(visit).size == "2 pages"
    found = page_of(visiting(monkeypatch, pages=()))
    assert (found.start, found.end, found.pages, found.are_pages, found.span) == (0, 30, 1, False, None)
    assert (found.size, found.standing) == ("30 characters", "in force; since 2026-06-15")


@pytest.mark.parametrize(
    ("asked", "hits"),
    [
        ({}, ()),
        ({"span": (3, 9)}, ((3, 9),)),
        ({"span": (3, 90)}, ((3, 30),)),
        ({"span": (40, 90)}, ((30, 30),)),
        ({"item_id": "e"}, ((15, 18),)),
        ({"item_id": "other"}, ()),
        ({"claim_id": "c1"}, ((2, 4), (21, 23))),
        ({"claim_id": "c1", "item_id": "e"}, ((15, 18),)),
        ({"claim_id": "c1", "item_id": "other"}, ((2, 4), (21, 23))),
        ({"claim_id": "c1", "item_id": "e", "span": (1, 2)}, ((1, 2),)),
    ],
)
def test_words_that_are_asked_for_are_highlighted(
    monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any], hits: tuple[tuple[int, int], ...]
) -> None:
    """Else the statement, if it stands in this document; else what the finding rests on here, in order, once."""
    resting = tuple(
        Resting(a, b, claim, "s", 0) for a, b, claim in ((21, 23, "c1"), (2, 4, "c1"), (2, 4, "c1"), (5, 6, "c2"))
    )
    other = extraction("other", 15, 18, document_id="x")
    found = page_of(visiting(monkeypatch, extraction("e", 15, 18), other, resting=resting), **asked)
    assert found.hits == hits
    beside: Any = found.claim
    assert beside == (("c1", 12) if "claim_id" in asked else None)
    assert (found.chosen is None) == ("item_id" not in asked)


def test_only_statements_and_findings_stand_beside_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of this generation."""
    visit = visiting(monkeypatch, extraction("e", 1, 2), resting=(Resting(1, 2, "c1", "s", 0),))
    for wrong in ({"item_id": "c1"}, {"item_id": "none"}, {"claim_id": "e"}, {"claim_id": "none"}):
        with pytest.raises(NotFound):
            page_of(visit, **wrong)


def test_usually_definitions_references_and_terms_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """References and terms lead to what they mean; the visitor may choose other kinds, or none."""
    visit = visiting(
        monkeypatch,
        extraction("duty", 1, 9, terms=((2, 4), (9, 11), (10, 12))),
        extraction("ref", 2, 5, "cross_reference"),
        extraction("far", 12, 14, terms=((8, 11),)),
        extraction("def", 5, 8, "definition"),
    )
    usual = page_of(visit)
    assert [(each.start, each.end, each.kind) for each in usual.marks] == [
        (2, 4, "term"), (9, 11, "term"), (2, 5, "cross_reference"), (5, 8, "definition"),
    ]  # fmt: skip
    hrefs = {each.kind: each.href for each in usual.marks}
    assert hrefs["cross_reference"] == "/e/c/c/items/ref/follow"
    assert hrefs["definition"] == "/e/c/c/documents/v?item=def&marks=definition&marks=cross_reference#here"
    assert next(each.href for each in usual.marks if each.kind == "term") == "/e/c/c/items/duty/follow?term=2-4"
    assert {each.title for each in usual.marks} == {"Defined term", "Cross-reference", "Definition"}
    assert [each.kind for each in page_of(visit, marks=("obligation", "odd")).marks] == ["obligation"]
    assert page_of(visit, marks=("none",)).marks == ()
    second = page_of(visit, page=2, marks=("definition",))
    assert [(each.start, each.end) for each in second.marks] == [(8, 11)]


def test_switches_are_of_the_kinds_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each adds its kind to what is marked, or takes it away; the last one leaves none."""
    visit = visiting(monkeypatch, extraction("a", 1, 2), extraction("b", 3, 4), extraction("c", 5, 6, "definition"))
    duty, definition = page_of(visit, span=(1, 2), marks=("definition",)).kinds
    assert (duty.kind, duty.name, duty.count, duty.is_on) == ("obligation", "Obligations", 2, False)
    assert duty.href == "/e/c/c/documents/v?span=1-2&marks=definition&marks=obligation&page=1"
    assert (definition.kind, definition.count, definition.is_on) == ("definition", 1, True)
    assert definition.href == "/e/c/c/documents/v?span=1-2&marks=none&page=1"
    assert page_of(visit, marks=("definition",), page=2).previous == "/e/c/c/documents/v?marks=definition&page=1"


@pytest.mark.parametrize(("count", "shown", "more"), [(7, 7, 0), (8, 8, 0), (9, 8, 1), (12, 8, 4)])
def test_eight_findings_stand_beside_a_page(monkeypatch: pytest.MonkeyPatch, count: int, shown: int, more: int) -> None:
    """And how many others there are."""
    resting = tuple(Resting(1, 2, f"c{n}", "s", 0) for n in range(count))
    found = page_of(visiting(monkeypatch, resting=resting))
    rows: Any = found.resting
    assert (rows, found.more_resting) == (tuple((f"c{n}", 0) for n in range(shown)), more)


def test_findings_that_rest_on_what_is_highlighted_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the nearest; those of other pages, and the one that is shown already, do not come."""
    places = {
        "end": (9, 10),
        "off": (20, 22),
        "touch": (4, 6),
        "hit": (3, 5),
        "far": (0, 1),
        "cross": (8, 12),
        "before": (0, 4),
    }
    resting = tuple(Resting(*place, name, "s", 0) for name, place in places.items())
    visit = visiting(monkeypatch, resting=resting)

    def names(**asked: Any) -> list[str]:  # noqa: ANN401 - of a request
        rows: Any = page_of(visit, **asked).resting
        return [each for each, _ in rows]

    assert names(span=(4, 5)) == ["touch", "hit", "far", "cross", "before", "end"]
    assert names(span=(6, 8)) == ["touch", "cross", "end", "hit", "far", "before"]
    assert names() == ["far", "before", "hit", "touch", "cross", "end"]
    assert names(page=2) == ["cross"]
    assert names(page=3) == ["off"]
    assert names(claim_id="hit", span=(4, 5)) == ["touch", "far", "cross", "before", "end"]


def test_a_statement_beside_a_page_says_what_was_read_and_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that is the heading is not said twice."""
    decided = partly(ItemDecision, decision="accept_risk", by="A. Auditor")
    told = extraction("e", 1, 5, heading="1", locator="1", decided=decided)
    found = page_of(visiting(monkeypatch, told), item_id="e").chosen
    assert found is not None
    assert (found.kind, found.text, found.where, found.decided) == (
        "Obligation",
        "1234",
        "1",
        "accept risk by A. Auditor",
    )
    assert (found.follow, found.href) == ("/e/c/c/items/e/follow?list=yes", "/e/c/c/items/e")
    assert found.decide == "/e/c/c/review?item=e"
    plain = page_of(visiting(monkeypatch, extraction("e", 1, 5, heading="A", locator="2")), item_id="e").chosen
    assert plain is not None
    assert (plain.where, plain.decided) == ("A · 2", "")


@pytest.mark.parametrize(
    ("given", "span"), [("0-1", (0, 1)), ("5-5", None), ("5-4", None), ("123456789-999999999", (123456789, 999999999)),
     ("1-1234567890", None)]
)  # fmt: skip
def test_a_span_has_an_end_behind_its_start(given: str, span: tuple[int, int] | None) -> None:
    """Of nine digits at most."""
    assert span_of(given) == span
