"""A label in a doubtful place is borne out by its sequence, or passed over."""

from __future__ import annotations

import pytest

from coditect.documents.source import SourceText
from coditect.documents.structure.outline import outline


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Section 1. General. Section 2. Duties. Section 3. End.\n", ["sec_1", "sec_2", "sec_3"]),
        ("1. Duties. The clerk shall: (a) file the return; (b) keep the copy.\n", ["sec_1"]),
        ("1. General\n\nThe clerk files. 2. Duties of the clerk. 3. End of it\n", ["sec_1", "sec_2", "sec_3"]),
    ],
)
def test_labels_behind_a_sentence_on_the_same_line(text: str, found: list[str]) -> None:
    """A label that goes on in its sequence opens a section behind the end of a sentence; letters of a list do not."""
    assert [each.section_id for each in outline(SourceText(text, "text/plain"))][1:] == found
