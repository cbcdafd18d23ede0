"""What is text by its bytes and no document by its shape: dumps, encoded data, white space, indexes."""

from __future__ import annotations

from coditect.documents.readers.limits import ReadLimits
from coditect.documents.source import SourceText
from coditect.errors import ReadError

__all__ = ["require_shape"]

_BLANKS = tuple(character for character in map(chr, range(0x3001)) if character.isspace())
_BLANK_SHARE = 0.9


def require_shape(source: SourceText, name: str, limits: ReadLimits) -> SourceText:
    """A text that has the shape of a document; linear in its length, and next to nothing for an ordinary one.

    Args:
        source: what a reader made of a file.
        name: the relative file name.
        limits: the bounds on shapes.

    Raises:
        ReadError: a line, a word or the title is too long, nearly all is white space, or there are too many headings.
    """
    longest = max(map(len, source.text.split("\n")))
    _require(
        longest <= limits.max_line_chars,
        "a single line is too long to be prose",
        "Leave the file out, or convert it to text with lines or paragraphs.",
        name=name,
        line_chars=longest,
        limit_chars=limits.max_line_chars,
    )
    word = _longest_word(source.text, limits.max_word_chars) if longest > limits.max_word_chars else 0
    _require(
        word <= limits.max_word_chars,
        "a single word is too long to be prose",
        "Leave the file out, or take the encoded data out of it.",
        name=name,
        word_chars=word,
        limit_chars=limits.max_word_chars,
    )
    _require(
        len(source.title) <= limits.max_title_chars,
        "the title is too long to be one",
        "Shorten the title in the file's properties, or save it as plain text.",
        name=name,
        title_chars=len(source.title),
        limit_chars=limits.max_title_chars,
    )
    blank = sum(map(source.text.count, _BLANKS)) if len(source.text) > limits.max_blank_chars else 0
    _require(
        blank <= max(limits.max_blank_chars, _BLANK_SHARE * len(source.text)),
        "the file is nearly all white space",
        "Leave it out, or remove the blank lines and spaces that nobody reads.",
        name=name,
        blank_chars=blank,
        limit_chars=limits.max_blank_chars,
    )
    headings = sum(block.kind == "heading" for block in source.blocks)
    _require(
        headings <= limits.max_headings,
        "the file has too many headings to be one document",
        "Split it into documents, or leave it out if it is an index.",
        name=name,
        headings=headings,
        limit=limits.max_headings,
    )
    return source


def _longest_word(text: str, most: int) -> int:
    """The length of the longest run without white space; 0 if none is longer than ``most``."""
    long_lines = (line for line in text.split("\n") if len(line) > most)
    return max((len(word) for line in long_lines for word in line.split() if len(word) > most), default=0)


def _require(holds: bool, message: str, hint: str, **context: str | int) -> None:
    if not holds:
        raise ReadError(message, hint=hint, **context)
