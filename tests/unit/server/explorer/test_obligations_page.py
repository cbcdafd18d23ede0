"""The register as a list and as a calendar: what is asked of it, in which order, and where its pages begin."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.knowledge.progress import silent
from coditect.schemas import RegisterRow
from coditect.server.explorer.shown.registers import calendar as calendar_module
from coditect.server.explorer.shown.registers import obligations as module
from coditect.server.explorer.shown.registers.calendar import Calendar, calendar_month, timed_duties
from coditect.server.explorer.shown.registers.obligations import DutyList, DutyRow, Wanted, duty_list
from coditect.server.explorer.visit import Visit
from tests.unit.server.explorer.visits import TODAY, partly, view_of, visit_of

NORMS = frozenset(("obligation", "prohibition", "permission"))


def row(number: int = 1, document: str = "a", **fields: Any) -> RegisterRow:  # noqa: ANN401 - of a record
    """A line of the register."""
    given = {
        "item_id": f"extraction_{number}", "document": document, "kind": "obligation", "force": "mandatory", "actor": "clerk",
        "text": f"text {number}", "duty": f"duty {number}", "action": "sign", "object": "",
        "term": "", "deadline": "", "due": "", "frequency": "",
        "conditions": (), "exceptions": (), "locator": "", "heading": "", "page": None, "standing": "", "decision": None,
        "decided_by": "", "char_start": 3, "char_end": 9,
    }  # fmt: skip
    return partly(RegisterRow, **{**given, **fields})


def visiting(
    monkeypatch: pytest.MonkeyPatch, rows: list[RegisterRow], dates: tuple[tuple[str, str, str], ...] = ()
) -> tuple[Visit, list[Any]]:
    """A visit of the documents a, b and c whose register has these rows, and what was asked of it."""
    asked: list[Any] = []
    names = {"3": "a", "1": "b", "2": "c"}

    def register(_view: object, filters: Any, day: str, first: str = "") -> Any:  # noqa: ANN401 - doubles
        asked.append((filters, day, first))
        return iter([each for each in rows if not first or each.document >= names[first]])

    monkeypatch.setattr(module, "register_rows", register)
    monkeypatch.setattr(calendar_module, "register_rows", register)
    monkeypatch.setattr(calendar_module, "dates_of_documents", lambda *_: dates)
    documents = {key: SimpleNamespace(name=name, version_id=f"v-{name}") for key, name in names.items()}
    return visit_of(view_of(documents=documents)), asked


@pytest.mark.parametrize(
    ("kind", "kinds"),
    [
        ("", NORMS),
        ("odd", NORMS),
        ("definition", frozenset(("definition",))),
        ("obligation", frozenset(("obligation",))),
    ],
)
def test_usually_norms_are_listed(kind: str, kinds: frozenset[str]) -> None:
    """Or statements of one kind, or of every kind."""
    assert Wanted(kind).filters.kinds == kinds
    assert Wanted("all").filters.kinds > NORMS | {"definition", "cross_reference"}
    empty = Wanted().filters
    assert (empty.forces, empty.actors, empty.documents, empty.words) == (frozenset(), (), (), ())
    full = Wanted("", "mandatory", "the clerk", "a*", "log  key", timed=True, in_force=True).filters
    assert (full.forces, full.actors, full.documents) == (frozenset(("mandatory",)), ("the clerk",), ("a*",))
    assert (full.words, full.timed, full.in_force) == (("log", "key"), True, True)


def listed(found: DutyList) -> list[str]:
    """Ids of the rows."""
    return [each.item_id.partition("_")[2] for each in found.page.rows]


def test_pages_of_the_register_hold_every_row_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over documents of any length, also those without rows; each page begins its reading in its first document."""
    rows = [row(n, "a" if n < 30 else "c") for n in range(80)]
    visit, asked = visiting(monkeypatch, rows)
    seen: list[str] = []
    cursor, firsts, cursors = "", [], []
    while True:
        found = duty_list(visit, Wanted(actor="clerk"), cursor)
        seen += listed(found)
        firsts.append(found.page.first)
        assert (found.page.previous == "") == (cursor == "")
        if not found.page.next:
            break
        cursor = found.page.next.partition("after=")[2]
        cursors.append(cursor)
    assert seen == [str(n) for n in range(80)]
    assert firsts == [1, 26, 51, 76]
    assert cursors == ["0.25.25", "2.20.50", "2.45.75"]
    assert [first for _, _, first in asked] == ["3", "3", "2", "2"]
    assert {day for _, day, _ in asked} == {TODAY}
    assert found.page.previous == "/e/c/c/obligations?actor=clerk"


