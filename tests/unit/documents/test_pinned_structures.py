"""Documents with many forms of labels are cut as they were."""

from __future__ import annotations

import pytest

from tests.unit.documents.pinned_structures import DOCUMENTS, pinned, structure


@pytest.mark.parametrize("name", DOCUMENTS)
def test_structure_is_the_one_that_was_written_down(name: str) -> None:
    """Sections, blocks, sentences with their locators, and passages; see :mod:`tests.unit.documents.pinned_structures`."""
    found, before = structure(name), pinned()[name]
    assert found.keys() == before.keys()
    for part, made in found.items():
        assert made == before[part], part


def test_every_document_is_written_down() -> None:
    """And nothing else is."""
    assert list(pinned()) == list(DOCUMENTS)
