"""The dependency parser bounds the parts of clauses as it did, on parses of our own."""

from __future__ import annotations

import pytest
from coditect_benchmarks.parsing.candidates import bare_clauses, without
from coditect_benchmarks.parsing.dependency import Parses

from .material import task
from .pinned_parses import DOCS, everything, pinned


def test_parses_are_read_as_was_written_down() -> None:
    """Clauses, their parts and the hints of every sentence; see :mod:`.pinned_parses`."""
    found, before = everything(), pinned()
    assert list(found) == list(before)
    for text, said in found.items():
        assert said == before[text], text


def test_parse_of_a_sentence_is_made_once_and_its_words_are_counted() -> None:
    """What it costs is told for each sentence once."""
    asked: list[str] = []
    text = next(iter(DOCS))

    def pipeline(sentence: str) -> object:
        asked.append(sentence)
        return DOCS[sentence]

    parses = Parses(pipeline)
    assert (parses.seconds, parses.words) == (0.0, 0)
    assert parses.of(text) is parses.of(text) is DOCS[text]
    assert asked == [text]
    assert parses.words == len(text.split())
    assert parses.seconds >= 0


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("The porter must lock the gate; he may rest.", ["The porter must lock the gate", "; he may rest"]),
        ("The porter must lock the gate and may rest.", ["The porter must lock the gate and may rest"] * 2),
        ("Must the porter lock the gate?", []),
    ],
)
def test_candidate_reaches_from_stop_to_stop(text: str, clauses: list[str]) -> None:
    """What two modal expressions share lies in the clauses of both; a question binds nobody."""
    assert [text[slice(*clause.whole)] for clause in bare_clauses(task(text))] == clauses


@pytest.mark.parametrize(
    ("cuts", "left"),
    [
        ([], ["pay the rent, within 5 days, in cash"]),
        (["within 5 days"], ["pay the rent", "in cash"]),
        (["pay the rent, within"], ["5 days, in cash"]),
        (["in cash and"], ["pay the rent, within 5 days"]),
        (["within 5 days", "the rent"], ["pay", "in cash"]),
        (["pay the rent, within 5 days, in cash and"], []),
        (["pay the rent, within 5 days, in cash a"], []),
        (["pay the rent, within 5 days, in cash"], ["and"]),
        (["I must"], ["pay the rent, within 5 days, in cash"]),
    ],
)
def test_stretch_without_some_others(cuts: list[str], left: list[str]) -> None:
    """Marks and connectives at the edges of what is left go, and so does what is too short to be anything."""
    text = "I must pay the rent, within 5 days, in cash and"
    place = (text.index("pay"), len(text))
    found = without(text, place, [(text.index(cut), text.index(cut) + len(cut)) for cut in cuts])
    assert [text[slice(*each)] for each in found] == left
