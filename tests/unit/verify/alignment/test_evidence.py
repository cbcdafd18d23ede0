"""Evidence as an index of its words: what a word says, which sentences hold most of some words, and how much."""

from __future__ import annotations

import math

import pytest

from coditect.language.reading.words import WordKind, read_words
from coditect.verify.alignment.evidence import EVIDENCE_LIMIT, EvidenceIndex

LAMP, DOOR, BOTH, NONE = (
    "The lamp glows.",
    "The door creaks.",
    "A lamp lights the door.",
    "Rivers flow south.",
)


def test_words_are_found_by_sentence_and_by_place() -> None:
    """Places go on through all texts, and those of two sentences are at least 50 apart."""
    index = EvidenceIndex([LAMP, DOOR, BOTH])
    assert index.inside["lamp"] == [0, 2]
    assert index.inside["door"] == [1, 2]
    assert index.positions["lamp"] == [1, 3 + 50 + 3 + 50 + 1]
    assert index.positions["door"] == [3 + 50 + 1, 3 + 50 + 3 + 50 + 4]
    assert [each.text_index for each in index.sentences] == [0, 1, 2]


def test_word_that_a_sentence_repeats_is_in_it_once_and_at_two_places() -> None:
    """Also where another sentence has it again."""
    index = EvidenceIndex(["The lamp is a lamp.", LAMP])
    assert index.inside["lamp"] == [0, 1]
    assert index.positions["lamp"] == [1, 4, 5 + 50 + 1]


def test_no_more_than_two_thousand_sentences_are_read() -> None:
    """What stands behind is no evidence."""
    index = EvidenceIndex([f"Row {number} lies in the yard." for number in range(EVIDENCE_LIMIT + 3)])
    assert len(index.sentences) == EVIDENCE_LIMIT == 2_000
    assert index.sentences[-1].text_index == 1_999


@pytest.mark.parametrize(
    ("word", "kind", "share", "count"),
    [
        ("lamp", WordKind.CONTENT, 1.0, 2),
        ("river", WordKind.CONTENT, 1.0, 1),
        ("glacier", WordKind.CONTENT, 1.0, 0),
        ("the", WordKind.FUNCTION, 0.0, 3),
    ],
)
def test_word_says_more_the_rarer_it_is(word: str, kind: WordKind, share: float, count: int) -> None:
    """By how many of the four sentences have it; small words say nothing."""
    index = EvidenceIndex([LAMP, DOOR, BOTH, NONE])
    (found,) = (each for each in read_words(f"One {word}.") if each.low == word)
    assert found.kind == kind
    assert index.weight(found) == pytest.approx(share * math.log(2.0 + 5 / (count + 0.5)))


def test_names_and_numbers_say_more() -> None:
    """By three in ten."""
    index = EvidenceIndex([LAMP])
    named, number, plain = (
        next(each for each in read_words(f"See {word}.") if each.low == word.lower())
        for word in ("Halden", "417", "glacier")
    )
    assert index.weight(named) == pytest.approx(1.3 * index.weight(plain))
    assert index.weight(number) == pytest.approx(1.3 * index.weight(plain))


def test_sentences_are_ranked_by_what_they_hold() -> None:
    """By weight; equal ones in their order; those that hold nothing are left out."""
    index = EvidenceIndex([LAMP, DOOR, BOTH, NONE])
    words = read_words("A lamp and a door.")
    assert index.rank(words) == [(1.0, 2), (pytest.approx(0.5), 0), (pytest.approx(0.5), 1)]
    assert index.rank(read_words("Of the and.")) == []
    assert EvidenceIndex([]).rank(words) == []


def test_sentences_that_together_hold_most_are_chosen_one_after_another() -> None:
    """Each for what those before it lack, no more than are wanted."""
    index = EvidenceIndex([LAMP, DOOR, BOTH, NONE])
    every = read_words("The lamp glows, the door creaks, rivers flow.")
    share, chosen = index.cover(every)
    assert chosen == (3, 0, 1)
    assert share == pytest.approx(1.0)
    fewer, first = index.cover(every, most=1)
    assert first in ((0,), (1,), (2,), (3,))
    assert 0.0 < fewer < 1.0
    assert index.cover(every, most=0) == (0.0, ())
    assert index.cover(read_words("Of the and.")) == (0.0, ())
    assert index.cover(read_words("A glacier.")) == (0.0, ())
    assert index.cover(read_words("Lamp and door."))[1] == (2,)


def test_share_that_is_covered_counts_what_is_not() -> None:
    """Of a word that is there and one that is nowhere, by weight."""
    index = EvidenceIndex([LAMP])
    there, nowhere = (index.weight(each) for each in read_words("lamp glacier"))
    share, chosen = index.cover(read_words("lamp glacier"))
    assert chosen == (0,)
    assert share == pytest.approx(there / (there + nowhere))


def test_keys_are_found_by_their_first_four_letters() -> None:
    """Sorted; shorter keys and numbers by none."""
    index = EvidenceIndex(["Lantern and lanyard, lance and pen, 2024 pens, oak."])
    assert index.with_prefix("lant") == [each for each in index.inside if each.startswith("lant")]
    assert len(index.with_prefix("lanc")) == 1
    assert index.with_prefix("2024") == []
    assert index.with_prefix("oak") == []
    assert index.with_prefix("zzzz") == []
    four = next(key for key in EvidenceIndex(["A lamp."]).inside if key == "lamp")
    assert EvidenceIndex(["A lamp."]).with_prefix("lamp") == [four]


def test_first_letters_and_folded_text_are_one_row_a_sentence() -> None:
    """As abbreviations and labels are looked up."""
    index = EvidenceIndex(["The  Lamp\nglows.", DOOR])
    assert index.initials == "tlg tdc"
    assert index.folded == "the lamp glows.\nthe door creaks."
