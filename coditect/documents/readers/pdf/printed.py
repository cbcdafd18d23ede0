"""A printed line of a PDF, as the rules of layout hand it to each other."""

from __future__ import annotations

import re
from dataclasses import dataclass

from coditect.documents.readers.pdf.placing import Box, Placed

__all__ = ["CELLS", "NUMERIC", "Line", "is_signed"]


_SIGN_BEFORE = re.compile(r"[$€£¥(]+")  # set at the left edge of a column of amounts
_SIGN_BEHIND = re.compile(r"[)%]+")

NUMERIC = re.compile(r"[-$€£(]*\d(?:[\d,.]*\d)?[)%]*|[-–—$€£%)]+")
"""A word that is an amount or a sign of one; no full stop or comma of a sentence stands at its end."""

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


def is_signed(left: str, right: str) -> bool:
    """Whether one of two words is a sign of the other, which is an amount, and in its cell however far apart they are set."""
    return _SIGN_BEFORE.fullmatch(left) is not None or _SIGN_BEHIND.fullmatch(right) is not None
