"""Slips of the finger in questions."""

from __future__ import annotations

import pytest

from coditect.retrieve.spelling import respelled

HELD = {"remuner": 40, "polici": 12, "conting": 2, "whistleblow": 3, "prohibit": 9, "right": 500}
"""How many units hold a stem."""


def holding(stem: str) -> int:
    """Count the units of a corpus that hold a stem."""
    return HELD.get(stem, 0)


@pytest.mark.parametrize("typed", ["remuneratoin", "remunertion", "remunerration", "remunerstion"])
def test_unknown_word_is_read_as_the_one_that_is_a_slip_away(typed: str) -> None:
    """Swapped, left out, doubled, changed."""
    assert respelled(f"Who sets the {typed} policy?", holding) == "Who sets the remuneration policy?"


def test_question_of_known_words_stays_the_same_object() -> None:
    """Nothing is spelled again."""
    query = "remuneration policy"
    assert respelled(query, holding) == query


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("the fight", "a common English word is spelled right, whatever the corpus says"),
        ("contingt", "two units may be misspelled themselves"),
        ('"remuneratoin" clause', "what is quoted is meant as it stands"),
        ("iPolicie", "capitals inside make a name"),
        ("olicies", "the first letter is right"),
        ("polcy", "two slips away from every word that is held"),
        ("Vorfälle melden", "letters of another alphabet"),
    ],
)
def test_word_is_left_alone(query: str, why: str) -> None:
    """What is no slip is not changed."""
    assert respelled(query, lambda stem: 0 if query == "polcy" else holding(stem)) == query, why
