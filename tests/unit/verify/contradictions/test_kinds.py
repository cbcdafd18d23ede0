"""Each kind of contradiction is found, named and placed."""

from __future__ import annotations

import pytest

from coditect.verify.contradictions.rules import Kind, find_contradictions

CASES: tuple[tuple[Kind, str, str], ...] = (
    ("number", "Three auditors shall sign the report.", "Five auditors shall sign the report."),
    ("number", "The archive keeps 40 tapes in the vault.", "The archive keeps 14 tapes in the vault."),
    (
        "duration",
        "Incidents must be reported within 72 hours of discovery.",
        "Incidents must be reported within 7 days of discovery.",
    ),
    ("duration", "Access logs are kept for thirty-six months.", "Access logs are kept for six months."),
    ("unit", "The courier shall arrive within 12 hours.", "The courier shall arrive by 12 percent."),
    ("date", "The licence expires on 3 March 2024.", "The licence expires on 13 March 2024."),
    ("percentage", "Late invoices bear interest at 5% per year.", "Late invoices bear interest at 15% per year."),
    ("currency", "The fee is $4,000 for each site.", "The fee is €4,000 for each site."),
    ("currency", "The insurer pays up to $2 million.", "The insurer pays up to $20 million."),
    (
        "reference",
        "Returns are handled under Section 4.2 of this manual.",
        "Returns are handled under Section 4.3 of this manual.",
    ),
    ("reference", "Keys are rotated as control AC-2 demands.", "Keys are rotated as control AC-6 demands."),
    ("entity", "The processor stores the backups in Ireland.", "The processor stores the backups in Singapore."),
    (
        "negation",
        "The vendor shall not share the data with third parties.",
        "The vendor shall share the data with third parties.",
    ),
    (
        "negation",
        "The vendor shall share the data with the auditor.",
        "The vendor fails to share the data with the auditor.",
    ),
    ("negation", "The plan was approved by the board.", "The plan was rejected by the board."),
    ("negation", "The supplier is authorized to ship samples.", "The supplier is unauthorized to ship samples."),
    ("modality", "The operator shall test the alarm every week.", "The operator may test the alarm every week."),
    (
        "modality",
        "The operator must test the alarm every week.",
        "The operator is at liberty to test the alarm every week.",
    ),
    ("modality", "Visitors may use the side entrance.", "Visitors are obliged to use the side entrance."),
    ("modality", "Managers shall review the roster.", "Managers are encouraged to review the roster."),
    ("quantifier", "All employees complete the training in spring.", "Some employees complete the training in spring."),
    ("quantifier", "The key is used solely for signing releases.", "The key is used for signing releases."),
    (
        "quantifier",
        "The report covers all sites, including the depot.",
        "The report covers all sites, excluding the depot.",
    ),
    (
        "condition",
        "The clerk shall refund the deposit unless the room is damaged.",
        "The clerk shall refund the deposit.",
    ),
    (
        "condition",
        "The clerk shall refund the deposit.",
        "The clerk shall refund the deposit, provided that the board agrees.",
    ),
    (
        "condition",
        "The clerk shall refund the deposit if the room is clean.",
        "The clerk shall refund the deposit unless the room is clean.",
    ),
    ("condition", "Subject to prior approval, the team may open the vault.", "The team may open the vault."),
    ("comparative", "Backups are kept for at least 30 days.", "Backups are kept for at most 30 days."),
    ("comparative", "The seal is checked before the truck leaves.", "The seal is checked after the truck leaves."),
    ("comparative", "Payment is due within 30 days.", "Payment is due after 30 days."),
    (
        "role",
        "The Licensor shall indemnify the Licensee for losses.",
        "The Licensee shall indemnify the Licensor for losses.",
    ),
    ("role", "Norwick shall deliver the pumps to Halden.", "Halden shall deliver the pumps to Norwick."),
    (
        "role",
        "The processor shall notify the controller of a breach.",
        "The processor shall be notified by the controller of a breach.",
    ),
)


@pytest.mark.parametrize(("kind", "evidence", "claim"), CASES, ids=lambda value: value[:40])
def test_contradiction_is_found(kind: Kind, evidence: str, claim: str) -> None:
    """A changed figure, name, force, scope, condition, order or role is a contradiction of its kind, never a remark."""
    found = find_contradictions(claim, [evidence])
    assert kind in {each.kind for each in found if each.severity >= 0.5}, found


@pytest.mark.parametrize(("kind", "evidence", "claim"), CASES, ids=lambda value: value[:40])
def test_contradiction_is_found_among_other_sentences(kind: Kind, evidence: str, claim: str) -> None:
    """Other sentences beside the one that a claim rests on do not hide the difference."""
    others = ["The canteen opens at noon.", "Parking permits are issued by the front desk.", "Nobody swims in winter."]
    found = find_contradictions(claim, [*others[:2], evidence, others[2]])
    assert kind in {each.kind for each in found if each.severity >= 0.5 and each.evidence_index in (0, 2)}, found


def test_spans_point_at_the_difference() -> None:
    """The spans are the words that differ, in the claim and in the evidence."""
    evidence = ["Cats sleep.", "Incidents must be reported within 72 hours."]
    claim = "Incidents must be reported within 7 days."
    (found,) = (each for each in find_contradictions(claim, evidence) if each.kind == "duration")
    assert "7 days" in claim[slice(*found.claim_span)]
    assert found.evidence_index == 1
    assert "72 hours" in evidence[1][slice(*found.evidence_span)]
    assert "7 days" in found.detail
    assert "72 hours" in found.detail


def test_dropped_condition_has_an_empty_place_in_the_claim() -> None:
    """What was left out has no words in the claim: its span is empty and lies within it."""
    claim = "The clerk shall refund the deposit."
    (found,) = find_contradictions(claim, ["The clerk shall refund the deposit unless the room is damaged."])
    assert found.claim_span[0] == found.claim_span[1] <= len(claim)
    assert "unless the room is damaged" in found.detail


def test_second_sentence_of_a_claim_has_offsets_into_the_whole_claim() -> None:
    """Spans count from the beginning of the claim, not of its sentence."""
    claim = "The gate is closed at night by the guard. The guard shall keep 40 keys in the safe."
    evidence = ["The gate is closed at night by the guard.", "The guard shall keep 14 keys in the safe."]
    (found,) = (each for each in find_contradictions(claim, evidence) if each.severity >= 0.5)
    assert "40" in claim[slice(*found.claim_span)]
    assert found.evidence_index == 1


def test_unrelated_claim_is_only_remarked_upon() -> None:
    """Where a claim rests on none of the evidence, form proves nothing: no modality, condition or role is compared."""
    found = find_contradictions(
        "The museum may open on Sundays.", ["Each tenant shall pay rent unless the flat burns."]
    )
    assert all(each.severity < 0.5 for each in found), found


def test_name_that_only_a_loose_claim_has_is_a_remark() -> None:
    """An unknown name weighs little where most words of the claim are not the evidence's own."""
    found = find_contradictions(
        "Critics from Berlin praised the bold new staging of the old opera.", ["The opera was staged in May."]
    )
    assert all(each.severity < 0.5 for each in found if each.kind == "entity"), found
