"""Registers of a built corpus: every row is verbatim, and each way to restrict them does."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.errors import NotFound
from coditect.knowledge.report.registers.rows import dates_of_documents, defined_often, register_rows
from coditect.knowledge.report.registers.selection import RegisterFilters
from coditect.schemas import RegisterRow
from coditect.store.store import Store
from coditect.store.view import View, open_view
from tests.corpora import CORPUS, folder_of, ingest_all
from tests.integration.decided_corpus import rebuilt
from tests.unit.tiers.corpora import rules_tell

TODAY = "2026-01-01"


@pytest.fixture
def view(built: Store) -> View:
    """The small corpus."""
    return open_view(built, CORPUS)


def _rows(view: View, **filters: object) -> list[RegisterRow]:
    return list(register_rows(view, RegisterFilters(**filters), TODAY))  # type: ignore[arg-type]


def test_register_holds_every_statement_and_published_claim_once(view: View) -> None:
    """Without filters nothing is left out, and each row's text stands in its document where the row says."""
    rows = _rows(view)
    statements = {e.extraction_id for d in view.documents for e in view.extractions(d)}
    assert len(rows) == len({row.item_id for row in rows})
    assert {row.item_id for row in rows} == statements | {each.claim_id for each in rules_tell(view)}
    by_name = {version.name: document_id for document_id, version in view.documents.items()}
    for row in rows:
        if row.kind not in ("claim", "possible"):
            assert view.text(by_name[row.document])[row.char_start : row.char_end] == row.text
    behind = ("claim", "possible")  # all documents
    order = [(row.kind in behind, "" if row.kind in behind else row.document) for row in rows]
    assert order == sorted(order)


def test_register_is_restricted_by_kind_document_topic_and_force(view: View) -> None:
    """Each filter gives a part of the whole, and of what it names."""
    everything = _rows(view)
    assert _rows(view, kinds=frozenset({"obligation"})) == [row for row in everything if row.kind == "obligation"] != []
    name = everything[0].document
    assert {row.document for row in _rows(view, documents=(name,), kinds=frozenset({"obligation"}))} == {name}
    assert _rows(view, kinds=frozenset({"claim"})) == [row for row in everything if row.kind == "claim"]
    topic = view.sections[0].topic
    gathered = _rows(view, topics=(topic,), kinds=frozenset({"obligation", "prohibition"}))
    assert gathered
    assert len(gathered) < sum(row.kind in ("obligation", "prohibition") for row in everything)
    assert {row.force for row in _rows(view, forces=frozenset({"prohibited"}))} <= {"prohibited"}
    with pytest.raises(NotFound):
        _rows(view, documents=("nothing.md",))
    with pytest.raises(NotFound):
        _rows(view, topics=("nothing at all",))


def test_register_of_deadlines_has_times(view: View) -> None:
    """What is due by a time says within how many hours, or when, or how often."""
    timed = _rows(view, timed=True)
    assert timed
    assert all(row.deadline or row.due or row.frequency or row.duration for row in timed)
    soon = _rows(view, due_within=24.0 * 3)
    assert {row.item_id for row in soon} <= {row.item_id for row in timed}


def test_every_limit_of_a_duty_is_told_and_the_one_in_numbers_counts(memory: Store, tmp_path: Path) -> None:
    """ "Without undue delay and in no case later than 60 days": both are printed, and 60 days is what one filters by."""
    words = "# Breaches\n\nThe bank shall notify clients without undue delay and in no case later than 60 days after discovery.\n"
    ingest_all(memory, folder_of(tmp_path / "breaches", {"breaches.md": words}))
    rebuilt(memory)
    view = open_view(memory, CORPUS)
    (row,) = _rows(view, kinds=frozenset({"obligation"}), timed=True)
    assert row.deadline == "without undue delay; in no case later than 60 days after discovery"
    assert (row.deadline_hours, row.trigger) == (60 * 24.0, "discovery")
    assert _rows(view, kinds=frozenset({"obligation"}), due_within=60 * 24.0) == [row]
    assert _rows(view, kinds=frozenset({"obligation"}), due_within=24.0) == []


def test_what_is_forbidden_before_a_day_is_not_due_before_it(memory: Store, tmp_path: Path) -> None:
    """A limit of a prohibition says how long it holds; only what has to be done has a row among what is due."""
    words = (
        "# Keys\n\nThe clerk must not open the vault before 1 May 2031. The clerk must close it before 2 May 2031.\n"
    )
    ingest_all(memory, folder_of(tmp_path / "keys", {"keys.md": words}))
    rebuilt(memory)
    view = open_view(memory, CORPUS)
    (row,) = _rows(view, kinds=frozenset({"prohibition"}))
    assert (row.deadline, row.due, row.deadline_hours, row.duration) == ("", "", None, "before 1 May 2031")
    assert [each.due for each in _rows(view, timed=True)] == ["2031-05-02"]


