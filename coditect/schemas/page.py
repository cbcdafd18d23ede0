"""Where words stand on the pages of a document."""

from __future__ import annotations

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["PageRectangles"]


class PageRectangles(Record):
    """Where some words of a document stand on one of its pages: a rectangle for each line, or cell of a line."""

    page: int = Field(ge=1, description="The physical page.")
    width: float = Field(gt=0, description="Of the page as it is shown, points.")
    height: float = Field(gt=0, description="Of the page as it is shown, points.")
    rectangles: tuple[tuple[float, float, float, float], ...] = Field(
        description="(left, top, right, bottom) in points from the page's upper left corner, in the order of the text. Whole words."
    )
