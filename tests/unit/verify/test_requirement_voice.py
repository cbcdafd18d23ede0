"""Who speaks, and word for word: sentences that have all that a part asks and do not meet it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from coditect.verify.requirements.decision import AskedByPart, Decision, Force, SaidByPolicy, decide
from coditect.verify.requirements.laid_down.quoting import gives_open_parameters
from coditect.verify.requirements.laid_down.vetoes import veto
from coditect.verify.requirements.wording import read_wording

REST = "Data-at-rest is protected."
SCANS = "Vulnerability scans are performed."
CHANGES = "Configuration change control processes are in place."


def _decide(
    part: str,
    sentence: str,
    force: Force = "binds",
    around: str = "3. Policy / 3.1 Rules. House Policy",
    number: str = "",
    document: str = "",
) -> Decision | None:
    said = SaidByPolicy(sentence, sentence, around, force, likely=0.2, document=document)
    return decide(AskedByPart(read_wording(part), "", number), said, lambda key: 1.0)


def _label(found: Decision | None) -> str:
    assert found is not None
    return found.label


@pytest.mark.parametrize(
    ("part", "plain", "shown", "reason"),
    [
        (REST, "All data at rest is encrypted.", "Is data encrypted at rest?", "a question"),
        (REST, "Encrypt all data at rest.", 'Requirement: "Encrypt all data at rest in the house"', "quotation"),
        (REST, "All data at rest is encrypted.", "│ All data at rest is encrypted │", "drawing"),
        (REST, "All data at rest is encrypted.", "[ ] All data at rest is encrypted", "a box"),
        (REST, "All data at rest is encrypted.", "Control intent: All data at rest is encrypted.", "label"),
        (SCANS, "Vulnerability scans are performed.", "Vulnerability scans can be performed.", "can be done"),
    ],
)  # fmt: skip
def test_what_is_only_shown_is_a_mention(part: str, plain: str, shown: str, reason: str) -> None:
    """The same words meet the part where the house says them, and are a mention where it asks, quotes, draws or allows them."""
    assert _label(_decide(part, plain, "states")) == "meets"
    found = _decide(part, shown, "states")
    assert found is not None
    assert found.label == "mentions"
    assert reason in found.reason


@pytest.mark.parametrize(
    "around",
    [
        "Control Alignment / A.8.24 – Use of cryptography. House Policy",
        "Encryption / Control Objective. Organizational Controls",
        "Scope / Out of Scope. House Policy",
        "Annex / ISO/IEC 27001:2022 Controls. House Policy",
        "Data / Related Policies. House Policy",
        "Encryption. SOC 2 Control Mapping",
    ],
)
def test_a_heading_under_which_nothing_is_laid_down(around: str) -> None:
    """A framework's own words under its own heading, a pointer, and what is out of scope are no rule of the house."""
    found = _decide(REST, "All data at rest shall be encrypted.", around=around)
    assert found is not None
    assert (found.label, found.reason.startswith("it stands under")) == ("mentions", True)


def test_rules_below_such_a_heading_are_rules() -> None:
    """Of a path of headings the last that speaks of rules decides, and the title of a page of rules does not."""
    for around in (
        "Control Alignment / Policy Statements. House Policy",
        "Policy Statements / Encryption. Control Alignment",
    ):
        assert _label(_decide(REST, "All data at rest shall be encrypted.", around=around)) == "meets"


def test_what_the_part_itself_is_about_is_no_such_heading() -> None:
    """Who asks for a mapping is answered under "Data mapping"."""
    found = _decide(
        "Data mapping is performed.", "Data mapping is performed.", around="Data / Data mapping. House Policy"
    )
    assert _label(found) == "meets"


def test_a_document_may_say_by_its_name_that_it_lays_nothing_down() -> None:
    """A questionnaire is none for its headings; a policy on checklists is one."""
    sentence = "All data at rest must be encrypted."
    assert _label(_decide(REST, sentence, around="Data. House", document="security-questionnaire.md")) == "mentions"
    assert _label(_decide(REST, sentence, around="Data. House", document="questionnaire_policy.md")) == "meets"


def test_a_requirement_that_is_named_and_repeated() -> None:
    """With its number in front it is cited; a number that is only referred to does not harm."""
    part = "All users are informed and trained."
    assert (
        _label(_decide(part, "PR.AT-1: All users are informed and trained", "states", number="PR.AT-1")) == "mentions"
    )
    assert _label(_decide(part, "All users are informed and trained (PR.AT-1).", "states", number="PR.AT-1")) == "meets"


