"""Classes of documents that were misread in samples of texts that nobody had tuned to; all texts are invented."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.schemas import Extraction, NormData
from coditect.tiers.extractions.document import NORMATIVE, extraction_records, read_document
from tests.unit.tiers.corpora import version_of


def _norms(text: str, name: str = "rules.txt") -> list[Extraction]:
    source = read_source(text.encode(), name)
    records = extraction_records(version_of(name, text), read_document(source), "derivation")
    return [each for each in records if each.extraction_kind in NORMATIVE]


def _acts(text: str, name: str = "rules.txt") -> list[tuple[str, str | None]]:
    found = []
    for each in _norms(text, name):
        assert isinstance(each.tier1_data, NormData)
        found.append((each.locator, each.tier1_data.action))
    return found


def test_items_in_roman_numerals_without_brackets_are_items() -> None:
    """ "ii." on a line of its own begins an item, and its number ends the locator."""
    text = (
        "Wharf Rules\n\n1.\tThe clerk must:\na)\tkeep the log; and\nb)\tsee that staff:\n"
        "i.\tare trained; and\nii.\treport each year.\n"
    )
    assert [locator for locator, _ in _acts(text)] == ["1. a)", "1. b) i", "1. b) ii"]


def test_items_inside_of_a_sentence_end_the_locator() -> None:
    """An item of an inline list is cited by its own marker."""
    text = "Wharf Rules\n\n4.1 The clerk shall (i) keep the log; and (ii) return the keys.\n"
    assert [locator for locator, _ in _acts(text)] == ["4.1(i)", "4.1(ii)"]


def test_list_ends_with_the_full_stop_behind_its_last_joint() -> None:
    """ "(1) the rooms; and (2) the doors." is complete: a later "(3)" is no item of it."""
    text = (
        "Wharf Rules\n\n(c) The clerk shall keep a list of-\n\n(1) The rooms; and\n\n(2) The doors.\n\nNotice\n\n"
        "The clerk shall hang up a notice.\n\n(3) The porter shall lock the gate.\n"
    )
    assert [action for _, action in _acts(text)][-1] == "lock the gate"


def test_list_goes_on_behind_a_joint_that_stands_too_early() -> None:
    """ "(a) ...; and (b) ... . (c) ..." are three items where nothing stands between them."""
    text = "Wharf Rules\n\nThe clerk must:\n\n(a) keep the log; and\n\n(b) lock the gate.\n\n(c) ring the bell.\n"
    assert [locator for locator, _ in _acts(text)] == ["(a)", "(b)", "(c)"]


def test_step_is_cited_by_its_word() -> None:
    """A step of a procedure is a division: "Step 2", not "2"."""
    text = "Wharf Procedure\n\nStep 1. Lamps\nCheck the lamp.\nStep 2. Gates\nTurn the key.\n"
    assert [locator for locator, _ in _acts(text, "wharf-procedure.txt")] == ["Step 1", "Step 2"]


def test_minutes_tell_what_others_will_do_and_bind_who_speaks() -> None:
    """In minutes "will" is what is expected; what has to be done is a norm there as elsewhere."""
    text = (
        "Minutes of the Wharf Board\n\nIn attendance: Ann, Bo.\n\nBo will write the letter.\n\nReview the budget.\n\n"
        "The porter must lock the gate. We will pay the fee.\n"
    )
    assert [action for _, action in _acts(text, "minutes.txt")] == ["lock the gate", "pay the fee"]


def test_items_behind_a_purpose_ask_nothing_of_anybody() -> None:
    """ "We use your data to:" says what for; "The clerk must:" asks."""
    text = (
        "Wharf Notice\n\nWe use the data that we hold to:\n\n- Improve the site.\n- Shape the pages.\n\n"
        "The clerk must:\n\n- Lock the gate.\n"
    )
    assert [action for _, action in _acts(text, "notice.md")] == ["Lock the gate"]


@pytest.mark.parametrize(
    "lead",
    [
        "Clerks of the wharf are asked to:",
        "All clerks are instructed to:",
        "The role of the harbour master is to:",
        "Each clerk is accountable to the board to:",
    ],
)
def test_items_behind_words_that_ask_somebody_stay_duties(lead: str) -> None:
    """ "Clerks are instructed to:" has no word of force, and gives its items to somebody all the same."""
    assert len(_acts(f"Wharf Notice\n\n{lead}\n\n- Keep the log.\n- Lock the gate.\n", "notice.md")) == 2


def _holders(text: str, name: str = "rules.txt") -> list[tuple[str | None, str | None]]:
    found = []
    for each in _norms(text, name):
        assert isinstance(each.tier1_data, NormData)
        found.append((each.tier1_data.actor, each.tier1_data.action))
    return found


def test_an_item_that_is_a_norm_by_itself_takes_nothing_from_its_lead_in() -> None:
    """Its subject and its words of force are its own, whatever the other items are; a lead-in that says when stays."""
    text = (
        "Wharf Rules\n\nThe Guild shall:\n(a) keep the ledger.\n(b) The toll may be changed only by a vote.\n\n"
        "If the gate is closed:\n(a) The keeper must ring the bell.\n(b) The clerk must note the day.\n"
    )
    assert _holders(text) == [
        ("The Guild", "keep the ledger"),
        (None, "be changed"),
        ("The keeper", "ring the bell"),
        ("The clerk", "note the day"),
    ]
    limits = [each.tier1_data.condition for each in _norms(text) if isinstance(each.tier1_data, NormData)]
    assert limits == [None, "only by a vote", "If the gate is closed", "If the gate is closed"]


def test_recitals_as_a_list_bind_nobody() -> None:
    """What stands below "WHEREAS:" tells why."""
    text = "Lease\n\nWHEREAS:\n(a) The owner agrees to let the hut.\n(b) The tenant will pay for it.\n"
    assert _holders(text) == []


def test_a_pronoun_that_begins_a_sentence_is_the_holder_of_the_one_before() -> None:
    """Where that one binds a single holder whose number agrees."""
    text = "Wharf Rules\n\nThe Board shall keep the ledger. It shall note each loan. They must sign it.\n"
    assert [holder for holder, _ in _holders(text)] == ["The Board", "The Board", "They"]


def test_items_of_what_may_be_done_are_leave_though_a_duty_stands_behind_it() -> None:
    """ "may do any of the following, but must say which:" leads in with "may do", and has a duty of its own."""
    text = (
        "Wharf Rules\n\nThe keeper may do any of the following, but the keeper must tell which way it goes:\n"
        "(a) Ring the bell once.\n(b) Raise the flag.\n"
    )
    kinds = [(each.extraction_kind, each.source_text.split()[0]) for each in _norms(text)]
    assert kinds == [("obligation", "The"), ("permission", "(a)"), ("permission", "(b)")]


def test_item_whose_clause_a_condition_opens_is_cited_by_its_own_number() -> None:
    """The condition stands in front of all items; two blanks in a row change nothing."""
    text = "4.1 Except as the law asks, each keeper agrees: (i) that it will not sell  any wax; and (ii) that it will mend hives.\n"
    assert sorted(locator for locator, _ in _acts(text)) == ["4.1(i)", "4.1(ii)"]
