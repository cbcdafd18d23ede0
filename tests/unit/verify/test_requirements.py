"""What a sentence says of a part of a requirement."""

from __future__ import annotations

import pytest

from coditect.verify.requirements.decision import HELD, AskedByPart, Decision, Force, SaidByPolicy, decide
from coditect.verify.requirements.demand import read_demand
from coditect.verify.requirements.figures.bounds import bounds_of, compare_bounds
from coditect.verify.requirements.terms import as_compared, does
from coditect.verify.requirements.wording import read_wording

REPORT = "The bank shall report every major incident to the regulator within 72 hours."


def _decide(part: str, sentence: str, force: Force = "binds", own: str = "", title: str = "") -> Decision | None:
    said = SaidByPolicy(sentence, own or sentence, "Access and Incidents. House Policy", force, likely=0.2)
    return decide(AskedByPart(read_wording(part), title), said, lambda key: 1.0)


def _decided(part: str, sentence: str, force: Force = "binds", title: str = "") -> Decision:
    found = _decide(part, sentence, force, title=title)
    assert found is not None
    return found


def test_wording_leaves_out_label_and_open_parameters() -> None:
    """Nested brackets are one parameter; what is fixed is left, in order."""
    read = read_wording(
        "b. Review logs [Assignment: organization-defined frequency] and tell [Selection: x; [Assignment: roles]];"
    )
    assert read.text == "Review logs and tell"
    assert read.parameters == ("organization-defined frequency", "roles")
    assert read.asks_how_often
    assert not read.asks_how_long


def test_wording_of_an_unclosed_bracket_takes_the_rest() -> None:
    """A bracket that never closes is open to the end; nothing is read twice."""
    assert read_wording("Review [Assignment: organization-defined").text == "Review"


@pytest.mark.parametrize(
    ("asked", "given", "relation"),
    [
        ("within 72 hours", "within 24 hours", "stricter"),
        ("within 24 hours", "within three days", "looser"),
        ("reviewed annually", "reviewed quarterly", "stricter"),
        ("reviewed quarterly", "reviewed annually", "looser"),
        ("within 72 hours", "within three days", "same"),
        ("kept for five years", "kept for three years in the vault", "looser"),
        ("kept for five years", "kept for at least six years", "stricter"),
        ("kept for no longer than 12 months", "kept for no longer than six months", "stricter"),
    ],
)
def test_bounds_have_a_direction(asked: str, given: str, relation: str) -> None:
    """Sooner, more often and longer is stricter; of what may not last longer, shorter is."""
    found = compare_bounds(bounds_of(asked), bounds_of(given))
    assert found is not None
    assert found[0] == relation


def test_bounds_are_not_compared_where_one_side_has_two_or_none() -> None:
    """Of two deadlines it is not plain which one is meant."""
    assert compare_bounds(bounds_of("within 72 hours"), bounds_of("within 24 hours and within 10 days")) is None
    assert compare_bounds(bounds_of("within 72 hours"), bounds_of("at once, in writing")) is None
    assert compare_bounds(bounds_of("kept for five years"), bounds_of("kept for no longer than six years")) is None
    assert bounds_of("when the ledger is thirty days old") == ()


def test_same_words_meet() -> None:
    """A duty in the requirement's words meets it, with what decided in words."""
    found = _decided(REPORT, "The bank must report every major incident to the regulator within 72 hours.")
    assert (found.label, found.reason) == ("meets", "the deadline is the same: “72 hours”")


def test_stricter_and_looser_deadlines_are_told_with_both_figures() -> None:
    """The reason names both bounds."""
    found = _decided(REPORT, "The bank must report every major incident to the regulator within five days.")
    assert found.label == "looser"
    assert "five days" in found.reason
    assert "72 hours" in found.reason
    sooner = _decided(REPORT, "The bank must report every major incident to the regulator within 24 hours.")
    assert sooner.label == "stricter"
    assert "24 hours" in sooner.reason


def test_a_prohibition_contradicts() -> None:
    """Who must not do what is required contradicts it."""
    part = "The operator shall keep copies of all customer records."
    found = _decided(part, "The operator must not keep copies of all customer records.", "prohibits")
    assert found.label == "contradicts"


