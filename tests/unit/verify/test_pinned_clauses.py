"""Sentences of many clauses are compared as they were."""

from __future__ import annotations

import pytest

from tests.unit.verify.pinned_clauses import clauses, pinned


def test_edits_of_many_clauses_are_judged_as_they_were() -> None:
    """Edit by edit; see :mod:`tests.unit.verify.pinned_clauses`."""
    found, before = clauses(), pinned()
    assert list(found) == list(before)
    for claim, (probability, *contradictions) in found.items():
        was, *known = before[claim]
        assert contradictions == known, claim
        assert float(probability) == pytest.approx(float(was), abs=2e-4), claim
