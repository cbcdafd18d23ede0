"""A sample of the gold: shares of genres, parts that share no document, the same for the same seed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from coditect_benchmarks.gold.by_model.drawing import drawn
from coditect_benchmarks.gold.store import GoldUnit

from benchmark_tests.gold.by_model.material import gold


def _units(genre: str, documents: int, each: int) -> list[GoldUnit]:
    one = gold()[0]
    return [
        one.model_copy(
            update={
                "unit": one.unit.model_copy(
                    update={"id": f"{genre}-{number}-{at}", "genre": genre, "document": f"{genre}:{number}"}
                )
            }
        )
        for number in range(documents)
        for at in range(each)
    ]


def _documents(sample: list[GoldUnit], genre: str) -> set[str]:
    return {each.unit.document for each in sample if each.unit.genre == genre}


def test_genres_have_their_shares_over_many_documents() -> None:
    """Of a genre with ten documents ten units come of ten; the smallest genre gives one at least."""
    every = _units("contract", 10, 6) + _units("policy", 2, 18) + _units("call", 1, 4)
    sample = drawn(every, 20, seed=3)
    assert Counter(each.unit.genre for each in sample) == {"contract": 12, "policy": 7, "call": 1}
    assert len(_documents(sample, "contract")) == 10
    assert sample == drawn(list(reversed(every)), 20, seed=3) != drawn(every, 20, seed=4)
    assert sorted(each.unit.id for each in drawn(every, 0, seed=3)) == sorted(each.unit.id for each in every)


def test_parts_share_no_document_and_leave_nothing_out() -> None:
    """The units of a genre's only document are dealt out instead."""
    every = _units("contract", 7, 3) + _units("catalogue", 1, 9)
    parts = [drawn(every, 0, 5, part, 2) for part in (1, 2)]
    assert sorted(each.unit.id for part in parts for each in part) == sorted(each.unit.id for each in every)
    assert not _documents(parts[0], "contract") & _documents(parts[1], "contract")
    assert [sum(each.unit.genre == "catalogue" for each in part) for part in parts] == [5, 4]
    assert len(drawn(every, 10, 5, 2, 2)) == 10


@pytest.mark.parametrize(("most", "part", "parts"), [(-1, 1, 1), (5, 0, 2), (5, 3, 2)])
def test_parts_that_are_not_there_are_refused(most: int, part: int, parts: int) -> None:
    """With what was asked for."""
    arguments: dict[str, Any] = {"most": most, "seed": 1, "part": part, "parts": parts}
    with pytest.raises(ValueError, match=f"part {part} of {parts} with {most} units"):
        drawn(gold(), **arguments)
