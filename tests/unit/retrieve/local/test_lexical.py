"""One index of words: what is kept of it, and searches that let chosen units through."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from coditect.retrieve.local.lexical import LexicalIndex
from coditect.retrieve.port import Filter, unit_number
from coditect.retrieve.units import Unit
from coditect.retrieve.words import read_words

WORDS = read_words("clerk form")
TEXTS = ("the clerk signs a form", "the clerk", "a form, a form", "nobody", "clerk clerk clerk form")


def _item(number: int) -> str:
    return f"extraction_{number:040x}"


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    """Five units, the first two in one document and the others in another."""
    made = LexicalIndex.make(tmp_path / "i")
    writer = made.writer()
    writer.add(_units(TEXTS))
    writer.commit()
    return made


def _units(texts: Sequence[str]) -> list[Unit]:
    return [Unit(_item(n), "document_a" if n < 2 else "document_b", text) for n, text in enumerate(texts)]


def test_units_that_are_asked_for_are_scored_beside_what_a_filter_lets_through(index: LexicalIndex) -> None:
    """Each as it is scored in a search of all; what is neither in the filter nor asked for is left out."""
    every = index.ranked(WORDS, 10)
    scores = dict(zip(every.numbers.tolist(), every.scores.tolist(), strict=True))
    only = Filter(documents=frozenset(("document_a",)))
    found = index.ranked(WORDS, 10, only=only, units=[unit_number(_item(2)), unit_number(_item(3))])
    wanted = {number: scores[number] for number in map(unit_number, map(_item, (0, 1, 2)))}
    assert dict(zip(found.numbers.tolist(), found.scores.tolist(), strict=True)) == wanted
    assert set(index.ranked(WORDS, 10, only=only).numbers.tolist()) == {unit_number(_item(n)) for n in (0, 1)}


def test_frequency_is_that_of_what_was_committed_last(index: LexicalIndex) -> None:
    """What is kept of one state of an index is not told of the next one."""
    assert index.frequency("text", "clerk") == index.frequency("text", "clerk") == 3
    writer = index.writer()
    writer.add([Unit(_item(9), "document_c", "the clerk")])
    assert index.frequency("text", "clerk") == 3
    writer.commit()
    assert index.frequency("text", "clerk") == 4


@pytest.mark.parametrize("limit", [1, 2, 3, 9])
def test_best_matches_are_the_same_however_many_are_wanted(index: LexicalIndex, limit: int) -> None:
    """By score, and by id where scores are equal; the last that is wanted is told from its equals, too."""
    writer = index.writer()
    writer.add(Unit(_item(n), "document_c", "the clerk") for n in (9, 8, 7))
    writer.commit()
    every = index.search(WORDS, 9)
    assert every == sorted(every, key=lambda match: (-match.score, match.item_id))
    assert index.search(WORDS, limit) == every[:limit]
