"""Claims that are just readable, and claims that are just not."""

from __future__ import annotations

import pytest

from coditect.language.reading.words import read_words
from coditect.verify.support.guard import LONGEST_CLAIM, unreadable


def _unreadable(claim: str) -> str:
    return unreadable(claim, read_words(claim))


def test_claim_of_the_greatest_length_is_read() -> None:
    """One code point more is a document."""
    claim = ("The clerk opens a letter. " * 400)[: LONGEST_CLAIM - 1] + "s"
    assert len(claim) == LONGEST_CLAIM == 8_000
    assert _unreadable(claim) == ""
    assert _unreadable(claim + ".") == "too long"


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("The 1234567.", ""),  # 3 letters of 11 signs, and nothing like markup
        ("A 12345678.", "markup"),  # 1 letter is fewer than three
        ("It 1234567.", "markup"),
        ("ab 12", ""),  # as many letters as others
        ("ab 123", "markup"),  # one fewer
        ("abc 1234", ""),
        ("<b>abcd</b>", "markup"),  # 4 letters of 11 signs, and tags
        ("<b>abcdef</b>", "markup"),
        ("<b>abcdefg</b>", ""),  # 7 of 14
        ("<i>The clerk</i> opens the {{thing}} now and then.", "markup"),
        ("<i>The clerk</i> opens a letter now and then.", ""),  # two marks are always allowed
        ("<i>The clerk</i> opens <b>a letter now and then in the old hall of the northern tower today", "markup"),
        ("<i>The clerk</i> opens <b>a letter now and then in the old hall of the northern tower this day", ""),
    ],
)
def test_markup_is_told_by_the_share_of_letters_and_of_marks(claim: str, reason: str) -> None:
    """Fewer than half letters with a mark among them, or fewer than three; more than two marks and one in six words."""
    assert _unreadable(claim) == reason


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("abcdefg жзи", ""),  # seven letters of ten are Latin
        ("abcdef жзий", "language"),  # six are not enough
        ("The value of α and β exceeds the value of γ.", ""),
        ("Der und Vertrag the", "language"),
        ("Der the Vertrag and contract of him", ""),
        ("The mayor of Köln opens a café.", ""),
        ("Köln Gefäß Müller Straße Größe", "language"),
        ("Köln Gefass Müller Strasse Grosse", ""),  # two accents may be names
        ("Köln Gefäß Müller Straße", ""),  # four words may be names
    ],
)
def test_language_is_told_by_letters_and_by_small_words(claim: str, reason: str) -> None:
    """Seven Latin letters of ten; small words of other languages that outnumber the English; accents where there are none."""
    assert _unreadable(claim) == reason
