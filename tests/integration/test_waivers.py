"""The register of exceptions of a built corpus: targets, days, status on a day, and its files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner
from icalendar import Calendar

from coditect.cli.app import coditect as program
from coditect.compose import open_knowledge
from coditect.errors import NotFound, UsageError
from coditect.knowledge.report.registers.waivers import waiver_rows, waivers_ending_within
from coditect.knowledge.service import Knowledge
from coditect.reports.registers.waivers import WAIVER_COLUMNS, dates_of_waivers, days_of_waiver, write_waivers
from coditect.schemas import BuildSettings, WaiverRow
from coditect.settings import Settings

CORPUS = "exceptions"
TODAY = "2026-04-01"
POLICY = """# Access Policy

## 4 Passwords

4.1 Passwords must be rotated every 90 days.

4.2 All users must use multi-factor authentication.

## 5 Exceptions

5.1 Exceptions to this policy must be approved by the CISO and expire after 12 months.
"""
MINUTES = """# Minutes of the Risk Committee, 12 March 2026

The committee approved an exception to section 4.2 of the Access Policy for the Payments team until 30 June 2026.

The committee granted the Oslo office a waiver of section 9.9 of the Access Policy for six months.

The committee declined to grant an exception to section 4.1.
"""
REGISTER = """Exception ID,Policy section,Requester,Approved by,Approval date,Expiry date,Compensating control,Status
EX-1,Access Policy 4.1,Treasury,CISO,2025-01-15,2026-01-14,"Longer passwords. Checked weekly.",Approved
EX-2,Access Policy 4.2,HR,CISO,2026-02-01,2027-01-31,Segregated network,Pending
EX-3,Laptop Standard 3,Field staff,CISO,2026-05-02,never,,Approved
"""
FORM = """# Security Exception Request

Requested by: Laboratory

Policy: Access Policy, section 4.1

Approved by: CISO

Date approved: 15 January 2026

Expiration date: 20 April 2026
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a policy, and minutes, a register and a form that tell of exceptions to it."""
    place = tmp_path_factory.mktemp("waivers")
    folder = place / "documents"
    folder.mkdir()
    for name, text in (
        ("access-policy.md", POLICY), ("minutes.md", MINUTES), ("register.csv", REGISTER), ("request-form.md", FORM),
    ):  # fmt: skip
        (folder / name).write_text(text)
    with open_knowledge(_settings(place)) as opened:
        opened.ingest(CORPUS, [folder])
        opened.build(CORPUS, BuildSettings())
    return place


def _settings(place: Path) -> Settings:
    return Settings(store=f"lmdb://{place}/store", cache=place / "cache", jobs=1)


@pytest.fixture
def knowledge(store: Path) -> Iterator[Knowledge]:
    """It, open."""
    with open_knowledge(_settings(store)) as opened:
        yield opened


def _rows(knowledge: Knowledge, today: str = TODAY, **asked: object) -> list[WaiverRow]:
    return list(waiver_rows(knowledge.view(CORPUS), today, **asked))  # type: ignore[arg-type]


def test_each_exception_is_a_row_with_what_it_is_from(knowledge: Knowledge) -> None:
    """Of sentences, rows and forms; a number behind the name of a document leads to the sentence; refused in prose is none."""
    rows = _rows(knowledge)
    assert [(each.document, each.holder, each.status, each.ends, each.ends_basis) for each in rows] == [
        ("minutes.md", "the Payments team", "ends soon", "2026-06-30", "stated"),
        ("minutes.md", "the Oslo office", "in force", "2026-09-11", "computed"),
        ("register.csv", "Treasury", "expired", "2026-01-14", "stated"),
        ("register.csv", "HR", "requested", "2027-01-31", "stated"),
        ("register.csv", "Field staff", "not yet in force", "", ""),
        ("request-form.md", "Laboratory", "ends soon", "2026-04-20", "stated"),
    ]
    known = [tuple(target.locator for target in each.targets) for each in rows]
    assert known == [("4.2",), ("",), ("4.1",), ("4.2",), (), ("4.1",)]
    assert all("multi-factor" in target.text for target in rows[0].targets)
    assert (rows[1].targets[0].document, rows[1].unresolved) == (
        "access-policy.md",
        "the document has no sentence under 9.9",
    )
    assert rows[4].unresolved == "the corpus has no document of that name"


def test_each_row_is_verbatim_and_can_be_drilled_down(knowledge: Knowledge) -> None:
    """The words stand in the document where the row says, a whole row of a table and a whole form included; so do its targets'."""
    view = knowledge.view(CORPUS)
    rows = _rows(knowledge)
    for row in rows:
        assert view.text(row.document_id)[row.char_start : row.char_end] == row.text
        assert row.words in row.text
        assert knowledge.chain(row.item_id, corpus_id=CORPUS).document_id == row.document_id
        for target in row.targets:
            assert view.text(target.document_id)[target.char_start : target.char_end] == target.text
    assert "Checked weekly. | Status: Approved" in rows[2].text
    assert rows[2].condition == "Longer passwords. Checked weekly."
    assert rows[5].text.startswith("Requested by: Laboratory")
    assert rows[5].text.endswith("Expiration date: 20 April 2026")


