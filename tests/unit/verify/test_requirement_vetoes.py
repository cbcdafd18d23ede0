"""What no reader may call met: modal verbs, negatives, figures and who speaks; words are left to whoever reads."""

from __future__ import annotations

import pytest

from coditect.verify.requirements.decision import AskedByPart, Force, SaidByPolicy
from coditect.verify.requirements.laid_down.vetoes import veto
from coditect.verify.requirements.wording import read_wording

REVIEW = "Review user access rights."
YEARLY = "Review user access rights annually."
RULES = "3. Rules. Access Policy"


def _veto(part: str, sentence: str, force: Force = "binds", around: str = RULES, own: str = "") -> str:
    said = SaidByPolicy(sentence, own or sentence, around, force, likely=0.2)
    return veto(AskedByPart(read_wording(part), ""), said, lambda key: 1.0)


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        (REVIEW, "User access rights must be reviewed."),
        (REVIEW, "User access rights are recertified, and those of administrators are reviewed."),
        (REVIEW, "User access rights to the finance system must be reviewed."),
        (YEARLY, "User access rights must be reviewed annually."),
        (YEARLY, "User access rights must be reviewed every month."),
    ],
)
def test_words_and_narrower_things_are_left_to_the_reader(part: str, sentence: str) -> None:
    """Rules may call these partly met; nothing of plain fact stands against them."""
    assert _veto(part, sentence) == ""


@pytest.mark.parametrize(
    ("part", "sentence", "force", "why"),
    [
        (REVIEW, "Owners may review user access rights.", "permits", "permits"),
        (REVIEW, "User access rights should be reviewed.", "recommends", "recommends"),
        (REVIEW, "User access rights must not be reviewed.", "prohibits", "negative"),
        (YEARLY, "User access rights must be reviewed.", "binds", "nothing gives its bound"),
        (YEARLY, "User access rights must be reviewed every three years.", "binds", "looser"),
        (REVIEW, "Are user access rights reviewed?", "states", "question"),
        (REVIEW, "This policy describes how user access rights are reviewed.", "states", "for or about"),
        (REVIEW, "Visitors wear hats.", "binds", "too little in common"),
    ],
)
def test_plain_facts_and_who_speaks_forbid_it(part: str, sentence: str, force: Force, why: str) -> None:
    """Whatever a model says of them."""
    assert why in _veto(part, sentence, force)


def test_paper_that_lays_nothing_down_forbids_it() -> None:
    """The same words in an overview."""
    sentence = "User access rights must be reviewed."
    assert "no policy, standard, procedure or law" in _veto(REVIEW, sentence, around="1. Today. Overview")
    assert _veto(REVIEW, sentence) == ""


def test_prohibition_may_meet_what_forbids_or_restrains() -> None:
    """ "Prohibit …" and "must not …" ask the same."""
    sentence = "Portable storage devices must not be used by visitors."
    assert _veto("Prohibit the use of portable storage devices by visitors.", sentence, "prohibits") == ""
    assert "negative" in _veto("Use portable storage devices.", sentence, "prohibits")


def test_item_is_read_behind_its_lead_in_or_alone() -> None:
    """Where the whole has too little in common, the item's own words count."""
    whole = "Managers are responsible for: reviewing user access rights."
    assert _veto(REVIEW, whole, own="reviewing user access rights.") == ""
