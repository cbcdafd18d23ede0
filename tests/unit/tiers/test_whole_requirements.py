"""Sentences that are told as requirements, and those that say nothing by themselves."""

from __future__ import annotations

import pytest

from coditect.schemas import NormData
from coditect.tiers.claims import phrases


@pytest.mark.parametrize(
    ("text", "actor", "leans"),
    [
        ("The clerk shall sign.", "The clerk", False),
        ("It shall sign.", "It", True),
        ("1.2 It shall sign.", "", True),
        ("shall sign.", "The clerk", True),
        ("“Lamps” shall be lit.", "", False),
        ("[Name] shall sign.", "", False),
        ("The clerk shall:", "The clerk", True),
        ("The clerk shall sign,", "The clerk", True),
        ("The clerk shall sign and", "The clerk", True),
        ("The clerk shall sign or", "The clerk", True),
        ("In spring it shall sign.", "it", True),
        ("Items are fine.", "", False),
    ],
)
def test_duty_that_needs_the_sentence_before_it_leans(text: str, actor: str, leans: bool) -> None:
    """By a pronoun, or since it was cut in two."""
    assert phrases.leans(text, NormData(modality="shall", **({"actor": actor} if actor else {}))) is leans


@pytest.mark.parametrize(
    ("text", "partial"),
    [
        ("x" * 320, False),
        ("x" * 321, True),
        ("The clerk shall:", True),
        ("The clerk shall sign –", True),
        ("The clerk shall sign (“soon”).", False),
        ("The clerk shall sign the following", True),
        ("Such a clerk shall sign.", False),
        ("The clerk of such a house shall sign.", True),
        ("The clerk keeps " + "x" * 64 + ".", False),
        ("A lamp means any light.", True),
        ("No clerk is required to sign.", True),
        ("The clerk shall sign [●].", True),
    ],
)
def test_partial_sentence_is_no_requirement(text: str, partial: bool) -> None:
    """Too long, in the air, pointing elsewhere, defining, freeing, or with blanks."""
    assert phrases.is_partial(text) is partial
