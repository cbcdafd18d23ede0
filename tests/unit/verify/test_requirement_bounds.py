"""Counts, lengths of time and leave: requirements that differ from a sentence in a figure alone, and what is not of one matter."""

from __future__ import annotations

import pytest

from coditect.verify.requirements.decision import AskedByPart, Decision, Force, SaidByPolicy, decide
from coditect.verify.requirements.figures.bounds import bounds_of, compare_bounds
from coditect.verify.requirements.laid_down.vetoes import veto
from coditect.verify.requirements.wording import read_wording


def _decide(part: str, sentence: str, force: Force = "binds", title: str = "", likely: float = 0.2) -> Decision | None:
    said = SaidByPolicy(sentence, sentence, "Access. House Policy", force, likely=likely)
    return decide(AskedByPart(read_wording(part), title), said, lambda key: 1.0)


def _label(part: str, sentence: str, force: Force = "binds", title: str = "", likely: float = 0.2) -> str:
    found = _decide(part, sentence, force, title, likely)
    return "no evidence" if found is None else found.label


@pytest.mark.parametrize(
    ("asked", "given", "relation"),
    [
        ("at least 12 characters", "at least 14 characters", "stricter"),
        ("at least 12 characters", "8 characters", "looser"),
        ("12 characters", "no fewer than 12 characters", "same"),
        ("more than 8 characters", "at least 9 characters", "same"),
        ("at least two copies of each backup", "at least three copies of each backup", "stricter"),
        ("at least two exercises", "at least one exercise", "looser"),
        ("locked after 5 failed attempts", "locked after 10 failed attempts", "looser"),
        ("no more than five users", "no more than three users", "stricter"),
        ("reuse of the last 5 passwords", "none of the previous ten passwords", "stricter"),
        ("ended after 15 minutes of inactivity", "ended after 10 minutes of inactivity", "stricter"),
        ("retained for at least seven years after their end", "retained for ten years after their end", "stricter"),
        ("retained for not less than two years", "kept eighteen months", "looser"),
        (
            "told at least 30 calendar days before signature",
            "told at least 20 calendar days before signature",
            "looser",
        ),
        ("told at least 30 days before signature", "told 45 days prior to signature", "stricter"),
        ("given not later than 10 days before the audit", "given not later than 5 days before the audit", "looser"),
    ],
)
def test_counts_and_periods_have_a_direction(asked: str, given: str, relation: str) -> None:
    """More of what has to be there is stricter, fewer of what sets something off is; what lasts after an end is no deadline."""
    found = compare_bounds(bounds_of(asked), bounds_of(given))
    assert found is not None
    assert found[0] == relation


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("at least 12 characters", "at least 12 symbols"),
        ("at least two copies", "no more than two copies"),
        ("3 levels", "4 levels"),
        ("destroyed after seven years", "destroyed after ten years"),
        ("done within 5 days before the audit", "done within 3 days before the audit"),
        ("told at least 30 days before signature", "told within 20 days after signature"),
    ],
)
def test_counts_of_other_things_or_without_a_direction_are_not_compared(asked: str, given: str) -> None:
    """Nothing tells which of the two is the stricter."""
    assert compare_bounds(bounds_of(asked), bounds_of(given)) is None


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("Passwords must have at least 8 characters.", "looser"),
        ("2.1 Passwords must be at least 14 characters long.", "stricter"),
        ("Passwords must consist of at least 12 characters.", "meets"),
        ("Passwords must be long.", "no evidence"),
        ("Where supported, users must change 6 characters when changing passwords.", "mentions"),
        ("Passwords must be changed every 12 months.", "no evidence"),
    ],
)
def test_a_thing_that_only_has_to_be_so_large_is_compared_by_its_figure(sentence: str, label: str) -> None:
    """Whatever verb says that it has it; a figure of another act is none of it."""
    assert _label("Passwords shall have at least 12 characters.", sentence) == label


