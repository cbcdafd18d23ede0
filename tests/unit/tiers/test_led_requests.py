"""Lead-ins whose paragraphs hold the acts: who is bound, what elements of a list are, cases with an act each."""

from __future__ import annotations

from coditect.documents.readers import read_source
from coditect.schemas import Extraction, NormData
from coditect.tiers.extractions.document import extraction_records, read_document
from tests.unit.tiers.corpora import version_of


def _read(text: str) -> list[Extraction]:
    return list(
        extraction_records(version_of("rule.md", text), read_document(read_source(text.encode(), "rule.md")), "t1")
    )


def _norms(text: str) -> list[tuple[str, NormData]]:
    return [(each.locator, each.tier1_data) for each in _read(text) if isinstance(each.tier1_data, NormData)]


HARBOUR = """# Part 40

## § 40.8 Safety of quays.

(a) A harbour master or pilot must, in accordance with § 40.6:

(1)(i) Lighting. Install lamps on each quay.

(ii) Specifications:

(A) Testing. Test each lamp.

(2) Ladders. Fit ladders at each berth.

(b) Each skipper may moor at night.

## § 40.9 Records.

Keep the log in ink.
"""


def test_whom_a_lead_in_binds_has_to_do_what_its_paragraphs_ask() -> None:
    """As far as its number reaches, below titles and labels of their own; the lead-in by itself is no duty."""
    told = _norms(HARBOUR)
    led = [(locator, data.action) for locator, data in told if data.actor == "A harbour master or pilot"]
    assert led == [
        ("§ 40.8(a)(1)(i)", "Install lamps on each quay"),
        ("§ 40.8(a)(1)(ii)(A)", "Test each lamp"),
        ("§ 40.8(a)(2)", "Fit ladders at each berth"),
    ]
    assert {data.modality for _, data in told if data.actor == "A harbour master or pilot"} == {"must"}
    (kept,) = [data for locator, data in told if locator == "§ 40.9"]
    assert (kept.actor, kept.modality) == (None, "imperative")


def test_what_binds_is_quoted_with_its_lead_in() -> None:
    """The places of such a duty are those of the lead-in's name and of the request."""
    lit = next(data for _, data in _norms(HARBOUR) if data.action == "Install lamps on each quay")
    assert lit.spans is not None
    assert HARBOUR.replace("#", "").count("A harbour master or pilot must") == 1
    first = read_source(HARBOUR.encode(), "rule.md").text[lit.spans[0].start : lit.spans[0].end]
    assert first == "A harbour master or pilot must"


ELEMENTS = """# Rules of the Ferry

5. The notice shall include, to the extent possible:

(a) A description of the delay;

(b) Any steps passengers should take to reach the shore; and

(c) The name of the purser.
"""


def test_elements_of_what_something_has_to_hold_are_no_duties_of_their_own() -> None:
    """ "Should" in an element recommends nothing; the aside of the lead-in is a condition, and swallows no element."""
    told = [data for _, data in _norms(ELEMENTS)]
    assert [data.action for data in told] == [
        "include A description of the delay",
        "include Any steps passengers should take to reach the shore",
        "include The name of the purser",
    ]
    assert {(data.subject, data.strength, data.condition) for data in told} == {
        ("The notice", "mandatory", "to the extent possible")
    }


CASES = """# Rules of the Ferry

6. If a constable asks for a delay, the purser shall:

(a) If the request is in writing, delay the sailing for the time that it names; or

(b) If the request is made orally, note the request and delay the sailing no longer than 3 hours.
"""


def test_cases_with_an_act_each_are_duties_each() -> None:
    """ "Or" between cases offers no choice."""
    told = _norms(CASES)
    assert [(locator, data.action) for locator, data in told] == [
        ("6.(a)", "delay the sailing for the time that it names"),
        ("6.(b)", "note the request"),
        ("6.(b)", "delay the sailing"),
    ]
    assert all(data.actor == "the purser" and len(data.conditions) == 2 for _, data in told)
    assert told[-1][1].duration == "no longer than 3 hours"


def test_initial_of_a_name_is_no_number() -> None:
    """A surname may sound like a trade; letters that stand in a row are a list."""
    told = _norms("R. Okafor will paint the hull by 3 May 2027.\n\nT. Baker must sign the log.\n")
    assert [(locator, data.actor) for locator, data in told] == [("", "R. Okafor"), ("", "T. Baker")]
    listed = _norms("The crew shall:\n\nA. Brandt Ltd shall be told.\n\nB. Acme Ltd shall be told.\n")
    assert [locator for locator, _ in listed] == ["A", "B"]


def test_minutes_ask_of_a_person_what_is_due_by_a_day() -> None:
    """What somebody who is named will do by a day is an action of the meeting; what is only expected is none."""
    minutes = "# Minutes of the harbour committee, 3 March 2027\n\nPresent: R. Okafor, the purser.\n\n"
    told = _norms(f"{minutes}R. Okafor will draft a new chart by 10 October.\n\nThe purser will be away in May.\n")
    assert [(data.actor, data.action) for _, data in told] == [("R. Okafor", "draft a new chart")]
