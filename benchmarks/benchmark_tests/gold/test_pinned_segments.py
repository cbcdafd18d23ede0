"""Documents of our own are cut into the units that they were cut into."""

from __future__ import annotations

import pytest
from coditect_benchmarks.gold.segments import split_sentences

from benchmark_tests.gold.pinned_segments import DOCUMENTS, pinned, units


@pytest.mark.parametrize("name", DOCUMENTS)
def test_units_are_those_that_were_written_down(name: str) -> None:
    """Lines, units, strata and surroundings; see :mod:`benchmark_tests.gold.pinned_segments`."""
    found = units(name)
    for part, before in pinned()[name].items():
        assert found[part] == before, part


def test_every_document_is_written_down() -> None:
    """And nothing else is."""
    assert list(pinned()) == list(DOCUMENTS)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("He came. She left.", 2),
        ("He came. she left.", 1),
        ("He saw No. 7 there.", 1),
        ("He saw Mr. Smith there.", 1),
        ("He came at 3 p.m. She left.", 1),
        ("1.2.\tHe came. She left.", 2),
        ("A rule of this kind has a label that is as long as a label may be at the most ends.\tSo it is.", 2),
        ("Was it? Yes! So it was.", 3),
        ("   ", 0),
        ("No end", 1),
    ],
)
def test_sentences_of_a_line(text: str, count: int) -> None:
    """A stop ends one before a capital letter, unless it belongs to an abbreviation or to the line's number."""
    assert len(split_sentences(text, 0, len(text))) == count
