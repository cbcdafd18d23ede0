"""Which sentences can be held against others, and what two intervals have in common."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from coditect.tiers.findings.conflicts.apart.events import runs_from_its_act, share_occasions_alone
from coditect.tiers.findings.conflicts.apart.standalone import is_standalone
from coditect.tiers.findings.conflicts.entries import Entry


def _entry(text: str, says: str = "", kind: str = "frequency", head: str = "review") -> Entry:
    statement = SimpleNamespace(sentence=SimpleNamespace(text=text, measures=()))
    return Entry(cast("Any", statement), kind, head, says, 1.0, "mandatory", frozenset(), "", "")


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("Access rights are reviewed annually.", True),
        ("They are exempt from further due diligence.", False),
        ("IT staff must rotate keys yearly.", True),
        ("Both laptops and phones must be encrypted.", True),
        ("Both must be encrypted.", False),
        ("It will be updated at least annually.", False),
        ("This policy must be reviewed annually.", True),
        ("These records are kept for five years.", True),
        ("These are kept for five years.", False),
        ("Reviews the audit policy [FedRAMP Assignment: at least every 3 years].", False),
        ("Reviews logs (Assignment: weekly).", False),
        ("Each assignment of work is reviewed weekly.", True),
        ("cat log | grep -c error", False),
        ("--start-time $(date -u -d '1 hour ago') --period 60", False),
    ],
)
def test_a_sentence_stands_alone_where_it_says_of_what_it_speaks(text: str, alone: bool) -> None:
    """Not where it points to another one, gives the parameter of one control, or is a command."""
    assert is_standalone(_entry(text)) is alone


@pytest.mark.parametrize(
    ("first", "second", "alone"),
    [
        (("Baselines are reviewed annually and after significant changes.", "annually"),
         ("Remote configurations are reviewed quarterly and after significant changes.", "quarterly"), True),
        (("Baselines are reviewed annually and after significant changes.", "annually"),
         ("All baselines are reviewed quarterly and after significant changes.", "quarterly"), False),
        (("Baselines are reviewed annually.", "annually"),
         ("Remote configurations are reviewed quarterly and after changes.", "quarterly"), False),
    ],
)  # fmt: skip
def test_an_occasion_is_no_matter(first: tuple[str, str], second: tuple[str, str], alone: bool) -> None:
    """Only where both have one, and nothing else is the same."""
    assert share_occasions_alone(_entry(*first), _entry(*second)) is alone


@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [
        (("Staff must determine the error within 10 days of a notice.", "10 days"),
         ("Staff must correct the error within one day after determining it.", "one day"), True),
        (("Staff must determine the error within 10 days of a notice.", "10 days"),
         ("Staff must determine the error within one day after determining its class.", "one day"), False),
        (("Staff must notify the owner within 2 hours.", "2 hours"),
         ("Staff must notify the owner within 4 hours of being notified.", "4 hours"), False),
    ],
)  # fmt: skip
def test_a_time_that_runs_from_an_act_is_none_for_it(
    first: tuple[str, str], second: tuple[str, str], apart: bool
) -> None:
    """Unless the act is what it is for, too."""
    assert runs_from_its_act(_entry(*first, "deadline", "limit"), _entry(*second, "deadline", "limit")) is apart


def test_a_row_of_labels_in_front_changes_nothing() -> None:
    """Forty labels are one look, not two to the fortieth: what is read behind them is what is read without them."""
    labels = "(a)" * 40
    first = _entry(
        f"{labels} Staff must determine the error within 10 days of a notice.", "10 days", "deadline", "limit"
    )
    second = _entry(
        f"{labels} Staff must correct the error within one day after determining it.", "one day", "deadline", "limit"
    )
    assert runs_from_its_act(first, second)
    assert not runs_from_its_act(first, first)
