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


def _labels(text: str) -> list[str]:
    return [each.label for each in outline(SourceText(text, "text/plain"))][1:]


def test_a_label_behind_a_title_and_a_dash_is_the_first_inside() -> None:
    """Regulations print "(b) Title—(1) Title."; what goes on with "(2)" is beside it, and what is behind a plain dash is none."""
    keys = "(b) Return of keys—(1) On leaving. Keys are returned.\n\n(2) On loss. It is told.\n\n(3) Copies.\n"
    assert _labels(f"§ 7.1 Keys.\n\n(a) Keeper.\n\n{keys}") == ["§ 7.1", "(a)", "(b)", "(1)", "(2)", "(3)"]
    assert "(1)" not in _labels("§ 7.1 Keys.\n\n(a) The keeper pays the costs—(1) and (2) apply.\n\n(b) Copies.\n")


def test_clauses_that_are_not_printed_leave_the_others_where_they_are() -> None:
    """A line of asterisks, as amendments print it, or a chain of labels is no item of the list before it."""
    doors = "§ 7.2 Locks.\n\n(a)(1) Doors are locked.\n\n* * * * *\n\n(j)(2) Locks are counted.\n"
    assert _labels(doors) == ["§ 7.2", "(a)", "(1)", "(j)", "(2)"]
    posts = "(a) Posts.\n\n(1)(i) One at each gate.\n\n(2)(i) Two at night.\n\n(9)(i) Three on Sundays.\n"
    assert _labels(f"§ 7.3 Guards.\n\n{posts}") == ["§ 7.3", "(a)", "(1)", "(i)", "(2)", "(i)", "(9)", "(i)"]
