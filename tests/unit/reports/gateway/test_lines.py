"""Sentences are found in the file that they were read from."""

from __future__ import annotations

import pytest

from coditect.reports.gateway.lines import Region, SourceLines

MARKDOWN = """# Answers

Staff **must** report [incidents](https://example.org/very/long) within
4 hours. Logs are kept.

Logs are kept.
"""


def test_sentences_are_found_behind_each_other_through_markup() -> None:
    """Emphasis, addresses and line ends stand between words; the same sentence again is the next place."""
    lines = SourceLines(MARKDOWN.encode())
    assert lines.find("Answers") == Region(1, 3, 1, 10)
    assert lines.find("Staff must report incidents within 4 hours.") == Region(3, 1, 4, 8)
    assert lines.find("Logs are kept.") == Region(4, 10, 4, 23)
    assert lines.find("Logs are kept.") == Region(6, 1, 6, 14)
    assert lines.find("Logs are kept.") is None


def test_a_sentence_that_is_not_there_does_not_lose_the_next() -> None:
    """What is not found is passed over."""
    lines = SourceLines(MARKDOWN.encode())
    assert lines.find("Nobody said this.") is None
    assert lines.find("...") is None
    assert lines.find("Logs are kept.") == Region(4, 10, 4, 23)


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7\0\1\2", b"\xff\xfe\xfa staff"])
def test_files_that_are_no_text_have_no_lines(content: bytes) -> None:
    """Nothing is found in them, and nothing fails."""
    assert SourceLines(content).find("Staff report.") is None


def test_line_ends_of_all_systems_count_alike() -> None:
    """CR LF is one line end, a byte order mark no character."""
    assert SourceLines("\ufeffOne.\r\nTwo more.\rThree.".encode()).find("Three.") == Region(3, 1, 3, 6)
