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


def numbered(first: int, last: int) -> str:
    """Words that stand nowhere else: "w3 w4 w5"."""
    return " ".join(f"w{number}" for number in range(first, last + 1))


@pytest.mark.parametrize(
    ("content", "sentence", "columns"),
    [
        # The beginning is known by six words, else by three, else by two; the end by its last three.
        (f"{numbered(0, 9)}", numbered(2, 8), (7, 27)),
        (f"a b c d e x {numbered(0, 5)}", f"a b c d e f {numbered(0, 5)}", (1, 30)),
        (f"a b x c {numbered(0, 5)}", f"a b c {numbered(0, 5)}", (1, 26)),
        (f"a x b c {numbered(0, 5)}", f"a b c {numbered(0, 5)}", None),
        # Where the end is not found, the first word stands for the sentence.
        (f"{numbered(0, 5)} x y z", f"{numbered(0, 5)} p q r", (1, 3)),
        # A sentence of n words ends within 4 n + 6 words from its first.
        ("a b " + "x " * 20 + "c d e", "a b c d e", (1, 50)),
        ("a b " + "x " * 21 + "c d e", "a b c d e", (1, 52)),
        ("a b " + "x " * 22 + "c d e", "a b c d e", (1, 2)),
        # One word, the first and the last of the file.
        ("one two three", "one", (1, 4)),
        ("one two three", "Three!", (9, 14)),
        ("one two three", "one two three", (1, 14)),
        ("one two three", "one two three four", (1, 4)),
        ("a b c a b c", "a b c", (1, 6)),
        ("word", "other", None),
    ],
    ids=str,
)
def test_ends_of_a_sentence_are_known_by_their_words(
    content: str, sentence: str, columns: tuple[int, int] | None
) -> None:
    """Mark-up may stand in between, up to a length; the words themselves decide."""
    region = SourceLines(content.encode()).find(sentence)
    assert (None if region is None else (region.start_column, region.end_column)) == columns


def test_a_sentence_is_looked_for_behind_the_end_of_the_one_before() -> None:
    """Not inside of it, and not one word later than that: neighbours have all of their words."""
    lines = SourceLines(b"a b c d a b c d")
    assert lines.find("a b c d") == Region(1, 1, 1, 8)
    assert lines.find("a b c d") == Region(1, 9, 1, 16)
    lost = SourceLines(b"a b c d e f p q r a b")
    assert lost.find("a b c d e f x y z") == Region(1, 1, 1, 2)
    assert lost.find("b c") == Region(1, 3, 1, 6)
