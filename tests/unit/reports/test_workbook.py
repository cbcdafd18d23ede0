"""The sheets of a report as a workbook, row by row."""

from __future__ import annotations

import datetime
import gc
import io
import zipfile
from typing import Any

import openpyxl
import pytest

from coditect.reports.editions.workbook import write_workbook
from coditect.reports.model import AuditReport
from coditect.reports.registers.workbooks import workbook_of
from coditect.schemas import AbsentTarget, Failure, Finding, ValidationReport
from tests.unit.reports.reports import BUILD, HEX, claim, report
from tests.unit.reports.test_printed import profile


def rows(made: AuditReport, sheet: str) -> list[tuple[Any, ...]]:
    """The rows of a sheet below its heads."""
    file = io.BytesIO()
    write_workbook(made, file)
    return list(openpyxl.load_workbook(file)[sheet].iter_rows(min_row=2, values_only=True))


def two() -> AuditReport:
    """Two passages; a gap on the second and on nothing, and a refused theme."""
    gap = claim(1, "gap", "A gap.", (2,), severity="high")
    lost = gap.citations[0].model_copy(update={"passage": None})
    made = report(
        ("One.", "Two."),
        claims=(gap.model_copy(update={"citations": (lost, *gap.citations)}),),
        refused=(claim(1, "theme", "No.", (1,), reason="why", published=False),),
    )
    first, second = made.passages
    moved = second.model_copy(update={"place": second.place.model_copy(update={"locator": "4.2(a)", "page": None})})
    return made.model_copy(update={"passages": (first, moved)})


def test_quotes_have_the_place_of_their_own_passage() -> None:
    """By locator, else by all headings; what the program wrote and what leads nowhere has none."""
    assert rows(two(), "evidence") == [(1, "Two.", "policy.md", "4.2(a)", None, 100, 104, HEX)]
    assert rows(two(), "sections") == [
        (1, "Topic", "access", "What the documents require:", None, None, None, None, None, None),
        (1, "Topic", "access", "One.", "policy.md", "4 Access > 4.1", 2, 100, 104, HEX),
        (1, "Topic", "access", "Two.", "policy.md", "4.2(a)", None, 100, 104, HEX),
    ]
    assert rows(two(), "findings") == [(1, "gap", "high", "A gap.", 0.9, 1, 2, "claim_1")]
    assert rows(two(), "refused") == [(1, "No.", "why")]


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        (None, (None, None, None)),
        ({}, (None, None, None)),
        ({"role": "law", "date": "2024-01-01"}, ("law", "2024-01-01", None)),
        ({"edition": "3", "date": "2024-01-01", "owner": "CISO", "title": "T"}, (None, "3, 2024-01-01", "CISO")),
    ],
)
def test_documents_have_what_is_known_of_them(facts: dict[str, str] | None, told: tuple[str | None, ...]) -> None:
    """Title, file, role, edition, owner, standing, and figures."""
    base = report()
    known = {"profile": None if facts is None else profile(**facts), "standing": ("expired", "old")}
    made = base.model_copy(update={"documents": (base.documents[0].model_copy(update=known),)})
    assert rows(made, "documents") == [("Policy", "policy.md", *told, "expired; old", 5000, 3, HEX)]


@pytest.mark.parametrize(("findings", "told"), [(None, "not run"), (0, "nothing found"), (2, "2 findings")])
def test_first_sheet_tells_what_was_validated(findings: int | None, told: str) -> None:
    """Beside the figures; a corpus without a name is told by its id."""
    found = None
    if findings is not None:
        finding = Finding(check="bytes", record="claims/demo/1", message="changed")
        found = ValidationReport(
            corpus_id="demo", generation=1, build_id=BUILD, losses=(), seconds=1.0, clean=not findings, checked={},
            findings=(finding,) * findings,
        )  # fmt: skip
    assert dict(rows(report(validation=found), "report"))["validation"] == told
    assert dict(rows(report(), "report"))["corpus"] == "Demo"
    assert dict(rows(report(corpus_name=""), "report"))["corpus"] == "demo"


