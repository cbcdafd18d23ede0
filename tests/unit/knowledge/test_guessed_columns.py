"""Which columns of a framework's table hold what."""

from __future__ import annotations

import pytest

from coditect.knowledge.report.crosswalk.framework.guessing import guess_columns

LONG = ["Access shall be reviewed quarterly.", "Logs shall be kept for one year."]
IDS = ["A-1", "A-2"]


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        (
            {"Control ID": IDS, "Domain": ["X", "X"], "Title": ["Reviews", "Logs"], "Requirement text": LONG},
            {"statement": "Requirement text", "id": "Control ID", "title": "Title", "family": "Domain"},
        ),
        ({"Ref.": IDS, "Statement": LONG}, {"statement": "Statement", "id": "Ref."}),
        ({"No.": IDS, "Requirement": LONG, "Description": LONG}, {"statement": "Requirement", "id": "No."}),
        ({"Requirement": IDS, "Description": LONG}, {"statement": "Description", "id": "Requirement"}),
        ({"Control": IDS, "Specification": LONG}, {"statement": "Specification", "id": "Control"}),
        (
            {"#": IDS, "Control": LONG, "Category": ["X", "Y"]},
            {"statement": "Control", "id": "#", "family": "Category"},
        ),
        ({"CCM ID": IDS, "Control specification": LONG}, {"statement": "Control specification", "id": "CCM ID"}),
        # What stands in the cells decides where the heads do not.
        ({"ID": IDS, "Description": ["Reviews", "Logs"], "Control": LONG}, {"statement": "Control", "id": "ID"}),
    ],
)
def test_heads_and_cells_tell_the_columns(columns: dict[str, list[str]], found: dict[str, str]) -> None:
    """The plainest head of a field is taken, where its cells hold what the field does."""
    assert guess_columns(columns) == found


@pytest.mark.parametrize(
    "columns",
    [
        {"Ref": IDS, "Owner": ["Head of Operations at Northgate"] * 2},
        {"Statement": LONG, "Owner": ["Legal", "Legal"]},
        {"ID": IDS, "Statement": ["Yes", "No"]},
        {"ID": ["A", "A", "A", "A"], "Statement": LONG},
        {},
    ],
)
def test_what_cannot_be_told_is_not_guessed(columns: dict[str, list[str]]) -> None:
    """Without a column of statements or one of ids nothing is said."""
    assert guess_columns(columns) is None
