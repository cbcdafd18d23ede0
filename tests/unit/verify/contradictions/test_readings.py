"""What is told only by what a claim and its evidence say as a whole: force, holder, direction, parts, events."""

from __future__ import annotations

import pytest

from coditect.verify.contradictions.rules import Kind, find_contradictions

DIFFERS: tuple[tuple[Kind, str, str], ...] = (
    ("unit", "The report is due within 14 Business Days.", "The report is due within 14 days."),
    ("unit", "The report is due within 14 calendar days.", "The report is due within 14 business days."),
    (
        "negation",
        "The labels described in section 4 are not required on any crate that leaves the yard.",
        "Crates that leave the yard must carry the labels described in section 4.",
    ),
    (
        "negation",
        "The Owner does not have any responsibility for losses that the Keeper may suffer at night.",
        "Losses that the Keeper suffers at night fall under the responsibility of the Owner.",
    ),
    (
        "role",
        "The purchase of tickets will be carried out by the Visitor.",
        "The Keeper is to purchase the tickets.",
    ),
    (
        "role",
        "The hedge is trimmed in March by the Gardener himself.",
        "The hedge is trimmed in March by the Landlord himself.",
    ),
    ("quantifier", "The clerk must stamp and file the form.", "The clerk must stamp or file the form."),
    ("quantifier", "The clerk must report any material loss.", "The clerk must report every loss."),
    (
        "condition",
        "The tenant must pay within 45 days of the date on which the bill is printed.",
        "The tenant must pay within 45 days of the date on which he receives the bill.",
    ),
    (
        "condition",
        "A rest day means a day other than a Friday, a Sunday, or any feast day.",
        "A rest day means a day other than a Sunday, or any feast day.",
    ),
    ("condition", "The clerk may refund the fee if the club pays the printer.", "The club pays the printer."),
    ("condition", "The agent may sell the boat on written notice to the owner.", "The agent may sell the boat."),
    ("comparative", "It goes out at least 30 days before the sale.", "It goes out at most 30 days before the sale."),
    ("substitution", "The clerk must acknowledge every letter in writing.", "The clerk must destroy every letter in writing."),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "evidence", "claim"), DIFFERS, ids=lambda value: value[:40])
def test_difference_of_readings_is_found(kind: Kind, evidence: str, claim: str) -> None:
    """Each is a contradiction of its kind that keeps the claim from being supported."""
    found = find_contradictions(claim, [evidence])
    assert kind in {each.kind for each in found if each.severity >= 0.5}, found


LIST = """The club must ensure that:
(a) no member of the board is a printer or dealer of the club; and
(b) the board has three members."""

AGREES = (
    ("The notice goes out at least 30 days before the sale.", "The notice goes out no later than 30 days ahead of the sale."),
    ("The labels are not required on crates.", "Crates need no labels."),
    ("This part applies to banks except for savings banks.", "This part covers banks, though not savings banks."),
    (
        "If a member believes that a key was lost, he must tell the clerk.",
        "A member who believes that a key was lost must tell the clerk.",
    ),
    ("The club and any of its guests shall cease all use of the boat.", "The club must stop using the boat."),
    ("The clerk expects a note to be sent to the member.", "The clerk expects that a note is sent to the member."),
    (
        "If the driver is unavailable because of an injury, the club shall provide another.",
        "If the driver cannot drive because of an injury, the club has to provide another.",
    ),
    (LIST, "The club must make sure that the board has at least three members."),
    ("The clerk keeps the book. He sends bills every quarter.", "The clerk keeps the book and sends bills quarterly."),
)  # fmt: skip


@pytest.mark.parametrize(("evidence", "claim"), AGREES, ids=lambda value: value[:40])
def test_agreement_of_readings_is_no_contradiction(evidence: str, claim: str) -> None:
    """Bounds turned with their direction, negation told elsewhere, conditions as relative clauses: nothing refutes."""
    assert [each for each in find_contradictions(claim, [evidence]) if each.severity >= 0.7] == []


def test_item_inherits_the_negation_of_its_list() -> None:
    """What an item denies is told with its lead-in, not of the words of another item."""
    found = find_contradictions("A dealer of the club may sit on the board.", [LIST])
    assert any(each.kind in ("negation", "modality") and each.severity >= 0.8 for each in found), found


def test_lead_in_alone_permits_nothing() -> None:
    """ "May not ... unless:" does not support what it says without its items."""
    passage = "The clerk may not open the safe unless:\n(a) the chair agrees; or\n(b) the alarm rings."
    found = find_contradictions("The clerk may not open the safe.", [passage])
    assert any(each.kind == "condition" and each.severity >= 0.7 for each in found), found
