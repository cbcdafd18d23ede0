"""What the sample corpus' source texts consist of, for all who print them: its paragraphs and tables, its company, its colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

COMPANY = "Verrowen Health Payments"
INK = "1F3A4D"
TINT = "E8EEF2"

Kind = Literal["title", "heading", "subheading", "clause", "item", "text", "table"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph or a table of a source text.

    Attributes:
        kind: what it is.
        text: its words, without number; "" for a table.
        number: "4.1" for a clause, "(a)" for an item, else "".
        rows: the cells of a table, header first; else empty.
    """

    kind: Kind
    text: str = ""
    number: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