def test_what_a_term_leaves_out_is_none_of_its_meaning(memory: Store, tmp_path: Path) -> None:
    """It has a field of its own; every definition says how its words define."""
    words = (
        '# Terms\n\n1. "Record" means a document.\n\n2. The term "access device" does not include a check or draft.\n\n'
        '3. The term "access device" includes debit cards.\n'
    )
    ingest_all(memory, folder_of(tmp_path / "terms", {"terms.md": words}))
    rebuilt(memory)
    rows = _rows(open_view(memory, CORPUS), kinds=frozenset({"definition"}))
    assert [(row.term, row.defined_by, row.meaning, row.excludes) for row in rows] == [
        ("Record", "meaning", "a document.", ""),
        ("access device", "exclusion", "", "a check or draft."),
        ("access device", "inclusion", "debit cards.", ""),
    ]


def test_terms_that_are_defined_often_are_gathered() -> None:
    """In the order of the terms, whatever their case; a term that is defined once is left out."""
    rows = [
        RegisterRow(item_id=f"extraction_{number}", kind="definition", term=term, text="…")
        for number, term in enumerate(["Vendor", "Incident", "vendor ", "Asset", "incident"])
    ]
    assert [row.item_id[-1] for row in defined_often(rows)] == ["1", "4", "0", "2"]


def test_dates_of_documents_are_those_of_their_profiles(view: View) -> None:
    """Every entry names a document of the corpus and a day."""
    dates = list(dates_of_documents(view, RegisterFilters()))
    known = {version.name for version in view.documents.values()}
    stated = [p for p in view.profiles.values() for fact in (p.effective_from, p.effective_to, p.next_review) if fact]
    assert len(dates) == len(stated)
    assert {name for _, name, _ in dates} <= known


def test_leave_to_some_alone_stands_among_duties(memory: Store, tmp_path: Path) -> None:
    """ "Only … may" and "may only" bind whoever would go beyond them; leave to all is listed where permissions are asked for."""
    words = (
        "# Boats\n\n1. Only members may row the gig.\n\n2. The cox may only sail with the consent of the warden.\n\n"
        "3. Members may swim.\n\n4. The warden shall lock the gate.\n"
    )
    ingest_all(memory, folder_of(tmp_path / "boats", {"boats.md": words}))
    rebuilt(memory)
    duties = _rows(open_view(memory, CORPUS), kinds=frozenset({"obligation", "prohibition"}))
    assert [(row.locator, row.modality, row.force) for row in duties] == [
        ("1", "only … may", "mandatory"),
        ("2", "may only", "mandatory"),
        ("4", "shall", "mandatory"),
    ]


def test_upper_limits_and_every_frequency_stand_among_times(memory: Store, tmp_path: Path) -> None:
    """ "No more than 90 days" ends; of two frequencies the one in numbers counts. A least time ends nothing."""
    words = (
        "# Yard\n\n1. The warden may store hulls for no more than 90 days.\n\n2. The warden shall keep the log for 2 years.\n\n"
        "3. The warden shall grease the crane periodically and at intervals not exceeding 6 months.\n"
    )
    ingest_all(memory, folder_of(tmp_path / "yard", {"yard.md": words}))
    rebuilt(memory)
    timed = _rows(open_view(memory, CORPUS), timed=True)
    assert [(row.locator, row.duration, row.per_year) for row in timed] == [
        ("1", "for no more than 90 days", None),
        ("3", "", 2.0),
    ]
    assert timed[1].frequency == "periodically; at intervals not exceeding 6 months"


def test_items_below_are_in_the_meaning_of_a_register(memory: Store, tmp_path: Path) -> None:
    """What a definition leaves to items is told with them."""
    words = "# Definitions\n\nHold means a space that:\n\n(1) is dry; and\n\n(2) has a hatch.\n\nKeel means a beam.\n"
    ingest_all(memory, folder_of(tmp_path / "holds", {"holds.md": words}))
    rebuilt(memory)
    rows = _rows(open_view(memory, CORPUS), kinds=frozenset({"definition"}))
    assert [(row.term, row.meaning) for row in rows] == [
        ("Hold", "a space that: (1) is dry; and (2) has a hatch."),
        ("Keel", "a beam."),
    ]
