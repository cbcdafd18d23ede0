"""Each register as a table: its columns, its rows, and what a row without the other side holds."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any, BinaryIO, get_args

import openpyxl
import pytest
from openpyxl.utils import get_column_letter

from coditect.reports.audit import AUDIT_COLUMNS, write_audit
from coditect.reports.registers.changes import AFFECTED_COLUMNS, CHANGE_COLUMNS, write_affected, write_changes
from coditect.reports.registers.claims import CLAIM_COLUMNS, write_claims
from coditect.reports.registers.crosswalk import CROSSWALK_COLUMNS, write_crosswalk
from coditect.reports.registers.references import REFERENCE_COLUMNS, write_references
from coditect.reports.registers.tables import TableFormat
from coditect.schemas import AbsentTarget, AuditEntry, CitedPlace
from coditect.schemas.change import (
    AffectedItem,
    ChangedSide,
    CorpusChanges,
    DocumentChanges,
    DutyChange,
    ProvisionChange,
)
from coditect.schemas.crosswalk import CheckedClaim, Crosswalk, CrosswalkEvidence, CrosswalkRow, MappingCheck

FORMS: tuple[TableFormat, ...] = get_args(TableFormat)
OLD = ChangedSide(version_id="v1", place="4.1", text="Within 30 days.", char_start=1, char_end=16, page=2)
NEW = ChangedSide(version_id="v2", place="4.2", heading="Time", text="Within 3 days.", char_start=5, char_end=19)
CHANGES = CorpusChanges(
    corpus_id="demo", before=1, after=2,
    documents=(
        DocumentChanges(document="a.md", former="b.md", status="changed", changes=(
            ProvisionChange(number=1, kind="amended", duty="changed", before=OLD, after=NEW, weight=2.5, fields=(
                DutyChange(field="deadline", before="30 days", after="3 days"), DutyChange(field="actor", before="", after="CISO"),
                DutyChange(field="object", before="it"),
            )),
            ProvisionChange(number=2, kind="added", after=NEW),
        )),
        DocumentChanges(document="c.md", status="removed"),
    ),
    affected=(
        AffectedItem(
            kind="claim", item_id="claim_1", text="It is.", changed_document="a.md", changes=(2, 1), reason="cites it", weight=2.5,
        ),
    ),
)  # fmt: skip
EVIDENCE = CrosswalkEvidence(
    label="meets", probability=0.5, held=0.9, reason="same", item_id="extraction_1", document="p.md", version_id="v1",
    text="Review.", char_start=3, char_end=10,
)  # fmt: skip
PART: dict[str, Any] = {
    "family": "F",
    "title": "T",
    "document": "rule.md",
    "text": "Review it.",
    "char_start": 0,
    "char_end": 10,
}
WALK = Crosswalk(
    framework_corpus="rules", framework_generation=3, corpus_id="demo", generation=1, method="crosswalk/1", coverage=(),
    rows=(
        CrosswalkRow(
            requirement_id="r1", part_id="r1.a", label="meets", evidence=(EVIDENCE, EVIDENCE), open_parameters=("x", "y"), **PART,
        ),
        CrosswalkRow(requirement_id="r2", part_id="r2.a", label="no evidence", **PART),
    ),
    orphans=(),
)  # fmt: skip
CLAIMS = MappingCheck(
    source="m.csv", framework_corpus="rules", framework_generation=3, corpus_id="demo", generation=1, method="m", verdicts={},
    claims=(
        CheckedClaim(document="p.md", requirement="r1", verdict="supported", reason="so", evidence=EVIDENCE),
        CheckedClaim(document="p.md", requirement="r2", verdict="no evidence", reason="none"),
    ),
)  # fmt: skip
PLACE = CitedPlace(document="a.md", text="Art. 5", sentence="See Art. 5.", char_start=4, extraction_id="extraction_9")
TARGETS = (
    AbsentTarget(
        name="Act", references=3, documents=("a.md", "b.md"), sections=(("5", 2), ("6", 1)),
        examples=(PLACE, PLACE.model_copy(update={"document": "b.md"})),
    ),
    AbsentTarget(name="Rule", references=1, documents=("a.md",), sections=(), examples=()),
)  # fmt: skip


def table(write: Callable[[BinaryIO], int], count: int) -> list[dict[str, str]]:
    """The rows of a CSV file, of which there were so many."""
    file = io.BytesIO()
    assert write(file) == count
    rows = list(csv.DictReader(io.StringIO(file.getvalue().decode("utf-8-sig"), newline="")))
    assert all(None not in row and None not in row.values() for row in rows)  # as many cells as columns
    return rows


def test_changes_are_a_row_for_each_provision() -> None:
    """Both sides where there are both; a document that went or came is a row of its own."""
    amended, added, removed = table(lambda file: write_changes(CHANGES, file, "csv"), 3)
    assert tuple(amended) == CHANGE_COLUMNS
    assert amended["duty_fields"] == "deadline: 30 days -> 3 days; actor: nothing -> CISO; object: it -> nothing"
    assert (amended["former_name"], amended["number"], amended["weight"], amended["carried"]) == (
        "b.md",
        "1",
        "2.5",
        "0",
    )
    assert (amended["place_before"], amended["page_before"], amended["place_after"]) == ("4.1", "2", "4.2")
    assert (added["text_before"], added["text_after"], added["char_end_after"]) == ("", "Within 3 days.", "19")
    assert {name: value for name, value in removed.items() if value} == {"document": "c.md", "status": "removed"}
    (line,) = table(lambda file: write_affected(CHANGES, file, "csv"), 1)
    assert tuple(line) == AFFECTED_COLUMNS
    assert (line["changes"], line["item_id"], line["weight"]) == ("2; 1", "claim_1", "2.5")


def test_places_of_formats_with_ids_are_told_as_they_are_cited() -> None:
    """With the format's own id behind, as pages have them; a place that is cited as it stands is told once."""
    (document, *_) = CHANGES.documents
    (change,) = document.changes[:1]
    assert change.before is not None
    cited = change.before.model_copy(update={"place": "7-4-1", "cited": "§ 7.4(1)"})
    told = document.model_copy(update={"changes": (change.model_copy(update={"before": cited}),)})
    (row,) = table(lambda file: write_changes(CHANGES.model_copy(update={"documents": (told,)}), file, "csv"), 1)
    assert (row["place_before"], row["place_after"]) == ("§ 7.4(1) [7-4-1]", "4.2")


