"""Pairs of statements of a house's documents: what cannot both be followed is a conflict, and what only looks so is none."""

from __future__ import annotations

import pytest

from coditect.knowledge.derivation.profiles import profile_of
from coditect.tiers.findings.conflicts.detection import find_conflicts
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.standing import Standings
from tests.unit.tiers.corpora import chunks_of, versions_of

FILLING = (
    "Visitors are registered at the gate and receive a badge.",
    "The canteen is open on working days.",
    "Parking spaces are given out by the facilities desk.",
)


def _found(*sides: tuple[str, str]) -> list[StatementConflict]:
    """The conflicts of documents that are given as (title, sentence), beside others that say something else."""
    files = {f"{n}.md": f"# {title}\n\n## 1 Rules\n\n1.1 {text}\n" for n, (title, text) in enumerate(sides)}
    files |= {f"x{n}.md": f"# Site {n} Policy\n\n## 1 Site\n\n1.1 {text}\n" for n, text in enumerate(FILLING)}
    versions = versions_of(files)
    profiles = {d: profile_of(v, files[v.name], None, "derivation_0") for d, v in versions.items()}
    return list(find_conflicts(chunks_of(files), Standings(versions, profiles, "2026-11-23")))


CONFLICTS = [
    (
        "Error Regulation",
        "The institution shall correct the error within one business day after determining that an error occurred.",
        "Error Policy",
        "The Disputes Team must correct the error within 10 business days after determining that an error occurred.",
        "deadline",
    ),
    (
        "Testing Policy",
        "Fire drills are recorded on an annual basis using the Safety Desk tool to show compliance with the above policy.",
        "Site Policy",
        "Fire drills of a site are recorded on a quarterly basis using the Safety Desk tool to show compliance.",
        "frequency",
    ),
    (
        "Ward Policy",
        "Nurses check the drug fridge temperature twice a day.",
        "Ward Handbook",
        "The drug fridge temperature is checked once a week.",
        "frequency",
    ),
    (
        "Records Policy",
        "Patient files are kept for ten years after discharge.",
        "Archive Procedure",
        "The archive keeps patient files for six years after discharge.",
        "duration",
    ),
    (
        "Medicines Rulebook",
        "The pharmacy must keep dispensing records for at least five years.",
        "Pharmacy Procedure",
        "Dispensing records are destroyed after three years.",
        "duration",
    ),
    (
        "Fleet Policy",
        "Drivers report every accident to the fleet manager within 24 hours.",
        "Driver Handbook",
        "Drivers have three days to report an accident to the fleet manager.",
        "deadline",
    ),
    (
        "Claims Policy",
        "The claims team acknowledges each claim within two working days.",
        "Claims Procedure",
        "Each claim is acknowledged by the claims team within ten working days.",
        "deadline",
    ),
    (
        "Port Licence Conditions",
        "The licensee must notify the Harbour Authority of an oil spill within two hours.",
        "Spill Procedure",
        "The duty officer notifies the Harbour Authority of an oil spill within one working day.",
        "deadline",
    ),
    (
        "Treasury Policy",
        "Payments above 50,000 euros are approved by the Chief Financial Officer.",
        "Payments Procedure",
        "The Treasurer approves payments above 50,000 euros.",
        "approval",
    ),
    (
        "Travel Policy",
        "Foreign travel must be authorised by the Managing Director.",
        "Staff FAQ",
        "Foreign travel is authorised by the line manager.",
        "approval",
    ),
    (
        "Site Policy",
        "Private cameras must not be taken into the furnace hall.",
        "Site Handbook",
        "Staff may keep a private camera with them in the furnace hall.",
        "modality",
    ),
    (
        "Data Policy",
        "Customer lists must not be sent by e-mail.",
        "Sales Procedure",
        "Sales staff may send customer lists by e-mail.",
        "modality",
    ),
    (
        "Lab Safety Policy",
        "Two persons must be present when the autoclave is opened.",
        "Autoclave Procedure",
        "A technician may open the autoclave alone.",
        "count",
    ),
    (
        "Purchasing Policy",
        "The buyer obtains three quotations for purchases above 2,000 euros.",
        "Purchasing Handbook",
        "For purchases above 2,000 euros two quotations are enough.",
        "count",
    ),
    (
        "Backup Standard",
        "Backups of the billing system are tested every month.",
        "Recovery Procedure",
        "Backups of the billing system are tested once a year.",
        "frequency",
    ),
    (
        "Sourcing Policy",
        "Every haulage agreement must prohibit the haulier from subcontracting the transport of goods.",
        "Haulage Agreement",
        "The haulier may subcontract the transport of goods to any affiliate.",
        "modality",
    ),
]


