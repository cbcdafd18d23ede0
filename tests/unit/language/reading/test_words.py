"""A text as words: offsets, keys, kinds and negation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.language.reading.words import WordKind, read_words


@given(st.text(max_size=200))
def test_words_of_any_text_stand_where_they_say(text: str) -> None:
    """Words are in order, apart, and each is the text between its offsets."""
    end = 0
    for word in read_words(text):
        assert end <= word.start < word.end <= len(text)
        assert text[word.start : word.end].startswith(word.text)
        assert word.key
        end = word.end


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("the payments were paid", ["the", "pay", "were", "pay"]),
        ("1,200.50 and 7.0", ["1200.5", "and", "7"]),
        ("the 3rd, the third", ["the", "3", "the", "3"]),
        ("30GB of 5mg", ["30", "gb", "of", "5", "mg"]),
        ("the US and the U.S.", ["the", "usa", "and", "the", "usa"]),
        ("doesn't, don’t", ["not", "not"]),
        ("the lessor's", ["the", "lessor"]),
    ],
)
def test_words_that_say_the_same_have_one_key(text: str, keys: list[str]) -> None:
    """Forms of one word, and numbers in digits and words, are compared by one key."""
    assert [word.key for word in read_words(text)] == keys


def test_word_kinds_are_told_apart() -> None:
    """Function words, content, names inside a sentence and numbers; a capital that opens a sentence proves nothing."""
    kinds = [word.kind for word in read_words("Banks pay Norwick twenty euros. NATO agrees.")]
    assert kinds == [
        WordKind.CONTENT, WordKind.CONTENT, WordKind.NAME, WordKind.NUMBER, WordKind.CONTENT, WordKind.NAME,
        WordKind.CONTENT,
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["not", "isn't", "without", "hardly", "fails", "Never"])
def test_word_negates_in_every_grade(word: str) -> None:
    """Absolute, approximate and implicit negators all count."""
    assert read_words(f"they {word} agree")[1].negates


def test_brackets_and_stops_are_kept_with_the_words() -> None:
    """Which clause a word is in, whether a stop stands before it, and whether it stands in brackets."""
    words = {word.text: word for word in read_words("Rent (monthly) is due, always; it rises.")}
    assert [words[each].aside for each in ("Rent", "monthly", "is")] == [False, True, False]
    assert [words[each].comma for each in ("Rent", "due", "always", "it")] == [True, False, True, True]
    assert [words[each].clause for each in ("Rent", "always", "it", "rises")] == [0, 0, 1, 1]


def test_stretch_given_as_whole_is_one_word_whatever_stands_in_it() -> None:
    """Its stops and brackets do not count, so the clause goes on behind it."""
    text = "within thirty (30) days; notify"
    words = read_words(text, [(7, 23)])
    assert [(word.text, word.clause) for word in words] == [("within", 0), ("thirty (30) days", 0), ("notify", 1)]