def test_a_permission_only_mentions() -> None:
    """Who may do what is required need not do it."""
    found = _decided(REPORT, "The bank may report every major incident to the regulator within 72 hours.", "permits")
    assert found.label == "mentions"


def test_an_open_frequency_has_to_be_fixed() -> None:
    """A policy that fixes the value meets; one that does not is told what lacks."""
    part = "Review and update the access control policy [Assignment: organization-defined frequency]."
    meets = _decided(part, "The access control policy is reviewed and updated annually.", "states")
    assert (meets.label, "annually" in meets.reason) == ("meets", True)
    partly = _decided(part, "The access control policy is reviewed and updated.", "states")
    assert (partly.label, "how often" in partly.reason) == ("partly", True)


def test_other_matters_are_no_evidence() -> None:
    """A word in common is no matter."""
    assert _decide(REPORT, "Visitors wear a badge while they are in the building.") is None


def test_a_lead_in_alone_says_nothing_of_a_part() -> None:
    """An item of a list speaks of a requirement by its own words, not by those of its lead-in."""
    sentence = "The bank shall report every major incident to the regulator: by letter."
    assert _decide(REPORT, sentence, own="by letter.") is None


def test_a_recommendation_does_not_meet() -> None:
    """Who should do what is required need not do it."""
    found = _decided(
        REPORT, "The bank should report every major incident to the regulator within 72 hours.", "recommends"
    )
    assert (found.label, "recommends" in found.reason) == ("partly", True)


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Vendor contingency plans are reviewed and updated by the Security Officer annually.", "Vendor"),
        ("The contingency plans of foreign branches are reviewed and updated annually.", "foreign"),
        ("The contingency plan is reviewed annually.", "each of its acts"),
        ("If the board asks for it, the contingency plan is reviewed and updated annually.", "condition"),
    ],
)
def test_what_narrows_a_sentence_is_named(sentence: str, reason: str) -> None:
    """Of some plans, one act of two, or only under a condition: partly met, and the reason says so."""
    found = _decided("Review and update the contingency plan annually.", sentence, "states")
    assert found.label == "partly"
    assert reason in found.reason


def test_words_of_other_acts_do_not_meet() -> None:
    """ "Report" as a noun is no act, and what is done has to be done to the object."""
    part = "Report incident information to the authorities."
    sentence = "All employees follow the incident reporting procedure of the authorities for information."
    found = _decide(part, sentence, "states")
    assert found is None or found.label in ("mentions", "partly")


def test_the_matter_of_the_title_has_to_be_spoken_of() -> None:
    """A sentence with all words of a part that speaks of something else than its title is no evidence."""
    part = "Document security clearance requirements for the personnel."
    sentence = "Security clearance requirements for the personnel are documented by facility management."
    assert _decide(part, sentence, "states", title="Maglev Propulsion Contractors") is None
    assert _decided(part, sentence, "states", title="Personnel Security").label == "meets"


def test_one_thing_has_one_name() -> None:
    """Terms of the field are one word on both sides, variables of templates stand for a name, and marks of sections for nothing."""
    assert as_compared("Anti-virus and {{companyShortName}} MFA") == as_compared(
        "anti-malware and {{name}} two-factor authentication"
    )
    assert as_compared("{{#needHIPAA}}ePHI{{/needHIPAA}}") == "health information"
    assert (
        _decided("Data-at-rest is protected by all teams.", "Data at rest is encrypted by all teams.", "states").label
        == "meets"
    )


def test_a_verb_does_what_another_asks_one_way() -> None:
    """What is encrypted is protected; what is protected need not be encrypted."""
    assert does("encrypt", "protect")
    assert not does("protect", "encrypt")


def test_demand_names_acts_and_object() -> None:
    """Joined imperatives and joined participles are acts; the object's head ends its noun phrase."""
    demand = read_demand("Develop, document, and disseminate an access control policy to the staff.")
    words = [demand.reading.tokens[n].low for n in demand.acts]
    assert words == ["develop", "document", "disseminate"]
    assert demand.head is not None
    assert demand.reading.tokens[demand.head].low == "policy"
    passive = read_demand("A set of rules shall be defined, approved and published.")
    assert [passive.reading.tokens[n].low for n in passive.acts] == ["defined", "approved", "published"]