def test_changes_as_a_workbook_have_the_work_list_on_a_second_sheet() -> None:
    """Rows of both are counted; of JSON Lines the documents."""
    file = io.BytesIO()
    assert write_changes(CHANGES, file, "xlsx") == 4
    book = openpyxl.load_workbook(file)
    assert book.sheetnames == ["changes", "work list"]
    assert [sheet.max_row for sheet in book] == [4, 2]
    assert book["changes"].auto_filter.ref == "A1:W4"
    lines = io.BytesIO()
    assert write_changes(CHANGES, lines, "jsonl") == 2
    assert [DocumentChanges.model_validate_json(each) for each in lines.getvalue().splitlines()] == [*CHANGES.documents]


def test_crosswalk_is_a_row_for_each_sentence_and_for_what_has_none() -> None:
    """The part stands in each of its rows."""
    one, two, none = table(lambda file: write_crosswalk(WALK, file, "csv"), 3)
    assert tuple(one) == CROSSWALK_COLUMNS
    assert one == two
    assert (one["requirement_part_id"], one["part_label"], one["open_parameters"]) == ("r1.a", "meets", "x; y")
    assert (one["label"], one["item_id"], one["text"]) == ("meets", "extraction_1", "Review.")
    assert (none["requirement_id"], none["part_label"], none["label"], none["item_id"]) == (
        "r2",
        "no evidence",
        "no evidence",
        "",
    )
    lines = io.BytesIO()
    assert write_crosswalk(WALK, lines, "jsonl") == 2