@pytest.mark.parametrize(
    ("part", "sentence", "reason"),
    [
        ("Response plans are tested.", "Response strategies are tested.", "“strategies” and not “plans”"),
        ("Policies are reviewed.", "This policy is reviewed annually.", "one of several"),
        ("Conduct penetration tests.", "Conduct vulnerability assessments or penetration tests.", "choice of another"),
        (REST, "Data at rest is ideally encrypted.", "“ideally” leaves it open"),
        (REST, "In order to protect data at rest, the owner must rotate keys.", "clause on something else"),
        ("Incidents are contained.", "The team has people who are capable of containing incidents.", "who could do it"),
        ("Incidents are contained.", "The auditor must verify that incidents are contained.", "looked for"),
        (REST, "Vendors must encrypt data at rest.", "it binds Vendors"),
        (CHANGES, "Supplier changes must be managed through change control processes.", "only “vendor” goes by it"),
        ("Enable logging.", "Only enable logging during debugging.", ""),
        (REST, "Hosting | encrypted data at rest", "cell without a verb"),
    ],
)
def test_what_falls_short(part: str, sentence: str, reason: str) -> None:
    """Near words, hedges, one of several, another act's aim, an outsider's duty: less than the part asks."""
    found = _decide(part, sentence)
    assert found is None or found.label not in ("meets", "stricter")
    if reason:
        assert found is not None
        assert reason in found.reason


@pytest.mark.parametrize("kind", ["Remote Access Policy", "Backup Policy", "Database Standard"])
def test_a_page_on_one_kind_of_thing(kind: str) -> None:
    """What a page on remote access says of data it says of that."""
    assert _label(_decide(REST, "Data at rest must be encrypted.", around=f"Rules. {kind}")) == "partly"


def test_words_of_one_line_are_the_same() -> None:
    """A procedure is a process."""
    assert (
        _label(_decide("Change control procedures.", "Changes must go through the change control process.")) == "meets"
    )


SCREEN = "Screen individuals prior to authorizing access to the system."


@pytest.mark.parametrize(
    ("label", "heading", "label_of_it"),
    [
        ("", "2. Rules / 2.3 Screening", "meets"),
        ("Staff: ", "2. Rules / PS-3: Personnel Screening", "meets"),
        ("Control Requirement: ", "2. Rules / 2.3 Screening", "mentions"),
        ("**Traditional Requirement** – ", "2. Rules / 2.3 Screening", "mentions"),
        ("NIST 800-53 requirement | ", "2. Rules / 2.3 Screening", "mentions"),
        ("PCI DSS Requirement 12.7: ", "2. Rules / 2.3 Screening", "mentions"),
        ("Requirement: ", "2. Rules / 2.3 Screening", "meets"),
        ("Requirement: ", "2. Rules / PS-3: Personnel Screening", "mentions"),
        ("Standard: ", "2. Rules / Personnel Screening -- 164.308(a)(3)", "mentions"),
        ("Safeguard: ", "2. Rules / 6.1 Screening", "mentions"),
        ("", "2. Screening / Control Requirement", "mentions"),
        ("", "2. Screening / Access Control Requirements", "meets"),
    ],
)
def test_a_control_behind_a_label_is_the_frameworks_voice(label: str, heading: str, label_of_it: str) -> None:
    """A label that says whose words follow makes them a mention; one that says it not, under a heading that numbers a control."""
    sentence = f"{label}Screen individuals prior to authorizing access to the system."
    number = "6.1" if label == "Safeguard: " else "ps-3"
    found = _decide(SCREEN, sentence, around=f"{heading}. House Policy", number=number)
    assert _label(found) == label_of_it


@pytest.mark.parametrize(
    ("part", "plain", "told", "reason"),
    [
        (
            "Incidents are contained.",
            "Incidents are contained.",
            "The incident was contained within 4 hours.",
            "happened",
        ),
        (
            "Incidents are contained.",
            "Incidents require containment.",
            "Incident requiring immediate containment",
            "need it",
        ),
        (
            SCANS,
            "All vulnerability scans must be performed quarterly.",
            "All vulnerability scans must be performed using the approved platform.",
            "with what",
        ),
        (
            CHANGES,
            "All other changes must go through the full change control process.",
            "Definition: All other changes requiring full change control process",
            "label",
        ),
    ],
)
def test_what_tells_of_an_occasion_is_a_mention(part: str, plain: str, told: str, reason: str) -> None:
    """An event, a trigger, a restriction of means and a definition have the words of a rule and are none."""
    assert _label(_decide(part, plain)) == "meets"
    found = _decide(part, told)
    assert found is not None
    assert found.label == "mentions"
    assert reason in found.reason


