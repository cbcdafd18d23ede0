"""Clauses of legislation: occasions beside frequencies, relative clauses that bind, recitals, and quoted amendments."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.language.norms.binding import find_norms, read_norms
from coditect.language.provisions.apart import outside, parts_apart
from coditect.language.quantities.meaning import find_quantities

_AMENDING = (
    "Article 39\nIn Article 7 of Regulation (EU) No 9901/2012, paragraph 2 is replaced by the following: "
    "‘2. A trade repository shall publish its records every quarter.’\n\nArticle 40\nThe bank shall keep the key."
)
_RECITALS = (
    "Whereas:\n\n(1) Authorities must be informed within a day.\n\nHAVE ADOPTED THIS REGULATION:\n\nThe bank shall pay."
)


def _read(text: str) -> list[dict[str, Any]]:
    found = read_norms(text, 0, len(text), find_quantities(text, 0, len(text)))
    return [{"kind": each.mark.kind, **each.mark.data} for each in found]


def test_case_of_another_time_limits_that_time_alone() -> None:
    """What a small bank may do less often takes nothing from the yearly review, and an occasion is one more time."""
    (norm,) = _read(
        "The plan shall be reviewed at least once a year, or periodically in the case of small banks, as well as upon a change."
    )
    assert "condition" not in norm
    assert norm["action"] == "be reviewed"
    assert norm["frequency"]["per_year"] == 1.0
    assert norm["further_frequencies"][0]["text"] == "periodically in the case of small banks"
    assert norm["deadline"]["trigger"] == "a change"


def test_condition_of_a_frequency_stays_one() -> None:
    """ "If" behind a frequency restricts it."""
    (norm,) = _read("The plan shall be reviewed annually if the board so decides.")
    assert norm["condition"] == "if the board so decides"


@pytest.mark.parametrize(
    ("text", "action", "often"),
    [
        ("The bank must pay every two years a fee to the fund.", "pay a fee to the fund", "every two years"),
        (
            "The bank shall carry out at least every three years advanced testing by means of drills.",
            "carry out advanced testing by means of drills",
            "at least every three years",
        ),
    ],
)
def test_frequency_before_the_object_ends_where_the_object_begins(text: str, action: str, often: str) -> None:
    """The object that stands behind it belongs to the act."""
    (norm,) = _read(text)
    assert (norm["action"], norm["frequency"]["text"]) == (action, often)


def test_who_is_told_acts_in_a_relative_clause() -> None:
    """A request decides nothing; whom it is sent to does, in time."""
    first, second = _read(
        "The bank shall send the request to the authority, which shall decide within 15 days of receipt."
    )
    assert first["action"] == "send the request to the authority"
    assert (second["actor"], second["action"]) == ("the authority", "decide")
    assert second["deadline"]["trigger"] == "receipt"


def test_what_is_told_holds_its_contents() -> None:
    """A notice contains a date, and the tenant does not."""
    found = _read("The bank shall send a notice to the tenant, which shall contain the date.")
    assert "actor" not in found[-1]


@pytest.mark.parametrize(
    ("text", "trigger"),
    [
        (
            "The clerk shall tell the member at the latest within 10 days of receipt of the request.",
            "receipt of the request",
        ),
        ("The clerk shall tell the member at the latest 30 days after the vote.", "the vote"),
        (
            "The clerk shall name two keepers within two weeks of the vote matching the rules.",
            "the vote",
        ),
        ("The clerk shall name a keeper by the end of the second full week of the term.", None),
    ],
)
def test_event_of_a_limit(text: str, trigger: str | None) -> None:
    """Neither "the latest" nor a week of a term is an event, and how an act is done is no part of one."""
    (norm,) = _read(text)
    assert norm["deadline"].get("trigger") == trigger


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("Each time a member leaves, the clerk must close the account.", "Each time a member leaves"),
        ("The first time a bank tells an estimate it must add its basis.", "The first time a bank tells an estimate"),
        ("You may tell it only to the extent that you may use it.", "only to the extent that you may use it"),
    ],
)
def test_occasion_in_front_is_no_holder(text: str, condition: str) -> None:
    """ "Each time" and "the first time" begin a clause as "when" does."""
    (norm,) = _read(text)
    assert norm["condition"] == condition
    assert "time" not in norm.get("actor", "")


def test_quotation_mark_behind_the_sentence_is_in_no_field() -> None:
    """The sentence stands in quotation marks, and its time does not."""
    text = "Clause 2 is replaced by: “The bank shall tell the clerk within four hours.”"
    (norm,) = _read(text)
    assert norm["deadline"]["text"] == "within four hours"


def test_joint_before_a_limit_is_no_act() -> None:
    """ "However" and "in any case" tell nothing that is to be done."""
    assert _read("The bank may do so, however, within a month.")[0]["action"] == "do so"
    assert (
        _read("The bank shall test all systems and, in any case, before it connects one.")[0]["action"]
        == "test all systems"
    )


@pytest.mark.parametrize(
    "text", ["Quorum shall be two thirds of the members.", "Its duties shall include the following:"]
)
def test_nobody_has_to_act(text: str) -> None:
    """A number that is needed, and a lead-in without items."""
    assert _read(text) == []


def test_who_remains_responsible_is_bound() -> None:
    """Responsibility that stays is responsibility."""
    (norm,) = _read("The bank remains fully responsible for the acts of its agents.")
    assert (norm["actor"], norm["action"]) == ("The bank", "the acts of its agents")


@pytest.mark.parametrize("text", [_AMENDING, _RECITALS])
def test_recitals_and_quoted_words_of_another_law_bind_nobody(text: str) -> None:
    """What stands in them is told apart; what stands behind them binds."""
    apart = parts_apart(text)
    assert len(apart) == 1
    lo, hi = apart[0]
    assert outside(find_norms(text, lo, hi, []), apart) == []
    assert find_norms(text, lo, hi, []) != []
    last = text.rindex("The bank")
    assert len(outside(find_norms(text, last, len(text), []), apart)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Clause 2.2 is replaced by the following: “The provider shall tell the bank within 4 hours of the loss.”",
        "WHEREAS the bank must pay.\n\nThe bank shall pay.",
        "Whereas:\n\nThe bank must pay, and no formula follows.",
    ],
)
def test_parties_are_bound_by_what_their_contract_quotes(text: str) -> None:
    """Without the name of another law, or the formula behind the recitals, nothing is set apart."""
    assert parts_apart(text) == ()


def test_a_limit_behind_a_condition_that_is_complete_is_the_deadline() -> None:
    text = (
        "The mate shall submit a report, when the search has been completed, not later than one month after the fire."
    )
    (clause,) = _read(text)
    assert clause["deadline"]["text"] == "not later than one month after the fire"
    assert clause["condition"] == "when the search has been completed"


@pytest.mark.parametrize(
    ("text", "often", "act"),
    [
        ("The Guild shall review at least yearly the list of ropes.", "at least yearly", "review the list of ropes"),
        ("Mates shall hold at least every three years long drills.", "at least every three years", "hold long drills"),
        ("He shall test it every year from the first day on.", "every year from the first day on", "test it"),
    ],
)
def test_how_often_stands_before_what_is_done_to(text: str, often: str, act: str) -> None:
    """A frequency is complete in itself; only what a preposition ties to it goes with it."""
    (clause,) = _read(text)
    assert (clause["frequency"]["text"], clause["action"]) == (often, act)


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("We do not allow content that infringes any right.", "content that infringes any right"),
        ("We don't tolerate retaliation.", "retaliation"),
    ],
)
def test_what_a_house_does_not_allow_is_prohibited(text: str, act: str) -> None:
    """Nobody is named; with "to" and an act it is who may not do it, and a program that takes no signs forbids nothing."""
    (clause,) = _read(text)
    assert (clause["kind"], clause["action"]) == ("prohibition", act)
    assert _read("The form does not allow special characters.") == []
    (told,) = _read("We do not allow visitors to take pictures.")
    assert (told["kind"], told["actor"], told["action"]) == ("prohibition", "visitors", "take pictures")


def test_a_wrapped_line_of_a_contract_is_no_enacting_formula() -> None:
    """Recitals of a contract may begin like those of an act; nothing tells where they end, so nothing is set apart."""
    text = "WHEREAS:\n\nThe Bank shall pay.\n\nThe parties\nhave agreed to keep it.\n"
    assert parts_apart(text) == ()
    assert parts_apart(text + "\nHAVE AGREED AS FOLLOWS:\n") != ()
