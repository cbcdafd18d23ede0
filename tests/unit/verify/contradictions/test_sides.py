"""On which side something stands: of a comparison, a day, an exact figure, an act; and of which kind what may be done is."""

from __future__ import annotations

import pytest

from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.staged.stages import assess

TURNED = (
    ("comparative", "The fee is higher for members than for guests.", "The fee is higher for guests than for members."),
    ("comparative", "The rule will apply from 2025.", "The rule applied until 2025."),
    ("comparative", "Complaints must be answered within about 14 days.", "Complaints must be answered within 14 days."),
    ("comparative", "Complaints must be answered within 14 days.", "Complaints must be answered within some 14 days."),
    ("modality", "The manager approved the budget.", "The manager shall approve the budget."),
    ("modality", "The manager approved the budget yesterday.", "The manager may approve the budget."),
    ("quantifier", "Visitors may bring dogs into the hall.", "Visitors may bring guide dogs into the hall."),
    ("quantifier", "Users must not share files.", "Users must not share secret files."),
    ("quantifier", "Managers may approve leave.", "Only senior managers may approve leave."),
    ("quantifier", "Members may vote.", "Paying members may vote."),
    ("condition", "Visitors may bring dogs.", "Visitors may bring dogs on a leash."),
    ("condition", "Customers may return goods.", "Customers may return goods within 14 days."),
)
KEPT = (
    ("The fee is higher for guests than for members.", "The fee is higher for guests than it is for members."),
    ("For guests the fee is higher than for members.", "The fee is higher for guests than for members."),
    ("The permit runs from 1 May until 30 June.", "The permit runs from 1 May until 30 June of each year."),
    ("Complaints must be answered within about 14 days.", "Complaints must be answered within approximately 14 days."),
    ("A brochure about 14 products is sent.", "A brochure about 14 products is sent to customers."),
    ("The manager approves the budget.", "The manager shall approve the budget."),
    ("The budget approved by the manager is binding.", "The budget that the manager shall approve is binding."),
    ("The clerk charged the fee.", "The clerk charged the fee."),
    ("Visitors may bring dogs.", "Visitors may bring dogs and cats."),
    ("Managers must keep records.", "Managers must keep written records."),
    ("Users must not share passwords.", "Users must not share their passwords."),
    ("The slide may be used until it is replaced.", "The slide may be used until it is replaced in the autumn."),
)


@pytest.mark.parametrize(("kind", "claim", "evidence"), TURNED)
def test_what_stands_on_the_other_side_is_found(kind: str, claim: str, evidence: str) -> None:
    """And keeps the claim from being supported."""
    assert kind in {each.kind for each in find_contradictions(claim, [evidence]) if each.severity >= 0.5}
    assert assess(claim, [evidence], 0.7).label != "supported"


@pytest.mark.parametrize(("claim", "evidence"), KEPT)
def test_what_stands_on_the_same_side_is_none(claim: str, evidence: str) -> None:
    """The same words in another order, another word for the same, a duty that is told with less."""
    assert [each.detail for each in find_contradictions(claim, [evidence]) if each.severity >= 0.5] == []