def test_a_numbered_criterion_under_its_standards_name() -> None:
    """A row of a mapping to SOC 2 is the criterion's; the same number under a house's own rules harms nothing."""
    sentence = "CC7.5: Incidents are contained"
    under = _decide(
        "Incidents are contained.", sentence, "states", around="Compliance / SOC 2 Type II. Response Policy"
    )
    assert _label(under) == "mentions"
    assert _label(_decide("Incidents are contained.", sentence, "states")) == "meets"


def test_an_answer_in_a_questionnaire_is_a_mention() -> None:
    """What answers a question to "you" was asked and not laid down."""
    found = _decide(SCANS, "Do you scan your systems? Yes, vulnerability scans are performed.", "states")
    assert _label(found) == "mentions"


def test_sample_text_of_a_notice_is_a_mention() -> None:
    """Under "Communication Templates" a paper shows what will be written, in the present as in the past."""
    around = "4. Communication Templates / Breach Notification. Response Policy"
    assert (
        _label(_decide("Incidents are contained.", "Incidents are contained.", "states", around=around)) == "mentions"
    )


@pytest.mark.parametrize(
    ("part", "whole", "less", "around"),
    [
        (
            SCANS,
            "Perform vulnerability scans",
            "Perform vulnerability scans",
            "7. Technical Recovery Steps. House Plan",
        ),
        (SCANS, "Perform vulnerability scans", "Perform vulnerability scans", "9. Emergency Changes. House Policy"),
        (
            "Track and document incidents.",
            "Security incidents are documented and tracked.",
            "Security incidents resulting from policy violations are documented and tracked.",
            "3. Rules. House Policy",
        ),
        (
            SCANS,
            "We perform patching and vulnerability scans.",
            "The CSP performs patching and vulnerability scans.",
            "3. Rules. House Policy",
        ),
    ],
)
def test_one_case_of_many_meets_in_part(part: str, whole: str, less: str, around: str) -> None:
    """A step of a recovery, incidents of one origin and what a provider does are less than the part asks."""
    assert _label(_decide(part, whole)) == "meets"
    assert _label(_decide(part, less, around=around)) == "partly"


def test_a_stage_that_the_part_itself_speaks_of() -> None:
    """Who asks for something in emergencies is answered under "Emergency changes"."""
    part = "Emergency changes are reviewed."
    assert (
        _label(_decide(part, "Emergency changes are reviewed.", around="9. Emergency Changes. House Policy")) == "meets"
    )


def test_a_paper_that_leaves_parameters_open_gives_a_frameworks_words() -> None:
    """The same sentence meets the part in a house's own paper, and is a mention where its paper prints open parameters."""
    sentence = "Individuals are screened before access to the system is authorised."
    part = read_wording("Screen individuals prior to authorizing access to the system.")
    own = SaidByPolicy(sentence, sentence, "PS-3 Personnel Screening. Personnel Policy", "states", likely=0.2)
    given = replace(own, leaves_open=True)
    decisions = [decide(AskedByPart(part, ""), each, lambda key: 1.0) for each in (own, given)]
    assert [_label(each) for each in decisions] == ["meets", "mentions"]
    assert decisions[1] is not None
    assert "leaves a framework's parameters open" in decisions[1].reason
    assert veto(AskedByPart(part, ""), given, lambda key: 1.0) == "its paper leaves a framework's parameters open"


@pytest.mark.parametrize(
    ("text", "gives"),
    [
        (
            "a. [Assignment: organization-defined roles];\nb. [FedRAMP Assignment: monthly];\nc. [Selection: one; two]",
            True,
        ),
        ("an organization-defined frequency, organisation-defined roles and organization-defined events", True),
        (
            "an organization-defined role, event and frequency; [Assignment: x]; [Selection: y] " + "our words " * 301,
            False,
        ),
        ("[Assignment: frequency] is monthly here; of [Selection: a; b] we take b.", False),
        (
            "[Company Name] [System Name] [Date] [Owner] reviews each assignment and selection of staff [see 4.2].",
            False,
        ),
    ],
)
def test_open_parameters_are_those_that_catalogues_print(text: str, gives: bool) -> None:
    """Three parameters as catalogues print them are a framework's words; one or two left over, and a form's blanks, are none."""
    assert gives_open_parameters(text) is gives


def test_a_label_under_a_number_of_sp_800_171_in_brackets_gives_a_frameworks_words() -> None:
    """What stands behind "Requirement:" under "(3.4.5)" is the standard's; under a section's number it is the house's."""
    sentence = "Requirement: All data at rest is encrypted."
    found = _decide(REST, sentence, "states", around="3. Rules / 3.5 Encryption (3.13.16). House Policy")
    assert found is not None
    assert found.label == "mentions"
    assert "framework's words" in found.reason
    assert _label(_decide(REST, sentence, "states", around="3. Rules / 3.13.16 Encryption. House Policy")) == "meets"
