"""Words stand for those for which they stood."""

from __future__ import annotations

from tests.unit.verify.pinned_alignments import pinned, told


def test_rows_are_aligned_as_they_were() -> None:
    """Row by row; see :mod:`tests.unit.verify.pinned_alignments`."""
    for one, other, said in pinned():
        assert told(one, other) == said, one
