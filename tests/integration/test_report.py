"""The audit report of built corpora, compared with the stored texts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from coditect.errors import QuoteNotFound, UsageError
from coditect.knowledge.audit import collect_report
from coditect.knowledge.audit_passages import CONTEXT
from coditect.knowledge.build import build
from coditect.knowledge.ingest import ingest
from coditect.reports.html import render_html
from coditect.reports.model import AuditReport
from coditect.sample import sample_folder
from coditect.schemas import BuildSettings, ValidationReport
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.memory import MemoryEngine
from tests.unit.reports.reports import assert_self_contained

NOW = "2026-12-01T09:00:00Z"
HOSTILE = "<script>alert(1)</script> {{ 7 * 7 }} {% if x %} <img src=http://example.org/x onerror=alert(2)>"


def built(*folders: Path, settings: BuildSettings | None = None) -> View:
    store = Store(MemoryEngine())
    ingest(store, "demo", folders, name="Demo corpus", jobs=1, clock=lambda: NOW)
    build(store, "demo", settings or BuildSettings(), jobs=1, clock=lambda: NOW)
    return open_view(store, "demo")


@pytest.fixture(scope="module")
def view() -> View:
    return built(sample_folder())


@pytest.fixture(scope="module")
def report(view: View) -> AuditReport:
    return collect_report(view.store, view, generated_at=NOW)


def test_report_has_every_claim_with_its_verdict(view: View, report: AuditReport) -> None:
    """Published and filtered claims are all there, in the order of the summary, with what the checker said."""
    assert [each.claim_id for each in report.claims] == list(view.summary.claims)
    assert [each.claim_id for each in report.refused] == list(view.summary.filtered)
    assert report.claims
    assert report.refused
    for each in (*report.claims, *report.refused):
        verdict = view.verdicts[each.claim_id]
        assert (each.text, each.support_score, each.signals) == (
            view.claims[each.claim_id].text, verdict.support_score, verdict.signals,
        )  # fmt: skip
        assert len(each.citations) == len(view.claims[each.claim_id].citations)
        assert all(cited.passage is not None for cited in each.citations)


def test_report_quotes_are_the_text_at_their_offsets(view: View, report: AuditReport) -> None:
    """Each quote, its surroundings and each extraction under it are the canonical text where they say they are."""
    assert report.passages
    for passage in report.passages:
        text, place = view.text(passage.place.document_id), passage.place
        assert text[place.char_start : place.char_end] == passage.text
        begin, end = place.char_start - len(passage.before), place.char_end + len(passage.after)
        assert text[begin:end] == passage.before + passage.text + passage.after
        assert len(passage.before) <= CONTEXT
        assert len(passage.after) <= CONTEXT
        assert (begin == 0, end == len(text)) == (passage.begins_document, passage.ends_document)
        assert passage.extractions
        for extraction in passage.extractions:
            assert text[extraction.char_start : extraction.char_end] == extraction.text
        assert passage.chunk.char_start <= place.char_start < place.char_end <= passage.chunk.char_end


def test_report_parts_are_the_sections(view: View, report: AuditReport) -> None:
    """Sections are whole and in order, and each quote leads to the passage with its own text."""
    assert [each.section_id for each in report.sections] == [section.section_id for section in view.sections]
    for made, section in zip(report.sections, view.sections, strict=True):
        assert [(part.type, part.text) for part in made.parts] == [
            (part.type, part.content) for part in section.content
        ]
        for part in made.parts:
            assert (part.passage is None) == (part.type == "synthetic")
            assert part.passage is None or report.passages[part.passage - 1].text == part.text


def test_report_counts_what_is_stored(view: View, report: AuditReport) -> None:
    """The numbers of the summary box are those of the manifest, and add up over the documents."""
    counts, stored = report.counts, view.manifest.counts
    assert (
        counts.documents,
        counts.extractions,
        counts.chunks,
        counts.sections,
        counts.published,
        counts.refused,
    ) == tuple(stored[name] for name in ("documents", "extractions", "chunks", "sections", "claims", "filtered_claims"))
    kinds = Counter(e.extraction_kind for d in view.documents for e in view.extractions(d))
    assert counts.extractions_by_kind == dict(sorted(kinds.items()))
    assert counts.characters == sum(len(view.text(d)) for d in view.documents)


def test_report_gives_pages_where_the_format_has_them(report: AuditReport) -> None:
    """A quote from a PDF names its page and its headings; one from a text file has no page."""
    pages = {p.place.document_name.rpartition(".")[2]: p.place.page for p in report.passages}
    assert isinstance(pages["pdf"], int)
    assert pages["md"] is None
    clause = next(p for p in report.passages if p.text.startswith("7.1 The Processor shall notify"))
    assert clause.place.page is not None
    assert clause.place.headings[-2:] == ("7 Personal Data Breach", "7.1")


def test_html_highlights_exactly_the_extractions(view: View, report: AuditReport) -> None:
    """Every highlighted stretch of the page is the document's text at the offsets that it carries."""
    page = render_html(report)
    tree = assert_self_contained(page)
    marks = tree.xpath("//mark[@data-start]")
    quotes = tree.xpath("//blockquote/p[@data-start]")
    assert len(marks) > len(report.claims)
    assert len(quotes) == sum(part.type == "extractive" for section in report.sections for part in section.parts)
    for element in (*marks, *quotes):
        text = view.text(element.get("data-document"))
        assert element.text_content() == text[int(element.get("data-start")) : int(element.get("data-end"))]
    assert (
        len(tree.xpath("//*[@id='claims']//article"))
        == len(tree.xpath("//*[@id='chains']//article"))
        == len(report.claims)
    )
    assert len(tree.xpath("//*[@id='refused']//article")) == len(report.refused)


