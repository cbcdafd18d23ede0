"""How acts of the European style word times and who acts; all sentences are invented."""

from __future__ import annotations

import pytest

from tests.unit.language.clauses import only_clause, read_clauses


@pytest.mark.parametrize(
    ("text", "often", "act"),
    [
        ("The Guild shall review at least yearly the list of ropes.", "at least yearly", "review the list of ropes"),
        ("Mates shall hold at least every three years long drills.", "at least every three years", "hold long drills"),
        ("The clerk must, at least annually, review the list.", "at least annually", "review the list"),
        ("He shall test it every year from the first day on.", "every year from the first day on", "test it"),
    ],
)  # fmt: skip
def test_how_often_stands_before_what_is_done_to(text: str, often: str, act: str) -> None:
    """A frequency is complete in itself; only what a preposition ties to it goes with it."""
    clause = only_clause(text)
    assert (clause["frequency"]["text"], clause["action"]) == (often, act)


def test_a_condition_of_the_other_of_two_frequencies_is_none_of_the_act() -> None:
    clause = only_clause(
        "The plan shall be reviewed at least once a year, or periodically in the case of small guilds."
    )
    assert clause["frequency"]["text"] == "at least once a year"
    assert [each["text"] for each in clause["further_frequencies"]] == ["periodically in the case of small guilds"]
    assert clause.get("condition") is None


def test_a_limit_behind_a_condition_that_is_complete_is_the_deadline() -> None:
    text = (
        "The mate shall submit a report, when the search has been completed, not later than one month after the fire."
    )
    clause = only_clause(text)
    assert clause["deadline"]["text"] == "not later than one month after the fire"
    assert clause["condition"] == "when the search has been completed"


def test_the_latest_is_no_event() -> None:
    clause = only_clause("The mate shall tell the Guild without delay and at the latest within 10 working days.")
    limits = [clause["deadline"], *(clause.get("further_deadlines") or [])]
    assert [each.get("trigger") for each in limits] == [None, None]


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("The bank shall decide within 15 working days of receipt of the plea.", "within 15 working days of receipt of the plea"),
        ("The Guild shall determine no later than 1 May.", "no later than 1 May"),
    ],
)  # fmt: skip
def test_verbs_that_ask_when_have_a_limit_all_the_same(text: str, limit: str) -> None:
    assert only_clause(text)["deadline"]["text"] == limit


def test_who_is_asked_in_a_clause_of_its_own_is_bound_by_it() -> None:
    """ "Without the approval of the bank, which shall decide": the bank, not the approval."""
    text = "A keeper shall not lend a rope without the approval of the financial entity, which shall decide within ten days."
    found = {data["action"]: data["actor"] for _, data in read_clauses(text)}
    assert found == {"lend a rope": "A keeper", "decide": "the financial entity"}
