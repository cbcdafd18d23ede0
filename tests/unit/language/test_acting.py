"""Whom learnt weights take for somebody who acts, where no table knows the subject; all sentences are invented."""

from __future__ import annotations

import pytest

from coditect.language.norms.actors.acting import ActingWeights, act_features, can_act, name_features, read_weights
from coditect.language.norms.actors.agents import is_agent
from tests.unit.language.clauses import only_clause


@pytest.mark.parametrize(
    ("text", "actor"),
    [
        ("The Trust must give notice to each neighbour.", "The Trust"),
        ("The Mounted Police shall maintain a register of lamps.", "The Mounted Police"),
        ("The notice must state the date of the visit.", None),
        ("The contract must contain a list of lamps.", None),
        ("The risk assessment must address the use of lamps.", None),
    ],
)
def test_subject_that_no_table_knows_holds_what_only_somebody_does(text: str, actor: str | None) -> None:
    """Name and act together decide: a trust that gives notice acts, a notice that states a date does not."""
    data = only_clause(text)
    assert data.get("actor") == actor
    assert is_agent(text.split(" must")[0].split(" shall")[0], opens=False) is False


def test_weights_are_added_by_feature() -> None:
    """The log-odds of a subject are the bias and what is known of its features; unknown ones weigh nothing."""
    weights = ActingWeights("acting/0", -1.0, {"verb give": 2.0, "word trust": 0.5, "determiner the": 0.25})
    assert weights.log_odds("the Trust", "give notice", "must") == 1.75
    assert weights.log_odds("the Zyx", "state a date", "must") == -0.75


def test_features_pass_over_what_stands_in_front_of_a_verb() -> None:
    """Adverbs tell nothing of who acts; a light verb counts together with what follows it."""
    assert "verb give" in list(act_features("promptly also give notice", "shall not"))
    assert "both be responsible" in list(act_features("be responsible for it", "must"))
    assert list(act_features("", "must")) == []


def test_name_is_judged_by_the_noun_that_heads_it() -> None:
    """What hangs on a noun is not its head: "the Trust for lamps" ends in a trust."""
    assert "word trust" in list(name_features("the Trust for lamps"))
    assert "capital" in list(name_features("the Trust"))


def test_nothing_is_judged_of_a_subject_without_a_name_or_an_act() -> None:
    """An act that begins with a mark has no verb to judge by."""
    assert not can_act("", "give notice", "must")
    assert not can_act("the Trust", ", if asked, give notice", "must")


def test_installed_weights_name_their_version() -> None:
    """Whoever changes the weights changes their name, and the rules' version with it."""
    assert read_weights().version == "acting/1"
    assert len(read_weights().weights) > 1_000
