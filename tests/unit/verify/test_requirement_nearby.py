"""What has words of a requirement in common and is of a matter nearby: no evidence of it."""

from __future__ import annotations

import pytest

from coditect.verify.requirements.decision import AskedByPart, Force, SaidByPolicy, decide
from coditect.verify.requirements.wording import read_wording


def _label(
    part: str, sentence: str, *, likely: float = 0.3, heading: str = "House Policy", force: Force = "binds"
) -> str:
    said = SaidByPolicy(sentence, sentence, heading, force, likely=likely)
    found = decide(AskedByPart(read_wording(part), ""), said, lambda key: 1.0)
    return found.label if found is not None else "no evidence"


@pytest.mark.parametrize(
    ("part", "sentence", "label"),
    [
        ("Data-at-rest is protected.", "Security of data is protected by the provider.", "no evidence"),
        ("Data-at-rest is protected.", "Data stored on volumes must be protected.", "partly"),
        ("Data-in-transit is protected.", "Data kept in the warehouse must be protected.", "no evidence"),
        ("Data-in-transit is protected.", "Data sent by email must be protected.", "partly"),
    ],
)
def test_a_state_of_data_is_part_of_the_object(part: str, sentence: str, label: str) -> None:
    """What says nothing of data that are kept says nothing of data at rest; other words for the state are enough."""
    assert _label(part, sentence) == label


def test_the_state_may_stand_in_a_heading() -> None:
    """Above a sentence it is said of it."""
    part, sentence = "Data-at-rest is protected.", "All data must be protected."
    assert _label(part, sentence, heading="Data at Rest") != "no evidence"
    assert _label(part, sentence, heading="Data Centre") == "no evidence"


def test_another_kind_of_the_same_thing_is_no_evidence() -> None:
    """The act and a general word of the object are not enough: of which kind it is has to be said in one word at least."""
    part = "Remote maintenance access is managed."
    assert _label(part, "Wireless access is managed by the IT manager.") == "no evidence"
    assert _label(part, "Remote access is managed by the IT manager.") != "no evidence"
    assert _label(part, "Access is managed by the IT manager.", heading="Remote Work") != "no evidence"
    assert _label("A vulnerability response plan is approved.", "This plan is approved by the board.") != "no evidence"


def test_another_kind_is_shown_where_more_is_in_common() -> None:
    """Where more than the act and the thing is said, a reader should see it."""
    part = "Review and retain vulnerability scan reports for a year."
    assert _label(part, "Penetration test reports are reviewed and retained for a year.") != "no evidence"


def test_a_mention_says_enough_or_stands_where_the_matter_is() -> None:
    """Without the act, what a sentence says of a part and how probable its document is come to one at least."""
    part = "Terminate connections of remote users after a period of inactivity."
    sentence = "Connections of remote users use a gateway of the company."
    assert _label(part, sentence, likely=0.9) == "mentions"
    assert _label(part, sentence, likely=0.3) == "no evidence"


def test_the_case_in_which_something_else_is_done_is_no_mention() -> None:
    """What only stands in the condition is presupposed."""
    part = "Notifications from detection systems are investigated."
    case = "If notifications from detection systems arrive, the officer informs the board of directors."
    told = "Notifications from detection systems reach the board of directors."
    assert _label(part, case, likely=0.9) == "no evidence"
    assert _label(part, told, likely=0.9) == "mentions"


def test_what_forbids_is_kept_however_little_it_says() -> None:
    """A reader has to see what speaks against a part."""
    part = "Share personal data with third parties in writing."
    sentence = "Personal data must not be shared with third parties."
    assert _label(part, sentence, likely=0.2, force="prohibits") == "mentions"
