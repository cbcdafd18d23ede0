"""Findings as rows and as pages, and the pages of sections, statements and passages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.errors import UsageError
from coditect.schemas import Chunk, Claim, DocumentVersion, Extraction, Reference, Section, Source, Verdict
from coditect.schemas.verdict import Opinion, Signal
from coditect.server.explorer.shown import claims as claims_module
from coditect.server.explorer.shown import items as module
from coditect.server.explorer.shown.claims import claim_row, page_at, quotes_of_claim, quotes_of_section
from coditect.server.explorer.shown.items import ItemPage, follow, item_page, place_href
from coditect.server.explorer.shown.statements import Resting
from coditect.server.explorer.visit import Visit
from tests.unit.server.explorer.visits import partly, view_of, visit_of


def part(number: int, *, quoted: bool = True) -> Any:  # noqa: ANN401 - a double
    """A part of a section."""
    citation = SimpleNamespace(
        document_id="d", document_name="a.md", version_id="v", char_start=number, char_end=number + 5
    )
    return SimpleNamespace(content=f"words {number}", citation=citation if quoted else None)


def section(name: str, *parts: Any) -> Section:  # noqa: ANN401 - doubles
    """A section."""
    return partly(Section, section_id=name, topic=name.upper(), section_kind="topic", content=parts)


def claim(name: str, *cited: tuple[str, int], **fields: Any) -> Claim:  # noqa: ANN401 - of a record
    """A finding."""
    citations = tuple(SimpleNamespace(section_id=each, part=number) for each, number in cited)
    given: dict[str, Any] = {"claim_id": name, "text": f"{name}.", "claim_kind": "conflict", "severity": "high", "confidence": None,
                             "recipe": {}, "rule": "", "citations": citations}  # fmt: skip
    return partly(Claim, **{**given, **fields})


def verdict(published: bool = True, *opinions: Opinion, **fields: Any) -> Verdict:  # noqa: ANN401 - of a record
    """A verdict."""
    given = {
        "published": published,
        "label": "supported" if published else "unsupported",
        "support_score": 0.9,
        "opinions": opinions,
        "signals": (),
        "filter_reason": "low",
        "checker": "x/1",
    }
    return partly(Verdict, **{**given, **fields})


def opinion(judge: str, decision: str | None = None, label: str = "supported") -> Opinion:
    """What somebody says."""
    return partly(
        Opinion, judge=judge, who=f"the {judge}", decision=decision, label=label, reason="so", at="2026", version=""
    )


SECTION = section("s", part(0), part(1, quoted=False), part(2), part(3))


def visiting(**fields: Any) -> Visit:  # noqa: ANN401 - of a generation
    """A visit of one section and whatever else is given."""
    return visit_of(view_of(**{"section_by_id": {"s": SECTION}, "sections": (SECTION,), **fields}))


@pytest.mark.parametrize(
    ("cited", "quoted", "more"),
    [((), [], 0), ((("s", 0),), ["words 0"], 0), ((("s", 0), ("s", 3)), ["words 0", "words 3"], 0),
     ((("s", 0), ("s", 2), ("s", 3)), ["words 0", "words 2"], 1), ((("s", -1), ("s", 3)), ["words 3"], 1),
     ((("s", 4), ("s", 0)), ["words 0"], 1), ((("gone", 0), ("s", 1)), [], 2)],
)  # fmt: skip
def test_a_row_shows_two_quotes_and_counts_the_others(cited: Any, quoted: list[str], more: int) -> None:  # noqa: ANN401 - pairs
    """What leads to no quote is not shown: it counts among the others."""
    row = claim_row(visiting(), claim("c1", *cited))
    assert ([each.text for each in row.quotes], row.more) == (quoted, more)


def test_a_quote_leads_to_its_words_and_to_its_section() -> None:
    """Of a section itself the latter is not said."""
    visit = visiting()
    (shown,) = quotes_of_claim(visit, claim("c1", ("s", 2)))
    assert (shown.document, shown.where, shown.section) == ("a.md", "", "S")
    assert (shown.href, shown.section_href) == ("/e/c/c/documents/v?span=2-7&claim=c1#here", "/e/c/c/items/s")
    parts = list(quotes_of_section(visit, SECTION))
    assert [(text, quote is None) for text, quote in parts] == [
        ("words 0", False), ("words 1", True), ("words 2", False), ("words 3", False),
    ]  # fmt: skip
    assert parts[0][1] is not None
    assert (parts[0][1].section, parts[0][1].section_href) == ("", "")
    assert parts[0][1].href == "/e/c/c/documents/v?span=0-5#here"


@pytest.mark.parametrize(("pages", "page"), [(3, 4), (0, None), (None, None)])
def test_a_page_is_said_where_the_document_has_pages(
    monkeypatch: pytest.MonkeyPatch, pages: int | None, page: int | None
) -> None:
    """And is of this generation."""
    documents = {} if pages is None else {"d": partly(DocumentVersion, page_count=pages)}
    visit = visiting(documents=documents)
    monkeypatch.setattr(Visit, "source", lambda *_: (SimpleNamespace(pages="map"), ()))
    monkeypatch.setattr(claims_module, "page_of", lambda pages, offset: 4 if (pages, offset) == ("map", 2) else 0)
    assert page_at(visit, "d", 2) == page
    (shown,) = quotes_of_claim(visit, claim("c1", ("s", 2)))
    assert shown.where == ("" if page is None else "page 4")


@pytest.mark.parametrize(
    ("given", "support", "published", "reason", "decided"),
    [
        (None, None, False, "", ""),
        (verdict(), 0.9, True, "", ""),
        (verdict(False), 0.9, False, "low", ""),
        (verdict(True, opinion("model"), opinion("review", "accept_risk")), 0.9, True, "", "accept risk by the review"),
        (verdict(True, opinion("review", None, "not_so")), 0.9, True, "", "not so by the review"),
    ],
)
def test_a_row_says_whether_it_is_published_and_who_decided(
    given: Verdict | None, support: float | None, published: bool, reason: str, decided: str
) -> None:
    """Only persons decide; without a verdict nothing is said."""
    row = claim_row(visiting(verdicts={} if given is None else {"c1": given}), claim("c1"))
    assert (row.support, row.published, row.reason, row.decided) == (support, published, reason, decided)
    assert claim_row(visiting(), claim("c1", severity=None)).severity == ""
    assert (row.severity, row.href) == ("high", "/e/c/c/items/c1")


def test_a_row_says_which_models_had_to_do_with_it() -> None:
    """Who proposed it, and who read it before it was published; of rules alone nothing is said."""
    said = partly(Opinion, judge="model", who="validator", version="roles/1 validator/1/2 claude-b", label="supported")
    proposed = claim(
        "c1", recipe={"gap": "read", "by": "roles/1 reducer/1/2 roles/1 gaps/1/2 claude-a"}, rule="gap/read"
    )
    row = claim_row(visiting(verdicts={"c1": verdict(True, said)}), proposed)
    assert row.models == ("proposed by the reducer (claude-a)", "confirmed by the validator (claude-b)")
    assert (
        claim_row(visiting(verdicts={"c1": verdict()}), claim("c1", recipe={"gap": "open"}, rule="gap/open")).models
        == ()
    )


def test_the_page_of_a_finding_has_its_checks_and_what_others_say() -> None:
    """And its quotes, twenty-five to a page."""
    signals = (partly(Signal, name="a_check", passed=False, detail="d", weight=0.5),)
    given = verdict(True, opinion("model"), opinion("review", "dismiss"), signals=signals)
    found = claim("c1", *[("s", 0)] * 30)
    shown = item_page(visiting(verdicts={"c1": given}), found, 2)
    assert [(each.meaning, each.passed, each.detail, each.weight) for each in shown.checks] == [
        ("A check", False, "d", 0.5)
    ]
    assert [(each.who, each.said, each.is_person) for each in shown.said] == [
        ("the model", "Supported", False), ("the review", "Dismiss", True),
    ]  # fmt: skip
    assert shown.checker == "x/1"
    assert shown.quotes is not None
    assert (len(shown.quotes.rows), shown.quotes.first, shown.quotes.previous) == (5, 26, "/e/c/c/items/c1?page=1")
    assert shown.claim is not None
    assert (shown.claim.quotes, shown.claim.more) == ((), 30)
    plain = item_page(visiting(), found)
    assert (plain.checks, plain.checker, plain.said) == ((), "", ())


def _source(number: int, **fields: Any) -> Source:  # noqa: ANN401 - of a record
    given = {"item_id": f"extraction_{number}", "tier": 1, "kind": "obligation", "text": "t", "version_id": "v",
             "char_offset_start": number, "char_offset_end": number + 1}  # fmt: skip
    return Source(**{**given, **fields})


@pytest.mark.parametrize(("count", "shown", "more"), [(49, 49, 0), (50, 50, 0), (51, 50, 1), (55, 50, 5)])
def test_a_page_shows_fifty_items_below_and_fifty_findings_above(
    monkeypatch: pytest.MonkeyPatch, count: int, shown: int, more: int
) -> None:
    """Of the former it counts the others."""
    below = [_source(n) for n in range(count)]
    citing = [claim(f"c{n}", ("s", 0)) for n in range(count)]
    claims = {each.claim_id: each for each in (*citing, claim("elsewhere", ("t", 0)))}
    summary = SimpleNamespace(claims=tuple(claims), filtered=())
    sources = SimpleNamespace(
        below=lambda _: below,
        chunk=lambda item, deep: _source(7, kind="chunk", item_id="chunk_1", text="deep" if deep else "flat"),
    )
    monkeypatch.setattr(Visit, "opened", SimpleNamespace(sources=sources))
    visit = visiting(
        claims=claims, summary=summary, document=lambda _: partly(DocumentVersion, name="a.md", page_count=0)
    )
    page = item_page(visit, SECTION)
    assert (len(page.below), page.more_below, len(page.resting), page.text) == (shown, more, shown, "S")
    assert page.below[0] == ("Obligation", "t", "/e/c/c/items/extraction_0")
    resting = [Resting(0, 9, each.claim_id, "s", 0) for each in citing]
    monkeypatch.setattr(module, "resting_claims", lambda _: {"d": resting})
    stretch = partly(Chunk, chunk_id="chunk_1", document_id="d", char_offset_start=0, char_offset_end=9, heading="H")
    page = item_page(visit, stretch)
    assert (len(page.below), page.more_below, len(page.resting), page.text) == (shown, more, shown, "flat")
    assert (page.where, page.place) == ("a.md · H", "/e/c/c/documents/v?span=7-8#here")
    assert page.follow == "/e/c/c/items/chunk_1/follow?list=yes"


def _extraction(**fields: Any) -> Extraction:  # noqa: ANN401 - of a record
    given = {"extraction_id": "extraction_1", "document_id": "d", "char_offset_start": 4, "char_offset_end": 9,
             "source_text": "words", "extraction_kind": "obligation", "heading": "2 Logs", "locator": "", "decided": None,
             "entities": (), "tier1_data": SimpleNamespace(fields=dict)}  # fmt: skip
    return partly(Extraction, **{**given, **fields})


def _page_of(monkeypatch: pytest.MonkeyPatch, item: Extraction, *resting: Resting, page: int | None = None) -> ItemPage:
    sources = SimpleNamespace(extraction=lambda _: _source(4))
    monkeypatch.setattr(Visit, "opened", SimpleNamespace(sources=sources))
    monkeypatch.setattr(module, "resting_claims", lambda _: {"d": resting})
    monkeypatch.setattr(
        module, "page_at", lambda _visit, document, offset: page if (document, offset) == ("d", 4) else 0
    )
    claims = {each.claim_id: claim(each.claim_id) for each in resting}
    visit = visiting(claims=claims, document=lambda _: partly(DocumentVersion, name="a.md"))
    return item_page(visit, item)


def test_the_page_of_a_statement_says_where_it_stands_and_who_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that the heading has is not said again."""
    decided = SimpleNamespace(decision="accept_risk", by="A", meaning="known", at="2026")
    found = _page_of(monkeypatch, _extraction(locator="2", decided=decided), page=3)
    assert found.where == "a.md · 2 Logs · page 3"
    assert [(each.who, each.said, each.is_person) for each in found.said] == [("A", "Accept the risk", True)]
    assert (found.decide, found.follow) == (
        "/e/c/c/review?item=extraction_1",
        "/e/c/c/items/extraction_1/follow?list=yes",
    )
    plain = _page_of(monkeypatch, _extraction(locator="3.1"))
    assert (plain.where, plain.said) == ("a.md · 2 Logs · 3.1", ())


