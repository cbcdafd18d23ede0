"""Sentences that tell of what is asked and lay nothing down, and sentences that do it for less than all."""

from __future__ import annotations

import pytest

from coditect.verify.requirements.decision import AskedByPart, Decision, Force, SaidByPolicy, decide
from coditect.verify.requirements.wording import read_wording

HOUSE = "Rules. House Policy"


def _decide(
    part: str, sentence: str, force: Force = "states", own: str = "", around: str = HOUSE, title: str = ""
) -> Decision | None:
    said = SaidByPolicy(sentence, own or sentence, around, force, likely=0.2)
    return decide(AskedByPart(read_wording(part), title), said, lambda key: 1.0)


@pytest.mark.parametrize(
    ("part", "sentence", "why"),
    [
        ("Incidents are reported.", "This policy describes how incidents are reported.", "what its document is"),
        (
            "Incidents are reported.",
            "The purpose of this procedure is that incidents are reported.",
            "what its document",
        ),
        ("Incidents are reported.", "Communication plans define how incidents are reported.", "how or whether"),
        ("Incidents are reported.", "The board decides whether incidents are reported.", "how or whether"),
        ("Incidents are reported.", "The GDPR requires that incidents are reported.", "a law or a standard"),
        ("Incidents are reported.", "Article 33 requires that incidents are reported.", "a law or a standard"),
        ("Urgent changes are reviewed.", "Major: Urgent changes that are reviewed by the board.", "what a word means"),
        ("Backups are encrypted.", "A vault means that backups are encrypted.", "what a word means"),
        ("Incidents are contained.", "Guest networks are segmented to contain incidents.", "aim of another act"),
    ],
)
def test_what_only_tells_of_it_is_a_mention(part: str, sentence: str, why: str) -> None:
    """An announcement, a law that is cited, an indirect question, a definition and an aim have the words of a rule."""
    found = _decide(part, sentence)
    assert found is not None
    assert (found.label, why in found.reason) == ("mentions", True), found


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("Incidents are reported.", "This policy requires that incidents are reported."),
        ("Incidents are reported.", "As the GDPR requires, incidents are reported."),
        ("Backups are encrypted.", "Storage: Backups are encrypted by the team that keeps them."),
        ("Incidents are contained.", "Procedures are implemented to contain incidents."),
        ("Incidents are reported.", "Staff are required to report incidents."),
    ],
)
def test_what_lays_it_down_in_such_words_meets(part: str, sentence: str) -> None:
    """The same words in front of, or beside, what is laid down."""
    found = _decide(part, sentence, "binds")
    assert found is not None
    assert found.label == "meets", found


def test_what_a_document_is_to_say_is_said_by_telling_what_it_says() -> None:
    """Of a plan that has to describe something the plan's own word counts."""
    part = "Develop a response plan that describes the roles."
    found = _decide(part, "This plan describes the response plan that we develop and the roles.")
    assert found is None or found.reason != "it says what its document is for or about"


@pytest.mark.parametrize(("force", "label"), [("states", "mentions"), ("binds", "meets")])
def test_a_purpose_is_no_rule_unless_it_binds(force: Force, label: str) -> None:
    """Under "1. Purpose" a document tells what it is for; what binds there is a rule all the same."""
    sentence = "Incidents are reported." if force == "states" else "Incidents must be reported."
    found = _decide("Incidents are reported.", sentence, force, around="1. Purpose. House Policy")
    assert found is not None
    assert found.label == label


