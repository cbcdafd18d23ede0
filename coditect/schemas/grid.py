"""Contracts beside a standard text: for each of its clauses, where each contract has it, and how it deviates."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coditect.schemas.change import ChangedSide, ChangedWords, DutyChange, DutyVerdict
from coditect.schemas.record import Record

__all__ = ["ClauseCell", "ClauseRow", "ClauseStatus", "ContractGrid"]

ClauseStatus = Literal["same", "wording", "differs", "not found"]
"""How a contract stands to a clause of the standard text.

- ``same``: the same words; ``wording``: the same content words in the same order.
- ``differs``: other words; what of the duty differs is told field by field, as it was read.
- ``not found``: no provision of the contract says it in words or under a heading that would tell.
"""


class ClauseCell(Record):
    """A clause in one contract."""

    document: str
    status: ClauseStatus
    found: ChangedSide | None = Field(default=None, description="The provision of the contract, verbatim.")
    values: tuple[str, ...] = Field(
        default=(), description="Amounts, percentages, times and dates in it, as printed, in order."
    )
    words: tuple[ChangedWords, ...] = Field(default=(), description="Words of the standard and what stands for them.")
    fields: tuple[DutyChange, ...] = Field(default=(), description="What differs of what is asked, as it was read.")
    duty: DutyVerdict = "none"


class ClauseRow(Record):
    """A clause of the standard text with what each contract says."""

    clause: str = Field(description="The heading that it stands under; its number where there is none.")
    standard: ChangedSide
    values: tuple[str, ...] = ()
    cells: tuple[ClauseCell, ...] = Field(default=(), description="A contract each, in the grid's order.")


class ContractGrid(Record):
    """Contracts beside a standard text, clause by clause."""

    corpus_id: str
    generation: int = Field(ge=0)
    standard: str = Field(description="Name of the standard text's document.")
    documents: tuple[str, ...] = Field(description="Names of the contracts, in order.")
    rows: tuple[ClauseRow, ...] = ()
