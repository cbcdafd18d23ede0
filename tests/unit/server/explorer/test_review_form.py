"""What a reviewer types for a correction."""

from __future__ import annotations

import pytest

from coditect.server.explorer.shown.reading.reader import span_of
from coditect.server.explorer.shown.review import changes_from

READ = {"kind": "obligation", "actor": "The clerk", "action": "sign"}


@pytest.mark.parametrize(
    ("typed", "changes"),
    [
        ("kind = obligation\nactor = The clerk\naction = sign", {}),
        ("kind = permission\nactor = The clerk", {"kind": "permission"}),
        ("actor =", {"actor": None}),
        ("deadline = within 3 days = soon", {"deadline": "within 3 days = soon"}),
        ("no field here\n= nothing\n\n", {}),
    ],
)
def test_a_correction_is_what_differs(typed: str, changes: dict[str, str | None]) -> None:
    """Lines that say what was read change nothing; an empty value empties the field."""
    assert changes_from(typed, READ) == changes


@pytest.mark.parametrize(
    ("given", "span"), [("3-9", (3, 9)), ("9-3", None), ("3-3", None), ("", None), ("a-b", None), ("-3-9", None)]
)
def test_a_span_is_two_numbers_in_order(given: str, span: tuple[int, int] | None) -> None:
    """Anything else highlights nothing."""
    assert span_of(given) == span
