"""The measures of whole runs say of our own small material what they said, and count as their sources do."""

from __future__ import annotations

import pytest
from coditect_benchmarks.extraction import _key, _matches, _place
from coditect_benchmarks.selection import PASSAGE, passages
from coditect_benchmarks.sentences import Score, by_paragraph, first_letters, located, score, total

from benchmark_tests.pinned_measures import MEASURES, as_read, pinned


@pytest.mark.parametrize("name", MEASURES)
def test_measure_says_what_was_written_down(name: str) -> None:
    """Figures, tables and lists; see :mod:`benchmark_tests.pinned_measures`."""
    found, before = as_read(MEASURES[name]()), pinned()[name]
    assert list(found) == list(before)
    for part, said in found.items():
        assert said == before[part], part


@pytest.mark.parametrize(
    ("lengths", "runs"),
    [
        ([], []),
        ([10], [(0, 1)]),
        ([PASSAGE - 10, 10], [(0, 2)]),
        ([PASSAGE - 10, 11], [(0, 1), (1, 2)]),
        ([PASSAGE + 1, 5, 5], [(0, 1), (1, 3)]),
        ([5, PASSAGE + 1, 5], [(0, 1), (1, 2), (2, 3)]),
    ],
)
def test_passages_are_runs_of_2400_characters(lengths: list[int], runs: list[tuple[int, int]]) -> None:
    """A longer sentence is a passage by itself."""
    spans, at = [], 0
    for length in lengths:
        spans.append((at, at + length))
        at += length
    assert (passages(spans), PASSAGE) == (runs, 2400)


@pytest.mark.parametrize(
    ("gold", "found", "best"),
    [
        (("a", 0, 10), [("a", 0, 10)], ("a", 0, 10)),
        (("a", 0, 10), [("b", 0, 10)], None),
        (("a", 0, 10), [("a", 0, 5)], ("a", 0, 5)),
        (("a", 0, 10), [("a", 0, 4)], None),
        (("a", 0, 10), [("a", 5, 20)], None),
        (("a", 0, 10), [("a", 0, 9), ("a", 0, 10), ("a", 1, 10)], ("a", 0, 10)),
        (("a", 0, 10), [("a", 10, 20), ("a", 2, 12)], ("a", 2, 12)),
    ],
)
def test_finding_matches_from_half_of_the_union_on(
    gold: tuple[str, int, int], found: list[tuple[str, int, int]], best: tuple[str, int, int] | None
) -> None:
    """Of its own kind, and the one with most in common."""
    assert _matches(gold, found) == best


def test_words_of_the_markup_are_compared_without_their_kind() -> None:
    """Case, white space, and punctuation at the edges are nothing."""
    assert _key(" “The Key”, ") == "thekey"
    assert {_place(each) for each in ("§ 1002.2", "Section 1002.2", "§§1002.2", "section 1002.2.")} == {"1002.2"}
    assert _place("Appendix A") == "a"
    assert _place("the Act") == "theact"


def test_pieces_are_located_without_white_space() -> None:
    """Whatever white space a library drops."""
    assert located("a b.  c\td. e", ["a b.", "c d.", "e"]) == [0, 6, 11]
    assert first_letters("ab  cd ", [0, 2, 4, 6, 7]) == [0, 4, 4, 7, 7]


def test_starts_by_paragraph_are_those_of_the_text() -> None:
    """Blank lines end a paragraph, and empty ones are none."""
    asked: list[str] = []

    def segment(text: str) -> list[int]:
        asked.append(text)
        return [0, 1]

    assert by_paragraph(segment)("ab\n\ncd\n \n  \n\nef\n\n") == [0, 1, 4, 5, 13, 14]
    assert [each.strip() for each in asked] == ["ab", "cd", "ef"]


def test_boundaries_count_strictly_between_two_places() -> None:
    """What the gold ignores counts for nothing; each boundary of several texts counts once."""
    case = {"boundaries": [0, 5, 9, 12, 20], "ignore": [7]}
    one = score([0, 5, 7, 8, 12, 20], case, 0, 20)
    assert (one.found, one.wanted, one.hits) == (3, 3, 2)
    assert total([one, Score(1, 2, 1)]) == Score(4, 5, 3)
    assert Score(4, 5, 3).row().split() == ["0.750", "0.600", "0.667"]
    assert Score(0, 5, 0).row().split() == ["0.000", "0.000", "0.000"]
