"""Codes, labels, and limits that are said from the other side."""

from __future__ import annotations

import pytest

from coditect.verify.contradictions.rules import find_contradictions


def _details(claim: str, evidence: str, least: float = 0.5) -> list[str]:
    return [each.detail for each in find_contradictions(claim, [evidence]) if each.severity >= least]


def test_codes_with_the_same_letters_and_another_number_differ() -> None:
    """AES-128 is not AES-256."""
    evidence = "Backup copies must be encrypted with AES-256."
    assert _details("Backup copies must be encrypted with AES-128.", evidence) == [
        "the claim says “AES-128”, the evidence “AES-256”"
    ]
    assert _details("Backup copies must be encrypted with AES-256.", evidence) == []


def test_code_beside_one_that_both_sides_have_is_no_difference() -> None:
    """Who speaks of both contradicts neither."""
    evidence = "Backup copies must be encrypted with AES-128 or AES-256."
    assert _details("Backup copies must be encrypted with AES-256.", evidence, 0.9) == []


@pytest.mark.parametrize(
    ("claim", "evidence", "label"),
    [
        (
            "The contract employer must evaluate host employers every 12 months.",
            "(c) The host employer shall periodically evaluate the performance of contract employers every 12 months.",
            "“c”",
        ),
        (
            "The supervisor fills in form F-7 within 48 hours.",
            "Form F-7 filled in | Supervisor | Within 48 hours",
            "“f”",
        ),
    ],
)
def test_label_of_one_letter_is_nobody_who_acts(claim: str, evidence: str, label: str) -> None:
    """Neither "(c)" before a clause nor the letter of a form."""
    assert not any(label in each for each in _details(claim, evidence))


def test_limit_is_the_same_from_either_side() -> None:
    """What may not be more than 20 may be at most 20, and is limited to 20."""
    evidence = "The Permittee shall not discharge to air from vent V-3 more than 20 mg of toluene."
    assert _details("The Permittee may discharge to air from vent V-3 at most 20 mg of toluene.", evidence) == []
    limits = _details("The permit limits discharge to air of toluene from vent V-3 to 20 mg.", evidence)
    assert not any("shall not" in each or "exactly" in each for each in limits)


@pytest.mark.parametrize(
    "claim",
    [
        "The Permittee may discharge to air from vent V-3 at most 30 mg of toluene.",
        "The Permittee may discharge to air from vent V-3 more than 20 mg of toluene.",
        "The Permittee may discharge to air from vent V-3 at least 20 mg of toluene.",
    ],
)
def test_another_limit_and_the_other_direction_still_contradict(claim: str) -> None:
    """Another figure, what is forbidden itself, and a least in the place of a most."""
    evidence = "The Permittee shall not discharge to air from vent V-3 more than 20 mg of toluene."
    assert any(each.severity >= 0.9 for each in find_contradictions(claim, [evidence]))
