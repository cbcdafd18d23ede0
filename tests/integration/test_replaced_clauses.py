"""What an amendment replaces in an agreement is not in force: neither for a check of a text nor, unmarked, in a calendar."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from icalendar import Calendar

from coditect.compose import open_knowledge
from coditect.knowledge.report.registers.agreements import agreement_rows
from coditect.knowledge.report.registers.rows import register_rows
from coditect.knowledge.report.registers.selection import RegisterFilters
from coditect.knowledge.service import Knowledge
from coditect.reports.registers.agreements import dates_of_agreements
from coditect.reports.registers.calendar import write_calendar
from coditect.schemas import BuildSettings, CheckedSentence
from coditect.settings import Settings

CORPUS, TODAY = "amended", "2026-11-01"

AGREEMENT = """# Catering Services Agreement

This Catering Services Agreement is made on 3 March 2025 between Orrin Bank plc (the “Customer”) and Tallow Ltd (the “Caterer”).

1.1 The Caterer shall clean the kitchen within 4 hours after each event.

1.2 The Caterer shall keep the records of the temperature of the fridges for 2 years.

1.3 The Caterer shall store the knives in the locked cabinet.

2.1 This Agreement starts on 3 March 2025 and continues for a term of two years.

2.2 This Agreement is renewed automatically for one year unless a party gives the other 60 days’ written notice before the end of
the current term.
"""

AMENDMENT = """# Amendment No. 1 to the Catering Services Agreement

This Amendment is made on 15 January 2026 between Orrin Bank plc (the “Customer”) and Tallow Ltd (the “Caterer”) and amends the
Catering Services Agreement dated 3 March 2025.

1. In clause 1.1 of the Agreement, the words “4 hours” are replaced with “90 minutes”.

2. Clause 1.2 is deleted and replaced with: “The Caterer shall keep the records of the temperature of the fridges for 5 years.”
"""


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """An agreement and what amends it."""
    place = tmp_path_factory.mktemp("replaced")
    folder = place / "documents"
    folder.mkdir()
    (folder / "catering.md").write_text(AGREEMENT, encoding="utf-8")
    (folder / "catering-amendment.md").write_text(AMENDMENT, encoding="utf-8")
    with open_knowledge(Settings(store=f"lmdb://{place / 'store'}", cache=place / "cache", jobs=1)) as opened:
        opened.ingest(CORPUS, [folder])
        opened.build(CORPUS, BuildSettings(today=TODAY))
        yield opened


def _checked(knowledge: Knowledge, text: str) -> CheckedSentence:
    (sentence,) = knowledge.verify(CORPUS, text).sentences
    return sentence


@pytest.mark.parametrize(
    "text",
    [
        "The Caterer shall clean the kitchen within 4 hours after each event.",
        "The Caterer shall keep the records of the temperature of the fridges for 2 years.",
    ],
)
def test_a_replaced_clause_alone_supports_nothing(knowledge: Knowledge, text: str) -> None:
    """The agreement says it, the amendment replaced it: both are shown, and a person is told which is which."""
    found = _checked(knowledge, text)
    assert found.label == "sources_disagree"
    assert "“catering.md” says it in 1." in found.reason
    assert "replaced by “catering-amendment.md”" in found.reason
    assert found.disagreement is not None
    named = [
        found.evidence[each].document_name for each in (found.disagreement.supporting, found.disagreement.refuting)
    ]
    assert named == ["catering.md", "catering-amendment.md"]


def test_a_clause_that_is_restated_is_supported_as_amended(knowledge: Knowledge) -> None:
    """The amendment restates it, so its words are there to be compared with."""
    found = _checked(knowledge, "The Caterer shall keep the records of the temperature of the fridges for 5 years.")
    assert found.label == "supported", found.reason


def test_words_that_are_replaced_are_for_a_person(knowledge: Knowledge) -> None:
    """No document has the sentence as a whole, so that nothing supports it; but it is not refused for the old words."""
    found = _checked(knowledge, "The Caterer shall clean the kitchen within 90 minutes after each event.")
    assert found.label == "needs_review"
    assert "replaced by “catering-amendment.md”" in found.reason


def test_a_sentence_without_the_replaced_words_is_supported(knowledge: Knowledge) -> None:
    """What was not touched stands."""
    assert _checked(knowledge, "The Caterer shall clean the kitchen after each event.").label != "sources_disagree"
    assert _checked(knowledge, "The Caterer shall store the knives in the locked cabinet.").label == "supported"


def test_another_figure_is_refused(knowledge: Knowledge) -> None:
    """Neither the old nor the new words have it."""
    text = "The Caterer shall keep the records of the temperature of the fridges for 7 years."
    assert _checked(knowledge, text).label == "unsupported"


def test_days_of_an_amended_agreement_are_marked_in_a_calendar(knowledge: Knowledge) -> None:
    """The mark stands in the title and in the description, and the entry stays the same one."""
    rows = list(agreement_rows(knowledge.view(CORPUS), TODAY, documents=("catering.md",)))
    file = io.BytesIO()
    entries = write_calendar((), dates_of_agreements(rows), file, first_day=TODAY, made_at="2026-11-01T00:00:00Z")
    assert entries == 2
    for event in Calendar.from_ical(file.getvalue()).walk("VEVENT"):
        assert "as first signed; amended by catering-amendment.md" in str(event["summary"])
        assert "as first signed; amended by catering-amendment.md" in str(event["description"])
        assert "(" not in str(event["uid"])


def test_registers_tell_what_is_replaced_and_in_whose_place_words_stand(knowledge: Knowledge) -> None:
    """Both sides are marked; what an amendment leaves alone is not."""
    filters = RegisterFilters(kinds=frozenset(("obligation",)))
    rows = list(register_rows(knowledge.view(CORPUS), filters, TODAY))
    told = {(row.document, row.locator): row.amended for row in rows}
    assert told["catering.md", "1.1"].startswith("replaced by “catering-amendment.md”: In clause 1.1")
    assert told["catering.md", "1.2"].startswith("replaced by “catering-amendment.md”: Clause 1.2")
    assert not told["catering.md", "1.3"]
    assert told["catering-amendment.md", "2"] == "in the place of 1.2 of “catering.md”"


def test_what_is_in_force_leaves_out_what_is_restated(knowledge: Knowledge) -> None:
    """A clause that is restated stands in the amendment; one in which words are replaced stays, with its mark."""
    filters = RegisterFilters(kinds=frozenset(("obligation",)), in_force=True)
    places = {(row.document, row.locator) for row in register_rows(knowledge.view(CORPUS), filters, TODAY)}
    assert ("catering.md", "1.2") not in places
    assert {("catering.md", "1.1"), ("catering.md", "1.3"), ("catering-amendment.md", "2")} <= places
