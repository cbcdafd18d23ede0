"""Subjects that a later statement may mean."""

from __future__ import annotations

import pytest

from coditect.language.coreference import main_subject


def _subject(text: str) -> tuple[str, str, str] | None:
    found = main_subject(text, 0, len(text))
    return None if found is None else (text[found.start : found.end], found.number, found.kind)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No devices must be locked.", None),
        ("The IOS devices must be locked.", ("The IOS devices", "plural", "thing")),
        ("iOS devices must be locked.", None),
        ("devices must be locked.", None),
        ("4.2 devices must be locked.", None),
    ],
)
def test_subject_that_begins_with_a_small_letter_is_in_doubt(text: str, expected: tuple[str, str, str] | None) -> None:
    """Such a sentence may be the rest of one that was cut; of a name such as this the same is assumed."""
    assert _subject(text) == expected
