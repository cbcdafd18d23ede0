"""How a statement reads on its own: synthetic words, each traced to where the document has them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["Resolution", "ResolutionKind", "Standalone"]

ResolutionKind = Literal[
    "pronoun", "possessive", "demonstrative", "document", "section", "list_lead", "table_header", "heading"
]


class Resolution(Record):
    """Words of the document that were put into a statement from somewhere else in the same document."""

    kind: ResolutionKind
    text: str = Field(
        min_length=1, description="What was put in: verbatim, equal to the document's text at the source."
    )
    replaces: str = Field(description="What stood there, verbatim; empty for words that were only put in.")
    char_offset_start: int = Field(
        ge=0, description="Code points into the canonical text, half-open: what was replaced."
    )
    char_offset_end: int = Field(ge=0, description="Equal to the start where words were only put in.")
    source_start: int = Field(ge=0, description="Where the words stand in the canonical text.")
    source_end: int = Field(ge=1)
    confidence: float = Field(ge=0.0, le=1.0)


class Standalone(Record):
    """A statement with what it takes from its context written out. For reading and for search; never a quotation."""

    text: str = Field(
        min_length=1,
        description="The statement with its resolutions. Besides them only white space, separators (': ', ' — '), a possessive "
        "ending, the case of a first letter and punctuation at a list item's end differ from the document.",
    )
    synthetic: Literal[True] = Field(default=True, description="Never cited: the verbatim text is the statement's own.")
    resolutions: tuple[Resolution, ...] = Field(min_length=1, description="In the order of the text.")
