"""Limits, sizes from which something is told, and what keeps a sentence that has all words of a part from meeting it."""

from __future__ import annotations

import pytest

from coditect.language.reading.sentence import read_sentence
from coditect.verify.requirements.decision import AskedByPart, Decision, Force, SaidByPolicy, decide
from coditect.verify.requirements.figures.bounds import bounds_of
from coditect.verify.requirements.figures.counts import Bound
from coditect.verify.requirements.laid_down.persons import binds_only_some
from coditect.verify.requirements.terms import printed_as
from coditect.verify.requirements.wording import read_wording


def _decide(part: str, sentence: str, force: Force = "binds", title: str = "") -> Decision | None:
    said = SaidByPolicy(sentence, sentence, "Rules. House Policy", force, likely=0.4, role="policy")
    return decide(AskedByPart(read_wording(part), title), said, lambda key: 1.0)


def _label(part: str, sentence: str, force: Force = "binds", title: str = "") -> str:
    found = _decide(part, sentence, force, title)
    return found.label if found is not None else "no evidence"


@pytest.mark.parametrize(
    ("text", "value", "is_limit", "unit"),
    [
        ("Dust shall not exceed 4 ppm", 4.0, True, "ppm"),
        ("Dust shall not be more than 2.5 ppm", 2.5, True, "ppm"),
        ("Humidity must not be less than 40 %", 40.0, False, "percent"),
        ("Noise is at most 80 dB at the desk", 80.0, True, "db"),
        ("Work stops if oxygen is below 19 %", 19.0, False, "percent"),
        ("Purchases of more than 900 euros are approved by the Treasurer", 900.0, True, "eur"),
        ("A buffer of at least 10 metres shall be kept", 10.0, False, "metr"),
        ("Spills of more than 20 litres shall be reported", 20.0, True, "litr"),
        ("Codes must exceed 8 characters", 9.0, False, "charact"),
        ("The clerk must inform more than 3 members", 4.0, False, "member"),
    ],
)
def test_a_figure_says_which_way_it_binds(text: str, value: float, is_limit: bool, unit: str) -> None:
    """A limit, a size that has to be there, and a size from which on something is to be done."""
    (bound,) = bounds_of(text)
    assert (bound.value, bound.is_limit, bound.unit, bound.is_open) == (value, is_limit, unit, False)


def test_a_measure_is_told_with_its_unit() -> None:
    """The reason of a label quotes it."""
    assert bounds_of("at most 75 dB in the hall") == (Bound("count", 75.0, "75 dB", is_limit=True, unit="db"),)


@pytest.mark.parametrize(
    ("part", "sentence", "label"),
    [
        ("Ozone in the hall shall not exceed 3 ppm.", "Ozone in the hall must not exceed 5 ppm.", "looser"),
        ("Ozone in the hall shall not exceed 3 ppm.", "Ozone in the hall must never exceed 2 ppm.", "stricter"),
        ("Ozone in the hall shall not exceed 3 ppm.", "Ozone in the hall shall not be more than 3 ppm.", "meets"),
        ("Stored grain must not fall below 12 percent moisture.",
         "Stored grain must not be below 10 percent moisture.", "looser"),
        ("Shifts shall not exceed 10 hours.", "Shifts must not exceed 12 hours.", "looser"),
    ],
)  # fmt: skip
def test_limits_are_compared_as_figures(part: str, sentence: str, label: str) -> None:
    """Two sentences that both say "not" do not speak of each other in the negative."""
    assert _label(part, sentence, "prohibits") == label


def test_a_limit_beside_a_ban_of_an_act_is_no_limit() -> None:
    """Only where both set one are they figures."""
    assert _label(
        "Ozone in the hall shall not exceed 3 ppm.", "Ozone in the hall must not be measured.", "prohibits"
    ) in (
        "mentions",
        "no evidence",
    )


@pytest.mark.parametrize(
    ("part", "sentence", "label"),
    [
        ("Gifts of more than 100 euros shall be reported to the Ethics Officer.",
         "Buyers shall report gifts of more than 250 euros to the Ethics Officer.", "looser"),
        ("Gifts of more than 100 euros shall be reported to the Ethics Officer.",
         "Buyers shall report gifts of more than 50 euros to the Ethics Officer.", "stricter"),
        ("If the depth is more than 2 metres, trenches shall be shored.",
         "If the depth is more than 3 metres, trenches shall be shored.", "looser"),
    ],
)  # fmt: skip
def test_what_is_done_from_a_size_on_is_stricter_from_a_lower_one(part: str, sentence: str, label: str) -> None:
    """A threshold of a case, and of what is to be reported."""
    assert _label(part, sentence) == label


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("All staff shall wear a badge in the depot.", "Drivers shall wear a badge in the depot."),
        ("Build and release servers shall be scanned weekly.", "Release servers shall be scanned weekly."),
        ("Paper records shall be shredded before disposal.",
         "Paper records shall be shredded before disposal unless the archivist decides otherwise."),
        ("Scaffolds shall be inspected.", "Following a storm, scaffolds shall be inspected."),
        ("Leak detection.", "Sensors provide alerts for leak detection."),
        ("Filter cleaning processes are in place.",
         "Auditors shall confirm that filter cleaning processes are in place."),
        ("Drums shall be labelled.", "Drums shall be substantially labelled."),
        ("Keep spare copies of the yard plan.",
         "Additionally, this policy outlines how to keep spare copies of the yard plan."),
    ],
)  # fmt: skip
def test_less_than_all_does_not_meet_a_part(part: str, sentence: str) -> None:
    """Some of those who are bound, one of two things, an exception, an event, a purpose, a check or a hedge."""
    assert _label(part, sentence) not in ("meets", "stricter")


@pytest.mark.parametrize(
    ("part", "sentence", "some"),
    [
        ("All staff shall wear a badge.", "Drivers shall wear a badge.", "Drivers"),
        ("No person shall smoke.", "The night porter must not smoke.", "The night porter"),
        ("All staff shall wear a badge.", "All drivers and clerks shall wear a badge.", ""),
        ("All staff shall wear a badge.", "Employees shall wear a badge.", ""),
        ("All staff shall wear a badge.", "Badges shall be worn.", ""),
        ("The driver shall wear a badge.", "Drivers shall wear a badge.", ""),
        ("All staff shall wear a badge.", "Badges are worn.", ""),
    ],
)
def test_some_are_not_everybody(part: str, sentence: str, some: str) -> None:
    """A sentence in the passive, or on everybody by another word, binds all."""
    assert binds_only_some(AskedByPart(read_wording(part), ""), read_sentence(sentence)) == some


def test_a_long_bidding_needs_no_title() -> None:
    """A label such as "Yard" takes no evidence away from what is said in full."""
    part = "Wash the delivery vans with cold water before each shift."
    assert (
        _label(part, "Drivers shall wash the delivery vans with cold water before each shift.", title="Yard") == "meets"
    )


def test_a_negative_in_another_clause_is_not_about_the_act() -> None:
    """Who fails to keep the rules is no negative of their review."""
    found = _decide(
        "Garage rules shall be reviewed yearly.", "Staff who fail to follow the garage rules shall be warned."
    )
    assert found is None or "negative" not in found.reason


def test_a_reason_has_the_words_that_are_printed() -> None:
    """One that stands for others of the part in comparisons stands in neither text."""
    assert printed_as("personnel", "Workforce members shall report leaks.") == "Workforce members"
    assert printed_as("leaks", "Workforce members shall report leaks.") == "leaks"
    assert printed_as("personnel", "Pumps shall be tested.") == "personnel"