def test_findings_rest_on_a_statement_whose_words_they_quote(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quote that only touches it is of its neighbour."""
    places = {"inside": (5, 6), "left": (0, 4), "over": (0, 5), "right": (9, 12), "end": (8, 12)}
    found = _page_of(monkeypatch, _extraction(), *(Resting(*place, name, "s", 0) for name, place in places.items()))
    assert [each.claim_id for each in found.resting] == ["inside", "over", "end"]


def test_a_document_has_no_page_of_an_item() -> None:
    """It is read."""
    with pytest.raises(UsageError, match="no page of its own"):
        item_page(visiting(), partly(DocumentVersion, version_id="v"))


@pytest.mark.parametrize(
    ("fields", "href"),
    [({}, "/e/c/c/documents/v?span=1-2&item=extraction_1#here"), ({"item_id": "passage_1"}, "/e/c/c/documents/v?span=1-2#here"),
     ({"kind": "document"}, "/e/c/c/documents/v"), ({"version_id": ""}, ""), ({"char_offset_start": None}, ""),
     ({"char_offset_end": None}, ""), ({"char_offset_start": 0}, "/e/c/c/documents/v?span=0-2&item=extraction_1#here")],
)  # fmt: skip
def test_what_stands_in_a_document_leads_there(fields: dict[str, Any], href: str) -> None:
    """To its words; a document to its beginning."""
    assert place_href(visiting(), _source(1, **fields)) == href


def test_references_and_terms_of_a_statement_lead_where_they_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """A term to its definition alone, a reference to references alone, everything else to both."""

    def leads(kind: str, text: str, target: Source | None = None) -> Reference:
        return partly(Reference, kind=kind, text=text, reason="so", target=target)

    every = (leads("definition", "Log", _source(3, document_name="a.md", heading="H")), leads("cross_reference", "section 2"),
             leads("definition", "Key"))  # fmt: skip
    monkeypatch.setattr(Visit, "opened", SimpleNamespace(links=SimpleNamespace(follow=lambda _: every)))
    entities = [
        SimpleNamespace(text=text, char_offset_start=4, char_offset_end=end) for text, end in (("Log", 7), ("Key", 8))
    ]
    statement, chunk = _extraction(entities=entities), partly(Chunk, chunk_id="chunk_1")

    def texts(item: Any, term: tuple[int, int] | None = None) -> list[str]:  # noqa: ANN401 - an item
        return [each.text for each in follow(visiting(), item, term)]

    assert texts(statement) == texts(chunk) == texts(chunk, (4, 7)) == ["Log", "section 2", "Key"]
    assert texts(statement, (4, 7)) == ["Log"]
    assert texts(statement, (5, 7)) == []
    assert texts(_extraction(extraction_kind="cross_reference")) == ["section 2"]
    assert texts(_extraction(extraction_kind="cross_reference", entities=entities), (4, 8)) == ["Key"]
    first, second, _ = follow(visiting(), chunk)
    assert (first.kind, first.target, first.where) == ("Definition", "t", "a.md · H")
    assert first.href == "/e/c/c/documents/v?span=3-4&item=extraction_3#here"
    assert (second.kind, second.target, second.where, second.href, second.reason) == ("Reference", "", "", "", "so")
