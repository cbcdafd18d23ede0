"""What a requirement says beside what it asks, and what a sentence tells in its own way."""

from __future__ import annotations

import pytest

from coditect.verify.requirements.asides import purpose_start, restates_its_object, without_asides
from coditect.verify.requirements.decision import AskedByPart, Decision, Force, SaidByPolicy, decide
from coditect.verify.requirements.demand import read_demand
from coditect.verify.requirements.terms import act_of, as_compared
from coditect.verify.requirements.wording import read_wording


def _decide(part: str, sentence: str, force: Force = "binds", own: str = "", likely: float = 0.2) -> Decision | None:
    said = SaidByPolicy(sentence, own or sentence, "House Policy", force, likely=likely)
    return decide(AskedByPart(read_wording(part), ""), said, lambda key: 1.0)


def _label(part: str, sentence: str, force: Force = "binds", own: str = "") -> str:
    found = _decide(part, sentence, force, own)
    return found.label if found is not None else ""


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("SR-03.11.01.b Update risk assessments.", "Update risk assessments."),
        ("A.8.2 Manage keys.", "Manage keys."),
        ("AC-2(1) Manage accounts.", "Manage accounts."),
        ("6.4.5 Manage change.", "Manage change."),
        ("Level-3 support is given.", "Level-3 support is given."),
    ],
)
def test_labels_of_parts_are_no_words(part: str, text: str) -> None:
    """Numbers with their family and version, and no word that begins like one."""
    assert read_wording(part).text == text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Hold reviews. Reviews help prevent harm through lessons learned.", "Hold reviews."),
        ("Hold reviews. Examples of reviews may be found in the annex.", "Hold reviews."),
        ("Hold reviews. They must be written.", "Hold reviews. They must be written."),
        ("Review records of activity, such as audit logs and access reports.", "Review records of activity."),
        (
            "The notice required by paragraph (a) of this section shall be written in plain language.",
            "The notice shall be written in plain language.",
        ),
        ("The clocks of systems used by the organization shall agree.", "The clocks of systems shall agree."),
    ],
)
def test_explanations_examples_and_references_ask_nothing(text: str, asked: str) -> None:
    """What is left is what somebody has to do."""
    assert without_asides(text) == asked


def test_purpose_begins_behind_what_is_asked() -> None:
    """At "to ensure"; a part that begins so is all purpose or none, and has none."""
    text = "Areas shall be locked to ensure that nobody enters."
    assert text[purpose_start(text) :] == "to ensure that nobody enters."
    assert purpose_start("To ensure that nobody enters.") == len("To ensure that nobody enters.")


def test_name_of_an_open_object_stands_in_its_place() -> None:
    """Only what the act is done to; how often, and what stands elsewhere, is left out."""
    assert read_wording("Employ [Assignment: organization-defined password managers] to make passwords.").filled == (
        "Employ password managers to make passwords."
    )
    assert not read_wording("Review logs [Assignment: organization-defined frequency].").filled
    assert not read_wording("Review [Assignment: organization-defined frequency] all logs.").filled


