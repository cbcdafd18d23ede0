"""What a reader who quotes may overrule, and what not."""

from __future__ import annotations

import pytest

from coditect.schemas import Signal
from coditect.verify.staged.vetoes import find_vetoes

SAID = "The supplier shall notify the customer of an incident within 48 hours."


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("The supplier shall notify the customer of an incident within 72 hours.", "contradiction_duration"),
        ("The supplier may notify the customer of an incident within 48 hours.", "contradiction_modality"),
        ("The customer shall notify the supplier of an incident within 48 hours.", "contradiction_role"),
        ("The supplier shall not notify the customer of an incident within 48 hours.", "contradiction_negation"),
    ],
)
def test_hard_differences_from_what_is_quoted_are_vetoes(claim: str, kind: str) -> None:
    """Another figure, another force, somebody else, a "not"."""
    assert kind in [each.name for each in find_vetoes(claim, [SAID], ())]


def test_faithful_words_meet_no_veto() -> None:
    """Words that the statement has otherwise, and statistics, keep nobody from calling it supported."""
    claim = "Customers hear from the supplier of incidents in two days at the latest."
    signals = [
        Signal(name="support", passed=False, detail="30% probable", weight=0.7),
        Signal(name="second_reading", passed=False, detail="20% probable", weight=0.8),
        Signal(name="contradiction_substitution", passed=False, detail="“hear” for “notify”", weight=0.6),
    ]
    assert find_vetoes(claim, [SAID], signals) == ()


def test_certain_contradictions_of_other_evidence_stand() -> None:
    """What is certain of all the evidence is a veto whatever is quoted; a milder one is not."""
    certain = Signal(name="contradiction_condition", passed=False, detail="an exception is dropped", weight=1.0)
    mild = Signal(name="contradiction_number", passed=False, detail="“9” is not in the evidence", weight=0.9)
    assert find_vetoes(SAID, [SAID], [certain, mild]) == (certain,)