def test_alternatives_of_a_selection_are_one_parameter() -> None:
    """What is open inside of a selection is one alternative, and no parameter that has to be filled."""
    read = read_wording("Document results in [Selection: a plan; a report; [Assignment: document]].")
    assert read.choices == (("a plan", "a report", "[Assignment: document]"),)
    assert read.required == ()
    met = _decided(
        "Document risk results in [Selection: a plan; a report].", "Risk results are documented in a report.", "states"
    )
    assert "which of" not in met.reason


@pytest.mark.parametrize(
    ("part", "sentence", "label"),
    [
        # A participle in front of a noun tells what is presupposed, and not what is done.
        ("Malicious code is detected.", "2. Detected malicious code is removed by the response team.", "mentions"),
        ("Malicious code is detected.", "Detected malicious code is removed by the response team.", "mentions"),
        ("Malicious code is detected.", "Malicious code is detected by the mail gateway.", "meets"),
        ("Malicious code is detected.", "2. Detect malicious code.", "meets"),
        # What somebody attempts may not come about.
        ("Incidents are contained.", "The engineers attempt to contain incidents.", "mentions"),
        ("Incidents are contained.", "The team tries to contain security incidents in this phase.", "mentions"),
        ("Incidents are contained.", "The engineers have to contain incidents.", "meets"),
        # The object of the act is what the clause is about, and not what stands in it.
        ("Incidents are mitigated.", "Mitigate all factors that enabled the incidents to occur.", "partly"),
        ("Incidents are mitigated.", "Mitigate all incidents.", "meets"),
    ],
)
def test_an_act_is_what_a_sentence_says_of_its_object(part: str, sentence: str, label: str) -> None:
    """Not what it presupposes, attempts, or says of something else."""
    found = _decide(part, sentence)
    assert (found.label if found else "mentions") == label


@pytest.mark.parametrize(
    ("part", "sentence", "label"),
    [
        ("Change control processes are in place.", "All changes must go through the change control process.", "meets"),
        ("Change control procedures.", "Engineers must deploy each change by the change control procedure.", "meets"),
        ("Change control procedures.", "Continuous improvements through the change control procedure.", "partly"),
        ("Change control procedures.", "The change control procedure is old.", "partly"),
        ("Change control procedures.", "Changes may go through the change control procedure.", "mentions"),
        ("Media storage rooms are in place.", "All media must go through the media storage room.", "partly"),
    ],
)
def test_process_is_there_where_somebody_acts_by_it(part: str, sentence: str, label: str) -> None:
    """Not where it is only named, where nothing is done, where it is only allowed; and only of what a house has standing."""
    force: Force = "permits" if " may " in sentence else "binds"
    assert _decided(part, sentence, force).label == label


@pytest.mark.parametrize(
    ("part", "acts"),
    [
        ("Change control procedures.", ()),
        ("Change control processes are in place.", ()),
        ("Change the procedures.", ("Change",)),
        ("Change passwords.", ("Change",)),
        ("Review change control procedures annually.", ("Review",)),
    ],
)
def test_name_in_front_of_nothing_is_no_act(part: str, acts: tuple[str, ...]) -> None:
    """A name may begin with a word that can be a verb, too."""
    demand = read_demand(part)
    assert tuple(part[demand.reading.tokens[n].start : demand.reading.tokens[n].end] for n in demand.acts) == acts


@pytest.mark.parametrize(
    ("heading", "label"), [("Encryption of Data at Rest", "meets"), ("Encryption of Data", "partly")]
)
def test_heading_says_what_a_sentence_leaves_out(heading: str, label: str) -> None:
    """Where the act is the sentence's own and the heading says all of the rest; not where some of it is said nowhere."""
    sentence = "All databases and data stores are encrypted with separate keys for each storage type."
    said = SaidByPolicy(sentence, sentence, f"{heading}. House Policy", "binds", likely=0.5)
    found = decide(AskedByPart(read_wording("Data-at-rest is protected."), ""), said, lambda key: 1.0)
    assert found is not None
    assert found.held < HELD
    assert found.label == label


