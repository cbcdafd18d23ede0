r"""What a reader makes of a file: canonical text, its layout, and where its pages lie.

Canonical text is Unicode NFC with ``\n`` line ends and no NUL. All offsets in the whole system are code points
into this text, half-open: ``text[start:end]``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

__all__ = ["MOST_SPANNED", "Block", "BlockKind", "PageSpan", "Proposal", "SourceText", "without_space"]

MOST_SPANNED = 30
"""Columns of a table of which it is kept that their cells stand beside several rows."""

BlockKind = Literal["heading", "paragraph", "list_item", "table_row", "quote", "code"]


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of canonical text that the file format itself marks.

    Attributes:
        start: first code point.
        end: one past the last code point; ``end > start``.
        kind: what the format says that it is.
        level: 1..6 for headings, list depth (1..) for list items; for table rows the columns whose cell goes on from the row
            above, as bits, the first column the lowest, at most :data:`MOST_SPANNED`; for paragraphs the level of the heading that
            the format makes of them, where they are text all the same (as read only, never stored); else 0.
        label: an id that the format gives ("1003-2", "ac-2", a sheet's name), or "".
    """

    start: int
    end: int
    kind: BlockKind
    level: int = 0
    label: str = ""

    @property
    def marks_section(self) -> bool:
        """Whether the format marks the beginning of a section with it: a heading, or text in the form of one."""
        return self.kind == "heading" or (self.kind == "paragraph" and self.level > 0)


@dataclass(frozen=True, slots=True)
class PageSpan:
    """Where a page lies in the canonical text. Pages are in order and do not overlap.

    Attributes:
        number: 1-based physical page.
        start: first code point.
        end: one past the last code point.
        label: the printed page label, or "".
    """

    number: int
    start: int
    end: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Words that a tracked change inserted and that nobody accepted or rejected in the file.

    Attributes:
        start: first code point.
        end: one past the last.
        author: as the file names who inserted them, or "".
        day: on which that was, ISO 8601, or "".
    """

    start: int
    end: int
    author: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True)
class SourceText:
    """What a reader makes of a file: its canonical text and layout.

    Attributes:
        text: canonical text.
        media_type: IANA media type of the source.
        title: the document's own title, or "".
        blocks: in order, not overlapping; may leave gaps (blank lines). Empty for formats without layout.
        pages: the page map; empty for formats without pages.
        reader: the name and version of what read it, e.g. "markdown/1"; part of the version id.
        warnings: what was lost or replaced in reading, for the report.
        places: where words stand on their pages (:mod:`coditect.documents.places`), encoded; "" where that is not known.
        proposed: what tracked changes insert, in order; it is read as if it were accepted.
    """

    text: str
    media_type: str
    title: str = ""
    blocks: tuple[Block, ...] = ()
    pages: tuple[PageSpan, ...] = ()
    reader: str = ""
    warnings: tuple[str, ...] = field(default=())
    places: str = ""
    proposed: tuple[Proposal, ...] = ()


def without_space(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without the white space at its edges; empty (start == end) where there is nothing else in it.

    Args:
        text: canonical text.
        start: first code point.
        end: one past the last.
    """
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
