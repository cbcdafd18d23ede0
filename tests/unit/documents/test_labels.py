"""What the labels of clauses can mean."""

from __future__ import annotations

import pytest

from coditect.documents.structure.labels import candidates


def _readings(text: str) -> list[list[tuple[str, tuple[int | str, ...]]]]:
    """The readings of each label of a text, the likelier first."""
    return [[(reading.style, reading.path) for reading in each.readings] for each in candidates(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("(a) x", [("(a)", (1,))]),
        ("(z) x", [("(a)", (26,))]),
        ("(aa) x", [("(a)", (27,))]),
        ("(zz) x", [("(a)", (52,))]),
        ("(i) x", [("(a)", (9,)), ("(i)", (1,))]),
        ("(ii) x", [("(i)", (2,)), ("(a)", (35,))]),
        ("(iv) x", [("(i)", (4,))]),
        ("(ix) x", [("(i)", (9,))]),
        ("(xiv) x", [("(i)", (14,))]),
        ("II. x", [("I.", (2,)), ("A.", (35,))]),
        ("7) x", [("1)", (7,))]),
        ("1.2.3 x", [("dotted:3", (1, 2, 3))]),
        ("§ 12a x", [("§:2", (12, "a"))]),
        ("Section 3.2 x", [("section:2", (3, 2))]),
        ("Schedule 2 x", [("schedule", (2,))]),
        ("Article IV x", [("article", (4,))]),
        ("Article XC.", [("article", (90,))]),
        ("Exhibit C x", [("exhibit A:1", (3,)), ("exhibit", (100,))]),
        ("Annex A-1 x", [("annex A:2", (1, 1))]),
    ],
)
def test_label_reads_as_letters_numerals_and_numbers(
    text: str, readings: list[tuple[str, tuple[int | str, ...]]]
) -> None:
    """Letters and numerals count from one; of two readings a single letter is a letter first, a doubled one a numeral."""
    assert _readings(text) == [readings]


@pytest.mark.parametrize("text", ["(ab) x", "no label", "", "x (1"])
def test_words_that_count_nothing_are_no_label(text: str) -> None:
    """Two letters that differ, and no numeral: no place in a sequence."""
    assert _readings(text) == []


@pytest.mark.parametrize(
    ("text", "rank"), [("1. x", 5), ("A. x", 5), ("a. x", 6), ("b) x", 6), ("(1) x", 6), ("1.1 x", 5)]
)
def test_numbered_labels_hold_enumerated_ones(text: str, rank: int) -> None:
    """Numbers and capitals with a full stop stand above small letters and all that is in brackets."""
    (candidate,) = candidates(text, 0, len(text))
    assert {reading.rank for reading in candidate.readings} == {rank}


def test_parts_of_a_chain_are_labels_of_their_own() -> None:
    """ "(a)(1)" are two labels side by side, and what follows a space is none of the chain."""
    text = "(a)(1) and (b)"
    assert [(each.label, each.start, each.end, each.place) for each in candidates(text, 0, len(text))] == [
        ("(a)", 0, 3, "line"),
        ("(1)", 3, 6, "line"),
    ]