COPIED = "Protect against any reasonably anticipated uses or disclosures of such records that are not permitted under subpart E."
COPY = "Protect against any reasonably anticipated uses or disclosures of client records that are not permitted; and"


def test_sentence_that_nearly_copies_a_part_is_evidence_in_whatever_document() -> None:
    """How probable a document is counts for scattered words, and not for a run of them; what lacks is named."""
    said = SaidByPolicy(COPY, COPY, "Risk Management. House Policy", "binds", likely=0.005)
    found = decide(AskedByPart(read_wording(COPIED), ""), said, lambda key: 1.0)
    assert found is not None
    assert (found.label, "subpart E" in found.reason) == ("partly", True)
    scattered = (
        "Protect records; uses of the archive, and disclosures of any sort, are anticipated where they are permitted."
    )
    said = SaidByPolicy(scattered, scattered, "Risk Management. House Policy", "binds", likely=0.005)
    assert decide(AskedByPart(read_wording(COPIED), ""), said, lambda key: 1.0) is None


def test_negative_is_told_of_the_side_that_has_it() -> None:
    """A sentence without any negative does not "speak in the negative" because what is asked does."""
    part = "Apply sanctions against members of the staff who fail to comply with the security policies."
    found = _decided(part, "All members of the staff must know the sanctions of the security policies and comply.")
    assert (found.label, found.reason) == ("mentions", "speaks of it without the negative that is in what is asked")


@pytest.mark.parametrize(
    ("part", "sentence", "why"),
    [
        (
            "Response plan is executed during or after an incident.",
            "The team must execute a communications plan in response to an incident.",
            "it speaks of “communications” only",
        ),
        (
            "All users are trained and informed.",
            "All users must be trained and informed on the fire procedures.",
            "it speaks of “fire” only",
        ),
        (
            "The assets shall be identified.",
            "Assets that store classified information shall be identified.",
            "it speaks of “classified” only",
        ),
        (
            "Facilities shall be implemented with redundancy.",
            "The plan shall contribute to ensuring that facilities are implemented with redundancy.",
            "it only contributes to it",
        ),
        ("Data at rest is protected.", "Restricted data must be protected at rest.", "it speaks of “Restricted” only"),
        (
            "A development life cycle is implemented.",
            "Security must be designed and implemented within the development life cycle.",
            "what its act is done to is another thing",
        ),
        (
            "A development life cycle is implemented.",
            "Security is planned, designed and implemented in a development life cycle.",
            "what its act is done to is another thing",
        ),
    ],
)
def test_what_narrows_or_is_another_thing_does_not_meet(part: str, sentence: str, why: str) -> None:
    """A noun or participle in front of the head, what is taught, and a place where something else is done."""
    found = _decided(part, sentence)
    assert found.label == "partly"
    assert why in found.reason


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("All users are trained and informed.", "All users must be trained and informed annually."),
        ("Data at rest is protected.", "All data must be encrypted and protected at rest."),
        ("A development life cycle is implemented.", "A development life cycle is designed and implemented."),
        ("Execute the response plan during incidents.", "During incidents the team must execute the response plan."),
    ],
)
def test_what_narrows_nothing_meets(part: str, sentence: str) -> None:
    """The same acts of the same things, with what does not narrow them."""
    assert _decided(part, sentence).label == "meets"


def test_one_case_of_several_does_not_meet() -> None:
    """A step under a heading of one case is not said of all."""
    said = SaidByPolicy("Contain the incident.", "Contain the incident.", "Procedures: Category 1 – Theft", "binds")
    found = decide(AskedByPart(read_wording("Incidents are contained."), ""), said, lambda key: 1.0)
    assert found is not None
    assert found.label == "partly"
    assert found.reason == "it stands under one case of several"


