"""Denials that make up for each other, and what refutes a claim although its words stand elsewhere in the statement."""

from __future__ import annotations

import pytest

from coditect.verify.staged.stages import assess, ruled_label

SAME = (
    ("No badges are required for visitors.", "Badges are not required for visitors."),
    (
        "No connection to the archive is made unless the button is selected.",
        "Only connect to the archive if you select the button.",
    ),
    (
        "The operator cannot install a valve without the inspector's approval.",
        "Any installation of a valve by the operator is subject to approval by the inspector.",
    ),
    (
        "Returned goods may be sold again only after they have been tested.",
        "Any returned goods may not be sold again except if the goods have been tested.",
    ),
)

OTHER = (
    (
        "The lease gives the tenant control over the roof.",
        "Nothing in this lease shall be construed as giving the tenant any control over the roof.",
    ),
    (
        "Net income of $12 million was up 4% from the last year.",
        "Net income of $12 million was down 4% from the last year.",
    ),
    (
        "Deposits above a cap of $5 million per quarter are returned.",
        "Deposits above a cap of $5 million per month are returned.",
    ),
    ("Bond prices recovered all of their losses.", "Bond prices recovered about half of their losses."),
    (
        "The clerk may pass on returned goods.",
        "The clerk may not pass on returned goods, except as provided in this rule.",
    ),
    (
        "Visitors must not sign, but may smoke inside the hall.",
        "Visitors must sign, but must not smoke inside the hall.",
    ),
)

DOUBTED = (
    (
        "The chair may raise the limit permanently.",
        "The limit can be temporarily raised at the discretion of the chair.",
    ),
    (
        "The bank must inform the regulator and the public prosecutor of a breach within ten days.",
        "The bank must inform the regulator of a breach within ten days.",
    ),
)


@pytest.mark.parametrize(("claim", "evidence"), SAME)
def test_denial_said_in_another_way_refutes_nothing(claim: str, evidence: str) -> None:
    """Two denials, or a denial and an "only", come to the same as none: at worst a person is asked."""
    assert ruled_label(claim, [evidence], 0.7) != "unsupported"


@pytest.mark.parametrize(("claim", "evidence"), OTHER)
def test_one_denial_or_opposite_more_refutes(claim: str, evidence: str) -> None:
    """What only one side denies, opposites, units and parts of a whole are contradictions."""
    assert assess(claim, [evidence], 0.7).label == "unsupported"


@pytest.mark.parametrize(("claim", "evidence"), DOUBTED)
def test_opposite_or_addition_elsewhere_is_not_supported(claim: str, evidence: str) -> None:
    """An opposite in another place of the statement, and a party that is joined to those that it has, keep a claim back."""
    assert assess(claim, [evidence], 0.7).label != "supported"


def test_mixed_numbers_and_years_are_read_on_the_other_side() -> None:
    """ "2-1/4 percent" is 2.25 percent, and 31 December 2018 is in 2018."""
    for claim, evidence in (
        ("Inflation was 2.25 percent.", "Inflation was 2-1/4 percent."),
        ("The review was completed in 2018.", "The review was completed by 31 December 2018."),
    ):
        signals = assess(claim, [evidence], 0.7).signals
        assert not [each for each in signals if each.name.startswith("contradiction") and not each.passed]
