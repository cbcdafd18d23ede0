"""Words that can stand for each other, and those that only look alike."""

from __future__ import annotations

import pytest

from coditect.language.reading.equivalents import can_stand_for
from coditect.language.reading.sentence import read_sentence
from coditect.language.reading.stems import canonical_stem as stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("notify", "inform"),
        ("retain", "keep"),
        ("receipt", "receive"),
        ("resolve", "resolution"),
        ("commence", "begin"),
    ],
)
def test_synonyms_and_derivations_stand_for_each_other(one: str, other: str) -> None:
    """Plain words for formal ones, synonyms and forms of one word, in either direction."""
    assert can_stand_for(stem(one), stem(other))
    assert can_stand_for(stem(other), stem(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("licensor", "licensee"),
        ("employer", "employee"),
        ("approve", "reject"),
        ("monday", "sunday"),
        ("tenant", "rent"),
    ],
)
def test_roles_opposites_and_members_of_a_family_do_not(one: str, other: str) -> None:
    """Who gives is not who gets, whatever the letters; what is opposed or excludes is no synonym."""
    assert not can_stand_for(stem(one), stem(other))


def test_verb_of_several_words_is_one_word() -> None:
    """ "Make sure" is one token, with the stem of the single word that says the same."""
    tokens = read_sentence("They must make sure that it is set up.").tokens
    assert [token.key for token in tokens if " " in token.low] == [stem("ensure"), stem("establish")]


def test_provided_behind_an_auxiliary_is_a_verb() -> None:
    """ "Has provided the customer with" makes no condition; "provided that" does."""
    assert not any(
        token.role == "condition" for token in read_sentence("It has provided the customer with a key.").tokens
    )
    assert any(
        token.role == "condition" for token in read_sentence("It may stay, provided the customer agrees.").tokens
    )