def test_what_is_not_here_and_what_failed_has_its_sheet() -> None:
    """Names, how often, by whom; files, why, and the way out."""
    made = report(
        absent=(AbsentTarget(name="Act", references=3, documents=("a.md", "b.md"), sections=(), examples=()),),
        failures=(Failure(corpus_id="demo", name="x.pdf", error="ReadError", message="why", hint="so"),),
    )
    assert rows(made, "not here") == [("Act", 3, "a.md; b.md")]
    assert rows(made, "failures") == [("x.pdf", "why", "so")]


def test_a_register_that_does_not_fit_on_the_disk_complains_once(recwarn: pytest.WarningsRecorder) -> None:
    """The archive that openpyxl writes must not be left half written in the file: it would be closed once more, in vain."""

    class Full(io.BytesIO):
        def write(self, data: Any) -> int:  # noqa: ANN401 - bytes in any form
            raise OSError("No space left on device")

    with pytest.raises(OSError, match="No space"):
        workbook_of(("a", "b"), [(1, "x")], Full(), title="T")
    gc.collect()
    assert [str(each.message) for each in recwarn] == []


def test_rows_are_high_enough_for_what_is_wrapped_in_them() -> None:
    """Fifteen points a line of their widest text; ids are not wrapped; every row has its own height, however many there are."""
    file = io.BytesIO()
    cells = [("x" * 81, "extraction_" + "1" * 40), ("one line", ""), ("a\nb\nc", ""), ("x" * 9_000, ""), (None, "")]
    workbook_of(("text", "item_id"), cells, file, "register")
    sheet = openpyxl.load_workbook(file)["register"]
    assert [sheet.row_dimensions[number].height for number in range(2, 7)] == [30, 15, 45, 409, 15]
    assert (sheet["A2"].alignment.wrap_text, sheet["B2"].alignment.wrap_text) == (True, None)


@pytest.mark.parametrize(("columns", "pages"), [(("text", "kind"), 1), (("text",) * 4, 1), (("text",) * 5, 2)])
def test_sheets_are_printed_across_with_their_head(columns: tuple[str, ...], pages: int) -> None:
    """As many pages side by side as keep the letters readable."""
    file = io.BytesIO()
    workbook_of(columns, [("x",) * len(columns)], file, "register")
    sheet = openpyxl.load_workbook(file)["register"]
    assert (sheet.page_setup.orientation, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (
        "landscape",
        pages,
        0,
    )
    assert sheet.print_title_rows == "$1:$1"


def test_the_same_cells_are_the_same_bytes_whatever_the_clock_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workbooks are hashed and signed: neither the archive nor the properties tell when they were written."""
    texts = []
    for year in (2026, 2031):
        clock = datetime.datetime(year, 5, 4, 3, 2, 1, tzinfo=datetime.UTC)
        monkeypatch.setattr("zipfile.time.time", lambda clock=clock: clock.timestamp())
        monkeypatch.setattr("zipfile.time.localtime", lambda *_, clock=clock: clock.timetuple())
        file = io.BytesIO()
        assert workbook_of(("name", "number"), [("=a", 1), (None, None), ("b", 2.5), ("", "3")], file, "rows") == 4
        texts.append(file.getvalue())
    assert texts[0] == texts[1]
    with zipfile.ZipFile(io.BytesIO(texts[0])) as archive:
        assert {each.date_time for each in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.read("docProps/core.xml").count(b"1980-01-01T00:00:00Z") == 2
    sheet = openpyxl.load_workbook(io.BytesIO(texts[0]))["rows"]
    assert list(sheet.iter_rows(min_row=2, values_only=True)) == [("=a", 1), (None, None), ("b", 2.5), (None, "3")]
    assert sheet["A2"].data_type == "s"
    assert sheet["B2"].data_type == "n"
