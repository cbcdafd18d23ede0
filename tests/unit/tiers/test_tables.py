"""Rows of tables, and the cells that they leave empty."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.tiers.findings.tables import cells, columns, dates_of, due_cell, empty_columns, is_row

LABELS = st.lists(st.sampled_from(["Owner", "Status", "Due on", "Evidence", "Control ID"]), min_size=2, unique=True)
VALUES = st.text(alphabet="abc 0123456789-", min_size=1).map(str.strip).filter(bool)


@given(LABELS, st.data())
def test_cells_of_a_printed_row_are_its_labels_and_values(labels: list[str], data: st.DataObject) -> None:
    """What is printed as a row is read back as that row."""
    row = {label: data.draw(VALUES) for label in labels}
    printed = " | ".join(f"{label}: {value}" for label, value in row.items())
    assert is_row(printed)
    assert cells(printed) == row
    assert columns(printed) == ()


def test_cells_of_two_plain_cells_are_label_and_value() -> None:
    """A row of a two-column table has its first cell as label."""
    assert cells("Next review due | 2026-02-10") == {"Next review due": "2026-02-10"}


def test_columns_are_the_labels_of_a_header_only() -> None:
    """A header row has plain cells; a row with values is no header."""
    assert columns("Control ID | Title | Evidence") == ("Control ID", "Title", "Evidence")
    assert columns("Control ID: C-1 | Title: Access | Evidence: Export") == ()


def test_empty_columns_are_those_that_most_rows_fill() -> None:
    """A cell is called empty only where most rows of the table fill the column."""
    rows = [{"ID": str(n), "Evidence": "x"} for n in range(8)] + [{"ID": "8"}]
    assert empty_columns(rows) == [()] * 8 + [("Evidence",)]
    few = [{"ID": "1", "Note": "x"}, {"ID": "2"}, {"ID": "3"}, {"ID": "4"}, {"ID": "5"}]
    assert empty_columns(few) == [()] * 5


@given(st.lists(st.dictionaries(st.sampled_from("ABC"), st.just("x")), max_size=12))
def test_empty_columns_are_never_labels_of_their_own_row(rows: list[dict[str, str]]) -> None:
    """What a row has, it does not lack."""
    found = empty_columns(rows)
    assert len(found) == len(rows)
    assert all(not set(lacking) & set(row) for lacking, row in zip(found, rows, strict=True))


def test_dates_of_are_iso_dates_in_order() -> None:
    """Only whole ISO dates are read."""
    assert dates_of("from 2026-01-02 to 2026-11-30, part of 12026-01-023") == ("2026-01-02", "2026-11-30")


@pytest.mark.parametrize(
    ("label", "is_due"),
    [
        ("Expiry date (UTC)", True),
        ("Due date (dd/mm/yyyy)", True),
        ("Valid (until)", True),
        ("Conversion (end use)", False),
        ("Users", False),
    ],
)
def test_what_stands_in_brackets_behind_a_label_leaves_it_a_due_date(label: str, *, is_due: bool) -> None:
    """How a date is written, or in which time, is no other label."""
    assert (due_cell(f"Item | Owner | {label}") is not None) == is_due
