"""The register of agreements: what goes on behind its term, first days that are only guessed, who may end it; and the grid."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coditect.compose import open_knowledge
from coditect.knowledge.report.changes.grid import contract_grid
from coditect.knowledge.report.registers.agreements import agreement_rows, ending_within
from coditect.knowledge.service import Knowledge
from coditect.reports.registers.agreements import dates_of_agreements, days_of
from coditect.schemas import BuildSettings
from coditect.settings import Settings

CORPUS, TODAY = "contracts", "2026-11-01"
AVIARY = """# Aviary Services Agreement

This Agreement is made on 5 January 2019 between Heron Mills Ltd ("Mill") and Otter Works Ltd ("Keeper").

## 1 Term

1.1 The initial term of this Agreement shall commence on 1 February 2019 and end on 31 January 2022.
Thereafter this Agreement shall automatically continue in effect until either party gives six months' notice of termination.
"""
FEEDING = """# Feeding Services Agreement

This Agreement is dated 3 March 2025 and made between Heron Mills Ltd ("Mill") and Wader Feeds Ltd ("Feeder").

## 1 Ending

1.1 The Mill may terminate this Agreement for convenience on thirty days' notice.
1.2 The Feeder may terminate this Agreement without cause on sixty days' notice.

## 2 Meetings

2.1 Within thirty days the parties shall set up a committee; either party may replace its members upon prior written notice to the
other party.
"""
STANDARD = """# Standard Services Agreement

## 1 Termination

1.1 Either party may terminate this Agreement upon thirty days' prior written notice to the other party.
"""
VISITING = """# Visiting Services Agreement

## 1 Committee

1.1 Either party may replace its members of the committee upon thirty days' prior written notice to the other party.
"""


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """A store with three contracts and a standard text."""
    place = tmp_path_factory.mktemp("going-on")
    folder = place / "documents"
    folder.mkdir()
    for name, text in (("aviary", AVIARY), ("feeding", FEEDING), ("standard", STANDARD), ("visiting", VISITING)):
        (folder / f"{name}-agreement.md").write_text(text)
    with open_knowledge(Settings(store=f"lmdb://{place}/store", cache=place / "cache", jobs=1)) as opened:
        opened.ingest(CORPUS, [folder])
        opened.build(CORPUS, BuildSettings())
        yield opened


def test_what_goes_on_has_no_last_day(knowledge: Knowledge) -> None:
    """The fixed term's last day is told as that, before it and behind it; nothing of it stands in a calendar."""
    for today in ("2020-01-01", TODAY):
        (row,) = agreement_rows(knowledge.view(CORPUS), today, documents=("aviary*",))
        assert (row.begins, row.begins_basis, row.fixed_until) == ("2019-02-01", "stated", "2022-01-31")
        assert (row.ends, row.ends_basis, row.notice_by, row.renewed) == ("", "", "", 0)
        assert "then it goes on: no last day known" in days_of(row)
        assert list(dates_of_agreements([row])) == []
        assert not ending_within(row, today, 24.0 * 3_650)
        renewal = row.term("renewal")
        assert renewal is not None
        assert renewal.value == "until ended"


def test_a_first_day_that_is_only_the_day_of_making_is_told_as_that(knowledge: Knowledge) -> None:
    (row,) = agreement_rows(knowledge.view(CORPUS), TODAY, documents=("feeding*",))
    assert (row.begins, row.begins_basis) == ("2025-03-03", "dated")
    assert "begins 2025-03-03 (the day on which it was made)" in days_of(row)


def test_leave_of_each_side_to_end_it_is_told(knowledge: Knowledge) -> None:
    (row,) = agreement_rows(knowledge.view(CORPUS), TODAY, documents=("feeding*",))
    assert [(each.who, each.length) for each in row.terms if each.field == "termination"] == [
        ("The Mill", "30 days"), ("The Feeder", "60 days"),
    ]  # fmt: skip


def test_a_clause_of_another_matter_is_no_deviation(knowledge: Knowledge) -> None:
    """Most of the words of a clause on termination stand in one on a committee, which ends nothing."""
    ranking = knowledge.models.ranking()
    grid = contract_grid(
        knowledge.view(CORPUS), "standard-agreement.md", ranking, documents=("feeding*", "visiting*", "aviary*")
    )
    (row,) = grid.rows
    cells = {each.document: each for each in row.cells}
    assert cells["visiting-agreement.md"].status == "not found"
    assert cells["feeding-agreement.md"].found is not None
    assert "terminate this Agreement" in cells["feeding-agreement.md"].found.text
