"""What a claim allows and one of several statements forbids outright."""

from __future__ import annotations

import pytest

from coditect.verify.staged.stages import assess

ACCOUNTS = "1.2 Shared accounts are prohibited."
PAGING = "1.3 Nursing stations may use shared accounts for the paging system."
HOLD = "1.5 Records that are subject to a legal hold must not be destroyed."
APPROVES = "2.1 The Records Manager must approve the destruction of records in writing."


@pytest.mark.parametrize(
    ("claim", "quotes"),
    [
        ("Shared accounts may be used.", (ACCOUNTS,)),
        ("Shared accounts may be used by administrators.", (PAGING, ACCOUNTS)),
        (
            "Records that are subject to a legal hold may be destroyed with approval of the Records Manager.",
            (APPROVES, HOLD),
        ),
        (
            "Records that are subject to a legal hold may be destroyed with approval of the Records Manager.",
            (APPROVES, "Workstations are exempt from section 2.1 until 2026, approved by the director.", HOLD),
        ),
    ],
)
def test_permission_of_what_is_forbidden_outright_is_refused(claim: str, quotes: tuple[str, ...]) -> None:
    """Also where another statement has more of the claim's words; the reason quotes the prohibition."""
    found = assess(claim, list(quotes), 0.7)
    assert found.label == "unsupported"
    assert any("forbidden outright" in each.detail for each in found.signals)


@pytest.mark.parametrize(
    ("claim", "quotes"),
    [
        ("Nursing stations may use shared accounts for paging.", (ACCOUNTS, PAGING)),
        ("Shared accounts may be reported by administrators.", (ACCOUNTS, "Administrators must report.")),
        (
            "Staff may use shared accounts in emergencies.",
            ("Shared accounts are prohibited, unless there is an emergency.",),
        ),
        (
            "The Permittee may emit up to 20 mg of toluene.",
            ("The Permittee shall not emit more than 20 mg of toluene.",),
        ),
        ("Drums may be kept in the yard.", ("Drums of solvent must not be kept in the yard.",)),
    ],
)
def test_exception_other_act_bound_and_narrower_prohibition_refuse_nothing(claim: str, quotes: tuple[str, ...]) -> None:
    """None of them forbids all of what the claim allows."""
    assert not any("forbidden outright" in each.detail for each in assess(claim, list(quotes), 0.7).signals)
