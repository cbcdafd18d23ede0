"""What is written is cut into batches that fit."""

from __future__ import annotations

import pytest

from coditect.engine.batches import batches


@pytest.mark.parametrize(
    ("sizes", "most_bytes", "most", "cut"),
    [
        ([], 10, None, []),
        ([4, 6, 1], 10, None, [[4, 6], [1]]),
        ([4, 7, 3], 10, None, [[4], [7, 3]]),
        ([20, 1], 10, None, [[20], [1]]),
        ([1, 20, 1], 10, None, [[1], [20], [1]]),
        ([1, 1, 1, 1, 1], 10, 2, [[1, 1], [1, 1], [1]]),
        ([1, 1], 10, 2, [[1, 1]]),
        ([9, 1, 1], 10, 5, [[9, 1], [1]]),
        ([0, 0, 0], 10, 1, [[0], [0], [0]]),
    ],
)
def test_batch_is_full_where_the_next_item_does_not_fit(
    sizes: list[int], most_bytes: int, most: int | None, cut: list[list[int]]
) -> None:
    """By bytes or by number, whichever comes first; an item that is too long has a batch of its own; none is empty."""
    assert list(batches(sizes, lambda size: size, most_bytes, most)) == cut