@pytest.mark.parametrize(("title", "text", "other", "against", "kind"), CONFLICTS)
def test_conflict_of_what_cannot_both_be_followed(title: str, text: str, other: str, against: str, kind: str) -> None:
    """Another time, another approver, permitted here and forbidden there: told in other words, and in the present tense as well."""
    found = _found((title, text), (other, against))
    assert [(each.kind, each.relation) for each in found] == [(kind, "conflict")]


LOOK_ALIKES = [
    (
        "Risk Policy",
        "A formal risk assessment shall be conducted annually and whenever significant changes occur to the environment.",
        "Vendor Policy",
        "Vendor contracts shall be reviewed quarterly or when significant changes occur.",
    ),
    (
        "Firewall Standard",
        "The Network Engineering team is responsible for enforcing this standard.",
        "Scanning Standard",
        "The Security Engineering team is responsible for enforcing this standard by managing the platform.",
    ),
    (
        "Conflicts Policy",
        "The Bank must maintain a copy of any such request for two years.",
        "Reporting Policy",
        "The Bank must maintain a copy of the filed report and its papers for five years.",
    ),
    (
        "Account Policy",
        "Privileged accounts are reviewed monthly.",
        "Logging Policy",
        "Privileged sessions are reviewed weekly.",
    ),
    (
        "Recovery Runbook",
        "aws get-metric-statistics --start-time $(date -u -d '5 minutes ago' +%Y) --period 60",
        "Recovery Worksheet",
        "aws get-metric-statistics --start-time $(date -u -d '1 hour ago' +%Y) --period 60",
    ),
    (
        "Organisational Controls",
        "ISO/IEC 27001:2022 Annex A.5 contains 37 organizational controls that define governance and policies.",
        "Technological Controls",
        "ISO/IEC 27001:2022 Annex A.8 contains 34 controls focused on technical security and development.",
    ),
    (
        "Patch Procedure",
        "Critical vulnerabilities (CVSS 9.0+) must be patched.",
        "Audit Findings Standard",
        "Critical vulnerabilities (CVSS 9.1) must be patched.",
    ),
    (
        "Error Regulation",
        "The institution shall correct the error within one business day after determining that an error occurred.",
        "Error Policy",
        "The Disputes Team must determine whether an error occurred within 10 business days of receiving a notice of error.",
    ),
    (
        "Error Regulation",
        "After determining that an error occurred, the institution shall correct the error within one business day.",
        "Error Policy",
        "The Disputes Team must determine whether an error occurred within 10 business days of receiving a notice of error.",
    ),
    (
        "Testing Policy",
        "Fire drills are recorded on an annual basis using the Safety Desk tool to show compliance with the above policy.",
        "Contractor Policy",
        "Delivery times are recorded on a quarterly basis using the Safety Desk tool to show compliance with the above policy.",
    ),
    # The stricter fulfils the looser.
    (
        "Medicines Rulebook",
        "The pharmacy must keep dispensing records for no less than five years.",
        "Pharmacy Policy",
        "Dispensing records are kept for eight years.",
    ),
    (
        "Medicines Rulebook",
        "The pharmacy must keep dispensing records for at least two years.",
        "Pharmacy Policy",
        "Dispensing records are destroyed after three years.",
    ),
    (
        "Audit Rulebook",
        "Each branch must be audited at least once every two years.",
        "Audit Policy",
        "Each branch is audited every year.",
    ),
    # Other people, other recipients, other things.
    (
        "Fleet Policy",
        "Drivers report every accident to the fleet manager within 24 hours.",
        "Insurance Procedure",
        "The fleet manager reports every accident to the insurer within seven days.",
    ),
    (
        "Claims Policy",
        "The claims team acknowledges each claim within two working days.",
        "Claims Procedure",
        "The claims team pays each claim within ten working days.",
    ),
    (
        "Vault Policy",
        "Gold coins are kept for ten years.",
        "Post Procedure",
        "Undelivered letters are kept for ten weeks.",
    ),
    (
        "Test Standard",
        "External penetration tests are performed every year.",
        "Test Procedure",
        "Internal penetration tests are performed every quarter.",
    ),
    (
        "Patch Policy",
        "Updates are installed within seven days where they are rated critical.",
        "Patch Procedure",
        "Updates are installed within thirty days where they are rated low.",
    ),
    # Other amounts.
    (
        "Treasury Policy",
        "Payments above 50,000 euros are approved by the Chief Financial Officer.",
        "Payments Procedure",
        "The Treasurer approves payments of up to 50,000 euros.",
    ),
    (
        "Purchasing Policy",
        "The buyer obtains three quotations for purchases above 2,000 euros.",
        "Purchasing Handbook",
        "For purchases below 1,000 euros one quotation is enough.",
    ),
    # An exception that both speak of; the same said twice; another act on the same thing.
    (
        "Data Policy",
        "Customer lists must not be sent by e-mail without the consent of the owner.",
        "Sales Procedure",
        "Customer lists may be sent by e-mail with the consent of the owner.",
    ),
    (
        "Data Policy",
        "Customer lists must not be sent by e-mail.",
        "Sales Procedure",
        "Sales staff may print customer lists.",
    ),
    (
        "Site Policy",
        "Private cameras must not be taken into the furnace hall.",
        "Site Handbook",
        "Private cameras must not be taken into the furnace hall.",
    ),
    (
        "Lab Safety Policy",
        "Two persons must be present when the autoclave is opened.",
        "Door Procedure",
        "A technician may lock the side door alone.",
    ),
    (
        "Travel Policy",
        "Foreign travel must be authorised by the Managing Director.",
        "Leave Procedure",
        "Annual leave is authorised by the line manager.",
    ),
    (
        "Stores Procedure",
        "The temperature in the sealant store must not fall below 15 °C.",
        "Workshop Procedure",
        "In the sealant store the thermometer may show 25 °C at most.",
    ),
    (
        "Audit Policy",
        "The auditor may inspect a laundry within five working days of his notice.",
        "Laundry Procedure",
        "The hygiene nurse may inspect a laundry within ten working days of her notice.",
    ),
]