def test_report_and_html_are_the_same_bytes_each_time(report: AuditReport) -> None:
    """Two stores built from the same files at the same time give the same report, in both forms."""
    again = built(sample_folder())
    second = collect_report(again.store, again, generated_at=NOW)
    assert second.model_dump_json(indent=2) == report.model_dump_json(indent=2)
    assert render_html(second) == render_html(report)


def test_html_escapes_documents(tmp_path: Path) -> None:
    """Markup and template syntax in a document's text, title and name are text in the page; long words and scripts survive."""
    text = (
        f"# {HOSTILE}\n\n1. The owner shall remove {HOSTILE} within 30 days.\n\n"
        f"2. 管理者は毎年アクセス権を確認しなければならない。 {'x' * 3000}\n"
    )
    (tmp_path / f"{HOSTILE.replace('/', '_')}.md").write_text(text, encoding="utf-8")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 <script>alert(3)</script>")
    view = built(tmp_path)
    report = collect_report(view.store, view, generated_at=NOW)
    page = render_html(report)
    tree = assert_self_contained(page)
    assert "49" not in tree.xpath("string(//*[@id='sections'])")
    assert "{{ 7 * 7 }}" in tree.xpath("string(//*[@id='sections'])")
    assert "<script>alert(1)" in tree.xpath("string(//*[@id='documents'])")
    assert report.failures
    assert "broken.pdf" in tree.xpath("string(//*[@id='failures'])")


def test_report_of_an_earlier_generation_stays_the_same(tmp_path: Path) -> None:
    """A later build adds a generation to the corpus, and changes nothing in the report of an earlier one."""
    policy = tmp_path / "policy.md"
    policy.write_text("# Policy\n\n1.1 The owner shall review all access within 30 days.\n")
    view = built(tmp_path)
    store = view.store
    before = collect_report(store, view, generated_at=NOW)
    policy.write_text("# Policy\n\n1.1 The owner shall review all access within 90 days.\n")
    ingest(store, "demo", [tmp_path], jobs=1, clock=lambda: NOW)
    build(store, "demo", BuildSettings(), jobs=1, clock=lambda: NOW)
    assert collect_report(store, open_view(store, "demo", 1), generated_at=NOW) == before
    after = collect_report(store, open_view(store, "demo"), generated_at=NOW)
    assert [each.generation for each in after.method.history] == [1, 2]
    assert "90 days" in after.passages[0].text


def test_report_refuses_a_quote_that_the_file_does_not_hold(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the stored text is not what a quote says, there is no report."""
    changed = View(view.store, view.manifest, view.generation)
    monkeypatch.setattr(changed, "text_of", lambda version: view.text_of(version).replace("shall", "might"))
    with pytest.raises(QuoteNotFound, match="a quotation is not the document's text"):
        collect_report(view.store, changed, generated_at=NOW)


def test_report_takes_only_its_own_validation(view: View) -> None:
    """A validation of this build is part of the report; one of another build is refused."""
    own = ValidationReport(
        corpus_id="demo",
        generation=1,
        build_id=view.manifest.build_id,
        checked={"extractions": 3},
        findings=(),
        seconds=0.0,
    )
    assert collect_report(view.store, view, generated_at=NOW, validation=own).validation == own
    with pytest.raises(UsageError, match="another build"):
        collect_report(
            view.store, view, generated_at=NOW, validation=own.model_copy(update={"build_id": "build_other"})
        )
    with pytest.raises(UsageError, match="draft"):
        collect_report(view.store, View(view.store, view.manifest), generated_at=NOW)
