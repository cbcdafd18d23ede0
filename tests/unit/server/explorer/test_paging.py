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


@pytest.mark.parametrize(
    ("given", "page"),
    [("1000000", 1_000_000), ("1000001", 1_000_000), ("2000000", 1_000_000), ("00000001", 1), ("0000002", 2)],
)
def test_a_page_number_has_seven_digits_at_most(given: str, page: int) -> None:
    """And is a million at most."""
    assert page_number(given) == page


@pytest.mark.parametrize(
    ("total", "number", "shown", "first", "last", "before", "behind"),
    [(0, 1, 0, 0, 0, "", ""), (1, 1, 1, 1, 1, "", ""), (24, 1, 24, 1, 24, "", ""), (25, 1, 25, 1, 25, "", ""),
     (26, 1, 25, 1, 25, "", "2"), (26, 2, 1, 26, 26, "1", ""), (75, 2, 25, 26, 50, "1", "3"), (75, 4, 25, 51, 75, "2", "")],
)  # fmt: skip
def test_a_page_says_which_rows_it_has(
    total: int, number: int, shown: int, first: int, last: int, before: str, behind: str
) -> None:
    """Twenty-five at most."""
    page = page_of(range(total), number, str)
    assert (len(page.rows), page.first, page.last, page.previous, page.next) == (shown, first, last, before, behind)
    assert page.is_all == (total <= 25)


@pytest.mark.parametrize(
    ("rows", "first", "number", "starts", "behind"),
    [(0, 1, 1, 0, ""), (1, 1, 1, 1, ""), (25, 1, 1, 1, ""), (26, 1, 1, 1, "after 24"), (30, 25, 1, 25, "after 24"),
     (3, 26, 2, 26, ""), (3, 51, 3, 51, "")],
)  # fmt: skip
def test_a_page_of_a_stream_leads_behind_its_last_row(
    rows: int, first: int, number: int, starts: int, behind: str
) -> None:
    """Where there is another one."""
    page = streamed(
        ((str(n), n) for n in range(rows)), lambda cursor: f"after {cursor}", first=first, previous="before"
    )
    assert (len(page.rows), page.number, page.first, page.next) == (min(rows, 25), number, starts, behind)
    assert (page.previous, page.total, page.is_all) == ("before", None, False)
    assert page.last == (starts + len(page.rows) - 1 if rows else 0)
