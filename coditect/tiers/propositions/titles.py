"""Headings and the document's own title, as places in its text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.documents.source import SourceText
from coditect.documents.structure.outline import OutlineSection
from coditect.language.marks import trim
from coditect.language.tables import read_table

__all__ = ["Place", "find_title", "heading_place", "is_document_noun", "title_noun"]

_DOCUMENTS = read_table("documents")
_TITLE_LINE = re.compile(
    rf"^[ \t]*(?P<title>[A-Z][A-Z ,&/’'-]{{2,90}}\s(?:{_DOCUMENTS.pattern('titled')}))[ \t]*$", re.MULTILINE
)
_PART = re.compile(rf"\b(?:{_DOCUMENTS.pattern('parts')})\b", re.IGNORECASE)
_DOCUMENT_NOUN = re.compile(_DOCUMENTS.pattern("documents"), re.IGNORECASE)
_LABEL = re.compile(r"\d{1,3}(?:\.\d{1,3})*[.)]?\s+")
_IDENTIFIER = re.compile(r"(?:\s+\S*\d\S*)+$")

Place = tuple[int, int]
"""A span of a document's text: its first code point, and one past its last."""


def heading_place(text: str, section: OutlineSection) -> Place | None:
    """Where a section's heading stands without its label; None where it is not plain in one line.

    Args:
        text: the canonical text.
        section: a section of its outline that has a heading.
    """
    start, end = trim(text, section.start, section.body_start, punctuation=True)
    words = text[start:end]
    at = words.find(section.heading[:20])
    if at < 0 or len(words) - at > 120 or "\n\n" in words:
        return None
    label = _LABEL.match(words, at)
    start += label.end() if label else at
    return (start, end) if start < end else None


def find_title(source: SourceText, sections: Sequence[OutlineSection]) -> Place | None:
    """Where the document's own title stands: what its format says it is, its first heading, or a line of capitals near the top.

    Args:
        source: the text with its layout.
        sections: the outline of the document.

    Returns:
        A span of the text, or None where no title is plain.
    """
    if source.title:
        at = source.text.find(source.title, 0, 3_000)
        if at >= 0:
            return at, at + len(source.title)
    if len(sections) > 1 and sections[1].heading and not sections[1].label and sections[1].start < 1_000:
        place = heading_place(source.text, sections[1])
        words = source.text[slice(*place)] if place else ""
        if place is not None and len(words.split()) > 1 and not _PART.search(words):
            return place
    line = _TITLE_LINE.search(source.text, 0, 3_000)
    return line.span("title") if line and not _PART.search(line["title"]) else None


def title_noun(text: str, title: Place) -> str:
    """What a document calls itself: the last word of its title ("policy"), identifiers left out; "" for a title of one word."""
    words = _IDENTIFIER.sub("", text[slice(*title)]).split()
    return words[-1] if len(words) > 1 else ""


def is_document_noun(word: str) -> bool:
    """Whether a document may call itself so ("this policy")."""
    return _DOCUMENT_NOUN.fullmatch(word) is not None
