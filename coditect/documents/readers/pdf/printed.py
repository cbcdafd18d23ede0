"""A printed line of a PDF, as the rules of layout hand it to each other."""

from __future__ import annotations

from dataclasses import dataclass

from coditect.documents.readers.pdf.placing import Box, Placed

__all__ = ["CELLS", "Line"]

CELLS = " | "
"""Between two cells of a table row, as all readers write it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line.

    Attributes:
        text: canonical, single spaces, cells apart by :data:`CELLS`.
        box: (left, bottom, right, top) in points, or None.
        tabular: it reads like a row of a table.
        item: it starts with a bullet or an enumerator.
        words: where in the text its words stand, and where on the page.
    """

    text: str
    box: Box | None
    tabular: bool
    item: bool
    words: Placed = ()
