"""Plain text: kept as it is; paragraphs are what blank lines separate."""

from __future__ import annotations

from coditect.documents.readers.canonical import canonicalize, decode
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.source import Block, SourceText
from coditect.errors import ReadError

__all__ = ["read"]


def read(raw: bytes, name: str, limits: ReadLimits) -> SourceText:
    """Read a text file. Hard-wrapped lines stay, so that offsets are those of the file's own characters.

    Args:
        raw: the bytes of the file.
        name: its relative name.
        limits: the bounds on what is read.

    Raises:
        ReadError: not text, white space only, or too long.
    """
    decoded, warnings = decode(raw, name)
    text = canonicalize(decoded)
    if not text or text.isspace():
        raise ReadError("the file holds only white space", hint="Leave it out, or restore its content.", name=name)
    if len(text) > limits.max_text_chars:
        raise ReadError(
            "the file holds too much text",
            hint="Split the file, or raise ReadLimits.max_text_chars.",
            name=name,
            limit_chars=limits.max_text_chars,
        )
    return SourceText(text=text, media_type="text/plain", blocks=_paragraphs(text), reader="plain/1", warnings=warnings)


def _paragraphs(text: str) -> tuple[Block, ...]:
    """Runs of lines that are not blank, without the white space at their ends."""
    blocks: list[Block] = []
    start = end = -1
    position = 0
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped:
            if start < 0:
                start = position + len(line) - len(line.lstrip())
            end = position + len(line.rstrip())
        elif start >= 0:
            blocks.append(Block(start, end, "paragraph"))
            start = -1
        position += len(line) + 1
    if start >= 0:
        blocks.append(Block(start, end, "paragraph"))
    return tuple(blocks)
