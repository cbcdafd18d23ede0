"""The register of agreements of a built corpus: days that are counted, sentences that say so, and its files."""

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
from coditect.errors import NotFound
from coditect.knowledge.report.registers.agreements import agreement_rows, ending_within
from coditect.knowledge.service import Knowledge
from coditect.reports.registers.agreements import (
    AGREEMENT_COLUMNS,
    dates_of_agreements,
    days_of,
    said_of,
    write_agreements,
)
from coditect.schemas import AGREEMENT_FIELDS, AgreementRow, BuildSettings
from coditect.settings import Settings

CORPUS = "contracts"
TODAY = "2026-11-01"
HOSTING = """# Hosting Services Agreement

This Hosting Services Agreement is made on 1 January 2024 between
Brightmoor Bank plc ("Customer") and Tallow Hosting Ltd ("Provider").

## 1 Term

1.1 This Agreement shall commence on 1 January 2024 and continue for two years. It is renewed automatically for successive periods
of one year unless a party gives the other at least ninety days' written notice before the end of the current term.

## 2 Ending

2.1 The Customer may terminate this Agreement for convenience on sixty days' notice.

## 3 Delivery

3.1 The Provider shall not subcontract the Services without the prior written consent of the Customer.
3.2 The Provider shall not transfer Customer data outside Switzerland.
3.3 The Customer has the right to audit the Provider's records and premises.

## 4 General

4.1 Neither party may assign this Agreement without the prior written consent of the other.
4.2 This Agreement is governed by the laws of Switzerland.
"""
LEASE = """# Lease Agreement

This Lease Agreement is made between Orrin Estates Ltd ("Landlord") and Brightmoor Bank plc ("Tenant").

1. The term of this Lease shall commence on 1 February 2020 and end on 31 January 2027.
2. The Tenant pays the rent on the first day of each month.
"""
POLICY = (
    "# Access Policy\n\nAccess shall be reviewed every six months. This policy is governed by the laws of nobody.\n"
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two contracts and a policy."""
    place = tmp_path_factory.mktemp("agreements")
    folder = place / "documents"
    folder.mkdir()
    (folder / "hosting-agreement.md").write_text(HOSTING)
    (folder / "lease-agreement.md").write_text(LEASE)
    (folder / "access-policy.md").write_text(POLICY)
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


def _rows(knowledge: Knowledge, today: str = TODAY, documents: tuple[str, ...] = ()) -> dict[str, AgreementRow]:
    return {row.document: row for row in agreement_rows(knowledge.view(CORPUS), today, documents=documents)}


def test_each_contract_is_a_row_with_its_days(knowledge: Knowledge) -> None:
    """A policy is none; days are stated or counted from the first day, renewals that came about included."""
    rows = _rows(knowledge)
    assert list(rows) == ["hosting-agreement.md", "lease-agreement.md"]
    hosting, lease = rows.values()
    assert (hosting.begins, hosting.ends, hosting.ends_basis, hosting.renewed) == (
        "2024-01-01",
        "2026-12-31",
        "computed",
        1,
    )
    assert hosting.notice_by == "2026-10-02"
    assert (lease.begins, lease.ends, lease.ends_basis, lease.renewed, lease.notice_by) == (
        "2020-02-01", "2027-01-31", "stated", 0, "",
    )  # fmt: skip
    assert any("Tallow Hosting Ltd" in each for each in hosting.parties)


def test_the_days_move_with_the_day_that_is_asked(knowledge: Knowledge) -> None:
    """Before the first term ends nothing is renewed; of what ends within a time, the days of notice count, too."""
    assert _rows(knowledge, "2025-12-31")["hosting-agreement.md"].ends == "2025-12-31"
    assert _rows(knowledge, "2030-06-01")["hosting-agreement.md"].ends == "2030-12-31"
    hosting = _rows(knowledge, "2026-09-15")["hosting-agreement.md"]
    assert ending_within(hosting, "2026-09-15", 24.0 * 30)  # notice
    assert not ending_within(hosting, "2026-10-03", 24.0 * 30)
    assert ending_within(hosting, "2026-12-02", 24.0 * 30)  # the end


def test_a_day_for_notice_that_has_passed_is_told_with_what_follows(knowledge: Knowledge) -> None:
    """Up to the day itself notice is due; behind it the term that follows stands, until that one has begun."""
    told = {day: _row(knowledge, day) for day in ("2026-10-02", "2026-10-03", "2026-12-31", "2027-01-01")}
    assert {each.notice_by for each in told.values()} == {"2026-10-02", "2027-10-02"}
    assert [(each.notice_passed, each.renews_until) for each in told.values()] == [
        (False, ""), (True, "2027-12-31"), (True, "2027-12-31"), (False, ""),
    ]  # fmt: skip
    assert days_of(told["2026-10-02"]).endswith("; notice by 2026-10-02")
    assert days_of(told["2026-10-03"]).endswith(
        "; the last day for notice was 2026-10-02: it renews until 2027-12-31 unless notice was given"
    )


def _row(knowledge: Knowledge, day: str) -> AgreementRow:
    """The hosting agreement on a day."""
    (row,) = agreement_rows(knowledge.view(CORPUS), day, documents=("hosting*",))
    return row


def test_what_is_said_is_verbatim_and_what_is_not_said_is_told(knowledge: Knowledge) -> None:
    """Each field's sentence stands in the document where the row says, and holds the words that say it."""
    view = knowledge.view(CORPUS)
    rows = _rows(knowledge)
    for row in rows.values():
        text = view.text(row.document_id)
        for term in row.terms:
            assert text[term.char_start : term.char_end] == term.text
            assert term.words in term.text
            assert knowledge.chain(term.item_id, corpus_id=CORPUS).document_id == row.document_id
        assert sorted((*row.silent, *(each.field for each in row.terms))) == sorted(AGREEMENT_FIELDS)
    hosting = rows["hosting-agreement.md"]
    assert {each.field: each.value for each in hosting.terms} == {
        "term": "",
        "renewal": "automatic",
        "renewal_notice": "to prevent it",
        "termination": "without a reason",
        "governing_law": "Switzerland",
        "assignment": "with consent",
        "subcontracting": "with consent",
        "audit": "granted",
        "data_location": "not outside Switzerland",
    }
    assert set(rows["lease-agreement.md"].silent) == set(AGREEMENT_FIELDS) - {"term"}


def test_a_document_that_is_named_is_looked_at_whatever_its_role(knowledge: Knowledge) -> None:
    assert list(_rows(knowledge, documents=("access-*",))) == ["access-policy.md"]
    with pytest.raises(NotFound):
        _rows(knowledge, documents=("nothing.md",))


def test_agreements_are_passed_over_without_being_read(knowledge: Knowledge) -> None:
    assert [row.document for row in agreement_rows(knowledge.view(CORPUS), TODAY, passed=1)] == ["lease-agreement.md"]
    assert list(agreement_rows(knowledge.view(CORPUS), TODAY, passed=9)) == []


def test_tables_have_a_row_for_each_agreement(knowledge: Knowledge) -> None:
    """CSV and workbook hold the same cells; JSON Lines the whole rows."""
    rows = list(_rows(knowledge).values())
    files = {form: io.BytesIO() for form in ("csv", "xlsx", "jsonl")}
    assert [write_agreements(rows, file, form) for form, file in files.items()] == [2, 2, 2]  # type: ignore[arg-type]
    table = list(csv.reader(io.StringIO(files["csv"].getvalue().decode("utf-8-sig"))))
    assert tuple(table[0]) == AGREEMENT_COLUMNS
    sheet = openpyxl.load_workbook(io.BytesIO(files["xlsx"].getvalue())).active
    assert sheet is not None
    cells = [["" if cell is None else str(cell) for cell in row] for row in sheet.values]
    assert cells == [[each.replace("_", " ") for each in table[0]], *table[1:]]
    assert [AgreementRow.model_validate_json(line) for line in files["jsonl"].getvalue().splitlines()] == rows
    hosting = dict(zip(table[0], table[1], strict=True))
    assert (hosting["renewal"], hosting["renewal_notice"]) == ("automatic, 1 year", "90 days, to prevent it")
    assert hosting["termination"] == "without a reason, by the Customer, notice 60 days"


def test_the_last_days_stand_in_a_calendar(knowledge: Knowledge) -> None:
    assert list(dates_of_agreements(_rows(knowledge).values())) == [
        ("last day for notice of renewal", "hosting-agreement.md", "2026-10-02"),
        ("last day of the agreement", "hosting-agreement.md", "2026-12-31"),
        ("last day of the agreement", "lease-agreement.md", "2027-01-31"),
    ]


def _command(store: Path, *words: str) -> bytes:
    given = {"CODITECT_STORE": f"lmdb://{store}/store", "CODITECT_CACHE": str(store / "cache")}
    ran = CliRunner().invoke(
        program, ["knowledge", "agreements", "--corpus-id", CORPUS, "--today", TODAY, *words], env=given
    )
    assert ran.exit_code == 0, ran.output
    return ran.stdout_bytes


def test_the_command_prints_and_filters(store: Path) -> None:
    """Text names the days and the sentence; JSON holds the rows; a calendar opens in a second program."""
    text = _command(store).decode()
    assert (
        "begins 2024-01-01; ends 2026-12-31 (computed, 1 renewal counted); the last day for notice was 2026-10-02: it"
        in " ".join(text.split())
    )
    assert (
        "“4.2 This Agreement is governed by the laws of Switzerland.”" in text
        or "governed by the laws of Switzerland" in text
    )
    assert "2 agreements" in text
    soon = json.loads(_command(store, "--ends-within", "3 months", "--format", "json"))
    assert [row["document"] for row in soon["agreements"]] == ["hosting-agreement.md", "lease-agreement.md"]
    sooner = json.loads(_command(store, "--ends-within", "61 days", "--format", "json"))
    assert [row["document"] for row in sooner["agreements"]] == ["hosting-agreement.md"]
    calendar = Calendar.from_ical(_command(store, "--format", "ical"))
    days = [each.decoded("dtstart").isoformat() for each in calendar.walk("VEVENT")]
    assert sorted(days) == [
        "2026-10-02",
        "2026-12-31",
        "2027-01-31",
    ]
    assert "None: 'coditect knowledge documents'" in _command(store, "--ends-within", "1 day").decode()


AMENDED = {
    "msa.md": "# Master Services Agreement\n\nThis Agreement is made on 1 April 2024 between Orrin Bank plc (the “Customer”) and "
    "Helix Ltd (the “Provider”).\n\n1.1 This Agreement starts on 1 April 2024 and continues for a term of three years.\n",
    "other-msa.md": "# Master Services Agreement\n\nThis Agreement is made on 2 May 2023 between Orrin Bank plc (the “Customer”) "
    "and Tallow Ltd (the “Provider”).\n\n1.1 This Agreement continues for a term of two years.\n",
    "msa-amendment-1.md": "# Amendment No. 1 to the Master Services Agreement\n\nThis Amendment is made on 15 January 2026 between "
    "Orrin Bank plc (the “Customer”) and Helix Ltd (the “Provider”) and amends the Master Services Agreement dated 1 April "
    "2024.\n\n"
    "1. In clause 1.1, “three years” is replaced by “five years”.\n",
    "lost-amendment.md": "# Amendment No. 2 to the Framework Agreement\n\nThis Amendment is made on 15 January 2026 between Orrin "
    "Bank plc (the “Customer”) and Helix Ltd (the “Provider”).\n\n1. Clause 2 is deleted.\n",
}


def test_an_agreement_tells_which_document_amends_it(tmp_path: Path) -> None:
    """By title, day and parties; one that is called alike is not mixed up, and what amends nothing here is told nowhere."""
    folder = tmp_path / "source"
    folder.mkdir()
    for name, text in AMENDED.items():
        (folder / name).write_text(text, encoding="utf-8")
    with open_knowledge(Settings(store=f"lmdb://{tmp_path / 'store'}", cache=tmp_path / "cache", jobs=1)) as knowledge:
        knowledge.ingest(CORPUS, [folder])
        knowledge.build(CORPUS, BuildSettings(today=TODAY))
        rows = {each.document: each for each in agreement_rows(knowledge.view(CORPUS), TODAY)}
    assert {name: row.amended_by for name, row in rows.items() if row.amended_by} == {"msa.md": ("msa-amendment-1.md",)}
    out = io.BytesIO()
    write_agreements([rows["msa.md"]], out, "csv")
    told = next(csv.DictReader(io.StringIO(out.getvalue().decode("utf-8-sig"))))
    assert told["amended_by"] == "msa-amendment-1.md"


def test_an_amendment_names_what_it_amends_and_is_not_counted_in(tmp_path: Path) -> None:
    """Both sides lead to each other; the days of the first are told as those before it; a law is told by its adjective."""
    parties = "between Orrin Ltd (the “Customer”) and Tallow Ltd (the “Provider”)"
    first = (
        f"# Lift Service Agreement\n\nThis Agreement is made on 1 May 2031 {parties}.\n\n1.1 Norwegian law applies.\n"
    )
    second = (
        f"# Amendment No. 1 to the Lift Service Agreement\n\nThis Amendment is made on 2 June 2032 {parties} and amends the "
        "Lift Service Agreement dated 1 May 2031.\n\n1. In clause 1.1, “Norwegian” is replaced by “Danish”.\n"
    )
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "lift-agreement.md").write_text(first)
    (tmp_path / "files" / "lift-amendment-1.md").write_text(second)
    with open_knowledge(Settings(store=f"lmdb://{tmp_path}/store", cache=tmp_path / "cache")) as knowledge:
        knowledge.ingest("lifts", [tmp_path / "files"])
        knowledge.build("lifts", BuildSettings())
        rows = {each.document: each for each in agreement_rows(knowledge.view("lifts"), "2033-01-01")}
    agreement, amendment = rows["lift-agreement.md"], rows["lift-amendment-1.md"]
    assert (agreement.amended_by, agreement.amends) == (("lift-amendment-1.md",), "")
    assert (amendment.amended_by, amendment.amends) == ((), "lift-agreement.md")
    assert days_of(agreement).startswith("as first made, before what amends it: begins 2031-05-01")
    assert not days_of(amendment).startswith("as first made")
    law = agreement.term("governing_law")
    assert law is not None
    assert said_of(law) == "Norwegian law"
