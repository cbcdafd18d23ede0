"""Where a sentence stands, and what its act stands under: papers of rules, papers on another matter, acts that are only named."""

from __future__ import annotations

import pytest

from coditect.verify.requirements.decision import AskedByPart, Decision, Force, SaidByPolicy, decide
from coditect.verify.requirements.wording import read_wording

REST = "Data-at-rest is protected."
SCANS = "Vulnerability scans are performed."
CONTAINED = "Incidents are contained."
COORDINATED = (
    "Tasks are leading the response to incidents, coordinating containment, and ensuring reviews are completed."
)


def _decide(
    part: str,
    sentence: str,
    around: str = "3. Policy / 3.1 Rules. House Policy",
    document: str = "",
    force: Force = "binds",
    role: str = "",
) -> Decision:
    said = SaidByPolicy(sentence, sentence, around, force, likely=0.2, document=document, role=role)
    found = decide(AskedByPart(read_wording(part), ""), said, lambda key: 1.0)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("around", "document", "label"),
    [
        ("Encryption. House Security Policy", "", "meets"),
        ("Encryption. House", "policies/encryption.md", "meets"),
        ("Policy / Encryption. House", "", "meets"),
        ("Encryption. House System Security Plan", "", "meets"),
        ("Encryption. House", "wiki/encryption.md", "partly"),
        ("Encryption. House Overview", "", "partly"),
        ("Encryption. Explanatory note", "", "partly"),
    ],
)
def test_only_papers_that_lay_rules_down_meet(around: str, document: str, label: str) -> None:
    """A policy or a plan says what the house does; the same words in an overview bind nobody."""
    assert _decide(REST, "All data at rest must be encrypted.", around, document).label == label


@pytest.mark.parametrize(
    ("role", "label"),
    [
        ("policy", "meets"),
        ("standard", "meets"),
        ("procedure", "meets"),
        ("law", "meets"),
        ("rule", "meets"),
        ("guidance", "partly"),
        ("contract", "partly"),
        ("record", "partly"),
        ("", "partly"),
    ],
)
def test_a_paper_is_what_it_says_first_whatever_its_file_is_called(role: str, label: str) -> None:
    """The role that a manifest states, or that its printed title names, tells as much as its name."""
    found = _decide(REST, "All data at rest must be encrypted.", "Encryption. house.txt", "house.txt", role=role)
    assert found.label == label


@pytest.mark.parametrize(
    ("sentence", "around", "label"),
    [
        ("Perform vulnerability scans", "2. Scans. Vulnerability Policy", "meets"),
        ("Perform vulnerability scans", "7. Validation. Disaster Recovery Policy", "partly"),
        ("Perform vulnerability scans", "7. Vulnerability Scans. Disaster Recovery Policy", "meets"),
        ("Perform vulnerability scans", "7. Validation. Acme Cloudworks Policy", "meets"),
        ("Perform vulnerability scans", "7. Validation. Recovery Inc -- Security Policy", "meets"),
        ("Vulnerability scans must be performed", "7. Validation. Disaster Recovery Policy", "meets"),
        ("Perform vulnerability scans on all systems", "7. Validation. Disaster Recovery Policy", "meets"),
    ],
)
def test_what_binds_nobody_is_said_of_the_papers_matter(sentence: str, around: str, label: str) -> None:
    """On another matter a bare instruction meets in part; not where it binds, says "all", or its heading has the matter.

    A house's name in front of its paper's is no matter.
    """
    assert _decide("Vulnerability scans are performed.", sentence, around).label == label


def test_a_paper_called_by_its_initials_is_on_its_own_matter() -> None:
    """ "The BCP is reviewed" under "Business Continuity Plan" speaks of that plan."""
    part = "Review the contingency plan annually."
    under = "7. Testing. {}"
    assert _decide(part, "The BCP is reviewed annually.", under.format("Business Continuity Plan")).label == "meets"


def test_a_copy_of_the_part_is_on_its_matter_wherever_it_stands() -> None:
    """Who repeats a long part nearly word for word means it."""
    part = "Equipment shall be correctly maintained to ensure its continued availability and integrity."
    copy = "Equipment is correctly maintained to ensure its continued availability and integrity."
    assert _decide(part, copy, "3. Care. Password Policy").label == "meets"


@pytest.mark.parametrize(
    ("part", "done", "named", "reason"),
    [
        ("Forensics are performed.", "Forensics are performed.", "Name of persons performing forensics |", "tells of a noun"),
        (REST, "We encrypt all data at rest.", "We keep data in a vault, which encrypts data at rest.", "relative"),
        (CONTAINED, "We contain incidents.", COORDINATED, "seen to"),
        (REST, "Keys must be used to protect data at rest.", "A lock must be active to protect data at rest.", "is for"),
        (REST, "We encrypt all data at rest.", "GitHub provides encryption for all data at rest.", "a product"),
        (REST, "We encrypt all data at rest.", "Supabase (Postgres) encrypts all data at rest.", "a product"),
    ],
)  # fmt: skip
def test_an_act_that_stands_under_another_word_is_not_done(part: str, done: str, named: str, reason: str) -> None:
    """In a relative clause, behind a noun without a verb, seen to by somebody, what something is for, what a product does."""
    assert _decide(part, done).label == "meets"
    found = _decide(part, named)
    assert found.label == "partly"
    assert reason in found.reason


def test_an_adjective_is_no_act() -> None:
    """ "Secure exports are available" secures nothing; "secure the exports" does."""
    part = "Exports of data are secured."
    assert _decide(part, "Secure the exports of data.").label == "meets"
    assert "adjective" in _decide(part, "Secure exports of data are only made by custodians.").reason


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("The integrity of backups is verified before they are used.", "meets"),
        ("Backup integrity is verified quarterly by test restores.", "partly"),
    ],
)
def test_a_moment_that_is_asked_has_to_be_told(sentence: str, label: str) -> None:
    """What has to be done before something else is not met by doing it now and then."""
    assert _decide("The integrity of backups is verified before using them.", sentence).label == label