@pytest.mark.parametrize(
    ("cursor", "first", "row_number"),
    [("0.0.0", 1, 0), ("1.2.7", 8, 32), ("1.2", 1, 0), ("1.2.3.4", 1, 0), ("1.x.3", 1, 0), ("1..3", 1, 0), ("-1.2.3", 1, 0),
     ("0.999999999.5", 0, None), ("0.1234567890.5", 1, 0), ("9.0.4", 5, 0), ("3.0.4", 5, 0), ("2.0.4", 5, 60),
     ("\u0661.2.3", 1, 0)],
)  # fmt: skip
def test_a_cursor_that_is_none_begins_at_the_beginning(
    monkeypatch: pytest.MonkeyPatch, cursor: str, first: int, row_number: int | None
) -> None:
    """Three numbers: the document, rows to pass over there, rows before."""
    rows = [row(n, "abc"[n // 30]) for n in range(90)]
    found = duty_list(visiting(monkeypatch, rows)[0], Wanted(), cursor)
    assert found.page.first == first
    assert next(iter(listed(found)), None) == (None if row_number is None else str(row_number))


def test_a_corpus_without_documents_has_no_duties(monkeypatch: pytest.MonkeyPatch) -> None:
    """And asks for none."""
    _, asked = visiting(monkeypatch, [row()])
    assert listed(duty_list(visit_of(view_of()), Wanted(), "")) == []
    assert asked == []


def shown(monkeypatch: pytest.MonkeyPatch, **fields: Any) -> DutyRow:  # noqa: ANN401 - of a record
    """How one line is shown."""
    (found,) = duty_list(visiting(monkeypatch, [row(**fields)])[0], Wanted(), "").page.rows
    return found


@pytest.mark.parametrize(
    ("fields", "when"),
    [({}, ""), ({"deadline": "within 3 days"}, "within 3 days"),
     ({"deadline": "by 2026-07-01", "due": "2026-07-01"}, "by 2026-07-01"),
     ({"deadline": "by July", "due": "2026-07-01", "frequency": "yearly"}, "by July; 2026-07-01; yearly"),
     ({"duration": "for 7 years"}, "for 7 years"),
     ({"due": "2026-07-01"}, "2026-07-01"), ({"deadline": "yearly", "frequency": "yearly"}, "yearly")],
)  # fmt: skip
def test_a_line_says_when_once(monkeypatch: pytest.MonkeyPatch, fields: dict[str, str], when: str) -> None:
    """Deadline, date, frequency and duration, as far as they are different."""
    assert shown(monkeypatch, **fields).when == when


@pytest.mark.parametrize(
    ("fields", "where", "href"),
    [
        ({}, "a", "/e/c/c/documents/v-a?span=3-9&item=extraction_1#here"),
        (
            {"char_start": 0, "locator": "2", "heading": "H"},
            "a · 2",
            "/e/c/c/documents/v-a?span=0-9&item=extraction_1#here",
        ),
        ({"heading": "H", "page": 0}, "a · H · page 0", "/e/c/c/documents/v-a?span=3-9&item=extraction_1#here"),
        ({"char_start": None}, "a", "/e/c/c/items/extraction_1"),
        ({"char_end": None, "page": 7}, "a · page 7", "/e/c/c/items/extraction_1"),
        ({"document": "z"}, "z", "/e/c/c/items/extraction_1"),
    ],
)
def test_a_line_leads_to_its_words(
    monkeypatch: pytest.MonkeyPatch, fields: dict[str, Any], where: str, href: str
) -> None:
    """Or, where it stands in no document, to its own page."""
    found = shown(monkeypatch, **fields)
    assert (found.where, found.href, found.item_href) == (where, href, "/e/c/c/items/extraction_1")


def test_a_line_says_who_decided_and_under_which_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conditions before exceptions."""
    found = shown(monkeypatch, decision="accept_risk", decided_by="A", conditions=("if x",), exceptions=("unless y",))
    assert (found.decided, found.kind) == ("accept risk by A", "Obligation")
    assert (found.conditions, found.exceptions) == (("if x",), ("unless y",))
    assert shown(monkeypatch).decided == ""


def month_of(
    monkeypatch: pytest.MonkeyPatch, month: str, *rows: RegisterRow, dates: tuple[tuple[str, str, str], ...] = ()
) -> Calendar:
    """A month."""
    visit = visiting(monkeypatch, list(rows), dates)[0]
    return calendar_month(visit, timed_duties(visit, silent), month)


@pytest.mark.parametrize(
    ("month", "title", "before", "behind"),
    [("2026-06", "June 2026", "2026-05", "2026-07"), ("2026-01", "January 2026", "2025-12", "2026-02"),
     ("2026-12", "December 2026", "2026-11", "2027-01"), ("1900-01", "January 1900", "", "1900-02"),
     ("2200-12", "December 2200", "2200-11", ""),
     *((each, "June 2026", "2026-05", "2026-07") for each in ("1899-12", "2201-01", "2026-13", "202606", "", "2026-W1"))],
)  # fmt: skip
def test_a_month_has_one_before_and_one_behind(
    monkeypatch: pytest.MonkeyPatch, month: str, title: str, before: str, behind: str
) -> None:
    """From 1900 to 2200; what is no month is this one."""
    found = month_of(monkeypatch, month)
    at = "/e/c/c/obligations/calendar?month="
    assert (found.title, found.previous, found.next) == (title, before and at + before, behind and at + behind)


def test_duties_and_dates_of_documents_fall_on_their_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has an action by what is to be done, else by its words; what recurs stands beside."""
    rows = [row(1, due=TODAY), row(2, due="2026-06-30", action=""), row(3, due="2027-01-01"), row(4, due="June 2026"),
            row(5, frequency="yearly"), row(6, due="20260615", frequency="monthly"),
            row(7, due=TODAY, frequency="daily")]  # fmt: skip
    dates = (("expires", "b", TODAY), ("begins", "a", "soon"))
    found = month_of(monkeypatch, "2026-06", *rows, dates=dates)
    days = {day.number: day for week in found.weeks for day in week if day.number}
    assert sorted(days) == list(range(1, 31))
    assert [(each.what, each.document) for each in days[15].entries] == [
        ("clerk: sign", "a"),
        ("clerk: sign", "a"),
        ("b expires", "b"),
    ]
    assert days[15].entries[2].href == "/e/c/c/documents/v-b"
    assert [each.what for each in days[30].entries] == ["text 2"]
    assert [day.number for day in days.values() if day.is_today] == [15]
    assert (days[1].iso, days[1].entries) == ("2026-06-01", ())
    empty = [day for week in found.weeks for day in week if not day.number]
    assert {(day.iso, day.is_today, day.entries) for day in empty} == {("", False, ())}
    assert (found.entries, found.month) == (4, "2026-06")
    assert [(month, count) for month, count, _ in found.dated] == [("2026-06", 4), ("2027-01", 1)]
    assert [each.item_id for each in found.recurring] == ["extraction_5", "extraction_6"]
    assert month_of(monkeypatch, "2026-05", *rows).entries == 0


def test_the_calendar_asks_for_norms_with_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the day that it is; and tells of which document it has come how far."""
    visit, asked = visiting(monkeypatch, [row(1, "a"), row(2, "c")])
    told: list[tuple[int, int]] = []
    timed_duties(visit, lambda _stage, done, total: told.append((done, total)))
    assert told == [(1, 3), (3, 3)]
    ((filters, day, first),) = asked
    assert (filters.kinds, filters.timed, day, first) == (NORMS, True, TODAY, "")


@pytest.mark.parametrize(("count", "shown", "more"), [(59, 59, 0), (60, 60, 0), (61, 60, 1), (65, 60, 5)])
def test_sixty_recurring_duties_stand_beside(
    monkeypatch: pytest.MonkeyPatch, count: int, shown: int, more: int
) -> None:
    """And how many others there are."""
    found = month_of(monkeypatch, "", *(row(n, frequency="yearly") for n in range(count)))
    assert (len(found.recurring), found.more_recurring) == (shown, more)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"action": "check the address"}, "check the address"),
        ({"action": "encrypt the File", "object": "the file"}, "encrypt the File"),
        ({"action": "be recorded", "object": "Every request"}, "Every request: be recorded"),
        ({"action": "", "term": "Incident"}, "Incident"),
        ({"action": ""}, ""),
    ],
)
def test_a_row_says_which_duty_of_its_sentence_is_meant(fields: dict[str, Any], told: str) -> None:
    """What is done, and to what where that stands elsewhere; of a definition its term."""
    assert module.duty_row(visit_of(view_of()), row(**fields)).action == told