def test_what_is_only_put_down_by_a_process_is_not_done_by_it() -> None:
    """Documentation by way of a process does not show that it governs; an act by way of it does."""
    part = "Change control procedures."
    assert _decided(part, "Changes must be documented via the change control procedures.").label == "partly"
    assert _decided(part, "Changes must be approved via the change control procedures.").label == "meets"


def test_what_is_told_to_be_there_is_no_act() -> None:
    """A remark on a balance protects nothing."""
    found = _decided(
        "Data is protected.", "There is a balance between protecting the data and giving access.", "states"
    )
    assert found.label == "partly"
    assert "it tells that something is there" in found.reason


def test_a_narrower_thing_meets_where_the_choice_is_left_open() -> None:
    """Which information is meant is the organisation's to say."""
    part = (
        "Protect the [Selection: confidentiality; integrity] of backup information: "
        "[Assignment: organization-defined backup information]."
    )
    found = _decided(
        part, "Confidential and Restricted backup information must be protected by confidentiality controls."
    )
    assert "only" not in found.reason
    found = _decided("Protect backup information.", "Confidential and Restricted backup information must be protected.")
    assert "only" in found.reason


@pytest.mark.parametrize(
    ("part", "sentence", "label"),
    [
        ("The organisation shall escort visitors.", "The organisation shall escort visitors.", "meets"),
        ("Visitors must be escorted.", "Visitors shall be escorted.", "meets"),
        ("Visitors must be escorted.", "The organisation shall escort all visitors.", "meets"),
        ("Backups shall be tested.", "Backups must be tested every year.", "meets"),
        ("The alarm shall be tested.", "The alarm must be tested.", "meets"),
        ("The alarm shall be tested.", "Alarms must be tested.", None),
        ("These alarms shall be tested.", "These alarms must be tested.", None),
        ("Visitors must be escorted.", "Former visitors must be escorted.", None),
        ("Visitors must be escorted.", "Visitors must be registered.", None),
        ("Laptops must be encrypted.", "Notebooks must be encrypted.", None),
        ("Visitors must be escorted.", "Guests must be escorted.", None),
        ("Backups shall be tested within three days.", "Backups must be tested after two years.", None),
        ("Visitors must be escorted.", "Escorted visitors must be registered.", None),
        ("Escort visitors.", "Escort visitors.", None),
        ("Backups.", "Backups must be tested.", None),
        ("Review.", "Access rights must be reviewed.", None),
    ],
)
def test_a_short_duty_whose_words_are_all_said_needs_no_title(part: str, sentence: str, label: str | None) -> None:
    """A duty with its act and its object tells its matter itself; one word, an item and what points elsewhere do not."""
    found = _decide(part, sentence, title="Chapter One")
    assert (found.label if found is not None else None) == label


@pytest.mark.parametrize(
    ("part", "sentence", "force", "label"),
    [
        ("Floppy disks must not be used.", "2.4 Floppy disks are prohibited.", "prohibits", "meets"),
        ("Floppy disks must not be used.", "The use of floppy disks is not permitted.", "prohibits", "meets"),
        ("Floppy disks are prohibited.", "Floppy disks must not be used.", "prohibits", "meets"),
        ("Fire doors must not be left open.", "Fire doors may be left open in summer.", "permits", "contradicts"),
        ("Fire doors must not be left open.", "Fire doors may only be left open by the guard.", "permits", "mentions"),
        ("Fire doors must not be left open without a guard.", "Fire doors may be left open in summer.", "permits", "mentions"),
        ("Fire doors must be left open.", "Fire doors may be left open in summer.", "permits", "mentions"),
    ],
)  # fmt: skip
def test_bans_of_things_and_what_is_allowed_though_it_is_forbidden(
    part: str, sentence: str, force: Force, label: str
) -> None:
    """Who bans a thing bans its use; who allows what a requirement forbids outright contradicts it."""
    said = SaidByPolicy(sentence, sentence, "Fire Safety Policy", force, 0.5, document="policy.md", role="policy")
    found = decide(AskedByPart(read_wording(part), ""), said, lambda key: 1.0)
    assert found is not None
    assert found.label == label
    assert "claim" not in found.reason
