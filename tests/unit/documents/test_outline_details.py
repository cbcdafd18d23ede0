"""Details of outlines: steps between labels, headings that are names, numbers of lists."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.documents.structure.bare_sections import _is_name
from coditect.documents.structure.labels import LabelReading
from coditect.documents.structure.steps import follows


def _label(style: str, *path: int | str) -> LabelReading:
    return LabelReading(style, path, 6)


@pytest.mark.parametrize(
    ("before", "after", "steps"),
    [
        (_label("1.", 2), _label("1.", 3), 1),
        (_label("1.", 2), _label("1.", 5), 3),
        (_label("1.", 2), _label("1.", 2), 0),
        (_label("1.", 3), _label("1.", 2), 0),
        (_label("1.", 2), _label("(a)", 3), 0),
        (_label("dotted:2", 4, 1), _label("dotted:2", 4, 3), 2),
        (_label("dotted:2", 4, 1), _label("dotted:2", 5, 2), 0),
        (_label("7A", "A"), _label("7A", "B"), 1),
        (_label("7A", "A"), _label("7A", "D"), 3),
        (_label("7A", "B"), _label("7A", "A"), 0),
        (_label("7A", "A"), _label("7A", "AB"), 0),
        (_label("7A", "AA"), _label("7A", "B"), 0),
        (_label("7A", 1), _label("7A", "B"), 0),
        (_label("7A", "A"), _label("7A", 2), 0),
        (None, _label("1.", 1), 0),
    ],
)
def test_label_follows_another_of_its_sequence(before: LabelReading | None, after: LabelReading, steps: int) -> None:
    """By as many steps as lie between them; backwards, or in another sequence, by none."""
    assert follows(before, after) == steps


@pytest.mark.parametrize(
    ("heading", "named"),
    [
        ("Access control", True),
        ("Reports to the board", True),  # a noun as well as a verb, and in the plural
        ("", False),
        ("The following apply:", False),
        ("Access is reviewed.", False),
        ("Keys, locks,", False),
        ("[Reserved]", False),
        ("Move to the next phase", False),
        ("Report the incident", False),
        ("Report", True),
        ("Ensure access", False),
    ],
)
def test_heading_is_a_name_unless_it_says_something(heading: str, named: bool) -> None:
    """A sentence, a step and what says that there is nothing are none."""
    assert _is_name(heading) is named


@pytest.mark.parametrize(
    ("style", "start", "printed"),
    [
        ("1", 9, ["9.", "10."]),
        ("a", 25, ["y.", "z."]),
        ("a", 26, ["z.", "27."]),
        ("A", 1, ["A.", "B."]),
        ("i", 1, ["i.", "ii."]),
        ("i", 3, ["iii.", "iv."]),
        ("i", 5, ["v.", "vi."]),
        ("i", 8, ["viii.", "ix."]),
        ("i", 10, ["x.", "xi."]),
        ("i", 39, ["xxxix.", "xl."]),
        ("i", 49, ["xlix.", "l."]),
        ("i", 89, ["lxxxix.", "xc."]),
        ("I", 99, ["XCIX.", "C."]),
        ("i", 399, ["cccxcix.", "400."]),
    ],
)
def test_items_of_a_web_page_are_numbered_as_a_browser_numbers_them(style: str, start: int, printed: list[str]) -> None:
    """From where the list begins, in its style; where letters and roman numerals end, in digits."""
    raw = f'<ol type="{style}" start="{start}"><li>Keep it.</li><li>Lock it.</li></ol>'.encode()
    assert [line.split()[0] for line in read_source(raw, "a.html").text.splitlines() if line.strip()] == printed
