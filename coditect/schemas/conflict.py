"""Possible conflicts: pairs of sentences that may be at odds, listed for a person to read."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["ConflictDifference", "ConflictPage", "ConflictRow", "ConflictSide", "DifferenceFamily"]

DifferenceFamily = Literal["time", "day", "amount", "size", "count", "approval", "place", "polarity"]
"""What two sentences can be at odds about. Polarity: one rules something out, gives it to somebody alone or leaves it open."""


class ConflictDifference(Record):
    """In what two sentences differ."""

    family: DifferenceFamily
    first: str = Field(description='What the first sentence has, as printed; "" where it has nothing of it.')
    second: str = Field(description="The same of the second.")


class ConflictSide(Record):
    """One of two sentences."""

    document: str = Field(description="Name in the corpus.")
    document_id: str
    title: str = ""
    role: str = Field(
        default="", description='What the document is: law, policy, procedure ...; "" where it is not known.'
    )
    item_id: str = Field(description="The sentence or row, for 'coditect knowledge drilldown'.")
    locator: str = Field(default="", description="The path of printed numbers that a person would cite.")
    heading: str = Field(default="", description="Of the section that it stands in.")
    page: int | None = Field(default=None, ge=1, description="Where the file has pages.")
    text: str = Field(description="The sentence or row, verbatim.")
    char_start: int = Field(ge=0, description="Code points into the document's text.")
    char_end: int = Field(ge=0)


class ConflictRow(Record):
    """Two sentences of documents that bind the same people, near in meaning, which fix different things. No verdict."""

    nearness: float = Field(
        description="Orders the list: above 0 the two are nearer to each other than each is to its nearest as a rule."
    )
    differences: tuple[ConflictDifference, ...] = Field(min_length=1)
    first: ConflictSide
    second: ConflictSide


class ConflictPage(Record):
    """Some of the near pairs of a generation, nearest first, and how many there are."""

    rows: tuple[ConflictRow, ...] = ()
    total: int = Field(ge=0, description="Pairs in all.")
