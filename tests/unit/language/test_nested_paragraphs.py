"""Paragraphs of regulations with items, asides and times inside: each class was read wrongly before rules 17."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.language.norms.limits.days import times_by_weekdays
from coditect.language.provisions.leads import lead_role
from coditect.schemas import Extraction, NormData
from coditect.tiers.extractions.document import NORMATIVE, extraction_records, read_document
from tests.unit.language.clauses import only_clause, read_clauses
from tests.unit.tiers.corpora import version_of


def _norms(text: str) -> list[tuple[Extraction, NormData]]:
    """The norms of a regulation as text, with what was read of each."""
    reading = read_document(read_source(text.encode(), "rule.txt"))
    found = extraction_records(version_of("rule.txt", text), reading, "derivation")
    return [(each, each.read_as(NormData)) for each in found if each.extraction_kind in NORMATIVE]


@pytest.mark.parametrize("aside", ["except as provided in rule 3(c)", "subject to rule 3", "if the owner asks"])
def test_second_act_behind_an_aside_keeps_who_acts(aside: str) -> None:
    """ "must watch and, <aside>, must tell": the aside limits the second act, and both are the keeper's."""
    (_, first), (_, second) = read_clauses(
        f"The keeper must watch the log and, {aside}, must tell the clerk within two days."
    )
    assert (first["actor"], first["action"]) == ("The keeper", "watch the log")
    assert "condition" not in first
    assert "exception" not in first
    assert (second["actor"], second["action"]) == ("The keeper", "tell the clerk")
    assert aside in (second.get("exception"), second.get("condition"))
    assert second["deadline"]["text"] == "within two days"


def test_time_behind_what_is_to_be_decided_is_the_acts() -> None:
    """ "determine whether a loss occurred within ten days of the notice": the deadline has its "within"."""
    data = only_clause(
        "The keeper must determine whether a loss occurred within 10 business days of receiving a notice."
    )
    assert data["action"] == "determine whether a loss occurred"
    assert data["deadline"]["text"] == "within 10 business days of receiving a notice"
    assert data["deadline"]["business_days"]


def test_rest_of_a_limit_is_no_time() -> None:
    """Of a loss that arose within ten days nothing says by when it is due."""
    data = only_clause("The keeper must report each loss that occurred within 10 days of the storm.")
    assert data.get("deadline") is None
    assert data["action"].endswith("within 10 days of the storm")


RULE = """(b) Timing. A bank shall act on any notice of error from the customer that:
(i) Is received by the bank no later than 60 days after the bank sends the statement;
(ii) Enables the bank to identify the customer's name and account number; and
(iii) Says what is wrong.
(c) The bank shall wait.
"""


def test_items_that_say_which_notice_are_one_norm() -> None:
    """The customer's 60 days are no deadline of the bank, and "name and account number" is no act."""
    (act, data), (_, wait) = _norms(RULE)
    assert (act.locator, data.actor, data.deadline) == ("(b)", "A bank", None)
    assert data.action is not None
    assert data.action.startswith("act on any notice of error from the customer that")
    assert wait.action == "wait"


@pytest.mark.parametrize(
    ("lead", "role"),
    [
        ("A bank must answer any notice of error from the customer that:", "description"),
        ("A bank must keep all records of the loss that:", "description"),
        ("A clerk must notify any person that:", "open"),
        ("A bank must ensure by a notice to each owner that:", "open"),
        ("Develop a plan for the system that:", "open"),
        ("A bank may take 45 days, provided the bank does the following:", "conditions"),
    ],
)
def test_what_a_that_leads_in(lead: str, role: str) -> None:
    """Which of all notices, what somebody is told, what a plan has to hold, item by item."""
    assert lead_role(lead) == role


def test_where_behind_an_address_is_no_condition() -> None:
    """It says which address."""
    data = only_clause("The bank must provide the address where the form must be sent.")
    assert data["action"] == "provide the address where the form must be sent"
    assert data.get("condition") is None


@pytest.mark.parametrize(
    ("often", "per_year"),
    [
        ("every Monday", 52.18),
        ("every other Friday", 26.09),
        ("on Tuesdays and Fridays", 104.36),
        ("each weekday", 260.9),
    ],
)
def test_days_of_the_week_tell_how_often(often: str, per_year: float) -> None:
    """They are no words of the act."""
    data = only_clause(f"The keeper must check the lamp {often}.")
    assert (data["action"], data["frequency"]["text"], data["frequency"]["per_year"]) == (
        "check the lamp",
        often,
        per_year,
    )


def test_a_day_of_the_week_alone_recurs_on_no_rule() -> None:
    """ "on Monday" is one day; days of the month are counted elsewhere."""
    assert times_by_weekdays("on the first of each month") is None
    assert only_clause("The keeper must check the lamp on Monday.").get("frequency") is None


@pytest.mark.parametrize(
    ("limit", "days", "business"),
    [
        ("by the 15th day after the end of each quarter", 15.0, None),
        ("no later than the tenth business day after receipt", 10.0, True),
        ("on or before the 5th working day following the storm", 5.0, True),
    ],
)
def test_days_counted_from_an_event_are_numbers(limit: str, days: float, business: bool | None) -> None:
    """The 15th day after is within 15 days after."""
    deadline = only_clause(f"The keeper must file the log quarterly, {limit}.")["deadline"]
    assert (deadline["text"], deadline["days"], deadline["hours"]) == (limit, days, days * 24)
    assert (deadline["comparator"], deadline["relation"], deadline.get("business_days")) == (
        "within",
        "after",
        business,
    )
