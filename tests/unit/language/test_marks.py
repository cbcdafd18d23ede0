"""What a recognised span and its data look like."""

from __future__ import annotations

import pytest

from coditect.language.marks import sort_data, trim


@pytest.mark.parametrize(
    ("text", "kept", "tight"),
    [
        ("word", "word", "word"),
        ("  word \n", "word", "word"),
        ("a, ", "a,", "a"),
        (", a;:", ", a;:", ", a"),
        ("a –—-", "a –—-", "a"),
        ("   ", "", ""),
        (" x", "x", "x"),
        ("x ", "x", "x"),
    ],
)
def test_trim_narrows_a_span_to_its_words(text: str, kept: str, tight: str) -> None:
    """White space goes at both ends, punctuation only at the right one and only where that is asked for; the rest stays outside."""
    around = f"({text})"
    for punctuation, expected in ((False, kept), (True, tight)):
        start, end = trim(around, 1, 1 + len(text), punctuation=punctuation)
        assert 1 <= start <= end <= 1 + len(text)
        assert around[start:end] == expected


def test_sorted_data_has_no_absent_keys() -> None:
    """Nothing, an empty text and empty lists are absent; zero and false are said."""
    data = sort_data({"b": 0, "a": "x", "none": None, "text": "", "list": [], "no": False})
    assert list(data.items()) == [("a", "x"), ("b", 0), ("no", False)]
