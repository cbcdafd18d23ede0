"""The audit report of built corpora, compared with the stored texts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from coditect.errors import QuoteNotFound, UsageError
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.ingest.intake import ingest
from coditect.knowledge.report.collection import collect_report
from coditect.knowledge.report.passages import CONTEXT
from coditect.knowledge.review.doubts import possible_in
from coditect.reports.html import render_html
from coditect.reports.model import AuditReport
from coditect.sample import sample_folder
from coditect.schemas import BuildSettings, Signal, ValidationReport, Verdict
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine
from coditect.tiers.claims import precision
from tests.unit.reports.reports import assert_self_contained, found, text_at

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
    assert [each.claim_id for each in report.possible] == [each.claim_id for each in possible_in(view)]
    assert {each.claim_id for each in (*report.possible, *report.refused)} == set(view.summary.filtered)
    assert report.claims
    for each in (*report.claims, *report.possible, *report.refused):
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
        counts.possible + counts.refused,
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
    marks = found(tree, "//mark[@data-start]")
    quotes = found(tree, "//blockquote/p[@data-start]")
    assert len(marks) > len(report.claims)
    assert len(quotes) == sum(part.type == "extractive" for section in report.sections for part in section.parts)
    for element in (*marks, *quotes):
        text = view.text(element.attrib["data-document"])
        assert element.text_content() == text[int(element.attrib["data-start"]) : int(element.attrib["data-end"])]
    for place, claims in (("claims", report.claims), ("chains", report.claims), ("refused", report.refused)):
        assert len(found(tree, f"//*[@id='{place}']//article")) == len(claims)


def test_report_and_html_are_the_same_bytes_each_time(report: AuditReport) -> None:
    """Two stores built from the same files at the same time give the same report, in both forms."""
    again = built(sample_folder())
    second = collect_report(again.store, again, generated_at=NOW)
    assert second.model_dump_json(indent=2) == report.model_dump_json(indent=2)
    assert render_html(second) == render_html(report)


def policies(folder: Path, days: int = 30, extra: str = "") -> Path:
    """Three policies that fix the same deadline differently."""
    for number, name in enumerate("abc"):
        (folder / f"{name}.txt").write_text(
            f"# Policy {name}\n\n## 1 Access review\n\n"
            f"1.1 The owner shall review all access rights {extra} within {days + number} days.\n\n"
            "1.2 管理者は毎年アクセス権を確認しなければならない。\n",
            encoding="utf-8",
        )
    return folder


def test_html_escapes_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Markup and template syntax in a document's text and name are text in the page, and never become elements."""
    monkeypatch.setattr(precision, "BARS", {})
    policies(tmp_path, extra=HOSTILE)
    (tmp_path / f"{HOSTILE.replace('/', '_')}.txt").write_text("x" * 3000 + f" shall be kept by {HOSTILE} for 7 years.")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 <script>alert(3)</script>")
    view = built(tmp_path)
    report = collect_report(view.store, view, generated_at=NOW)
    tree = assert_self_contained(render_html(report))
    assert report.claims
    assert HOSTILE in text_at(tree, "//*[@id='sections']")
    assert HOSTILE in text_at(tree, "//*[@id='chains']")
    assert HOSTILE.replace("/", "_") in text_at(tree, "//*[@id='documents']")
    assert [failure.name for failure in report.failures] == ["broken.pdf"]
    assert "broken.pdf" in text_at(tree, "//*[@id='failures']")


def test_report_keeps_refused_claims_apart(view: View) -> None:
    """A claim that the checker did not pass is in the list of refusals with its reason, and nowhere else."""
    first = view.claims[view.summary.claims[0]]
    fields = {
        name: getattr(view.verdicts[first.claim_id], name) for name in Verdict.model_fields if name != "verdict_id"
    }
    failed = (Signal(name="numbers", passed=False, detail="not in the evidence: 99", weight=0.6),)
    changed = {
        "published": False,
        "label": "unsupported",
        "support_score": 0.4,
        "filter_reason": "numbers",
        "signals": failed,
    }
    verdict = Verdict.create(**{**fields, **changed})
    summary = view.summary.model_copy(
        update={
            "claims": view.summary.claims[1:],
            "filtered": (*view.summary.filtered, first.claim_id),
            "verdicts": {**view.summary.verdicts, first.claim_id: verdict.verdict_id},
        }
    )
    summary = summary.model_copy(update={"summary_id": summary.computed_id()})
    view.store.put_items([verdict, summary])
    refusing = View(view.store, view.manifest.model_copy(update={"summary_id": summary.summary_id}), view.generation)
    report = collect_report(view.store, refusing, generated_at=NOW)
    assert report.refused[-1].claim_id == first.claim_id
    assert (report.refused[-1].signals, report.refused[-1].support_score) == (failed, 0.4)
    assert first.claim_id not in {each.claim_id for each in report.claims}
    refused = text_at(assert_self_contained(render_html(report)), f"//*[@id='refused-{len(report.refused)}']")
    assert first.text in refused
    assert "not in the evidence: 99" in refused


def test_report_of_an_earlier_generation_stays_the_same(tmp_path: Path) -> None:
    """A later build adds a generation to the corpus, and changes nothing in the report of an earlier one."""
    view = built(policies(tmp_path, days=30))
    store = view.store
    before = collect_report(store, view, generated_at=NOW)
    ingest(store, "demo", [policies(tmp_path, days=60)], jobs=1, clock=lambda: NOW)
    build(store, "demo", BuildSettings(), jobs=1, clock=lambda: NOW)
    assert collect_report(store, open_view(store, "demo", 1), generated_at=NOW) == before
    after = collect_report(store, open_view(store, "demo"), generated_at=NOW)
    assert [each.generation for each in after.method.history] == [1, 2]
    assert "30 days" in " ".join(passage.text for passage in before.passages)
    assert "30 days" not in " ".join(passage.text for passage in after.passages)


def test_report_refuses_a_quote_that_the_file_does_not_hold(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the stored text is not what a quote says, there is no report."""
    changed = View(view.store, view.manifest, view.generation)
    monkeypatch.setattr(changed, "text_of", lambda version: view.text_of(version).replace("shall", "might"))
    with pytest.raises(QuoteNotFound, match="a quotation is not the document's text"):
        collect_report(view.store, changed, generated_at=NOW)


def test_report_takes_only_its_own_validation(view: View) -> None:
    """A validation of this build is part of the report; one of another build is refused."""
    own = ValidationReport(
        clean=True,
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
