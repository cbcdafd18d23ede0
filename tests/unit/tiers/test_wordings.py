"""Classes of wording in which two documents are at odds, each in trades of its own, and look-alikes of each."""

from __future__ import annotations

import pytest

from tests.unit.tiers.test_matters import _found

CONFLICTS = [
    # Telling by a noun: "submits the report", "sends the notification".
    (
        "Pharmacovigilance Rules",
        "The holder must report a serious reaction to the Agency within 15 days.",
        "Safety Procedure",
        "The safety officer submits the report of a serious reaction to the Agency within 30 days.",
        "deadline",
    ),
    (
        "Outage Policy",
        "Clients are notified of an outage of the portal within one hour.",
        "Outage Procedure",
        "The notification of an outage of the portal is sent to clients within six hours.",
        "deadline",
    ),
    (
        "Repair Standard",
        "Broken seals must be replaced within two days.",
        "Depot Procedure",
        "The replacement of broken seals is carried out within ten days.",
        "deadline",
    ),
    # Who signs, decides and answers for something.
    (
        "Payroll Policy",
        "The payroll run must be signed by the Finance Director.",
        "Payroll Procedure",
        "The Payroll Manager signs the payroll run.",
        "approval",
    ),
    (
        "Recall Policy",
        "The Quality Director decides on product recalls.",
        "Recall Procedure",
        "Product recalls are decided on by the Plant Manager.",
        "approval",
    ),
    (
        "Fleet Policy",
        "The Fleet Manager is responsible for the vehicle register.",
        "Fleet Procedure",
        "The Safety Officer is responsible for the vehicle register.",
        "role",
    ),
    # What is not done, or is spared.
    (
        "Kitchen Policy",
        "Every delivery of fish must be weighed by the receiving clerk.",
        "Kitchen Procedure",
        "Deliveries of fish are not weighed.",
        "modality",
    ),
    (
        "Access Standard",
        "A second factor is required for the treasury system.",
        "Treasury Procedure",
        "Traders do not use a second factor for the treasury system.",
        "modality",
    ),
    (
        "Hiring Policy",
        "A reference check must be completed for every new driver.",
        "Driver FAQ",
        "The reference check is optional for new drivers.",
        "modality",
    ),
    # A thing by what it is an example of.
    (
        "Data Policy",
        "Personnel records must not be copied to removable media.",
        "Payroll Handbook",
        "You may keep personnel files on a memory stick.",
        "modality",
    ),
    # Amounts, sizes, days and places.
    (
        "Claims Policy",
        "An expert report is required for every claim above EUR 20,000.",
        "Claims Procedure",
        "The adjuster asks for an expert report only where the claim exceeds EUR 60,000.",
        "amount",
    ),
    (
        "Transport Standard",
        "Insulin must be carried at no more than 8 degrees Celsius.",
        "Courier Procedure",
        "Insulin is carried at 15 degrees Celsius.",
        "size",
    ),
    (
        "Tax Policy",
        "The annual return must be submitted by 31 March 2026.",
        "Tax Procedure",
        "The annual return is submitted by 31 May 2026.",
        "day",
    ),
    (
        "Cloud Conditions",
        "Payroll data must be processed in Norland.",
        "Payroll Agreement",
        "The Provider may process payroll data outside Norland.",
        "place",
    ),
    # A working day is longer than a day; an agreement promises less than the house needs.
    (
        "Refund Standard",
        "Refunds are paid within 10 days.",
        "Refund Procedure",
        "Refunds are paid within 10 working days.",
        "deadline",
    ),
    (
        "Definitions Policy",
        '"Dormant account" means an account without a transaction for 12 months.',
        "Branch Procedure",
        '"Dormant account" means an account without a transaction for 24 months.',
        "definition",
    ),
]


@pytest.mark.parametrize(("title", "text", "other", "against", "kind"), CONFLICTS)
def test_class_of_wording_is_told(title: str, text: str, other: str, against: str, kind: str) -> None:
    """The same matter, fixed otherwise in other words; one kind of conflict for each pair."""
    found = _found((title, text), (other, against))
    assert [each.kind for each in found if each.relation == "conflict"] == [kind]


LOOK_ALIKES = [
    (
        "Payroll Policy",
        "The payroll run must be signed by the Finance Director.",
        "Payroll Procedure",
        "The Payroll Manager signs the test run.",
    ),
    (
        "Recall Policy",
        "The Quality Director decides on product recalls.",
        "Menu Procedure",
        "The Chef decides on the menu.",
    ),
    (
        "Fleet Policy",
        "The Fleet Manager is responsible for the vehicle register.",
        "Key Procedure",
        "The Porter is responsible for the key register.",
    ),
    (
        "Hiring Policy",
        "A reference check must be completed for every new driver.",
        "Visitor FAQ",
        "The reference check is not required for visitors.",
    ),
    (
        "Transport Standard",
        "Insulin must be carried at no more than 8 degrees Celsius.",
        "Courier Procedure",
        "Insulin is carried at 5 degrees Celsius.",
    ),
    (
        "Outage Policy",
        "Clients are notified of an outage of the portal within one hour.",
        "Outage Procedure",
        "The final report on an outage of the portal is sent to clients within six days.",
    ),
    (
        "Data Policy",
        "Personnel records must not be copied to removable media.",
        "Sales Handbook",
        "You may save price lists on a memory stick.",
    ),
    (
        "Claims Policy",
        "Claims above EUR 20,000 are approved by the Claims Director.",
        "Board Charter",
        "Claims above EUR 100,000 are approved by the Board.",
    ),
    ("Refund Standard", "Refunds are paid within 14 days.", "Refund Procedure", "Refunds are paid within two weeks."),
]


@pytest.mark.parametrize(("title", "text", "other", "against"), LOOK_ALIKES)
def test_look_alike_of_a_class_of_wording_is_not_told(title: str, text: str, other: str, against: str) -> None:
    """Another object, other people, another stage, a rung of a ladder, and the same time in another unit."""
    assert [each for each in _found((title, text), (other, against)) if each.relation == "conflict"] == []
