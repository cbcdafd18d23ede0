"""Reports on paper and as workbooks: the same figures in all, six pages at most, and nothing of a document read as markup."""

from __future__ import annotations

import io
import json
import sys

import pypdfium2
import pytest
from openpyxl import load_workbook

from coditect.errors import UsageError
from coditect.reports.editions.pdf import render_pdf
from coditect.reports.editions.printed import EDITIONS, Edition, printed
from coditect.reports.editions.workbook import write_workbook
from coditect.reports.html import render_html
from coditect.reports.model import AuditReport
from coditect.schemas import Failure, Finding, ValidationReport
from tests.unit.reports.reports import BUILD, claim, report

HOSTILE = '#read("/etc/passwd") $ x $ *b* <a> @b [c] // d \\u{41} "quoted" = heading \u202e rtl \u200b'


def pages(pdf: bytes) -> list[str]:
    """The text of each page."""
    document = pypdfium2.PdfDocument(pdf)
    return [page.get_textpage().get_text_range() for page in document]


def crowded() -> AuditReport:
    """A hundred long claims of every severity, as many failures."""
    words = "The owner shall review the access rights of every account of the branch within thirty days. " * 6
    claims = tuple(
        claim(number, "conflict" if number % 2 else "gap", f"{number}: {words}", (1,), severity=severity)
        for number, severity in enumerate(("high", "medium", "low", "information") * 25, 1)
    )
    failures = tuple(
        Failure(corpus_id="demo", name=f"folder/{number}.pdf", error="ReadError", message=words, hint=words)
        for number in range(100)
    )
    return report((words,), claims=claims, failures=failures)


@pytest.mark.parametrize("edition", EDITIONS)
def test_pdf_has_the_same_bytes_and_carries_the_data(edition: Edition) -> None:
    """PDF/A-3b by its own marks, with the whole report attached, and the same bytes for the same report."""
    made = render_pdf(report(), edition)
    assert made == render_pdf(report(), edition)
    assert b"<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>" in made
    document = pypdfium2.PdfDocument(made)
    attached = document.get_attachment(0)
    assert (document.count_attachments(), attached.get_name()) == (1, "report.json")
    assert AuditReport.model_validate_json(bytes(attached.get_data())) == report()
    text = "\n".join(pages(made))
    assert "Page 1 of" in text
    assert "Policy" in text
    assert "idx/" not in text


def test_executive_edition_fits_six_pages_however_much_there_is() -> None:
    """What is left out is counted, the most severe stand first, and conflicts show both sides."""
    made = crowded()
    texts = pages(render_pdf(made, "executive"))
    assert len(texts) <= 6
    told = printed(made, "executive")
    shown = [each for group in told["groups"] for each in group["claims"]]
    assert len(shown) + told["claims_left"] == len(made.claims)
    assert {each["severity"] for each in shown} == {"high"}
    assert f"{told['claims_left']} more findings" in " ".join("".join(texts).split())
    assert len(pages(render_pdf(made, "full"))) > 6


def test_what_documents_say_is_set_as_text_and_never_read_as_markup() -> None:
    """Words that a typesetter would run stand on the page as they are."""
    made = report((HOSTILE,), corpus_name=HOSTILE, claims=(claim(1, "gap", HOSTILE, (1,)),))
    for edition in EDITIONS:
        text = "\n".join(pages(render_pdf(made, edition)))
        assert '#read("/etc/passwd") $ x $ *b* <a> @b [c] // d' in text
        assert "root:" not in text


def test_all_faces_say_the_same_figures() -> None:
    """Counts of JSON, HTML, PDF and workbook are one."""
    made = report(refused=(claim(1, "statistic", "Half of all.", (1,), published=False),))
    made = made.model_copy(
        update={"counts": made.counts.model_copy(update={"documents": 4321, "extractions": 8765, "refused": 1})}
    )
    page, paper = render_html(made), "\n".join(pages(render_pdf(made, "full")))
    file = io.BytesIO()
    write_workbook(made, file)
    rows = {row[0]: row[1] for row in load_workbook(file)["report"].iter_rows(values_only=True)}
    for name, number in (("documents", 4321), ("statements read", 8765)):
        assert f"{number:,}" in page
        assert f"{number:,}" in paper
        assert rows[name] == number
    assert rows["sentences refused"] == 1
    assert rows["build"] == BUILD
    assert BUILD in "".join(paper.split())


def test_validation_is_told_by_its_outcome() -> None:
    """Not run, nothing found, and findings that ask not to rely on the report: without names of tables."""
    fields = {"corpus_id": "demo", "generation": 1, "build_id": BUILD, "losses": (), "seconds": 1.0}
    clean = ValidationReport(clean=True, checked={"idx/term": 1127, "claims": 3}, findings=(), **fields)
    finding = Finding(check="bytes", record="claims/demo/1", message="changed")
    bad = ValidationReport(clean=False, checked={"claims": 3}, findings=(finding, finding), **fields)
    told = [printed(report(validation=each), "full")["validation"] for each in (None, clean, bad)]
    assert told == [
        "Validation was not run for this report.",
        "Validated: 1,130 records were read again, and nothing is wrong with them.",
        "Validation has 2 findings. Do not rely on this report before they are explained.",
    ]
    assert "idx/term" not in render_html(report(validation=clean))


def test_workbook_holds_every_finding_quote_and_document_as_text() -> None:
    """Sheets with filters and frozen heads; what begins like a formula is a text."""
    made = report(("=1+1 is what they say",), claims=(claim(1, "gap", "=HYPERLINK(1)", (1,)),))
    file = io.BytesIO()
    write_workbook(made, file)
    book = load_workbook(file)
    assert book.sheetnames == [
        "report",
        "findings",
        "evidence",
        "possible",
        "refused",
        "sections",
        "documents",
        "duties over time",
        "not here",
        "failures",
    ]
    for sheet in book:
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref
    cell = book["findings"]["D2"]
    assert (cell.value, cell.data_type) == ("=HYPERLINK(1)", "s")
    (evidence,) = book["evidence"].iter_rows(min_row=2, values_only=True)
    place = made.passages[0].place
    assert evidence[:3] == (1, "=1+1 is what they say", "policy.md")
    assert evidence[5:] == (place.char_start, place.char_end, place.raw_sha256)
    assert [row[1] for row in book["documents"].iter_rows(min_row=2, values_only=True)] == ["policy.md"]


def test_titles_stand_for_file_names_and_cut_quotes_are_marked() -> None:
    """A place is title, locator or heading, and page; a quote that goes on says so."""
    made = report(("word " * 200,))
    claims = [each for group in printed(made, "full")["groups"] for each in group["claims"]]
    (quote, place), *_ = claims[0]["quotes"]
    assert place.startswith("Policy")
    assert not quote.endswith("[…]")
    short = printed(report(("word " * 200,), claims=(claim(1, "gap", "A gap.", (1,)),)), "executive")
    quote, _ = short["groups"][0]["claims"][0]["quotes"][0]
    assert quote.endswith("word […]")
    assert len(quote) <= 330
    json.dumps(short)


def test_pdf_without_the_library_is_told_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named, and so is the page that a browser prints."""
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(UsageError) as caught:
        render_pdf(report(), "full")
    assert "coditect-knowledge[pdf]" in str(caught.value.hint)