@pytest.mark.parametrize(("title", "text", "other", "against"), LOOK_ALIKES)
def test_no_conflict_of_what_can_both_be_followed(title: str, text: str, other: str, against: str) -> None:
    """The stricter fulfils the looser; other people, things, grades and amounts are another matter; an exception is none."""
    assert [each for each in _found((title, text), (other, against)) if each.relation == "conflict"] == []


@pytest.mark.parametrize(("grade", "conflicts"), [("Low", 1), ("Medium", 0)])
def test_rows_of_two_grades_are_two_matters(grade: str, conflicts: int) -> None:
    """What holds for a low severity holds for no other, and the grade stands in a cell of its own."""
    table = "Answers are due as follows.\n\n| Severity | Example | Response time |\n|---|---|---|\n| {} | {} | {} |\n"
    one = table.format("Low", "General IT issues, minor performance problems", "72 hours")
    other = table.format(grade, "Minor security issue, moderate performance problem", "24 hours")
    assert len(_found(("Incident Response Policy", one), ("Vendor Management Policy", other))) == conflicts


def test_a_row_that_shares_no_words_in_a_row_differs_from_nothing() -> None:
    """Of "Incident Reporting | … | Quarterly" and a yearly campaign no subject could be told."""
    rows = "Metrics of what is run.\n\n| Metric | Method | Frequency |\n|---|---|---|\n| Clicks | Test | Monthly |\n"
    rows += "| Incident Reporting | Incident analysis | Quarterly |\n"
    told = "The company runs yearly awareness campaigns with policies, practices, and how to report incidents."
    assert _found(("Training Runs", rows), ("Awareness Policy", told)) == []
    kept = rows.replace("Incident Reporting", "Awareness campaigns")
    assert [each.subject for each in _found(("Training Runs", kept), ("Awareness Policy", told))] == [
        "awareness campaigns"
    ]


def test_what_a_record_quotes_is_no_rule() -> None:
    """Somebody read out what others say; said in the record's own words, the same differs."""
    rule = ("Video Policy", "Recordings of the loading bay are kept for 14 days.")
    read_out = (
        'The secretary read from a draft of an association: "Recordings of the loading bay are kept for 90 days."'
    )
    minutes = ("Minutes of the safety meeting", read_out)
    own = ("Minutes of the safety meeting", "Recordings of the loading bay are kept for 90 days.")
    assert _found(rule, minutes) == []
    assert [each.subject for each in _found(rule, own)] == ["Recordings of the loading bay"]
