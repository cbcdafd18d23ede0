"""The days that acts of law give for themselves: when they were made, and from when they bind."""

from __future__ import annotations

import pytest

from coditect.documents.profile.guessing import guess_profile

ACT = """DIRECTIVE 2031/44 OF THE ASSEMBLY

of 7 May 2031

on lifts

Article 1

Owners shall test lifts.

Article 9

This Directive shall enter into force on the third day after its publication and shall apply from 1 January 2033.
Article 4 shall apply from 1 June 2034.
"""


@pytest.mark.parametrize(
    ("text", "date", "applies"),
    [
        (ACT, "2031-05-07", "2033-01-01"),
        (f"{ACT[:400]}\n\n{'Lifts are lifts. ' * 2_000}\n\n{ACT[400:]}", "2031-05-07", "2033-01-01"),
        ("Lift Safety Act\n\n1. Owners must test lifts.\n\n9. This Act comes into force on 1 July 2030.", "", "2030-07-01"),
        ("Lift Act\n\n1. In the Old Act, section 3 reads: “This Act shall apply from 1 March 1999.”", "", ""),
        ("Lift Act\n\nThis Act applies to lifts built from 1 May 2020.\n\nDone in Oslo, on 4 June 2019", "2019-06-04", ""),
        ("Lift Regulation\n\nIt enters into force on 1 May 2031. It shall apply from 1 May 2032.", "", "2032-05-01"),
    ],
)  # fmt: skip
def test_an_act_tells_when_it_was_made_and_from_when_it_binds(text: str, date: str, applies: str) -> None:
    """Behind its title or where it was signed; among its last provisions, and never what is quoted or of one article alone."""
    guesses = guess_profile("act.txt", "", text)
    found = [guesses.date, guesses.effective_from]
    assert [each.value if each else "" for each in found] == [date, applies]
    assert all(text[each.start : each.end] == each.quote for each in found if each)


def test_what_is_not_seen_does_not_move_the_places_of_days() -> None:
    """A soft hyphen before a day changes no offset of the words that tell it."""
    text = "Lift Act\n\nOwn\u00aders shall test lifts.\n\nThis Act shall apply from 1\u00a0January 2033."
    guess = guess_profile("act.txt", "", text).effective_from
    assert guess is not None
    assert (guess.value, text[guess.start : guess.end]) == ("2033-01-01", guess.quote)


def test_a_policy_says_in_its_head_alone_from_when_it_binds() -> None:
    """What a policy says of a law far behind is no day of its own."""
    text = f"# Lift Policy\n\nLifts are tested.\n\n{'More. ' * 6_000}\n\nIt shall apply from 1 May 2032."
    assert guess_profile("lifts.md", "Lift Policy", text).effective_from is None
