"""Definitions whose verb stands apart from its term, or belongs to several terms."""

from __future__ import annotations

import pytest

from coditect.language.definitions.prose import find_definitions


def _terms(sentence: str) -> list[str]:
    return [str(mark.data["term"]) for mark in find_definitions(sentence, 0, len(sentence))]


@pytest.mark.parametrize(
    ("sentence", "terms"),
    [
        ('"organ of state" bears the meaning assigned to it in section 9 of the Charter.', ["organ of state"]),
        ('"keeper", means a person who keeps keys.', ["keeper"]),
        ('"adopt", in relation to a plan, a scheme or a policy, means the approval of it.', ["adopt"]),
        ('"period", referred to in sections 7(5), 8 and 9, means the time that the Board sets.', ["period"]),
        ('(a) "garden waste" which means grass and leaves;', ["garden waste"]),
        ('The term "Least Share" shall be equal to the share set out in Schedule 1.', ["Least Share"]),
        ('"Boat" and "Barge" have the meaning given to them in the Harbour Act.', ["Boat", "Barge"]),
        ('"Boat" or "Vessel" has the meaning given in the Harbour Act.', ["Boat", "Vessel"]),
        ("Any reference to 'crowns' or '¢' is a reference to money.", ["crowns", "¢"]),
        (
            "PART 5.4.2.(4) For the purposes of (1), an interim period is the period covering the winter.",
            ["interim period"],
        ),
        ("region of Lowland[Repealed, 2022-20, s. 1]", []),
        ('The keeper bears the cost of "Boat" and "Barge".', []),
    ],
)
def test_terms(sentence: str, terms: list[str]) -> None:
    """What only says that a term is repealed, or what is said of a quoted word, defines nothing."""
    assert _terms(sentence) == terms
