"""The label of a point of a list, and what only looks like one."""

from __future__ import annotations

import pytest

from coditect.language.reading.item_labels import find_item_start


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4. Accounts are disabled.", "Accounts are disabled."),
        ("18) The Committee accepted it.", "The Committee accepted it."),
        ("(7) Staff lock the door.", "Staff lock the door."),
        ("1.2. Staff lock the door.", "Staff lock the door."),
        ("1.2 Line managers review rights.", "Line managers review rights."),
        ("(iv) the Bank reports.", "the Bank reports."),
        ("b) the Bank reports.", "the Bank reports."),
        ("c. The Bank reports.", "The Bank reports."),
        ("IV. Each user signs.", "Each user signs."),
        ("Point 3: The Bank reports.", "The Bank reports."),
        ("- 3. Records are kept.", "Records are kept."),
    ],
)
def test_label_of_a_point_is_no_part_of_what_it_says(text: str, said: str) -> None:
    """Numbers, letters and roman numerals in the forms that lists have."""
    assert text[find_item_start(text) :] == said


@pytest.mark.parametrize(
    "text",
    [
        "2.5 million customers are told.",
        "2.5 Hours are enough.",
        "2.5 Gbps uplinks are there.",
        "2.4 GHz is the band.",
        "99.9 Availability is promised.",
        "24 hours are enough.",
        "12. March is the day.",
        "3.5 EUR are due.",
        "A. Smith signs.",
        "i.e. The Bank reports.",
        "(new) Employees sign.",
        "No. 4 The Strand is the office.",
        "c. 400 users sign.",
        "The Bank reports.",
        "4.",
        "",
    ],
)
def test_amounts_days_and_initials_are_no_labels(text: str) -> None:
    """What may be a part of the sentence stays in it."""
    assert find_item_start(text) == 0
