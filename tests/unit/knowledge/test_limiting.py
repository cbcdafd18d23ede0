"""Which prohibitions answer a question for what is permitted."""

from __future__ import annotations

import pytest

from coditect.knowledge.query.shown.limiting import asks_for_leave, forbids
from coditect.retrieve.words import read_words

POLICY = (
    "1.1 Each member has a user ID.\n\n1.2 Shared accounts are prohibited.\n\n1.3 Accounts of leavers are disabled."
)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("who may use shared accounts", True),
        ("Are we allowed to use shared accounts?", True),
        ("who disables shared accounts", False),
    ],
)
def test_question_for_leave_is_known_by_its_words(question: str, asks: bool) -> None:
    """Others are not answered by what is forbidden."""
    assert asks_for_leave(question) is asks


def test_one_sentence_must_forbid_and_have_all_that_is_asked() -> None:
    """A verb of using aside; words that stand in several sentences forbid nothing together."""
    assert forbids(POLICY, read_words("who may use shared accounts").weights)
    assert not forbids(POLICY, read_words("who may use accounts of leavers").weights)
    assert not forbids("Passwords must not be written down. Shared accounts are disabled.", ["share", "account"])
    assert not forbids("Accounts are prohibited.", ["account", "use"])
