"""Nouns that are made of a verb and its particle: the act, and that it is done, are one thing; two such acts are two."""

from __future__ import annotations

import pytest

from coditect.language.reading.equivalents import can_stand_for
from coditect.language.reading.stems import canonical_stem
from coditect.verify.staged.stages import assess

HEADED = "Account lockout after 5 failed attempts (30-minute lockout)"


def told(text: str, evidence: str = HEADED) -> tuple[str, set[str]]:
    """The label of a claim, and the contradictions that were found."""
    found = assess(text, [evidence], 0.7)
    return found.label, {each.name for each in found.signals if each.name.startswith("contradiction_")}


def test_an_act_told_by_its_verb_is_not_another_word() -> None:
    """No contradiction is told of a word that says the same; a figure that differs still is."""
    assert told("Accounts are locked for 30 minutes after 5 failed attempts.") == ("needs_review", set())
    assert told("The site is shut every Friday.", "Shutdown of the site every Friday")[1] == set()
    label, found = told("Accounts are locked for 20 minutes after 5 failed attempts.")
    assert (label, found) == ("unsupported", {"contradiction_duration"})
    assert "contradiction_number" in told("Accounts are locked for 30 minutes after 6 failed attempts.")[1]


@pytest.mark.parametrize(
    ("one", "other"), [("login", "logout"), ("signoff", "signup"), ("startup", "shutdown"), ("payout", "payback")]
)
def test_two_acts_with_one_verb_are_two(one: str, other: str) -> None:
    """The particle makes the difference."""
    assert not can_stand_for(canonical_stem(one), canonical_stem(other))
