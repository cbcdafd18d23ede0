"""Provisions, definitions, figures and references are read as they were."""

from __future__ import annotations

import pytest

from tests.unit.tiers.pinned_readings import DOCUMENTS, pinned, readings


@pytest.mark.parametrize("name", DOCUMENTS)
def test_readings_are_those_that_were_written_down(name: str) -> None:
    """Extraction by extraction; see :mod:`tests.unit.tiers.pinned_readings`."""
    assert readings(name) == pinned()[name]


def test_every_document_is_written_down() -> None:
    """And nothing else is."""
    assert list(pinned()) == list(DOCUMENTS)