@pytest.mark.parametrize(
    ("part", "sentence", "narrower"),
    [
        ("Data at rest is protected.", "All Level 1 and 2 data is protected at rest.", "Level 1 and 2"),
        ("Data at rest is protected.", "Any such data is protected at rest.", "such"),
        ("Data at rest is protected.", "Order data is protected at rest.", "Order"),
        ("Data at rest is protected.", "Payment Rules: Order data is protected at rest.", "Order"),
        ("Encrypt data at rest.", "Encrypt Confidential and Restricted data at rest.", "Restricted"),
        ("Penetration tests are performed.", "Penetration tests are performed on payroll software.", "payroll"),
        ("Incidents are reported.", "Incidents are reported between the bank and the insurer.", "insurer"),
        ("Immediately revoke access.", "For involuntary departures, access is revoked immediately.", "involuntary"),
        (
            "Assets of the facilities shall be identified.",
            "Assets of the facilities that store, process, or transmit classified records shall be identified.",
            "classified",
        ),
    ],
)
def test_what_is_done_for_less_than_all_is_partly_met(part: str, sentence: str, narrower: str) -> None:
    """A number behind a kind, "such", a noun in front of a passive, on what it is done, and an adjunct in front."""
    found = _decide(part, sentence)
    assert found is not None
    assert found.label == "partly", found
    assert "only" in found.reason
    assert narrower in found.reason


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("Data at rest is protected.", "All data is protected at rest."),
        ("Penetration tests are performed.", "Penetration tests are performed on all systems."),
        ("Penetration tests are performed.", "Penetration tests are performed on a regular basis."),
        ("Data in transit is protected.", "Data in transit is protected against interception and loss."),
    ],
)
def test_what_narrows_nothing_meets(part: str, sentence: str) -> None:
    """All systems, intervals and dangers leave none of the things out."""
    found = _decide(part, sentence)
    assert found is not None
    assert found.label == "meets", found


@pytest.mark.parametrize(
    ("part", "around", "label"),
    [
        ("Changes are controlled.", "Hardening. Router Policy", "partly"),
        ("Changes are controlled.", "Change Control. House Policy", "meets"),
        ("Changes of routers are controlled.", "Hardening. Router Policy", "meets"),
        (
            "Changes of houses, of plans, of staff, of rooms and of forms are controlled.",
            "Hardening. Router Policy",
            "meets",
        ),
    ],
)
def test_a_page_on_one_kind_of_thing_speaks_of_it_alone(part: str, around: str, label: str) -> None:
    """What asks for all things of its kind is met in part on a page that is given over to one that it does not name."""
    found = _decide(part, part, "binds", around=around)
    assert found is not None
    assert found.label == label, found


def test_a_kind_that_a_sentence_names_is_not_left_to_the_page() -> None:
    """ "Changes, those of routers among them": the sentence itself says more than its page is about."""
    found = _decide(
        "Changes are controlled.", "All changes are controlled, routers included.", around="Router Policy. House"
    )
    assert found is not None
    assert "its headings speak" not in found.reason


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("Changes are carried out according to the change control process.", "meets"),
        ("Repairs are carried out according to the change control process.", "partly"),
        ("Change Alignment: Repairs are carried out according to the change control process.", "partly"),
        ("All staff must have changes approved according to the change control process.", "meets"),
    ],
)
def test_a_process_is_there_where_what_it_is_for_goes_through_it(sentence: str, label: str) -> None:
    """Repairs that go through change control do not show that changes do."""
    found = _decide("Change control processes are in place.", sentence, "binds")
    assert found is not None
    assert found.label == label, found


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("Malware is detected.", "The team answers malware detection alerts and performs a review."),
        ("Report incident information.", "Incident information is shared as required."),
    ],
)
def test_nouns_that_only_go_before_others_are_no_acts(part: str, sentence: str) -> None:
    """Alerts of a detection detect nothing, and information is not the act of informing."""
    found = _decide(part, sentence)
    assert found is None or found.label in ("mentions", "partly")


def test_a_quality_is_not_its_adjective() -> None:
    """Confidential data is not the confidentiality of data."""
    part = "The confidentiality of data is protected."
    assert getattr(_decide(part, "Confidential data is protected."), "label", "") != "meets"
    assert getattr(_decide(part, "The confidentiality of data is protected."), "label", "") == "meets"


def test_logs_are_not_what_is_in_transit() -> None:
    """What data are in by state holds none; what they are on does."""
    assert getattr(_decide("Data in transit is encrypted.", "Logs are encrypted in transit."), "label", "") != "meets"
    assert getattr(_decide("Encrypt data on tapes.", "Encrypt all tapes.", "binds"), "label", "") == "meets"


def test_items_under_an_aim_do_not_stand_alone() -> None:
    """An item of "networks are segmented to" is no order; one of "staff must" is."""
    item = "Contain incidents."
    lead = "Networks shall be segmented to"
    found = _decide("Incidents are contained.", f"{lead} {item}", "binds", own=item)
    assert found is not None
    assert found.label == "mentions", found
    found = _decide("Incidents are contained.", f"The team must {item}", "binds", own=item)
    assert found is not None
    assert found.label == "meets", found