def test_a_figure_that_differs_is_no_word_that_is_missing() -> None:
    """All of a duty is said but its figure, so that it needs no title to tell its matter."""
    part = "Critical systems shall be backed up at least once a day."
    assert _label(part, "Critical systems must be backed up at least once a week.", title="Frequency") == "looser"
    passive = "Phishing simulations shall be carried out at least four times a year."
    assert _label(passive, passive, title="Lures") == "meets"


def test_from_when_a_time_runs_narrows_nothing_where_a_part_does_not_say() -> None:
    """ "Within 24 hours of their departure" is within 24 hours; where the part says from when, it has to be the same."""
    leavers = "Access of leavers must be removed within 24 hours of their departure."
    assert _label("Access of leavers shall be removed within 24 hours.", leavers) == "meets"
    told = "Access of leavers shall be removed within 24 hours of the notice."
    assert _label(told, leavers) == "partly"


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("Privileged access shall be reviewed at least quarterly.", "User access must be reviewed once a year."),
        (
            "Incidents shall be reported to the security team within one hour of detection.",
            "We notify the authority of an incident within 48 hours.",
        ),
    ],
)
def test_a_weaker_bound_of_another_matter_is_not_looser(part: str, sentence: str) -> None:
    """What is done to another thing, or says little of the part, falls short of it in no figure."""
    assert _label(part, sentence) != "looser"


@pytest.mark.parametrize(
    ("part", "sentence", "label"),
    [
        ("Passwords shall not be shared.", "Passwords must not be shared.", "meets"),
        ("Do not share passwords.", "Users must never share passwords.", "meets"),
        ("Removable media shall not be used.", "Removable media must not be used unless the owner agrees.", "partly"),
        ("Passwords shall be shared with the vault.", "Passwords must not be shared with the vault.", "contradicts"),
    ],
)
def test_what_both_forbid_is_graded_as_what_both_ask(part: str, sentence: str, label: str) -> None:
    """A prohibition answers a prohibition, and speaks against a duty."""
    assert _label(part, sentence, force="prohibits") == label


CONSENT = "Subcontracting of critical services requires the prior written consent of the institution."


@pytest.mark.parametrize(
    ("sentence", "force"),
    [
        ("Staff must not subcontract critical services without the prior written consent of Northgate.", "prohibits"),
        ("4. Staff must subcontract critical services only with the prior written consent of Northgate.", "binds"),
        ("Subcontracting of critical services is subject to the prior written consent of Northgate.", "states"),
    ],
)
@pytest.mark.parametrize("title", ["", "Subcontracting"])
def test_leave_that_has_to_be_had_is_a_duty_however_it_is_told(sentence: str, force: Force, title: str) -> None:
    """ "Not without consent" asks what "requires consent" asks, with a title or without; the house's name stands for its role."""
    assert _label(CONSENT, sentence, force, title) == "meets"


def test_leave_of_somebody_for_something_else_is_another_duty() -> None:
    """What needs it has to be the same, and who only recommends it asks nothing."""
    other = "Staff must not publish reports without the prior written consent of Northgate."
    assert _label(CONSENT, other, "prohibits") in ("no evidence", "mentions", "partly")
    advised = "Staff should not subcontract critical services without the prior written consent of Northgate."
    assert _label(CONSENT, advised, "recommends") in ("no evidence", "mentions")


def test_a_count_that_nothing_gives_is_left_to_a_reader() -> None:
    """How many may be told in other words; a deadline may not."""

    def vetoed(part: str, sentence: str) -> str:
        said = SaidByPolicy(sentence, sentence, "Access. House Policy", "binds", document="access-policy.md")
        return veto(AskedByPart(read_wording(part), ""), said, lambda key: 1.0)

    assert vetoed("Access shall use at least two factors.", "Access must use several factors.") == ""
    assert "bound" in vetoed("Access shall be reviewed within two days.", "Access must be reviewed promptly.")