@pytest.mark.parametrize(
    ("part", "acts", "head"),
    [
        ("Secure areas shall be protected.", ("protected",), "areas"),
        ("On a regular basis, review logs to identify anomalies.", ("review",), "logs"),
        ("Review documentation periodically.", ("review",), "documentation"),
        ("Conduct an accurate and thorough assessment of risks.", ("conduct",), "assessment"),
        ("Apply appropriate sanctions against workforce members.", ("apply",), "sanctions"),
        ("The testing environments are separate from the production environment.", ("separate",), "environments"),
        ("Type of event", (), "type"),
    ],
)
def test_acts_and_objects_are_found(part: str, acts: tuple[str, ...], head: str) -> None:
    """Adjectives that could be verbs, adjuncts in front, adverbs behind, and predicates without a participle."""
    demand = read_demand(part)
    assert tuple(demand.reading.tokens[n].low for n in demand.acts) == acts
    assert demand.head is not None
    assert demand.reading.tokens[demand.head].low == head


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        (
            "The clocks of systems shall be synchronized to approved sources.",
            "Clocks of systems are synchronised to approved sources.",
        ),
        (
            "Incidents shall be responded to in accordance with the documented procedures.",
            "Incidents must be responded to through the incident procedures.",
        ),
        ("Incidents shall be responded to.", "If an incident is detected, it must be responded to."),
        ("Encrypt data on removable media.", "All removable media is encrypted."),
        ("Require MFA for remote access.", "Multi-factor authentication is required for all remote access."),
        (
            "Hold post-incident reviews. Such reviews help prevent harm.",
            "Hold a blameless post-incident review within ten days.",
        ),
        (
            "Vulnerability scans are performed.",
            "Authenticated vulnerability scans must be performed on all systems at minimum:",
        ),
        (
            "The testing environments are separate from the production environment.",
            "Testing and production environments must be logically separated.",
        ),
        (
            "All security responsibilities shall be defined and allocated.",
            "Security responsibilities are defined and assigned.",
        ),
        ("Change control processes are in place.", "The team must implement change control procedures."),
        ("The logs shall be reviewed regularly.", "The logs must be reviewed weekly."),
    ],
)
def test_sentence_that_tells_it_in_its_own_way_meets(part: str, sentence: str) -> None:
    """Spelling, what somebody acts by, what a condition only restates, what holds the data, and how often."""
    assert _label(part, sentence, "states" if " are " in sentence or " is " in sentence else "binds") == "meets"


@pytest.mark.parametrize(
    ("part", "sentence", "why"),
    [
        ("Data at rest is protected.", "Personal data at rest must be encrypted.", "“personal” only"),
        ("Remote access is managed.", "Changes to remote-access configs must be managed.", "another thing"),
        ("Remote access is managed.", "Managed devices may remote access the network.", ""),
        ("Data is protected.", "Data stored in the cloud is protected.", "“cloud” only"),
        (
            "Require MFA for remote access.",
            "Require MFA for remote access to systems holding personal data.",
            "“personal” only",
        ),
        (
            "Change control processes are in place.",
            "Implement a change control process for changes to existing software.",
            "“existing, software” only",
        ),
        ("Response plans are updated.", "Updates to response plans", "without a verb"),
        ("Retain training records for a year.", "Retain HIPAA training records for a year.", "“HIPAA” only"),
    ],
)
def test_less_than_all_does_not_meet(part: str, sentence: str, why: str) -> None:
    """Some of the things only, a noun in front of another, a participle behind it, and what is no statement."""
    found = _decide(part, sentence, "states" if "must" not in sentence else "binds")
    assert found is None or found.label != "meets"
    if why:
        assert found is not None
        assert why in found.reason


def test_act_in_a_condition_is_presupposed() -> None:
    """Whoever says what follows once incidents are mitigated mitigates none."""
    assert _label("Incidents are mitigated.", "Once incidents are mitigated, the owner must write a report.") != "meets"


def test_condition_says_no_more_than_that_the_thing_is_there() -> None:
    """Of the noun that is asked about; not of another one, and not of some of its kind."""
    assert restates_its_object("If an incident is detected, it must be handled", "incident")
    assert restates_its_object("In the event of an incident, it must be handled", "incident")
    assert not restates_its_object("If an alarm is raised, the incident must be handled", "incident")
    assert not restates_its_object("If the incident is deemed high, it must be handled", "incident")


def test_item_is_done_as_it_stands_where_its_lead_in_says_who() -> None:
    """Not where it is taught, and not under a condition."""
    own = "Report incidents to the regulator."
    assert _label("Report incidents to the regulator.", f"The officer is responsible for: {own}", own=own) == "meets"
    assert _label("Report incidents to the regulator.", f"The training of staff will cover: {own}", own=own) != "meets"


def test_little_in_common_is_no_evidence_by_words_told_otherwise() -> None:
    """A word that comes twice, and "used" for "implement", count where all is met and nowhere else."""
    part = "Implement rules on the functions of a workstation and the surroundings of a workstation or class of workstation."
    assert _decide(part, "Workstations must not be used against the rules.", "prohibits", likely=0.2) is None


def test_spelling_and_act_are_one() -> None:
    """British and American endings of one verb."""
    assert act_of("synchronis") == act_of("synchron")
    assert as_compared("as quickly as possible") == as_compared("without undue delay") == "promptly"