def test_claims_of_a_mapping_are_a_row_each() -> None:
    """With the sentence that says most, where there is one."""
    supported, none = table(lambda file: write_claims(CLAIMS, file, "csv"), 2)
    assert tuple(supported) == CLAIM_COLUMNS
    assert (supported["evidence_text"], supported["evidence_char_start"]) == ("Review.", "3")
    assert not any(value for name, value in none.items() if name.startswith("evidence_"))


def test_references_have_their_places_and_the_first_example() -> None:
    """A target without examples still has its row."""
    act, rule = table(lambda file: write_references(TARGETS, file, "csv"), 2)
    assert tuple(act) == REFERENCE_COLUMNS
    assert (act["places"], act["documents"], act["references"]) == ("5 (2); 6 (1)", "a.md; b.md", "3")
    assert (act["example_document"], act["example_char_start"]) == ("a.md", "4")
    assert not any(value for name, value in rule.items() if name.startswith("example_"))


@pytest.mark.parametrize("form", FORMS)
def test_a_register_without_rows_is_a_file_all_the_same(form: TableFormat) -> None:
    """Heads alone, or nothing; no rows are counted."""
    file = io.BytesIO()
    assert write_references((), file, form) == 0
    if form == "xlsx":
        sheet = openpyxl.load_workbook(file)["references"]
        assert (sheet.max_row, sheet.auto_filter.ref) == (1, "A1:I1")
    else:
        assert file.getvalue() == (
            b"\xef\xbb\xbf" + ",".join(REFERENCE_COLUMNS).encode() + b"\r\n" if form == "csv" else b""
        )


def test_columns_of_a_workbook_are_as_wide_as_what_they_hold() -> None:
    """The first and the last as well; what is said of both sides and of examples like what it is of; others fourteen."""
    file = io.BytesIO()
    write_references(TARGETS, file, "xlsx")
    sheet = openpyxl.load_workbook(file)["references"]
    letters = "ABCDEFGHI"
    widths = dict(zip(REFERENCE_COLUMNS, (sheet.column_dimensions[each].width for each in letters), strict=True))
    assert widths == {
        "name": 40, "references": 14, "documents": 40, "places": 40, "example_document": 32, "example_sentence": 80,
        "example_text": 80, "example_char_start": 14, "example_extraction_id": 14,
    }  # fmt: skip
    file = io.BytesIO()
    write_changes(CHANGES, file, "xlsx")
    changes = openpyxl.load_workbook(file)["changes"]
    for name in ("text_before", "text_after"):
        assert changes.column_dimensions[get_column_letter(CHANGE_COLUMNS.index(name) + 1)].width == 80


ENTRIES = [
    AuditEntry.model_validate(
        {"index": n, "at": "", "who": "=A", "kind": "review", "what": "x", "corpus_id": "", "subject": "s", "state": "present",
         "sha256": "", "release": "1", **({"before": {"b": "\u00e9", "a": 1}} if n else {})}
    )
    for n in range(3)
]  # fmt: skip


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_audit_trail_is_one_document_or_a_line_an_entry(count: int) -> None:
    """Commas stand between entries alone; how many there were is told."""
    entries = ENTRIES[:count]
    files = {form: io.BytesIO() for form in ("csv", "json", "jsonl")}
    assert [write_audit(entries, file, form) for form, file in files.items()] == [count] * 3  # type: ignore[arg-type]
    told = [each.model_dump(mode="json") for each in entries]
    assert json.loads(files["json"].getvalue()) == {"entries": told}
    assert (
        files["json"].getvalue() == b'{"entries":[' + b",".join(e.model_dump_json().encode() for e in entries) + b"]}\n"
    )
    assert files["jsonl"].getvalue() == b"".join(each.model_dump_json().encode() + b"\n" for each in entries)
    heads, *rows = list(csv.reader(io.StringIO(files["csv"].getvalue().decode("utf-8-sig"), newline="")))
    assert tuple(heads) == AUDIT_COLUMNS
    cells = [dict(zip(heads, row, strict=True)) for row in rows]
    assert [(each["index"], each["who"]) for each in cells] == [(str(n), "'=A") for n in range(count)]
    assert [each["before"] for each in cells] == ["", *(['{"a": 1, "b": "\u00e9"}'] * 2)][:count]