def test_the_status_moves_with_the_day_that_is_asked(knowledge: Knowledge) -> None:
    """An end that is stated holds to its last day; what the text calls endless is open-ended from the day of the grant."""

    def status(today: str, **asked: object) -> list[str]:
        return [each.status for each in _rows(knowledge, today, **asked)]

    assert status("2026-06-30", documents=("minutes.md",)) == ["ends soon", "ends soon"]
    assert status("2026-07-01", documents=("minutes.md",)) == ["expired", "ends soon"]
    assert status("2026-05-02", documents=("register.csv",))[2] == "open-ended"
    assert status("2026-04-01", documents=("minutes.md",), soon_days=10.0) == ["in force", "in force"]
    assert status(TODAY, statuses=("requested", "expired")) == ["expired", "requested"]
    first = _rows(knowledge)[0]
    assert waivers_ending_within(first, 24.0 * 90)
    assert not waivers_ending_within(first, 24.0 * 89)


def test_rules_about_exceptions_are_listed_where_they_are_asked_for(knowledge: Knowledge) -> None:
    (rule,) = [each for each in _rows(knowledge, rules=True) if each.status == "rule"]
    assert (rule.document, rule.locator, rule.granted_by, rule.length, rule.ends) == (
        "access-policy.md", "5.1", "the CISO", "12 months", "",
    )  # fmt: skip


def test_the_use_case_refuses_what_is_not_there(knowledge: Knowledge) -> None:
    with pytest.raises(NotFound):
        list(knowledge.waivers(CORPUS, documents=("nothing.md",)))
    with pytest.raises(UsageError):
        knowledge.waivers(CORPUS, today="2026-02-30")
    assert list(knowledge.waivers(CORPUS, today=TODAY)) == _rows(knowledge)


def test_tables_have_a_row_for_each_exception(knowledge: Knowledge) -> None:
    """CSV and workbook hold the same cells; JSON Lines the whole rows."""
    rows = _rows(knowledge)
    files = {form: io.BytesIO() for form in ("csv", "xlsx", "jsonl")}
    assert [write_waivers(rows, file, form) for form, file in files.items()] == [6, 6, 6]  # type: ignore[arg-type]
    table = list(csv.reader(io.StringIO(files["csv"].getvalue().decode("utf-8-sig"))))
    assert tuple(table[0]) == WAIVER_COLUMNS
    sheet = openpyxl.load_workbook(io.BytesIO(files["xlsx"].getvalue())).active
    assert sheet is not None
    cells = [["" if cell is None else str(cell) for cell in row] for row in sheet.values]
    plain = [[each.removeprefix("'") for each in row] for row in table[1:]]
    assert cells == [[each.replace("_", " ") for each in table[0]], *plain]
    assert [WaiverRow.model_validate_json(line) for line in files["jsonl"].getvalue().splitlines()] == rows
    first = dict(zip(table[0], table[1], strict=True))
    assert (first["provision_place"], first["provision_quote"]) == (
        "access-policy.md 4.2", "4.2 All users must use multi-factor authentication.",
    )  # fmt: skip


def test_days_are_told_in_words(knowledge: Knowledge) -> None:
    rows = _rows(knowledge)
    assert days_of_waiver(rows[0]) == "ends 2026-06-30 (stated), in 90 days"
    assert days_of_waiver(rows[2]) == "granted 2025-01-15; ended 2026-01-14 (stated), 77 days ago"


def test_the_last_days_of_what_was_granted_stand_in_a_calendar(knowledge: Knowledge) -> None:
    """Not what was only asked for, and not what has no end."""
    assert [day for _, _, day in dates_of_waivers(_rows(knowledge))] == [
        "2026-06-30", "2026-09-11", "2026-01-14", "2026-04-20",
    ]  # fmt: skip


def _command(store: Path, *words: str) -> bytes:
    given = {"CODITECT_STORE": f"lmdb://{store}/store", "CODITECT_CACHE": str(store / "cache")}
    ran = CliRunner().invoke(
        program, ["knowledge", "waivers", "--corpus-id", CORPUS, "--today", TODAY, *words], env=given
    )
    assert ran.exit_code == 0, ran.output
    return ran.stdout_bytes


def test_the_command_prints_and_filters(store: Path) -> None:
    """Text names status, holder and the sentence that it is from; JSON holds the rows; a calendar opens in a second program."""
    text = " ".join(_command(store).decode().split())
    assert "ends soon exception the Payments team" in text
    assert "“4.2 All users must use multi-factor authentication.”" in text
    assert "6 exceptions" in text
    soon = json.loads(_command(store, "--ends-within", "30 days", "--format", "json"))
    assert [row["holder"] for row in soon["waivers"]] == ["Laboratory"]
    rules = json.loads(_command(store, "--status", "rule", "--format", "json"))
    assert [row["locator"] for row in rules["waivers"]] == ["5.1"]
    calendar = Calendar.from_ical(_command(store, "--format", "ical"))
    events = calendar.walk("VEVENT")
    assert len({str(each["uid"]) for each in events}) == len(events) == 4
    assert sorted(each.decoded("dtstart").isoformat() for each in events)[0] == "2026-01-14"
    assert "None was read" in _command(store, "--status", "withdrawn").decode()
