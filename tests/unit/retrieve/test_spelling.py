"""Slips of the finger in questions."""

from __future__ import annotations

import pytest

from coditect.retrieve.spelling import respelled, spelled_as_here

HELD = {"remuner": 40, "polici": 12, "conting": 2, "whistleblow": 3, "prohibit": 9, "right": 500, "lead": 70}
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
        ("annual leave", "a word of any table of the language is spelled right, too"),
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


@pytest.mark.parametrize(
    ("query", "held", "asked"),
    [
        ("a bug bounty programme?", "program", "a bug bounty program?"),
        ("Training programmes", "program", "Training programs"),
        ("our organization", "organis", "our organisation"),
        ("staff behaviour", "behavior", "staff behavior"),
        ("a programme", "programm", "a programme"),
        ('the "programme"', "program", 'the "programme"'),
        ("a programme", "nothing", "a programme"),
    ],
)
def test_what_two_countries_spell_in_two_ways_is_asked_as_the_corpus_spells_it(
    query: str, held: str, asked: str
) -> None:
    """Where the corpus has the other spelling and not this one; what is quoted stands."""
    assert spelled_as_here(query, lambda stem: int(stem == held)) == asked


@pytest.mark.parametrize("word", ["programme", "organisation", "behaviour", "licence", "instalments"])
def test_a_spelling_of_another_country_is_no_slip(word: str) -> None:
    """However near to a word of the corpus it is."""
    near = {"programe", "organis", "behavi", "program", "licens", "instal"}
    assert respelled(word, lambda stem: 99 if stem in near and stem != word else 0) == word
