"""What the checker measures and finds is what it measured when its weights were fitted."""

from __future__ import annotations

import pytest

from tests.unit.verify import pinned_differences
from tests.unit.verify.pinned_judgements import PAIRS, judgement, pinned


@pytest.fixture(scope="module")
def written() -> dict[str, object]:
    """What was measured and found before."""
    return pinned()


@pytest.mark.parametrize("name", PAIRS)
def test_judgement_is_the_one_that_was_written_down(name: str, written: dict[str, object]) -> None:
    """Every measure, the probability that follows from them, and every contradiction with its place."""
    found, before = judgement(*PAIRS[name]), written[name]
    assert isinstance(before, dict)
    assert found["contradictions"] == before["contradictions"]
    assert found["places"] == before["places"]
    assert found["unreadable"] == before["unreadable"]
    assert found["features"] == pytest.approx(before["features"], abs=2e-6)
    assert found["probability"] == pytest.approx(before["probability"], abs=1e-5)
    assert len(found["parts"]) == len(before["parts"])
    for part, was in zip(found["parts"], before["parts"], strict=True):
        assert part == pytest.approx(was, abs=1e-5)


def test_every_pair_is_written_down(written: dict[str, object]) -> None:
    """And nothing else is."""
    assert list(written) == list(PAIRS)


def test_edited_sentences_are_told_from_what_they_were_made_of_as_before() -> None:
    """One edit changes force, scope, a figure, a name or a condition; what is found of each is written down."""
    found, before = pinned_differences.differences(), pinned_differences.pinned()
    assert list(found) == list(before)
    for claim, (probability, *contradictions) in found.items():
        was, *known = before[claim]
        assert contradictions == known, claim
        assert float(probability) == pytest.approx(float(was), abs=2e-4), claim
