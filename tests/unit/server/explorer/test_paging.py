"""Long lists, a page at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coditect.server.explorer.paging import page_number, page_of, streamed


@pytest.mark.parametrize(
    ("given", "page"),
    [("3", 3), ("", 1), ("0", 1), ("-4", 1), ("x", 1), ("٣", 1), ("99999999999", 1), ("9999999", 1_000_000)],
)
def test_a_page_number_is_a_number(given: str, page: int) -> None:
    """What is none is the first page."""
    assert page_number(given) == page


def test_pages_hold_every_row_once() -> None:
    """And lead to each other; one behind the last is the last."""
    rows = list(range(103))
    seen: list[int] = []
    number = 1
    while True:
        page = page_of(rows, number, str, 25)
        assert page.total == 103
        assert page.rows == tuple(rows[page.first - 1 : page.last])
        seen += page.rows
        if not page.next:
            break
        number = int(page.next)
    assert seen == rows
    assert page_of(rows, 99, str, 25).number == 5
    assert page_of([], 4, str).first == 0


def test_a_stream_is_read_as_far_as_it_is_shown() -> None:
    """One row more than the page has, to know whether another one follows."""
    taken = 0

    def rows() -> Iterator[tuple[str, int]]:
        nonlocal taken
        for n in range(100_000):
            taken += 1
            yield str(n), n

    page = streamed(rows(), lambda cursor: f"after {cursor}", first=51, previous="before", size=10)
    assert (page.rows, page.next, page.total, page.first, page.last) == (tuple(range(10)), "after 9", None, 51, 60)
    assert taken == 11
    assert not streamed(iter([("0", 0)]), str, first=1).next
