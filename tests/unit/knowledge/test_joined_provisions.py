"""Provisions that rest on another paragraph, and lead-ins that ask nothing by themselves."""

from __future__ import annotations

import pytest

from coditect.knowledge.report.crosswalk.framework.joined import asks_nothing, joined_parts
from coditect.knowledge.report.crosswalk.framework.parts import RequirementPart
from coditect.verify.requirements.wording import read_wording


def _part(place: str, text: str) -> RequirementPart:
    return RequirementPart(place, place, "", "", "law.md", text, 0, len(text), read_wording(text))


def _read(*provisions: tuple[str, str]) -> list[tuple[str, str]]:
    """(the words that the last provision is read by, the paragraph that it is read with)."""
    found = joined_parts([_part(place, text) for place, text in provisions])
    return [(each.wording.text, each.read_with) for each in found[-1:]]


@pytest.mark.parametrize(
    ("first", "other", "words"),
    [
        (
            ("§ 3(a)", "A ferry operator shall notify the Harbour Office of a grounding."),
            ("§ 3(b)", "The notification required by paragraph (a) of this section shall be made within 2 hours."),
            "Notify the Harbour Office of a grounding within 2 hours.",
        ),
        (
            ("§ 3(a)(1)", "A ferry operator shall, following a grounding, report the damage."),
            ("§ 3(b)", "Except on Sundays, a ferry operator shall submit the report under paragraph (a)(1) by noon."),
            "Report the damage, following a grounding by noon.",
        ),
        (
            ("§ 3(a)", "A ferry shall carry a list of life jackets on board."),
            ("§ 3(b)", "The list required by paragraph (a) shall be kept for 3 years."),
            "the list of life jackets shall be kept for 3 years.",
        ),
        (
            ("§ 3(b)(1)", "The master must keep a deck log."),
            ("§ 3(b)(2)", "The deck log described in paragraph (1) must be signed daily."),
            "the deck log must be signed daily.",
        ),
    ],
)
def test_a_time_is_read_with_the_duty_that_it_is_of(first: tuple[str, str], other: tuple[str, str], words: str) -> None:
    """A duty whose noun it names with all that it says of doing it; a thing that it names in the words that tell of it."""
    assert _read(first, other) == [(words, first[0])]


@pytest.mark.parametrize(
    "other",
    [
        "The notification required by paragraph (c) of this section shall be made within 2 hours.",
        "The inspection required by paragraph (a) of this section shall be made within 2 hours.",
        "Life jackets shall be worn.",
        "Section 9 applies to ferries under paragraph (a).",
    ],
)
def test_what_rests_on_nothing_that_is_there_stays_as_it_is(other: str) -> None:
    """No such paragraph, another act, or no reference to what is due."""
    first = ("§ 3(a)", "A ferry operator shall notify the Harbour Office of a grounding.")
    assert _read(first, ("§ 3(b)", other)) == [(read_wording(other).text, "")]


def test_a_paragraph_that_is_no_place_rests_on_none() -> None:
    """A row of a table has no paragraphs."""
    first = ("§ 3(a)", "A ferry operator shall notify the Harbour Office of a grounding.")
    other = ("", "The notification required by paragraph (a) shall be made within 2 hours.")
    assert _read(first, other)[0][1] == ""


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("(a) A carrier must, in accordance with § 7.2:", True),
        ("The carrier shall do all of the following:", True),
        ("The carrier shall—", True),
        ("Each carrier must comply with the following requirements:", True),
        ("The notice shall include:", False),
        ("The carrier shall keep:", False),
        ("The carrier shall keep a log.", False),
    ],
)
def test_a_lead_in_without_an_act_asks_nothing(text: str, nothing: bool) -> None:
    """What stands below it does."""
    assert asks_nothing(text) is nothing
