"""Pages: every row once, in order, whatever the limit; and cursors that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.assistants.paging import MOST_ROWS, page_after
from coditect.errors import UsageError


@given(st.integers(0, 130), st.integers(1, 200))
def test_every_row_comes_once(count: int, limit: int) -> None:
    """Page by page to the end."""
    rows, seen, cursor = list(range(count)), list[int](), ""
    while True:
        page, cursor = page_after(rows, cursor, limit)
        assert len(page) <= min(limit, MOST_ROWS)
        seen += page
        if not cursor:
            break
    assert seen == rows


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "9" * 40, "١", " 1"])
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    """With the way out."""
    with pytest.raises(UsageError) as refused:
        page_after([1, 2], cursor, 1)
    assert "next_cursor" in (refused.value.hint or "")
